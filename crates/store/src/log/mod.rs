//! Progress on disk: one append-only file for each process, merged by record id when read.
//!
//! Two terminals never share a file, so there is no lock to wait for, on NFS or elsewhere, and nothing
//! is ever rewritten. A line is `crc32c SP json LF`; damage costs the lines it touched. The first line
//! of a file is a header, which is for people, for later versions, and for noticing that another log was cut off: no
//! record depends on it. Each record has the number of its place in its log, so that a missing line is noticed.
//!
//! ```text
//! <data>/log/20260301T140509Z-gpubox-4711-01J….jsonl
//! 5ad25bd3 {"format":1,"app":"0.1.0","host":"gpubox","course":"warpup"}
//! 0c0a3db1 {"seq":1,"id":"01J…","at_ms":1772373909000,"course":"warpup","kind":"read",…}
//! ```

mod disk;
mod dropped;
mod elsewhere;
mod export;
mod file;
mod hand_in;
mod line;
mod read;
mod reported;
mod scan;
mod set_aside;
mod transfer;
mod write;

pub use dropped::DroppedFile;
pub use elsewhere::{count_of, how_to_import, keep_elsewhere, kept, kept_elsewhere};
pub use export::{HandedIn, MAX_HANDED_IN, handed_in, is_of_a_learner, records_in};
pub use hand_in::{DropFolder, DropName, hand_in};
pub use line::MAX_LINE;
pub use read::{LoadedRecords, Problem, read};
pub use reported::{not_reported, note_reported};
pub use transfer::{ImportSummary, RecordLines, RepairedLog, lines_in, repair};
pub use write::{Log, SaveError};

#[cfg(test)]
mod tests;

//! Disk: course files and progress logs.
//!
//! Everything that outlives a process is read and written here, and nothing is decided here: what a
//! course means is [`warpup_course`]'s, what a record means is [`warpup_progress`]'s.

pub mod consent;
pub mod course;
pub mod course_edit;
mod data_dir;
mod guest;
mod hex;
pub mod kept_course;
pub mod log;
pub mod returned;
pub mod settings;
pub mod text_file;

pub use data_dir::{NoDataDir, OpenTo, data_dir, open_to_others};
pub use guest::{begin_guest, end_guest, guest};

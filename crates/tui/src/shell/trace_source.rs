//! Reads the learner's own files that a trace names, as they are now.

use std::fs::{self, Metadata};
use std::path::Path;

use crate::session::SourceText;

/// Larger files are no programs that somebody reads.
const MAX_BYTES: u64 = 1 << 20;

/// What is in a file of a trace. PyTorch writes paths without the folder in which Python found them, so it is looked for where warpup was
/// started, and beside the trace; first in the folder of the program, if the trace has it.
pub(super) fn read(path: &str, program: &Path, trace: &Path) -> SourceText {
    let beside = trace.parent().unwrap_or(Path::new(""));
    // A trace of a stranger may name any file.
    if Path::new(path).extension().is_none_or(|it| it != "py") {
        return SourceText::Missing;
    }
    let of_program = program.join(path);
    let of_program = [of_program.clone(), beside.join(of_program)];
    let others = [Path::new(path).to_owned(), beside.join(path)];
    let places = of_program.into_iter().chain(others);
    let found = places.into_iter().find_map(|it| {
        let about = fs::metadata(&it).ok()?;
        // What waits for a writer is never read.
        if !about.is_file() || about.len() > MAX_BYTES {
            return None;
        }
        let text = fs::read(&it).ok()?;
        Some((String::from_utf8_lossy(&text).into_owned(), about))
    });
    let Some((text, about)) = found else {
        return SourceText::Missing;
    };
    let written = |it: &Metadata| it.modified().ok();
    let of_trace = fs::metadata(trace).ok().as_ref().and_then(written);
    match (written(&about), of_trace) {
        (Some(source), Some(trace)) if source > trace => SourceText::Newer(text),
        (Some(_) | None, Some(_) | None) => SourceText::Recorded(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn a_file_beside_the_trace_is_read_and_a_later_one_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let trace = dir.path().join("trace.json");
        fs::write(&trace, "{}").unwrap();
        let source = dir.path().join("train.py");
        fs::write(&source, "x = 1\n").unwrap();
        let set = |age: u64| {
            let file = fs::File::options().write(true).open(&source).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(age);
            file.set_modified(time).unwrap();
        };
        set(1);
        let text = "x = 1\n".to_owned();
        let read = |path: &str, program: &str| read(path, Path::new(program), &trace);
        assert_eq!(read("train.py", ""), SourceText::Recorded(text.clone()));
        set(1 << 33);
        assert_eq!(read("train.py", "."), SourceText::Newer(text));
        assert_eq!(read("other.py", ""), SourceText::Missing);
        assert_eq!(read("trace.json", ""), SourceText::Missing);
        fs::create_dir(dir.path().join("src")).unwrap();
        fs::write(dir.path().join("src/train.py"), "y = 2\n").unwrap();
        let (SourceText::Newer(text) | SourceText::Recorded(text)) = read("train.py", "src") else {
            panic!("not found");
        };
        assert_eq!(text, "y = 2\n");
    }
}

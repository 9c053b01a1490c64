//! A text file that somebody named: read without waiting, and not beyond a size.
//!
//! A path may lead to a named pipe, which waits for a writer when it is opened, or to a device that never ends.

use rustix::fs::OFlags;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Reads a regular file of at most so many bytes.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    let file = File::options()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(path)?;
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut text = String::new();
    let length = file
        .take(most.saturating_add(1))
        .read_to_string(&mut text)?;
    if length as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, Mode, mkfifoat};

    #[test]
    fn only_a_regular_file_of_a_fitting_size_is_read() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "four").unwrap();
        let why = |path: &Path, most| read(path, most).unwrap_err().to_string();
        assert_eq!(read(&path, 4).unwrap(), "four");
        assert_eq!(why(&path, 3), "it has more than 3 bytes");
        assert_eq!(why(folder.path(), 3), "is a directory");
        let pipe = folder.path().join("pipe");
        mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
        assert_eq!(why(&pipe, 3), "it is not a regular file");
        assert_eq!(why(Path::new("/dev/zero"), 3), "it is not a regular file");
    }
}

//! A file that somebody named: read without waiting and not beyond a size, created, or replaced in one step.
//!
//! A path may lead to a named pipe, which waits for a writer when it is opened, or to a device that never ends.

use rustix::fs::OFlags;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Reads a regular file of at most so many bytes.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read_bytes(path, most)?).ok();
    // As the standard library says it of a file.
    text.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidData,
            "stream did not contain valid UTF-8",
        )
    })
}

/// The same for a file that may be no text.
pub fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open(path)?;
    let room = usize::try_from(length.min(most)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(room.saturating_add(1));
    let length = file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if length as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// Opens a regular file, and says how long it is.
pub(crate) fn open(path: &Path) -> io::Result<(File, u64)> {
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
    Ok((file, found.len()))
}

/// Writes a file that does not exist yet, and its folder. One that exists is an error, and stays as it is.
pub fn create(file: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(file)?.write_all(contents.as_ref())
}

/// Puts these contents in the place of a file in one step, so that nobody reads half of it. A link stays a link.
pub fn replace(file: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let Some(folder) = file.parent() else {
        return Err(io::ErrorKind::NotADirectory.into());
    };
    fs::create_dir_all(folder)?;
    let permissions = fs::metadata(&file).map(|it| it.permissions()).ok();
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::Error::other("it is read-only"));
    }
    let mut written = tempfile::NamedTempFile::new_in(folder)?;
    written.write_all(contents.as_ref())?;
    if let Some(permissions) = permissions {
        written.as_file().set_permissions(permissions)?;
    }
    written.as_file().sync_all()?;
    written.persist(&file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, Mode, mkfifoat};

    #[test]
    fn only_a_regular_file_of_a_fitting_size_is_read() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "four").unwrap();
        let why = |path: &Path, most| read(path, most).unwrap_err().to_string();
        assert_eq!(read(&path, 4).unwrap(), "four");
        assert_eq!(why(&path, 3), "it has more than 3 bytes");
        assert_eq!(why(folder.path(), 3), "is a directory");
        let pipe = folder.path().join("pipe");
        mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
        assert_eq!(why(&pipe, 3), "it is not a regular file");
        assert_eq!(why(Path::new("/dev/zero"), 3), "it is not a regular file");
    }

    #[test]
    fn a_file_that_exists_is_not_created_again() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("deep/file");
        create(&path, "first").unwrap();
        let why = create(&path, "second").unwrap_err();
        assert_eq!(why.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(read(&path, 9).unwrap(), "first");
    }
}

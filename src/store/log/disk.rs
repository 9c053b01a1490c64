//! The few things a log asks of a disk, as a seam: the tests put a full or failing disk in its place.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// A disk that can hold logs.
pub(super) trait Disk: Send {
    /// Makes a new file, and its folder where that is missing; fails if there is such a file.
    fn create(&mut self, path: &Path) -> io::Result<Box<dyn LogFile>>;

    /// Removes a file that this process made and that holds no record.
    fn remove(&mut self, path: &Path);
}

/// An open log.
pub(super) trait LogFile: Send {
    /// Appends bytes, in one write where the system does not split it.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits until everything appended is on the disk.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file off.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

/// The file system.
pub(super) struct FileSystem;

impl Disk for FileSystem {
    fn create(&mut self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        let folder = path.parent().unwrap_or(Path::new("."));
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        match File::open(folder).and_then(|it| it.sync_all()) {
            // Some network file systems cannot sync a folder and say so with EINVAL.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(error),
            Ok(()) | Err(_) => Ok(Box::new(file)),
        }
    }

    fn remove(&mut self, path: &Path) {
        // An empty file that stays is only untidy.
        drop(std::fs::remove_file(path));
    }
}

impl LogFile for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

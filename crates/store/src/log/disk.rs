//! The few things a log asks of a disk, as a seam: the tests put a full or failing disk in its place.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
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

    /// Whether who opens `path` gets this file: somebody may have deleted or replaced it.
    fn is_at(&self, path: &Path) -> io::Result<bool>;

    /// The first bytes of the file, also of one that was deleted.
    fn read_back(&self, length: u64) -> io::Result<Vec<u8>>;
}

/// The file system.
pub(super) struct FileSystem;

impl Disk for FileSystem {
    fn create(&mut self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        let folder = path.parent().unwrap_or(Path::new("."));
        make_folder(folder)?;
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        if let Err(error) = sync_folder(folder) {
            self.remove(path);
            return Err(error);
        }
        Ok(Box::new(file))
    }

    fn remove(&mut self, path: &Path) {
        // An empty file that stays is only untidy.
        drop(fs::remove_file(path));
    }
}

/// Makes a folder and those above it, for this user only, and waits until their names are on the disk.
fn make_folder(folder: &Path) -> io::Result<()> {
    let is_missing = |it: &&Path| !it.as_os_str().is_empty() && !it.exists();
    let missing: Vec<_> = folder.ancestors().take_while(is_missing).collect();
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    missing.iter().try_for_each(|it| match it.parent() {
        Some(above) if !above.as_os_str().is_empty() => sync_folder(above),
        Some(_) | None => sync_folder(Path::new(".")),
    })
}

/// Waits until the names in a folder are on the disk.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|it| it.sync_all()) {
        // Some network file systems cannot sync a folder and say so with EINVAL. A folder above the data may be one
        // that this user cannot read.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        synced => synced,
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

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let ours = self.metadata()?;
        match fs::symlink_metadata(path) {
            Ok(there) => {
                let is_same = (ours.dev(), ours.ino()) == (there.dev(), there.ino());
                Ok(is_same && ours.nlink() > 0)
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    fn read_back(&self, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }
}

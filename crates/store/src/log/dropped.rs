//! A file that somebody else put into a folder: looked at and read without following, waiting for, or believing anything of it.

use super::export::{MAX_HANDED_IN, too_large};
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// A file as it looks from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedFile {
    /// Where it is.
    pub path: PathBuf,
    /// The number of the user whose file it is: the only signature there is.
    pub owner: u32,
    /// When it was last written, in milliseconds since 1970 UTC, as its owner set it.
    pub modified_ms: u64,
    /// When the system last changed anything about it (`ctime`), which nobody can set: it was not handed in later.
    pub changed_ms: u64,
    /// Why it must not be opened, if so.
    pub refused: Option<String>,
    identity: (u64, u64),
}

impl DroppedFile {
    /// Looks at what is there, and not at what a link leads to.
    pub fn at(path: &Path) -> io::Result<Self> {
        let found = fs::symlink_metadata(path)?;
        Ok(Self {
            path: path.to_owned(),
            owner: found.uid(),
            modified_ms: in_ms(found.mtime(), found.mtime_nsec()),
            changed_ms: in_ms(found.ctime(), found.ctime_nsec()),
            refused: refused(&found),
            identity: (found.dev(), found.ino()),
        })
    }

    /// Its bytes, or why it has none for us.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        if let Some(why) = &self.refused {
            return Err(why.clone());
        }
        self.read()
            .map_err(|error| format!("it cannot be read: {error}"))
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
        let mut options = OpenOptions::new();
        let file = options.read(true).custom_flags(flags).open(&self.path)?;
        let before = file.metadata()?;
        let changed = || io::Error::other("it changed while it was read; collect again");
        if (before.dev(), before.ino()) != self.identity || refused(&before).is_some() {
            return Err(changed());
        }
        let (bytes, after) = read_all(file, before.len())?;
        let state = |it: &Metadata| (it.len(), it.mtime(), it.mtime_nsec(), it.uid());
        if state(&before) != state(&after) || bytes.len() as u64 != before.len() {
            return Err(changed());
        }
        Ok(bytes)
    }
}

fn read_all(file: File, expected: u64) -> io::Result<(Vec<u8>, Metadata)> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    // One more than there should be shows that the file grows.
    let mut limited = file.take(expected.saturating_add(1));
    limited.read_to_end(&mut bytes)?;
    let after = limited.into_inner().metadata()?;
    Ok((bytes, after))
}

/// Why a file must not be read, if so.
fn refused(found: &Metadata) -> Option<String> {
    let kind = found.file_type();
    if !kind.is_file() {
        return Some(format!("it is {}, not a file", kind_in_words(kind)));
    }
    if found.nlink() > 1 {
        let names = found.nlink();
        return Some(format!(
            "it has {names} names (hard links), so it may be somebody else's file"
        ));
    }
    if found.len() > MAX_HANDED_IN {
        return Some(too_large());
    }
    (found.len() == 0).then(|| "it is empty".to_owned())
}

fn kind_in_words(kind: FileType) -> &'static str {
    if kind.is_symlink() {
        "a link"
    } else if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

fn in_ms(seconds: i64, nanoseconds: i64) -> u64 {
    let seconds = u64::try_from(seconds).unwrap_or_default();
    let ms = u64::try_from(nanoseconds).unwrap_or_default() / 1_000_000;
    seconds.saturating_mul(1000).saturating_add(ms)
}

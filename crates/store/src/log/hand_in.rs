//! A learner's records as one file in a drop folder, where only its owner and instructors can read it.
//!
//! Learners need to write and search the folder, and nothing else: as in nbgrader's `inbound`, nobody lists it, and nobody guesses
//! 128 random bits. So nothing here reads the folder.

use super::disk::sync_folder;
use super::transfer::RecordLines;
use crate::hex::hex;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use warpup_progress::Record;
use warpup_text::utc;

/// The end of each name.
const ENDING: &str = ".jsonl";

/// Letters of 128 bits in hexadecimal digits.
const BITS: usize = 32;

/// What the name of a file in a drop folder claims. Whose file it is, its owner says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropName {
    /// The user.
    pub user: String,
    /// When it was handed in, as in `20260301T140509Z`: as text, a later time is larger.
    pub at: String,
    /// 128 bits in hexadecimal digits.
    pub random: String,
}

/// What is known of a drop folder without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DropFolder {
    /// Whether its group is that of new files.
    has_group: bool,
    group: u32,
    /// Whether users who neither own it nor belong to its group can list it, or this user can, who does not own it.
    pub is_listable: bool,
    /// Whether others can remove and replace files of this user there.
    pub is_unsafe: bool,
}

impl DropName {
    /// A new name.
    pub fn new(user: &str, at_ms: u64) -> io::Result<Self> {
        let mut bytes = [0; BITS / 2];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self {
            user: user.to_owned(),
            at: utc::compact(at_ms),
            random: hex(&bytes),
        })
    }

    /// Reads the name of a file; nothing if it has another form.
    pub fn of(file: &OsStr) -> Option<Self> {
        let name = file.to_str()?.strip_suffix(ENDING)?;
        let (rest, random) = name.rsplit_once('-')?;
        let (user, at) = rest.rsplit_once('-')?;
        let is_hex = |it: u8| it.is_ascii_digit() || (b'a'..=b'f').contains(&it);
        let is_time = at.len() == 16
            && at.bytes().enumerate().all(|(place, it)| match place {
                8 => it == b'T',
                15 => it == b'Z',
                _ => it.is_ascii_digit(),
            });
        let is_ours = random.len() == BITS && random.bytes().all(is_hex);
        (is_ours && is_time && !user.is_empty()).then(|| Self {
            user: user.to_owned(),
            at: at.to_owned(),
            random: random.to_owned(),
        })
    }

    /// The name of the file.
    pub fn file(&self) -> String {
        format!("{}-{}-{}{ENDING}", self.user, self.at, self.random)
    }
}

impl DropFolder {
    /// Looks at a folder, without reading it.
    pub fn at(folder: &Path) -> io::Result<Self> {
        let found = fs::metadata(folder)?;
        if !found.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let me = rustix::process::geteuid();
        let is_others = found.uid() != me.as_raw() && !me.is_root();
        Ok(Self {
            has_group: found.mode() & 0o2000 != 0,
            group: found.gid(),
            is_unsafe: found.mode() & 0o022 != 0 && found.mode() & 0o1000 == 0,
            is_listable: found.mode() & 0o4 != 0 || is_others && fs::read_dir(folder).is_ok(),
        })
    }
}

/// Puts a file into a drop folder: whole under its name, or not at all. Gives where it is.
///
/// Instructors read it as members of the folder's group, or, where new files do not get that group, because everybody may who
/// knows its name. The umask has no say.
pub fn hand_in(
    folder: &Path,
    looked: DropFolder,
    name: &DropName,
    text: &str,
) -> io::Result<PathBuf> {
    let path = folder.join(name.file());
    let mut file = tempfile::Builder::new()
        .prefix(&format!(".{}-", name.random))
        .tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    let of_group = looked.has_group && file.as_file().metadata()?.gid() == looked.group;
    let mode = if of_group { 0o640 } else { 0o644 };
    file.as_file()
        .set_permissions(Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    sync_folder(folder)?;
    Ok(path)
}

impl RecordLines {
    /// The records that this version understands, each once.
    pub fn records(&self) -> Vec<Record> {
        let mut ids = BTreeSet::new();
        let records = self.all.iter().filter(|it| it.0.is_some());
        let records = records.filter_map(|(_, json)| serde_json::from_str::<Record>(json).ok());
        records.filter(|it| ids.insert(it.id.clone())).collect()
    }

    /// How many records only a newer version understands.
    pub fn newer(&self) -> usize {
        let records = self.all.iter().filter(|it| it.0.is_none());
        records.count()
    }

    /// Records to write as a file. What a newer version would have written beside them is not in it.
    pub fn of(records: &[Record]) -> Self {
        let mut lines = Self::default();
        for record in records {
            if let Ok(json) = serde_json::to_string(record) {
                lines.all.push((Some(record.id.clone()), json));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn a_name_is_read_as_it_was_written_and_others_are_none() {
        let name = DropName::new("ada-l.smith", 951_782_400_000).unwrap();
        assert_eq!(DropName::of(name.file().as_ref()), Some(name.clone()));
        assert_ne!(name, DropName::new("ada-l.smith", 951_782_400_000).unwrap());
        let random = "0123456789abcdef0123456789abcdef";
        let whole = format!("ada-20000229T000000Z-{random}.jsonl");
        assert_eq!(DropName::of(whole.as_ref()).unwrap().user, "ada");
        for other in [
            "ada.jsonl",
            "",
            ".jsonl",
            "--.jsonl",
            &whole.replace("ada", ""),
            &whole.replace('T', "t"),
            &whole.replace('f', "F"),
            &whole.replace(".jsonl", ""),
        ] {
            assert_eq!(DropName::of(other.as_ref()), None, "{other}");
        }
    }

    #[test]
    fn a_file_has_the_rights_that_instructors_need_and_no_trace_of_its_making() {
        let dir = TempDir::new().unwrap();
        for (of_folder, of_file, is_listable) in [
            (0o1733, 0o644, false),
            (0o2733, 0o640, false),
            (0o1777, 0o644, true),
        ] {
            let folder = dir.path().join(format!("{of_folder:o}"));
            fs::create_dir(&folder).unwrap();
            fs::set_permissions(&folder, Permissions::from_mode(of_folder)).unwrap();
            let looked = DropFolder::at(&folder).unwrap();
            assert_eq!(looked.is_listable, is_listable, "{of_folder:o}");
            let name = DropName::new("ada", 0).unwrap();
            let path = hand_in(&folder, looked, &name, "text").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "text");
            let mode = fs::metadata(&path).unwrap().mode() & 0o7777;
            assert_eq!(mode, of_file, "{of_folder:o}");
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_file_is_no_folder() {
        let dir = TempDir::new().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let error = DropFolder::at(&file).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    }
}

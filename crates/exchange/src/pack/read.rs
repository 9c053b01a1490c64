//! Reads a pack, which may come from anybody.
//!
//! Only what `warpup pack` writes is read: texts of a course, uncompressed, each once, and each as its list says. All else is refused
//! as a whole: half a course would look like the course.

use super::contents::{Contents, FORMAT, NAME, PackFile};
use crate::archive;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use warpup_course::{MAX_FILE, Sources, is_of_course};
use zip::{CompressionMethod, ZipArchive};

/// A pack may have this many bytes: those of the largest course, and room for the list.
pub const MAX_BYTES: u64 = (64 << 20) + (4 << 20);
/// More files are refused, as in a folder.
const MAX_FILES: usize = 2_000;
/// The list may have this many bytes.
const MAX_LIST: usize = 2 << 20;

/// Why a pack is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct PackError {
    /// The file in the pack; the pack itself where it is about all of it.
    pub place: String,
    /// What is wrong with it.
    pub what: String,
}

fn refused(place: impl Into<String>, what: impl Into<String>) -> PackError {
    PackError {
        place: place.into(),
        what: what.into(),
    }
}

/// The texts of a packed course.
pub fn read(bytes: &[u8]) -> Result<Sources, PackError> {
    let whole = |what: &str| refused("the file", what);
    let mut archive = archive::open(bytes).ok_or_else(|| {
        whole("it is not as `warpup pack` writes a file: it may be cut off, or have other bytes in it")
    })?;
    if archive.len() > MAX_FILES + 1 {
        return Err(whole("it has more files than a course may have"));
    }
    if archive.has_duplicate_names() {
        return Err(whole("it has two files of one name"));
    }
    let mut files = BTreeMap::new();
    let mut list = None;
    for at in 0..archive.len() {
        let (name, contents) = entry(&mut archive, at)?;
        if name == NAME {
            list = Some(contents);
        } else {
            check_name(&name)?;
            files.insert(name, contents);
        }
    }
    let list =
        list.ok_or_else(|| refused(NAME, "it is missing, so nothing says what the course is"))?;
    let list: Contents = serde_json::from_slice(&list)
        .map_err(|why| refused(NAME, format!("it cannot be read: {why}")))?;
    if list.format != FORMAT {
        let what = format!(
            "it has format {}, and this warpup reads format {FORMAT}",
            list.format
        );
        return Err(refused(NAME, what));
    }
    check_list(&list.files, &files)?;
    let files = files.into_iter().map(|(name, bytes)| {
        let text = String::from_utf8(bytes)
            .map_err(|why| refused(&name, format!("it is not text: {why}")))?;
        Ok((name, Cow::Owned(text)))
    });
    Ok(Sources::of(files.collect::<Result<Vec<_>, _>>()?))
}

/// The name and the bytes of an entry.
fn entry(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    at: usize,
) -> Result<(String, Vec<u8>), PackError> {
    let number = || format!("file {}", at + 1);
    let file = archive
        .by_index(at)
        .map_err(|why| refused(number(), why.to_string()))?;
    let name = file
        .name()
        .map_err(|why| refused(number(), why.to_string()))?
        .into_owned();
    if file.is_symlink() || file.is_dir() {
        return Err(refused(name, "it is not a file but a link or a folder"));
    }
    if file.compression() != CompressionMethod::Stored {
        return Err(refused(
            name,
            "it is compressed, which `warpup pack` never does",
        ));
    }
    let most = if name == NAME { MAX_LIST } else { MAX_FILE };
    let mut bytes = Vec::new();
    let read = file.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|why| refused(&name, format!("it cannot be read: {why}")))?;
    if bytes.len() > most {
        return Err(refused(name, "it is larger than a file of a course may be"));
    }
    Ok((name, bytes))
}

/// Refuses a name that no file of a course has: one that leads out of the folder, for example.
fn check_name(name: &str) -> Result<(), PackError> {
    if is_of_course(name) && !name.contains(['\\', '\0']) {
        return Ok(());
    }
    Err(refused(
        name,
        "a course has only `lessons/NAME.md`, `lessons/course.toml`, `quizzes/NAME.toml`, `labs/NAME.py`, `repairs/NAME.md`, and translations in \
         folders such as `lessons/de`",
    ))
}

/// Refuses a pack whose files are not those of its list.
fn check_list(list: &[PackFile], files: &BTreeMap<String, Vec<u8>>) -> Result<(), PackError> {
    let listed: BTreeMap<&str, &PackFile> = list.iter().map(|it| (it.path.as_str(), it)).collect();
    for (name, bytes) in files {
        let Some(entry) = listed.get(name.as_str()) else {
            return Err(refused(name, format!("it is not in the list of {NAME}")));
        };
        let is = PackFile::of(name, bytes);
        if is.bytes != entry.bytes || is.sha256 != entry.sha256 {
            return Err(refused(
                name,
                "it is not the file that was packed: its hash is another",
            ));
        }
    }
    match listed.keys().find(|it| !files.contains_key(**it)) {
        Some(missing) => Err(refused(
            *missing,
            format!("it is in the list of {NAME}, and not in the file"),
        )),
        None => Ok(()),
    }
}

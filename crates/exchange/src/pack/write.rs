//! Packs a course.

use super::contents::{Contents, FORMAT, NAME, PackFile};
use crate::archive;
use std::io;
use warpup_course::{Course, Sources};

/// The bytes of a pack with these files.
pub fn write(course: &Course, sources: &Sources) -> io::Result<Vec<u8>> {
    let files = sources.files.iter();
    let contents = Contents {
        format: FORMAT,
        course: course.id.to_string(),
        title: course.title.clone(),
        warpup: env!("CARGO_PKG_VERSION").to_owned(),
        files: files
            .map(|(path, text)| PackFile::of(path, text.as_bytes()))
            .collect(),
    };
    let mut list = serde_json::to_string_pretty(&contents)?;
    list.push('\n');
    let mut files = vec![(NAME.to_owned(), list)];
    for (path, text) in &sources.files {
        files.push((path.clone(), text.to_string()));
    }
    archive::of(&files)
}

//! Packs: what comes out is what went in, and nothing else is read.

use super::*;
use proptest::prelude::*;
use std::io::{Cursor, Write};
use warpup_course::{self as course, Sources};
use warpup_store::course::embedded;
use zip::write::{SimpleFileOptions, ZipWriter};

fn packed() -> Vec<u8> {
    let sources = small();
    write(&course::open(&sources), &sources).unwrap()
}

/// Two files of a course.
fn small() -> Sources {
    let mut sources = embedded();
    sources
        .files
        .retain(|name, _| name == "lessons/course.toml" || name == "lessons/the-queue.md");
    sources
}

/// A ZIP file with these entries.
fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn said(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn a_course_comes_out_as_it_went_in_and_its_bytes_are_always_the_same() {
    let sources = embedded();
    let course = course::open(&sources);
    let bytes = write(&course, &sources).unwrap();
    assert_eq!(bytes, write(&course, &sources).unwrap());
    assert_eq!(read(&bytes).unwrap(), sources);
}

#[test]
fn the_list_says_what_the_pack_is() {
    let bytes = packed();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let list: serde_json::Value = serde_json::from_reader(archive.by_index(0).unwrap()).unwrap();
    assert_eq!(
        (&list["course"], &list["format"]),
        (&"warpup".into(), &1.into())
    );
    assert_eq!(list["files"][1]["path"], "lessons/the-queue.md");
    assert_eq!(list["files"][1]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn a_changed_byte_and_a_cut_are_refused() {
    let bytes = packed();
    let text = b"The queue";
    let at = bytes
        .windows(text.len())
        .rposition(|it| it == text)
        .unwrap();
    let mut changed = bytes.clone();
    changed[at] = b'X';
    assert!(read(&changed).is_err());
    insta::assert_snapshot!(said(&bytes[..bytes.len() - 1]), @"the file: it is not as `warpup pack` writes a file: it may be cut off, or have other bytes in it");
    insta::assert_snapshot!(said(b"not a pack"), @"the file: it is not as `warpup pack` writes a file: it may be cut off, or have other bytes in it");
}

/// A pack of two short files, with where its directory begins.
fn short() -> (Vec<u8>, usize) {
    let mut sources = course::sample::sources();
    sources
        .files
        .retain(|name, _| name == "lessons/course.toml");
    sources
        .files
        .insert("labs/a.py".to_owned(), "x = 1\n".into());
    let bytes = write(&course::open(&sources), &sources).unwrap();
    assert!(read(&bytes).is_ok());
    let directory = bytes.len() - 22 + 16;
    let directory = bytes[directory..directory + 4].try_into().unwrap();
    let directory = u32::from_le_bytes(directory) as usize;
    (bytes, directory)
}

#[test]
fn a_changed_byte_is_refused_wherever_it_is() {
    let (bytes, directory) = short();
    // Which system packed it, and the rights of its files, mean nothing.
    let mut free = Vec::new();
    let mut entry = directory;
    while bytes[entry..].starts_with(b"PK\x01\x02") {
        free.extend([entry + 4, entry + 5]);
        free.extend(entry + 38..entry + 42);
        entry += 46 + usize::from(bytes[entry + 28]);
    }
    assert_eq!(free.len(), 3 * 6);
    for at in (0..bytes.len()).filter(|it| !free.contains(it)) {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(read(&changed).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn other_bytes_are_refused_wherever_they_are() {
    let (bytes, directory) = short();
    let end = bytes.len() - 22;
    let mut tried = 0;
    for at in 0..=bytes.len() {
        for other in [&b"#"[..], b"#!/bin/sh\n", &bytes] {
            // As they are, with the directory found again, and with all offsets and sizes moved: readers of ZIP files accept these.
            let mut put_in = bytes.clone();
            put_in.splice(at..at, other.iter().copied());
            let mut moved = put_in.clone();
            if at <= end {
                let add = |moved: &mut Vec<u8>, place: usize| {
                    let place = if place >= at {
                        place + other.len()
                    } else {
                        place
                    };
                    let old = u32::from_le_bytes(moved[place..place + 4].try_into().unwrap());
                    let new = old + u32::try_from(other.len()).unwrap();
                    moved[place..place + 4].copy_from_slice(&new.to_le_bytes());
                };
                add(
                    &mut moved,
                    if at <= directory { end + 16 } else { end + 12 },
                );
                let entries = (directory..end).filter(|it| bytes[*it..].starts_with(b"PK\x01\x02"));
                for entry in entries {
                    let head = bytes[entry + 42..entry + 46].try_into().unwrap();
                    if u32::from_le_bytes(head) as usize >= at {
                        add(&mut moved, entry + 42);
                    }
                }
            }
            for packed in [put_in, moved] {
                assert!(read(&packed).is_err(), "{} bytes at {at}", other.len());
                tried += 1;
            }
        }
    }
    assert!(tried > 1000);
    // A zip reader takes some of them, so that is no mistake of the test.
    let in_front = [b"#!/bin/sh\n", &bytes[..]].concat();
    assert!(zip::ZipArchive::new(Cursor::new(in_front)).is_ok());
}

#[test]
fn what_no_pack_has_is_refused_by_name() {
    let list = r#"{"format":1,"course":"c","title":"C","warpup":"0","files":[]}"#;
    let with = |name: &str| said(&zip_of(&[("warpup.json", list), (name, "x")]));
    insta::assert_snapshot!(with("../outside.md"), @"../outside.md: a course has only `lessons/NAME.md`, `lessons/course.toml`, `quizzes/NAME.toml`, `labs/NAME.py`, `repairs/NAME.md`, and translations in folders such as `lessons/de`");
    for name in [
        "/etc/passwd",
        "lessons/../../x.md",
        "lessons/a/b.md",
        "lessons/.x.md",
        "lessons\\x.md",
        "x.md",
        "lessons/x.sh",
    ] {
        assert!(
            with(name).contains("a course has only"),
            "{name}: {}",
            with(name)
        );
    }
    insta::assert_snapshot!(with("lessons/x.md"), @"lessons/x.md: it is not in the list of warpup.json");
    insta::assert_snapshot!(said(&zip_of(&[("lessons/x.md", "x")])), @"warpup.json: it is missing, so nothing says what the course is");
    insta::assert_snapshot!(said(&zip_of(&[("warpup.json", "{}")])), @"warpup.json: it cannot be read: missing field `format` at line 1 column 2");
    let newer = list.replace("\"format\":1", "\"format\":2");
    insta::assert_snapshot!(said(&zip_of(&[("warpup.json", &newer)])), @"warpup.json: it has format 2, and this warpup reads format 1");
    let large = "x".repeat(course::MAX_FILE + 1);
    insta::assert_snapshot!(said(&zip_of(&[("warpup.json", list), ("lessons/x.md", &large)])), @"lessons/x.md: it is larger than a file of a course may be");
    let missing = list.replace("[]", r#"[{"path":"lessons/x.md","bytes":1,"sha256":"00"}]"#);
    insta::assert_snapshot!(said(&zip_of(&[("warpup.json", &missing)])), @"lessons/x.md: it is in the list of warpup.json, and not in the file");
    insta::assert_snapshot!(said(&zip_of(&[("warpup.json", &missing), ("lessons/x.md", "x")])), @"lessons/x.md: it is not the file that was packed: its hash is another");
}

#[test]
fn links_folders_and_two_files_of_one_name_are_refused() {
    let list = r#"{"format":1,"course":"c","title":"C","warpup":"0","files":[]}"#;
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer
        .add_symlink("lessons/x.md", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    insta::assert_snapshot!(said(&writer.finish().unwrap().into_inner()), @"lessons/x.md: it is not a file but a link or a folder");
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer
        .add_directory("lessons", SimpleFileOptions::default())
        .unwrap();
    insta::assert_snapshot!(said(&writer.finish().unwrap().into_inner()), @"lessons/: it is not a file but a link or a folder");
    let mut twice = zip_of(&[
        ("warpup.json", list),
        ("lessons/x.md", "x"),
        ("lessons/y.md", "y"),
    ]);
    for at in 0..twice.len() {
        if twice[at..].starts_with(b"lessons/y.md") {
            twice[at + 8] = b'x';
        }
    }
    insta::assert_snapshot!(said(&twice), @"the file: it has two files of one name");
}

proptest! {
    #[test]
    fn no_bytes_are_too_broken(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let good = packed();
        let mut bytes = good.clone();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(sources) = read(&bytes) {
            prop_assert_eq!(sources, small());
        }
        prop_assert!(read(&good[..cut.index(good.len())]).is_err());
    }
}

#[test]
fn programs_in_files_and_translations_are_packed() {
    let mut sources = small();
    for file in [
        "labs/wait.py",
        "lessons/de/the-queue.md",
        "quizzes/de/the-queue.toml",
    ] {
        sources.files.insert(file.to_owned(), "# x\n".into());
    }
    let bytes = write(&course::open(&sources), &sources).unwrap();
    assert_eq!(read(&bytes).unwrap(), sources);
}

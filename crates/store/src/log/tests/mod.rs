//! What a log survives: full disks, damaged files, two terminals.

mod cut_off;
mod faults;
mod fragile;
mod removed;

use super::line::{FOLDER, Header};
use super::*;
use fragile::FailingDisk;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use warpup_course::{CourseId, LessonId, PageId};
use warpup_progress::{Event, Record};

fn course() -> CourseId {
    CourseId::new("warpup")
}

fn page(name: &str) -> Event {
    Event::Read {
        lesson: LessonId::new("copies"),
        page: PageId::new(name),
    }
}

/// An event that is synced.
fn reset() -> Event {
    Event::Reset { lesson: None }
}

fn ids<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<&'a str> {
    records.into_iter().map(|it| it.id.as_str()).collect()
}

/// The only log in a folder.
fn only_log(dir: &Path) -> PathBuf {
    let mut files = fs::read_dir(dir.join(FOLDER)).unwrap();
    let path = files.next().unwrap().unwrap().path();
    assert!(files.next().is_none());
    path
}

#[test]
fn records_read_back_as_written() {
    let dir = TempDir::new().unwrap();
    let mut log = Log::new(Some(dir.path().to_owned()), &course());
    let written: Vec<_> = (0..20)
        .map(|n| log.append(page(&format!("p{n}")), 1_000 + n / 7).unwrap())
        .collect();
    let loaded = read(dir.path());
    assert_eq!(loaded.records, written);
    assert_eq!(loaded.problems, []);
    assert!(ids(&written).is_sorted());
}

#[test]
fn nothing_is_made_before_the_first_record() {
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    let mut log = Log::new(Some(data.clone()), &course());
    log.flush(0).unwrap();
    drop(log);
    assert!(read(&data).records.is_empty());
    assert!(!data.exists());
}

#[test]
fn logs_are_the_learners_own() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    Log::new(Some(data.clone()), &course())
        .append(reset(), 0)
        .unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join(FOLDER)), 0o700);
    assert_eq!(mode(&only_log(&data)), 0o600);
}

#[test]
fn a_log_begins_with_a_header_and_its_name_says_when_and_where() {
    let dir = TempDir::new().unwrap();
    Log::new(Some(dir.path().to_owned()), &course())
        .append(reset(), 951_782_400_000)
        .unwrap();
    let path = only_log(dir.path());
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("20000229T000000Z-"), "{name}");
    assert!(
        name.contains(&format!("-{}-", std::process::id())),
        "{name}"
    );
    let text = fs::read_to_string(path).unwrap();
    let header = text.lines().next().unwrap().split_once(' ').unwrap().1;
    let header: Header = serde_json::from_str(header).unwrap();
    assert_eq!((header.format, header.course.as_str()), (1, "warpup"));
}

#[test]
fn two_terminals_lose_nothing_of_each_other() {
    let dir = TempDir::new().unwrap();
    let (mut left, mut right) = (
        Log::new(Some(dir.path().to_owned()), &course()),
        Log::new(Some(dir.path().to_owned()), &course()),
    );
    let mut written = BTreeSet::new();
    for n in 0..20 {
        written.insert(left.append(page("left"), n).unwrap().id);
        written.insert(right.append(page("right"), n).unwrap().id);
    }
    let loaded = read(dir.path());
    assert_eq!(
        loaded
            .records
            .into_iter()
            .map(|it| it.id)
            .collect::<BTreeSet<_>>(),
        written
    );
}

#[test]
fn a_record_that_fits_no_line_is_refused_and_handed_back() {
    let dir = TempDir::new().unwrap();
    let mut log = Log::new(Some(dir.path().to_owned()), &course());
    let error = log.append(page(&"x".repeat(MAX_LINE)), 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "too large to keep: 65678 bytes, at most 65536 fit"
    );
    assert!(error.record().is_some());
    assert_eq!(log.unsaved(), 0);
}

#[test]
fn whatever_operation_fails_nothing_is_lost_and_all_is_saved_once_the_disk_heals() {
    for operations in 0..24 {
        let disk = FailingDisk::default();
        let mut log = disk.log();
        disk.fail_after(operations);
        let mut all = Vec::new();
        for n in 0..6 {
            let event = if n % 2 == 0 { reset() } else { page("p") };
            let saved = log.append(event, n);
            let on_disk = disk.loaded();
            match saved {
                Ok(record) => {
                    assert!(on_disk.records.contains(&record));
                    all.push(record);
                }
                Err(error) => {
                    assert!(log.unsaved() > 0);
                    all.push(error.record().unwrap().clone());
                }
            }
            assert_eq!(on_disk.problems, [], "a torn line was left");
        }
        disk.heal();
        log.flush(9).unwrap();
        assert_eq!(log.unsaved(), 0);
        let on_disk = disk.loaded().records;
        assert_eq!(
            BTreeSet::from_iter(ids(&on_disk)),
            BTreeSet::from_iter(ids(&all))
        );
    }
}

#[test]
fn a_file_that_failed_is_not_written_again() {
    let disk = FailingDisk::default();
    let mut log = disk.log();
    log.append(reset(), 0).unwrap();
    disk.fail_after(0);
    log.append(reset(), 1).unwrap_err();
    disk.heal();
    log.append(reset(), 2).unwrap();
    assert_eq!(disk.files(), 2);
    assert_eq!(disk.loaded().records.len(), 3);
}

#[test]
fn a_full_disk_is_not_littered_with_empty_logs() {
    let disk = FailingDisk::default();
    let mut log = disk.log();
    for n in 0..5 {
        disk.fail_after(1);
        log.append(reset(), n).unwrap_err();
    }
    assert_eq!(disk.files(), 0);
    assert_eq!(log.unsaved(), 5);
}

#[test]
fn unsaved_records_can_go_to_another_folder() {
    let (home, stick) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let blocked = home.path().join("file");
    fs::write(&blocked, "").unwrap();
    let mut log = Log::new(Some(blocked.clone()), &course());
    let error = log.append(reset(), 1).unwrap_err();
    assert!(error.to_string().starts_with("cannot save progress to "));
    assert!(log.save_to(&blocked, 2).is_err());
    log.save_to(stick.path(), 2).unwrap();
    assert_eq!((log.unsaved(), read(stick.path()).records.len()), (0, 1));
    log.append(reset(), 3).unwrap();
    assert_eq!(read(stick.path()).records.len(), 2);
}

/// The text of a log with some records, and the records.
fn golden() -> (Vec<u8>, Vec<Record>) {
    let dir = TempDir::new().unwrap();
    let mut log = Log::new(Some(dir.path().to_owned()), &course());
    let records = (0..5)
        .map(|n| log.append(page(&format!("p{n}")), n).unwrap())
        .collect();
    (fs::read(only_log(dir.path())).unwrap(), records)
}

fn load(bytes: &[u8]) -> LoadedRecords {
    let mut loaded = LoadedRecords::default();
    loaded.take(Path::new("x.jsonl"), bytes);
    loaded
}

#[test]
fn a_torn_last_line_costs_only_itself_wherever_it_is_torn() {
    let (bytes, records) = golden();
    for end in 0..bytes.len() {
        let whole_lines = bytes[..end].split(|it| *it == b'\n').count() - 1;
        let loaded = load(&bytes[..end]);
        assert_eq!(loaded.records, records[..whole_lines.saturating_sub(1)]);
        assert!(loaded.problems.len() <= 1);
    }
}

#[test]
fn runs_of_nul_cost_nothing_between_lines() {
    let (bytes, records) = golden();
    let text = String::from_utf8(bytes)
        .unwrap()
        .replace('\n', "\n\0\0\0\0");
    let loaded = load(text.as_bytes());
    assert_eq!(loaded.records, records);
    assert_eq!(loaded.problems, []);
}

#[test]
fn a_newer_format_is_read_as_far_as_it_can_be() {
    let newer = [
        r#"{"format":2,"app":"9.1.0","host":"h","course":"warpup","seal":"x"}"#,
        r#"{"id":"a","at_ms":1,"course":"warpup","kind":"sang","song":1}"#,
        r#"{"id":"b","at_ms":2,"course":"warpup","kind":"reset","lesson":null,"mood":"grim"}"#,
        r#"{"id":"c","at":"yesterday"}"#,
    ];
    let text: Vec<u8> = newer
        .iter()
        .flat_map(|json| line::encode(json).unwrap())
        .collect();
    let loaded = load(&text);
    assert_eq!(ids(&loaded.records), ["a", "b"]);
    let problems: Vec<_> = loaded
        .problems
        .iter()
        .map(|it| format!("{}: {}", it.line, it.what))
        .collect();
    insta::assert_snapshot!(problems.join("\n"), @r"
    1: written by warpup 9.1.0: what this version knows is read
    4: not understood by this version: missing field `at_ms` at line 1 column 27
    ");
}

#[test]
fn what_is_no_file_is_reported_and_passed_over() {
    let dir = TempDir::new().unwrap();
    Log::new(Some(dir.path().to_owned()), &course())
        .append(reset(), 1)
        .unwrap();
    fs::create_dir(dir.path().join(FOLDER).join("0.jsonl")).unwrap();
    fs::write(dir.path().join(FOLDER).join("notes.txt"), "mine").unwrap();
    let loaded = read(dir.path());
    assert_eq!(loaded.records.len(), 1);
    assert_eq!(loaded.problems.len(), 1);
    assert_eq!(loaded.problems[0].what, "not a file");
}

proptest! {
    #[test]
    fn a_damaged_log_loses_only_the_records_whose_bytes_changed(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)
    ) {
        let (original, records) = golden();
        let mut damaged = original.clone();
        for (index, byte) in flips {
            damaged[index.index(original.len())] = byte;
        }
        let mut start = 0;
        let mut intact = Vec::new();
        for (n, line) in original.split_inclusive(|it| *it == b'\n').enumerate() {
            let end = start + line.len();
            // A line also depends on the line feed before it.
            if damaged[start.saturating_sub(1)..end] == original[start.saturating_sub(1)..end] && n > 0 {
                intact.push(records[n - 1].clone());
            }
            start = end;
        }
        let loaded = load(&damaged);
        prop_assert!(intact.iter().all(|it| loaded.records.contains(it)));
        prop_assert!(loaded.records.iter().all(|it| records.contains(it)));
    }

    #[test]
    fn any_bytes_can_be_read(bytes in any::<Vec<u8>>()) {
        load(&bytes);
    }
}

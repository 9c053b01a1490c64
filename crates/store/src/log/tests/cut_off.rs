//! Lines that are missing without a trace of their own.

use super::*;

fn problems(loaded: &LoadedRecords) -> String {
    let lines = loaded.problems.iter();
    let lines = lines.map(|it| format!("{}: {}", it.line, it.what));
    lines.collect::<Vec<_>>().join("\n")
}

/// Keeps only these lines of the log in `golden`, from 0.
fn only_lines(keep: impl Fn(usize) -> bool) -> LoadedRecords {
    let (bytes, _) = golden();
    let lines = bytes.split_inclusive(|it| *it == b'\n').enumerate();
    let kept = lines.filter(|it| keep(it.0)).flat_map(|it| it.1);
    load(&kept.copied().collect::<Vec<u8>>())
}

#[test]
fn a_missing_line_is_noticed_by_the_numbers_around_it() {
    insta::assert_snapshot!(problems(&only_lines(|it| it != 2)), @"3: record 2 is missing before this line");
    insta::assert_snapshot!(problems(&only_lines(|it| !(2..=4).contains(&it))), @"3: records 2 to 4 are missing before this line");
    assert_eq!(problems(&only_lines(|_| true)), "");
}

#[test]
fn a_damaged_line_is_not_reported_as_missing_too() {
    let (mut bytes, _) = golden();
    let second = bytes.iter().position(|it| *it == b'\n').unwrap() + 20;
    bytes[second] ^= 1;
    insta::assert_snapshot!(problems(&load(&bytes)), @"2: damaged: its checksum is another; a record `read` of the lesson `copies` is lost");
}

#[test]
fn a_torn_line_says_what_is_lost() {
    let (bytes, _) = golden();
    insta::assert_snapshot!(problems(&load(&bytes[..bytes.len() - 9])), @"6: cut short; a record `read` of the lesson `copies` is lost");
}

#[test]
fn logs_in_one_file_are_counted_each() {
    let (bytes, _) = golden();
    let twice = [bytes.clone(), bytes].concat();
    assert_eq!(problems(&load(&twice)), "");
}

#[test]
fn a_log_that_is_cut_off_at_a_line_is_noticed_once_a_later_log_has_counted_it() {
    let dir = TempDir::new().unwrap();
    let session = |n| {
        let mut log = Log::new(Some(dir.path().to_owned()), &course());
        log.count_others(read(dir.path()).uncounted());
        log.append(page("p"), n).unwrap();
        log.append(page("p"), n + 1).unwrap();
    };
    session(951_782_400_000);
    let first = only_log(dir.path());
    session(951_782_500_000);
    session(951_782_600_000);
    assert_eq!(read(dir.path()).problems, []);
    // Each log is counted once.
    let counts = fs::read_dir(dir.path().join(FOLDER)).unwrap().map(|it| {
        let text = fs::read_to_string(it.unwrap().path()).unwrap();
        text.lines().next().unwrap().matches(".jsonl").count()
    });
    assert_eq!(counts.sum::<usize>(), 2);
    let text = fs::read_to_string(&first).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').take(2).collect();
    fs::write(&first, lines.concat()).unwrap();
    insta::assert_snapshot!(problems(&read(dir.path())), @"0: cut off: 1 of its 2 records are missing");
    fs::write(&first, "").unwrap();
    insta::assert_snapshot!(problems(&read(dir.path())), @"0: cut off: 2 of its 2 records are missing");
}

#[test]
fn a_file_of_nul_bytes_is_noticed() {
    insta::assert_snapshot!(problems(&load(&[0; 300])), @"0: it holds nothing but NUL bytes");
}

#[test]
fn logs_of_the_first_version_are_read() {
    let bytes = include_bytes!("../../../../../tests/fixtures/logs/v1.jsonl");
    let loaded = load(bytes);
    assert_eq!(
        (loaded.records.len(), problems(&loaded)),
        (9, String::new())
    );
    assert!(ids(&loaded.records).is_sorted());
}

#[test]
fn a_record_of_the_far_future_is_not_believed() {
    let json =
        r#"{"id":"a","at_ms":999999999999999999,"course":"warpup","kind":"reset","lesson":null}"#;
    insta::assert_snapshot!(problems(&load(&line::encode(json).unwrap())), @"1: its time is not a date: 999999999999999999 ms after 1970");
}

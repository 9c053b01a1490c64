//! A class of three learners, and files that are not exports.

use super::*;
use crate::commands::learner::Learner;
use crate::commands::sample::{self, attempted};
use std::fs;
use tempfile::TempDir;
use warpup_course::{Answer, LabId, LessonId};
use warpup_grade::{Score, key};
use warpup_progress::{Event, FailureReason, QuestionSelection};

/// Writes what a learner exports who did this, one event a minute.
pub(super) fn export(folder: &Path, file: &str, events: Vec<Event>) -> PathBuf {
    let data = TempDir::new().unwrap();
    let course = sample::course();
    let mut learner = Learner::load(Some(data.path().to_owned()), &course.id);
    for (event, minute) in events.into_iter().zip(0..) {
        learner.note(event, 951_782_400_000 + 60_000 * minute);
    }
    let (_, exit) = sample::console("", |console| learner.finish(console, Exit::Fine));
    assert_eq!(exit, Exit::Fine);
    let path = folder.join(file);
    let lines = log::lines_in(data.path()).unwrap();
    fs::write(&path, lines.as_file(&course.id).unwrap()).unwrap();
    path
}

/// An answer to each question of `copies` that is chosen or typed, right or wrong.
pub(super) fn answers(right: bool) -> Vec<Event> {
    let course = sample::course();
    let quiz = course.lessons[0].quiz.as_ref().unwrap();
    let answered = quiz.counted().filter_map(|question| {
        let key = key(question, None)?;
        let answer = match (&key, right) {
            (Answer::Number(_), false) => Answer::Number("0".to_owned()),
            (Answer::Text(_), false) => Answer::Text("no".to_owned()),
            (Answer::Single(key), false) => {
                let rows = warpup_grade::input(question).rows;
                Answer::Single(rows.into_iter().find(|it| it.id != key)?.id.clone())
            }
            _ => key,
        };
        Some(Event::Answered {
            lesson: LessonId::new("copies"),
            attempt: "1".to_owned(),
            question: question.id.clone(),
            hash: question.hash.clone(),
            answer,
            score: Some(Score::default()),
            confidence: None,
            asks: QuestionSelection::All,
            drawn: Vec::new(),
        })
    });
    answered.collect()
}

/// An attempt with all its answers, which claims so many hundredths.
pub(super) fn attempt(right: bool, earned: u64) -> Vec<Event> {
    let attempted = attempted(earned);
    let Event::Attempted { attempt: name, .. } = &attempted else {
        panic!("it is an attempt");
    };
    let mut events = answers(right);
    for event in &mut events {
        if let Event::Answered { attempt, .. } = event {
            attempt.clone_from(name);
        }
    }
    events.push(attempted);
    events
}

/// Three learners: one who passes, one who does not, one who has not begun.
fn class(folder: &Path) {
    export(folder, "ada.jsonl", attempt(true, 400));
    export(folder, "=bob, the 2nd.jsonl", attempt(false, 200));
    export(folder, "eve.jsonl", Vec::new());
}

pub(super) fn report_of(paths: &[PathBuf], csv: bool) -> (String, Exit) {
    report_with(paths, None, csv)
}

fn report_with(paths: &[PathBuf], class: Option<&Path>, csv: bool) -> (String, Exit) {
    let args = ClassReportArgs {
        paths: paths.to_vec(),
        class: class.map(Path::to_owned),
        csv,
        html: None,
        force: false,
    };
    let course = sample::course();
    sample::console("", |console| {
        console.width = 80;
        report(&args, &course, Zone::UTC, console)
    })
}

#[test]
fn a_class_is_a_table_of_at_most_80_columns() {
    let dir = TempDir::new().unwrap();
    class(dir.path());
    let (text, exit) = report_of(&[dir.path().to_owned()], false);
    assert_eq!(exit, Exit::Fine);
    assert!(text.lines().all(|it| it.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text, @"
    CUDA, understood: 3 learners
    Attempts are self-reported: the files are the learners' own, and nothing proves
    who answered.
    Times are those of UTC.

    Begun: 2. Lessons done: 1. Stuck somewhere: 1.
    Not begun (1): eve

    Where learners are stuck: changed or run three times, and never passed
      learners  tries  where
             1      1  quiz copies

    =bob, the 2nd
      lesson                status     points  tries    labs  first       last
      copies                begun      2 of 4      1     0/2  2000-02-29  2000-02-29

    ada
      lesson                status     points  tries    labs  first       last
      copies                done       4 of 4      1     0/2  2000-02-29  2000-02-29

    eve
      nothing begun

    Questions, by the first answer of each learner

      copies                      answered  right  disc.   time  most chosen wrong
        q-bus                            2   50 %      -      -  slow (1)
        q-bytes                          2   50 %      -   60 s  0 B (1)
        q-order                          2  100 %      -   60 s
        q-words                          2  100 %      -   60 s
    ");
}

#[test]
fn programs_get_one_table_the_same_every_time() {
    let dir = TempDir::new().unwrap();
    class(dir.path());
    let (text, exit) = report_of(&[dir.path().to_owned()], true);
    assert_eq!(exit, Exit::Fine);
    assert_eq!(text, report_of(&[dir.path().to_owned()], true).0);
    insta::assert_snapshot!(text.replace('\r', ""), @r#"
    row,learner,lesson,status,best,max,attempts,labs_passed,labs,first_utc,last_utc,question,answered,first_try_percent,wrong_answer,wrong_times,problem,graded_here,not_graded,claimed_measured,claimed_edition,due_utc,passed_utc,late,late_attempts,stuck_labs,lab,stuck_learners,tries,stopped_by,stopped_learners,discrimination,median_seconds,flag,other_learner,look_at_key,page,read,stopped
    lesson,"'=bob, the 2nd",copies,begun,2,4,1,0,2,2000-02-29 00:00,2000-02-29 00:04,,,,,,,0,0,0,0,,,,,0,,,,,,,,,,,,,
    lesson,ada,copies,done,4,4,1,0,2,2000-02-29 00:00,2000-02-29 00:04,,,,,,,0,0,0,0,,2000-02-29 00:04,,,0,,,,,,,,,,,,,
    lesson,eve,copies,new,0,4,0,0,2,,,,,,,,,0,0,0,0,,,,,0,,,,,,,,,,,,,
    stuck,,copies,,,,,,,,,,,,,,,,,,,,,,,,,1,1,,,,,,,,,,
    question,,copies,,,,,,,,,q-bus,2,50,slow,1,,,,,,,,,,,,,,,,,,,,,,,
    question,,copies,,,,,,,,,q-bytes,2,50,0 B,1,,,,,,,,,,,,,,,,,60,,,,,,
    question,,copies,,,,,,,,,q-order,2,100,,,,,,,,,,,,,,,,,,,60,,,,,,
    question,,copies,,,,,,,,,q-words,2,100,,,,,,,,,,,,,,,,,,,60,,,,,,
    Attempts are self-reported: the files are the learners' own, and nothing proves who answered.
    "#);
    let rows = text.lines().filter(|it| !it.starts_with("Attempts"));
    assert!(
        rows.filter(|it| !it.contains('"'))
            .all(|it| it.split(',').count() == 39)
    );
}

#[test]
fn a_file_that_is_none_is_a_row_with_the_reason_and_the_others_are_read() {
    let dir = TempDir::new().unwrap();
    let good = export(dir.path(), "good.jsonl", answers(true));
    let whole = fs::read(&good).unwrap();
    let lines: Vec<&[u8]> = whole.split_inclusive(|it| *it == b'\n').collect();
    let text = String::from_utf8(whole.clone()).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    let too_long = format!("{}\n", "x".repeat(100_000));
    let hostile: Vec<(&str, Vec<u8>)> = vec![
        ("01-empty", Vec::new()),
        ("02-nul", vec![0; 4096]),
        ("03-torn", whole[..whole.len() - 20].to_vec()),
        ("04-cut", lines[..lines.len() - 1].concat()),
        ("05-no-head", lines[1..].concat()),
        ("06-gap", [lines[0], lines[1], lines[3]].concat()),
        ("07-changed", changed),
        ("08-binary", (0..=255).cycle().take(9000).collect()),
        ("09-text", b"name,points\nada,100\n".to_vec()),
        ("10-json", b"{\"passed\":true}\n".to_vec()),
        ("11-brackets", "[".repeat(60_000).into_bytes()),
        ("12-long", too_long.into_bytes()),
        ("13-no-utf8", vec![0xff; 300]),
        ("14-escapes", b"\x1b]0;owned\x07\x1b[2J\n".to_vec()),
        ("15-newlines", vec![b'\n'; 5000]),
        ("16-crlf", text.replace('\n', "\r\n").into_bytes()),
        ("17-upper", text.to_uppercase().into_bytes()),
        ("18-half-head", lines[0][..30].to_vec()),
    ];
    for (name, bytes) in &hostile {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("19-endless")).unwrap();
    std::os::unix::fs::symlink("nowhere", dir.path().join("20-dangling")).unwrap();
    let (text, exit) = report_of(&[dir.path().to_owned()], false);
    assert_eq!(exit, Exit::Wrong);
    assert!(
        !text.contains('\x1b') && text.lines().all(|it| it.chars().count() <= 80),
        "{text}"
    );
    let told = text.lines().filter(|it| it.contains("problem: ")).count();
    insta::assert_snapshot!(format!("{told}"), @"19");
    let (csv, exit) = report_of(&[dir.path().to_owned()], true);
    assert_eq!(exit, Exit::Wrong);
    let problems = csv.lines().filter(|it| it.starts_with("problem,"));
    let problems: Vec<_> = problems
        .map(|it| it.replace(",,,,,,,,,,,,,,", " … "))
        .collect();
    insta::assert_snapshot!(problems.join("\n").replace(dir.path().to_str().unwrap(), "DIR"), @"
    problem,01-empty … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,02-nul … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,03-torn … ,line 5: cut short; a record `answered` of the lesson `copies` is lost … ,,,,,,,,
    problem,04-cut … ,line 4: 1 of 4 records are missing after this line … ,,,,,,,,
    problem,06-gap … ,line 3: record 2 is missing before this line (and 1 more) … ,,,,,,,,
    problem,07-changed … ,line 3: damaged: its checksum is another; a record `answered` of the lesson `copies` is lost … ,,,,,,,,
    problem,08-binary … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,09-text … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,10-json … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,11-brackets … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,12-long … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,13-no-utf8 … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,14-escapes … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,15-newlines … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,16-crlf … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,17-upper … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,18-half-head … ,it is not a file that `warpup progress export` wrote … ,,,,,,,,
    problem,19-endless … ,it cannot be read: it is not a regular file … ,,,,,,,,
    problem,20-dangling … ,it cannot be read: No such file or directory (os error 2) … ,,,,,,,,
    ");
    assert!(csv.contains("lesson,good,copies,begun"), "{csv}");
}

#[test]
fn a_path_that_is_not_there_is_a_row_and_an_empty_folder_is_refused() {
    let dir = TempDir::new().unwrap();
    let (text, exit) = report_of(&[dir.path().join("ada")], false);
    assert_eq!(exit, Exit::Wrong);
    assert!(text.contains("it cannot be read: No such file"), "{text}");
    let (text, exit) = report_of(&[dir.path().to_owned()], false);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @"
    error: there is no file in there
    hint: name the files that learners made with `warpup progress export FILE`, or a folder of them
    ");
}

#[test]
fn a_class_file_names_who_is_missing_and_labels_what_is_late() {
    let dir = TempDir::new().unwrap();
    class(dir.path());
    let file = dir.path().join(".class.toml");
    let learners = "learners = [\"ada\", \"eve\", \"joe\"]\n";
    fs::write(
        &file,
        format!("{learners}[due]\ncopies = 2000-02-29T01:00:00+01:00\n"),
    )
    .unwrap();
    let paths = [dir.path().to_owned()];
    let (text, exit) = report_with(&paths, Some(&file), false);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @"
    CUDA, understood: 4 learners
    Attempts are self-reported: the files are the learners' own, and nothing proves
    who answered.
    Times are those of UTC.

    Begun: 2. Lessons done: 1, 1 of them late. Stuck somewhere: 1.
    Not begun (1): eve
    Handed nothing in (1): joe
    Not in the class file (1): =bob, the 2nd

    Where learners are stuck: changed or run three times, and never passed
      learners  tries  where
             1      1  quiz copies

    =bob, the 2nd
      not in the class file
      lesson                status     points  tries    labs  first       last
      copies                begun      2 of 4      1     0/2  2000-02-29  2000-02-29
        late: 1 attempt after 2000-02-29 00:00

    ada
      lesson                status     points  tries    labs  first       last
      copies                done       4 of 4      1     0/2  2000-02-29  2000-02-29
        late: passed 2000-02-29 00:04, due 2000-02-29 00:00

    eve
      lesson                status     points  tries    labs  first       last
      copies                new        0 of 4      0     0/2  -           -
        due: 2000-02-29 00:00

    joe
      handed nothing in

    Questions, by the first answer of each learner

      copies                      answered  right  disc.   time  most chosen wrong
        q-bus                            2   50 %      -      -  slow (1)
        q-bytes                          2   50 %      -   60 s  0 B (1)
        q-order                          2  100 %      -   60 s
        q-words                          2  100 %      -   60 s
    ");
    let (csv, _) = report_with(&paths, Some(&file), true);
    let csv: Vec<_> = csv.lines().skip(1).take(7).collect();
    insta::assert_snapshot!(csv.join("\n"), @r#"
    unlisted,"'=bob, the 2nd",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
    lesson,"'=bob, the 2nd",copies,begun,2,4,1,0,2,2000-02-29 00:00,2000-02-29 00:04,,,,,,,0,0,0,0,2000-02-29 00:00,,,1,0,,,,,,,,,,,,,
    lesson,ada,copies,done,4,4,1,0,2,2000-02-29 00:00,2000-02-29 00:04,,,,,,,0,0,0,0,2000-02-29 00:00,2000-02-29 00:04,yes,1,0,,,,,,,,,,,,,
    lesson,eve,copies,new,0,4,0,0,2,,,,,,,,,0,0,0,0,2000-02-29 00:00,,,0,0,,,,,,,,,,,,,
    missing,joe,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
    stuck,,copies,,,,,,,,,,,,,,,,,,,,,,,,,1,1,,,,,,,,,,
    question,,copies,,,,,,,,,q-bus,2,50,slow,1,,,,,,,,,,,,,,,,,,,,,,,
    "#);
    fs::write(&file, "[due]\ncopies = 2000-02-29T01:00:00\n").unwrap();
    let (text, exit) = report_with(&paths, Some(&file), false);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text.replace(dir.path().to_str().unwrap(), "DIR"), @"
    error[wrong-type]: this deadline has no offset from UTC: the same time is another moment elsewhere
     --> DIR/.class.toml:2:10
      |
    2 | copies = 2000-02-29T01:00:00
      |          ^^^^^^^^^^^^^^^^^^^
      |
      = help: write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00

    error: nothing was reported: DIR/.class.toml has mistakes
    hint: correct them, and run the report again
    ");
}

#[test]
fn where_learners_are_stuck_is_said_first() {
    let dir = TempDir::new().unwrap();
    let ran = |lab: &str, unmet: Option<FailureReason>| Event::Ran {
        lesson: LessonId::new("copies"),
        lab: LabId::new(lab),
        device: "cpu".to_owned(),
        passed: unmet.is_none(),
        on: None,
        metrics: Vec::new(),
        unmet,
    };
    let pinned = || {
        Some(FailureReason::check(
            "the copy is pinned, as `pin_memory` makes it",
        ))
    };
    let type_error = || Some(FailureReason::exception("TypeError"));
    export(
        dir.path(),
        "ada.jsonl",
        vec![ran("bus", type_error()), ran("bus", None)],
    );
    let bob = vec![
        ran("bus", type_error()),
        ran("bus", type_error()),
        ran("bus", pinned()),
        attempted(0),
    ];
    export(dir.path(), "bob.jsonl", bob);
    let edited = Event::Edited {
        lesson: LessonId::new("copies"),
        lab: LabId::new("bus"),
        source: Some("print(1)".to_owned()),
    };
    let eve = vec![
        edited,
        ran("bus", pinned()),
        ran("wait", Some(FailureReason::Device)),
    ];
    export(dir.path(), "eve.jsonl", eve);
    let (text, _) = report_of(&[dir.path().to_owned()], false);
    let text: Vec<_> = text
        .lines()
        .take_while(|it| !it.starts_with("Questions"))
        .collect();
    insta::assert_snapshot!(text.join("\n"), @r#"
    CUDA, understood: 3 learners
    Attempts are self-reported: the files are the learners' own, and nothing proves
    who answered.
    Times are those of UTC.

    Begun: 3. Lessons done: 0. Stuck somewhere: 2.

    Where learners are stuck: changed or run three times, and never passed
      learners  tries  where
             2      4  copies/bus
                       2 learners: the check "the copy is pinned, as `pin_memory`
                       makes it"
             1      1  quiz copies

    ada
      lesson                status     points  tries    labs  first       last
      copies                begun      0 of 4      0     1/2  2000-02-29  2000-02-29

    bob
      lesson                status     points  tries    labs  first       last
      copies                begun      0 of 4      1     0/2  2000-02-29  2000-02-29
        stuck: 3 runs of `bus`, the newest: the check "the copy is pinned, as
          `pin_memory` makes it"

    eve
      lesson                status     points  tries    labs  first       last
      copies                begun      0 of 4      0     0/2  2000-02-29  2000-02-29
        stuck: 1 run of `bus`, the newest: the check "the copy is pinned, as
          `pin_memory` makes it"
    "#);
    let (csv, _) = report_of(&[dir.path().to_owned()], true);
    let csv: Vec<_> = csv.lines().filter(|it| it.starts_with("stuck")).collect();
    insta::assert_snapshot!(csv.join("\n"), @r#"
    stuck,,copies,,,,,,,,,,,,,,,,,,,,,,,,bus,2,4,"the check ""the copy is pinned, as `pin_memory` makes it""",2,,,,,,,,
    stuck,,copies,,,,,,,,,,,,,,,,,,,,,,,,,1,1,,,,,,,,,,
    "#);
}

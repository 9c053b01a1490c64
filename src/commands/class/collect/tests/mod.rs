//! Collecting: which file of a learner counts, what is said of the others, and what is written.

mod folders;
mod hostile;

use super::*;
use crate::commands::class::tests::{attempt, export};
use crate::commands::sample;
use std::fs::File;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::{Duration, UNIX_EPOCH};
use tempfile::TempDir;

const AT: u64 = 951_782_400_000;
const HOUR: u64 = 3_600_000;

/// A drop folder and a folder of the instructor.
struct Class {
    dir: TempDir,
}

impl Class {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("inbox")).unwrap();
        Self { dir }
    }

    fn inbox(&self) -> PathBuf {
        self.dir.path().join("inbox")
    }

    fn collected(&self) -> PathBuf {
        self.dir.path().join("collected")
    }

    /// Hands in what passes, or what does not.
    fn hand_in(&self, file: &str, right: bool, at_ms: u64) -> PathBuf {
        let events = attempt(right, if right { 400 } else { 200 });
        let path = export(&self.inbox(), file, events);
        set_time(&path, at_ms);
        path
    }

    fn collect_from(&self, from: &[PathBuf], json: bool) -> (String, Exit) {
        let args = ClassCollectArgs {
            from: from.to_vec(),
            into: self.collected(),
            json,
        };
        let course = sample::course();
        let (text, exit) = sample::console("", |console| {
            console.width = 80;
            collect(&args, Some(self.inbox()), &course, AT + HOUR, console)
        });
        let text = text.replace(self.dir.path().to_str().unwrap(), "DIR");
        let uid = rustix::process::geteuid().as_raw();
        let name = users::name(&users::names(&BTreeSet::from([uid])), uid);
        let text = text.replace(&format!("\"uid\": {uid}"), "\"uid\": UID");
        (text.replace(&name, "USER"), exit)
    }

    fn collect(&self) -> (String, Exit) {
        self.collect_from(&[], false)
    }

    /// What was written: the names of the files, and whose bytes they have.
    fn written(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.collected()).unwrap();
        entries.map(|it| it.unwrap().path()).collect()
    }
}

fn set_time(path: &Path, at_ms: u64) {
    let file = File::options().append(true).open(path).unwrap();
    let at = UNIX_EPOCH + Duration::from_millis(at_ms);
    file.set_modified(at).unwrap();
}

#[test]
fn the_newest_good_file_of_an_owner_is_written_for_the_report() {
    let class = Class::new();
    class.hand_in("first.jsonl", false, AT);
    let newest = class.hand_in("second.jsonl", true, AT + 1000);
    fs::write(class.inbox().join(".being-written"), "half").unwrap();
    let (text, exit) = class.collect();
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @"
    CUDA, understood: 2 files of 1 learner
    Attempts are self-reported: the files are the learners' own, and nothing proves
    who answered.
    USER: 5 records, handed in 2000-02-29 00:00 UTC; 1 older file

    1 file is in DIR/collected. What is in them:
    `warpup class report DIR/collected`
    ");
    let written = class.written();
    assert_eq!(written.len(), 1);
    assert_eq!(fs::read(&written[0]).unwrap(), fs::read(newest).unwrap());
    assert_eq!(written[0].metadata().unwrap().mode() & 0o777, 0o600);
    assert_eq!(class.collected().metadata().unwrap().mode() & 0o777, 0o700);
}

#[test]
fn collecting_again_changes_nothing() {
    let class = Class::new();
    class.hand_in("ada.jsonl", true, AT);
    let first = class.collect();
    let written = class.written();
    let before = written[0].metadata().unwrap();
    assert_eq!(class.collect(), first);
    assert_eq!(class.written(), written);
    assert_eq!(written[0].metadata().unwrap().ino(), before.ino());
}

#[test]
fn a_torn_newest_file_leaves_the_one_before() {
    let class = Class::new();
    let good = class.hand_in("good.jsonl", true, AT);
    let torn = class.inbox().join("torn.jsonl");
    let bytes = fs::read(&good).unwrap();
    fs::write(&torn, &bytes[..bytes.len() - 9]).unwrap();
    set_time(&torn, AT + 1000);
    let (text, exit) = class.collect();
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @"
    CUDA, understood: 2 files of 1 learner
    Attempts are self-reported: the files are the learners' own, and nothing proves
    who answered.
    USER: 5 records, handed in 2000-02-29 00:00 UTC
      problem: torn.jsonl: line 6: cut short; a record `attempted` of the lesson
               `copies` is lost

    1 file is in DIR/collected. What is in them:
    `warpup class report DIR/collected`
    ");
    assert_eq!(fs::read(&class.written()[0]).unwrap(), bytes);
}

#[test]
fn an_attempt_that_claims_more_than_its_answers_give_has_a_reason() {
    let class = Class::new();
    let path = export(&class.inbox(), "forged.jsonl", attempt(false, 400));
    set_time(&path, AT);
    let (text, exit) = class.collect_from(&[], true);
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r#"
    {
      "course": "warpup",
      "into": "DIR/collected",
      "self_reported": true,
      "learners": [
        {
          "learner": "USER",
          "uid": UID,
          "written": "USER.jsonl",
          "files": [
            {
              "file": "DIR/inbox/forged.jsonl",
              "handed_in_utc": "2000-02-29 00:00",
              "status": "taken",
              "records": 5,
              "problem": "an attempt at `copies` claims 4 of 4 and a pass, its answers give 2"
            }
          ]
        }
      ],
      "problems": []
    }
    "#);
}

#[test]
fn a_name_of_another_user_and_a_time_in_the_future_do_not_count() {
    let class = Class::new();
    class.hand_in("plain.jsonl", true, AT);
    let bits = "0123456789abcdef0123456789abcdef";
    class.hand_in(
        &format!("nobody-else-20000229T000100Z-{bits}.jsonl"),
        false,
        AT,
    );
    let uid = rustix::process::geteuid().as_raw();
    class.hand_in(&format!("{uid}-20990101T000000Z-{bits}.jsonl"), false, AT);
    let (text, exit) = class.collect();
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text.replace(&format!(" {uid}-"), " UID-"), @"
    CUDA, understood: 3 files of 1 learner
    Attempts are self-reported: the files are the learners' own, and nothing proves
    who answered.
    USER: 5 records, handed in 2000-02-29 00:00 UTC; 1 older file
      problem: nobody-else-20000229T000100Z-0123456789abcdef0123456789abcdef.jsonl:
               its name says that nobody-else handed it in, but it belongs to USER
               (a copy loses its owner: collect from the drop folder itself)
      problem: UID-20990101T000000Z-0123456789abcdef0123456789abcdef.jsonl: it claims
               to be handed in in the future

    1 file is in DIR/collected. What is in them:
    `warpup class report DIR/collected`
    ");
}

#[test]
fn thousands_of_bad_files_of_one_learner_are_not_all_read() {
    let class = Class::new();
    for n in 0..50 {
        let path = class.inbox().join(format!("{n:02}"));
        fs::write(&path, "no").unwrap();
        set_time(&path, AT);
    }
    let (text, exit) = class.collect();
    assert_eq!(exit, Exit::Wrong);
    let told: Vec<_> = text.lines().skip(4).collect();
    insta::assert_snapshot!(told.join("\n"), @"
      problem: 00: it is not a file that `warpup progress export` wrote
      problem: 01: it is not a file that `warpup progress export` wrote
      problem: 02: it is not a file that `warpup progress export` wrote
      problem: 03: it is not a file that `warpup progress export` wrote
      problem: 04: it is not a file that `warpup progress export` wrote
      problem: and 45 more files, which `--json` lists

    Nothing was written.
    ");
    assert_eq!(class.written(), Vec::<PathBuf>::new());
}

#[test]
fn the_folder_of_the_instructor_is_its_own_and_closed() {
    let class = Class::new();
    let (missing, exit) = class.collect_from(&[class.inbox().join("gone")], false);
    assert_eq!(exit, Exit::Arguments);
    assert!(!class.collected().exists());
    fs::create_dir(class.collected()).unwrap();
    let (same, exit) = class.collect_from(&[class.inbox(), class.collected()], false);
    assert_eq!(exit, Exit::Arguments);
    fs::set_permissions(class.collected(), fs::Permissions::from_mode(0o777)).unwrap();
    let (open, exit) = class.collect();
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!([missing, same, open].concat(), @"
    error: cannot read DIR/inbox/gone
    cause: there is no such file or folder
    hint: `ls DIR/inbox` lists what is there
    error: DIR/collected is a folder that is collected from
    hint: give a folder of your own with `--into`
    error: everybody can write to DIR/collected
    hint: give a folder with `--into` that only instructors can write to, or close this one with `chmod o-w`
    ");
}

/// Where lines are wrapped depends on where the temporary folder is.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_file_that_was_not_collected_is_not_replaced() {
    let class = Class::new();
    class.hand_in("first.jsonl", true, AT);
    class.collect();
    let [written] = class.written().try_into().unwrap();
    fs::write(&written, "my notes").unwrap();
    let (text, exit) = class.collect();
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(on_one_line(&text), @"CUDA, understood: 1 file of 1 learner Attempts are self-reported: the files are the learners' own, and nothing proves who answered. USER: NOT WRITTEN: 5 records, handed in 2000-02-29 00:00 UTC problem: first.jsonl: DIR/collected/USER.jsonl is there, and `class collect` has not written it; move it away, or give another folder with `--into` Nothing was written.");
    let (json, _) = class.collect_from(&[], true);
    assert!(
        json.contains("\"written\": null") && json.contains("\"unwritten\""),
        "{json}"
    );
    assert_eq!(fs::read_to_string(&written).unwrap(), "my notes");
}

#[test]
fn a_folder_that_cannot_be_read_costs_no_other_folder() {
    let class = Class::new();
    class.hand_in("good.jsonl", true, AT);
    let gone = class.inbox().join("gone");
    let (text, exit) = class.collect_from(&[gone, class.inbox()], false);
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(on_one_line(&text), @"CUDA, understood: 1 file of 1 learner Attempts are self-reported: the files are the learners' own, and nothing proves who answered. USER: 5 records, handed in 2000-02-29 00:00 UTC problem: cannot look at DIR/inbox/gone: No such file or directory (os error 2) 1 file is in DIR/collected. What is in them: `warpup class report DIR/collected`");
    assert_eq!(class.written().len(), 1);
}

//! Handing in: what goes along, where to, and what is said.

use super::*;
use crate::commands::learner::Learner;
use crate::commands::sample::{self, attempted};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use tempfile::TempDir;
use warpup_course::{LabId, LessonId, QuestionId};
use warpup_store::log;

const AT: u64 = 951_782_400_000;

/// A drop folder, and a learner who did something.
struct Class {
    dir: TempDir,
}

impl Class {
    fn new() -> Self {
        let class = Self {
            dir: TempDir::new().unwrap(),
        };
        fs::create_dir(class.drop_folder()).unwrap();
        class.set_mode(0o1733);
        class
    }

    fn drop_folder(&self) -> PathBuf {
        self.dir.path().join("inbox")
    }

    fn set_mode(&self, mode: u32) {
        fs::set_permissions(self.drop_folder(), fs::Permissions::from_mode(mode)).unwrap();
    }

    fn args(&self) -> ClassSubmitArgs {
        ClassSubmitArgs {
            drop: Some(self.drop_folder()),
            with_programs: false,
            with_words: false,
            dry_run: false,
        }
    }

    /// What handing in prints, at a terminal if something is typed.
    fn submit(&self, args: &ClassSubmitArgs, typed: Option<&str>) -> (String, Exit) {
        let course = sample::course();
        let (text, exit) = sample::console(typed.unwrap_or_default(), |console| {
            console.is_terminal = typed.is_some();
            let data = self.dir.path().join("data");
            let mut learner = Learner::load(Some(data), &course.id);
            submit(
                &mut CommandContext {
                    course: &course,
                    learner: &mut learner,
                    console,
                    consent: None,
                    clock: || AT + 60_000,
                },
                args,
                None,
            )
        });
        (self.normalised(&text), exit)
    }

    /// The text with what differs each time as `DIR`, `USER` and `BITS`.
    fn normalised(&self, text: &str) -> String {
        let mut text = text.replace(self.dir.path().to_str().unwrap(), "DIR");
        for file in self.files() {
            let name = DropName::of(file.file_name().unwrap()).unwrap();
            text = text.replace(&name.random, "BITS");
            text = text.replace(&format!("{}-2000", name.user), "USER-2000");
            text = text.replace(&format!("as {}:", name.user), "as USER:");
        }
        text
    }

    /// What is in the drop folder.
    fn files(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.drop_folder()).unwrap();
        files.map(|it| it.unwrap().path()).collect()
    }

    fn learn(&self, events: Vec<Event>) {
        let data = self.dir.path().join("data");
        let mut learner = Learner::load(Some(data), &sample::course().id);
        for event in events {
            learner.note(event, AT);
        }
        let (said, _) = sample::console("", |console| learner.finish(console, Exit::Fine));
        assert_eq!(said, "");
    }
}

fn worked() -> Vec<Event> {
    let lesson = LessonId::new("copies");
    let edited = |source: &str| Event::Edited {
        lesson: lesson.clone(),
        lab: LabId::new("bus"),
        source: Some(source.to_owned()),
    };
    vec![
        edited("print('my program')"),
        edited("print('my program 2')"),
        Event::Explained {
            lesson: lesson.clone(),
            question: QuestionId::new("q-why"),
            hash: "0".to_owned(),
            text: "my words".to_owned(),
            said: BTreeSet::new(),
        },
        attempted(400),
    ]
}

#[test]
fn programs_and_words_stay_and_the_file_has_its_rights() {
    let class = Class::new();
    class.learn(worked());
    let (said, exit) = class.submit(&class.args(), None);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(said, @"
    Stays with you: 2 versions of programs that you changed.
    `--with-programs` hands that in, too.
    Stays with you: 1 text in your own words. `--with-words`
    hands that in, too.
    CUDA, understood: 1 record of 1 lesson, 2000-02-29 00:00 to
    2000-02-29 00:00 UTC: 1 attempt, 0 answers as you typed
    them, 0 runs.
    Times and attempts are what your own log says.
    Handed in as USER:
      DIR/inbox/USER-20000229T000100Z-BITS.jsonl
    You can hand in again as often as you like.
    ");
    let [file] = &class.files()[..] else {
        panic!("one file is there");
    };
    assert_eq!(fs::metadata(file).unwrap().mode() & 0o7777, 0o644);
    let text = fs::read_to_string(file).unwrap();
    assert!(
        !text.contains("my program") && !text.contains("my words"),
        "{text}"
    );
    let mut records = Vec::new();
    let read = log::handed_in(file, &mut |it| records.push(it));
    assert_eq!((records.len(), read.problem), (1, None));
}

#[test]
fn who_is_asked_decides_for_programs_and_for_words() {
    let class = Class::new();
    class.learn(worked());
    let (said, _) = class.submit(&class.args(), Some("y\nn\n"));
    insta::assert_snapshot!(said, @"
    Your instructors will read what goes to
    DIR/inbox.
    Hand in 2 versions of programs that you changed, too? [y/N] Hand in 1 text in your own words, too? [y/N] Stays with you: 1 text in your own words.
    CUDA, understood: 3 records of 1 lesson, 2000-02-29 00:00 to
    2000-02-29 00:00 UTC: 1 attempt, 0 answers as you typed
    them, 0 runs, 2 programs.
    Times and attempts are what your own log says.
    Handed in as USER:
      DIR/inbox/USER-20000229T000100Z-BITS.jsonl
    You can hand in again as often as you like.
    ");
    let text = fs::read_to_string(&class.files()[0]).unwrap();
    assert!(
        text.contains("my program 2") && !text.contains("my words"),
        "{text}"
    );
    let both = ClassSubmitArgs {
        with_programs: true,
        with_words: true,
        ..class.args()
    };
    let (said, _) = class.submit(&both, Some(""));
    insta::assert_snapshot!(said, @"
    Your instructors will read what goes to
    DIR/inbox.
    CUDA, understood: 4 records of 1 lesson, 2000-02-29 00:00 to
    2000-02-29 00:00 UTC: 1 attempt, 0 answers as you typed
    them, 0 runs, 2 programs, 1 text of yours.
    Times and attempts are what your own log says.
    Handed in as USER:
      DIR/inbox/USER-20000229T000100Z-BITS.jsonl
    You can hand in again as often as you like.
    ");
    assert_eq!(class.files().len(), 2, "each has a name of its own");
}

#[test]
fn a_dry_run_writes_nothing_and_asks_nothing() {
    let class = Class::new();
    class.learn(worked());
    let dry = ClassSubmitArgs {
        dry_run: true,
        ..class.args()
    };
    insta::assert_snapshot!(class.submit(&dry, Some("")).0, @"
    Stays with you: 2 versions of programs that you changed.
    `--with-programs` hands that in, too.
    Stays with you: 1 text in your own words. `--with-words`
    hands that in, too.
    CUDA, understood: 1 record of 1 lesson, 2000-02-29 00:00 to
    2000-02-29 00:00 UTC: 1 attempt, 0 answers as you typed
    them, 0 runs.
    Times and attempts are what your own log says.
    Nothing was written. It would go to DIR/inbox.
    ");
    assert_eq!(class.files(), Vec::<PathBuf>::new());
}

#[test]
fn a_folder_that_everybody_can_list_is_said_and_used() {
    let class = Class::new();
    class.learn(vec![attempted(400)]);
    class.set_mode(0o2777);
    let (said, exit) = class.submit(&class.args(), None);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(said, @"
    CUDA, understood: 1 record of 1 lesson, 2000-02-29 00:00 to
    2000-02-29 00:00 UTC: 1 attempt, 0 answers as you typed
    them, 0 runs.
    Times and attempts are what your own log says.
    Handed in as USER:
      DIR/inbox/USER-20000229T000100Z-BITS.jsonl
    You can hand in again as often as you like.
    warning: everybody can list DIR/inbox, so others can see who hands in; tell your instructor
    warning: others can remove what you hand in to DIR/inbox, since it lacks the sticky bit; tell your instructor
    ");
    let mode = fs::metadata(&class.files()[0]).unwrap().mode() & 0o7777;
    assert_eq!(mode, 0o640);
}

#[test]
fn what_cannot_be_handed_in_says_what_to_try() {
    let class = Class::new();
    let nowhere = ClassSubmitArgs {
        drop: None,
        ..class.args()
    };
    insta::assert_snapshot!(class.submit(&nowhere, None).0, @"
    error: nobody has said where to hand in
    hint: ask for the drop folder of your class and give it with `--drop DIR`; `warpup progress export FILE` keeps your records in a file of yours
    ");
    insta::assert_snapshot!(class.submit(&class.args(), None).0, @"
    error: there is nothing to hand in: you have done nothing in `CUDA, understood` yet
    hint: open the right course with `--course`, or look with `warpup progress`
    ");
    class.learn(vec![attempted(400)]);
    let to = |drop: &str| {
        let drop = Some(class.dir.path().join(drop));
        let args = ClassSubmitArgs {
            drop,
            ..class.args()
        };
        let (said, exit) = class.submit(&args, None);
        assert_eq!(exit, Exit::Arguments);
        said
    };
    fs::write(class.dir.path().join("file"), "").unwrap();
    insta::assert_snapshot!(to("none"), @"
    error: nothing was handed in to DIR/none: there is no such folder
    hint: look at its name again, or ask your instructor; `warpup progress export FILE` keeps your records in a file of yours
    ");
    insta::assert_snapshot!(to("file"), @"
    error: nothing was handed in to DIR/file: it is not a folder
    hint: give the drop folder itself; `warpup progress export FILE` keeps your records in a file of yours
    ");
}

#[test]
fn each_failure_of_the_disk_says_what_to_try() {
    let said = |kind: io::ErrorKind| {
        let mut text = Vec::new();
        refused(Path::new("/srv/inbox"), &kind.into()).report(&mut text, None);
        String::from_utf8(text).unwrap()
    };
    let kinds = [
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::StorageFull,
        io::ErrorKind::QuotaExceeded,
        io::ErrorKind::ReadOnlyFilesystem,
        io::ErrorKind::TimedOut,
    ];
    insta::assert_snapshot!(kinds.map(said).concat(), @"
    error: nothing was handed in to /srv/inbox: you may not write there
    hint: your instructor can open it for you: docs/handing-in.md says how; `warpup progress export FILE` keeps your records in a file of yours
    error: nothing was handed in to /srv/inbox: its disk has no room: no storage space
    hint: tell your instructor; `warpup progress export FILE` keeps your records in a file of yours
    error: nothing was handed in to /srv/inbox: its disk has no room: quota exceeded
    hint: tell your instructor; `warpup progress export FILE` keeps your records in a file of yours
    error: nothing was handed in to /srv/inbox: nobody can write there now
    hint: tell your instructor; `warpup progress export FILE` keeps your records in a file of yours
    error: nothing was handed in to /srv/inbox: timed out
    hint: try again, or tell your instructor; `warpup progress export FILE` keeps your records in a file of yours
    ");
}

#[test]
fn a_deadline_is_said_until_the_lesson_is_passed() {
    let said = |due_ms: u64| {
        let mut course = sample::course();
        course.due_ms.insert(LessonId::new("copies"), due_ms);
        let (text, _) = sample::console("", |console| {
            let context = &mut CommandContext {
                course: &course,
                learner: &mut Learner::load(None, &course.id),
                console,
                consent: None,
                clock: || AT,
            };
            deadlines(context, &Zone::UTC).map(|()| Exit::Fine)
        });
        text
    };
    insta::assert_snapshot!(said(AT + 60_000), @"
    What a copy costs is due 2000-02-29 00:01 (time of UTC), and
    not passed yet.
    ");
    insta::assert_snapshot!(said(AT - 60_000), @"
    What a copy costs was due 2000-02-28 23:59 (time of UTC),
    and not passed yet.
    ");
}

//! Wrong programs: each is told as a mistake of the learner, and nothing ends.
//!
//! A folder of `tests/fixtures/wrong` says where its programs run and how they end. What is expected stands
//! beside each: who said so, the exception's type and line, its text, and what was printed. For `pytorch`
//! that was kept by `scripts/pytorch-fixtures`; a `.warpup.txt` there has the words of warpup where they
//! are others.

use crate::labs::{self, Labs, python};
use crate::programs::{assert_none, difference, fixtures, without_operation};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use warpup::lab::run::Run;
use warpup::protocol::{DeviceName, Limits, Outcome, RunRequest};

/// A program and what is expected of it.
struct Wrong {
    name: String,
    folder: Folder,
    source: String,
    /// What PyTorch or Python says; of programs that only warpup can run, what warpup says.
    theirs: String,
    /// What warpup says, where it differs.
    ours: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Folder {
    /// PyTorch runs it, too.
    PyTorch,
    /// It needs warpup's modelled card.
    Card,
    /// Only in warpup is it wrong, or wrong in this way.
    Warpup,
    /// It has no end.
    Endless,
    /// It prints and prints.
    Flood,
}

impl Wrong {
    fn request(&self) -> RunRequest {
        let request = python(&self.source);
        match self.folder {
            Folder::PyTorch | Folder::Warpup | Folder::Flood => request,
            Folder::Card => RunRequest {
                device: DeviceName::Model("t4".to_owned()),
                ..request
            },
            Folder::Endless => RunRequest {
                limits: Limits {
                    time_ms: 300,
                    ..request.limits
                },
                ..request
            },
        }
    }

    fn expected(&self) -> String {
        without_operation(self.ours.as_ref().unwrap_or(&self.theirs))
    }
}

fn all() -> Vec<Wrong> {
    let files = fixtures("wrong");
    let stems = files.keys().filter_map(|it| it.strip_suffix(".py"));
    stems.map(|stem| wrong(stem, &files)).collect()
}

fn wrong(stem: &str, files: &BTreeMap<String, String>) -> Wrong {
    let folder = match stem.split('/').next().unwrap() {
        "pytorch" => Folder::PyTorch,
        "card" => Folder::Card,
        "warpup" => Folder::Warpup,
        "endless" => Folder::Endless,
        "flood" => Folder::Flood,
        other => panic!("what is in tests/fixtures/wrong/{other}?"),
    };
    let theirs = files.get(&format!("{stem}.txt"));
    Wrong {
        name: stem.to_owned(),
        folder,
        source: files[&format!("{stem}.py")].clone(),
        theirs: theirs
            .unwrap_or_else(|| panic!("{stem}.txt is missing"))
            .clone(),
        ours: files.get(&format!("{stem}.warpup.txt")).cloned(),
    }
}

/// How a run ended, in the form of the files; `who` is theirs.
fn told(run: &Run, who: &str) -> String {
    let raised = match labs::outcome(run) {
        Outcome::Raised(raised) => raised,
        Outcome::TimedOut => return format!("{who}: timed out\n"),
        Outcome::TooMuchOutput => return format!("{who}: too much output\n"),
        Outcome::Done => return format!("{who}: nothing is wrong\n"),
        Outcome::Cancelled => return format!("{who}: cancelled\n"),
        Outcome::Broken { what } => return format!("{who}: broken: {what}\n"),
        Outcome::Unavailable(it) | Outcome::Busy(it) => return format!("{who}: {}\n", it.why),
    };
    let at = match raised.line {
        0 => String::new(),
        line => format!(" at line {line}"),
    };
    let printed = match run.output.as_str() {
        "" => String::new(),
        output => format!("printed:\n{}", visible(output)),
    };
    let words = visible(&raised.message);
    format!("{who}: {}{at}\n{words}\n{printed}", raised.kind)
}

/// The text with control characters written out, as in the files.
fn visible(text: &str) -> String {
    let shown = |it: char| match it {
        it if it.is_control() && it != '\n' => format!("\\x{:02x}", u32::from(it)),
        it => it.to_string(),
    };
    text.chars().map(shown).collect()
}

#[test]
fn wrong_programs_are_told_and_end_nothing() {
    let mut labs = Labs::start();
    let mut differences = Vec::new();
    for wrong in all() {
        let expected = wrong.expected();
        let who = expected.split(':').next().unwrap();
        let run = labs.run(wrong.request());
        differences.extend(difference(&wrong.name, &expected, &told(&run, who)));
        let next = labs.run(python("print(6 * 7)"));
        differences.extend(difference(
            &format!("after {}", wrong.name),
            "42\n",
            &next.output,
        ));
    }
    assert_none(&differences);
}

#[test]
fn words_of_our_own_are_about_the_same_mistake() {
    for wrong in all() {
        let Some(ours) = &wrong.ours else { continue };
        assert_ne!(ours, &wrong.theirs, "{}: not needed", wrong.name);
        let first = |text: &str| text.lines().next().unwrap().to_owned();
        // What is not there says so, whatever PyTorch would have found wrong.
        if !ours.contains("not part of warpup") {
            assert_eq!(first(ours), first(&wrong.theirs), "{}", wrong.name);
        }
    }
}

/// Programs without an end are left out: from here they run for as long as a lab may.
#[test]
fn warpup_run_calls_it_the_programs_mistake() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wrong");
    for wrong in all() {
        if wrong.folder == Folder::Endless {
            continue;
        }
        let device = wrong.request().device.to_string();
        let done = Command::new(env!("CARGO_BIN_EXE_warpup"))
            .arg("run")
            .arg(folder.join(format!("{}.py", wrong.name)))
            .args(["--device", &device])
            .output()
            .unwrap();
        let text = String::from_utf8(done.stdout).unwrap();
        assert_eq!(done.status.code(), Some(1), "{}: {text}", wrong.name);
        assert_eq!(String::from_utf8_lossy(&done.stderr), "", "{}", wrong.name);
        let expected = wrong.expected();
        let (_, kind) = expected.lines().next().unwrap().split_once(": ").unwrap();
        let words = match wrong.folder {
            Folder::Flood => "it printed too much",
            Folder::PyTorch | Folder::Card | Folder::Warpup | Folder::Endless => {
                kind.split(' ').next().unwrap()
            }
        };
        assert!(text.contains(words), "{}: {text}", wrong.name);
        let is_control = |it: char| it.is_control() && it != '\n';
        assert!(!text.contains(is_control), "{}: {text:?}", wrong.name);
    }
}

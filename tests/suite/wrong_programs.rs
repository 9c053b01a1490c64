//! Wrong programs: each is reported as the learner's mistake, and the worker goes on.
//!
//! A folder of `tests/fixtures/wrong` says where its programs run and how they end. The file beside each says who
//! reports the mistake, the exception's type and line, its text, and what was printed. `scripts/pytorch-fixtures`
//! recorded those of `pytorch`; a `.warpup.txt` there has warpup's words where they differ.

use crate::support::lab_runner::{LabRunner, outcome};
use crate::support::programs::{assert_none, difference, fixtures};
use crate::support::request::{python, python_on};
use crate::support::source;
use crate::support::temp_home::TempHome;
use std::collections::BTreeMap;
use warpup_lab::run::Run;
use warpup_protocol::{Limits, Outcome, RunRequest};

/// A program and what is expected of it.
struct Wrong {
    name: String,
    folder: Folder,
    source: String,
    /// What PyTorch or Python says, or warpup where only warpup can run the program.
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
    /// Only warpup calls it wrong, or wrong in this way.
    Warpup,
    /// It has no end.
    Endless,
    /// It prints without end.
    Flood,
}

impl Wrong {
    fn request(&self) -> RunRequest {
        let request = python(&self.source);
        match self.folder {
            Folder::PyTorch | Folder::Warpup | Folder::Flood => request,
            Folder::Card => python_on("model:t4", &self.source),
            Folder::Endless => RunRequest {
                limits: Limits {
                    time_ms: 300,
                    ..request.limits
                },
                ..request
            },
        }
    }

    /// Its folder and the first word of its name.
    fn group(&self) -> &str {
        self.name.split('-').next().unwrap()
    }

    fn expected(&self) -> &str {
        self.ours.as_ref().unwrap_or(&self.theirs)
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

/// How a run ended, in the form of the files; `who` comes from there.
fn ending(run: &Run, who: &str) -> String {
    let raised = match outcome(run) {
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

/// A program without a mistake, which prints 42.
const RIGHT: &str = "import torch
x = torch.ones(6, requires_grad=True)
(x * 7).sum().backward()
print(x.grad.sum().item())
";

/// All programs run on one engine. A program that harms it changes the result of the next one, or of the right
/// program after its group, on the same device: those in one folder whose names begin with the same word.
#[test]
fn wrong_programs_are_reported_and_the_next_program_runs() {
    let mut runner = LabRunner::start();
    let mut differences = Vec::new();
    let all = all();
    for group in all.chunk_by(|one, next| one.group() == next.group()) {
        for wrong in group {
            let expected = wrong.expected();
            let who = expected.split(':').next().unwrap();
            let run = runner.run(wrong.request());
            differences.extend(difference(&wrong.name, expected, &ending(&run, who)));
        }
        let right = RunRequest {
            device: group[0].request().device,
            ..python(RIGHT)
        };
        let run = runner.run(right);
        let name = format!("a right program after {}", group[0].group());
        differences.extend(difference(&name, "42.0\n", &run.output));
    }
    assert_none(&differences);
}

#[test]
fn warpups_own_words_are_about_the_same_mistake() {
    for wrong in all() {
        let Some(ours) = &wrong.ours else { continue };
        assert_ne!(ours, &wrong.theirs, "{}: not needed", wrong.name);
        let first = |text: &str| text.lines().next().unwrap().to_owned();
        // A missing part of PyTorch is reported as missing, whatever mistake PyTorch reports.
        if !ours.contains("not part of warpup") {
            assert_eq!(first(ours), first(&wrong.theirs), "{}", wrong.name);
        }
    }
}

/// Programs without an end are left out: `warpup run` gives them five minutes.
#[test]
fn warpup_run_calls_it_the_programs_mistake() {
    let folder = source::root().join("tests/fixtures/wrong");
    let home = TempHome::new();
    for wrong in all() {
        if matches!(wrong.folder, Folder::Endless | Folder::Flood) {
            continue;
        }
        let device = wrong.request().device.to_string();
        let program = folder.join(format!("{}.py", wrong.name));
        let done = home.run(&["run", program.to_str().unwrap(), "--device", &device]);
        let text = String::from_utf8(done.stderr).unwrap();
        let expected = wrong.expected();
        let (_, kind) = expected.lines().next().unwrap().split_once(": ").unwrap();
        let words = kind.split(' ').next().unwrap();
        if words == "SystemExit" {
            // As under Python: a status or words of the program's own, and no traceback.
            assert_ne!(done.status.code(), Some(0), "{}: {text}", wrong.name);
            assert!(!text.contains("Traceback"), "{}: {text}", wrong.name);
            continue;
        }
        assert_eq!(done.status.code(), Some(1), "{}: {text}", wrong.name);
        assert!(text.contains(words), "{}: {text}", wrong.name);
        let is_control = |it: char| it.is_control() && it != '\n';
        assert!(!text.contains(is_control), "{}: {text:?}", wrong.name);
    }
}

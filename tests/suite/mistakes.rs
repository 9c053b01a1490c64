//! Mistakes as instructors make them: `warpup check` names the cause of each first, and who does what its help says has a course
//! without mistakes.
//!
//! `tests/fixtures/mistakes/mistakes.toml` has them, one small edit of a sound course each.

use crate::support::source::{self, File};
use crate::support::temp_home::TempHome;
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::thread;
use warpup_course::Rule;

/// So many of a hundred mistakes have to lead to their fix.
const GOOD_PERCENT: usize = 92;

#[derive(Deserialize)]
struct Mistakes {
    mistake: Vec<Mistake>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mistake {
    name: String,
    file: String,
    from: String,
    to: String,
    rule: String,
    says: String,
    /// What the help asks to write in place of `to`.
    fix: Option<String>,
    /// How the lines begin that the message may point at.
    at: Option<String>,
    /// The line that the message has to point at.
    line: Option<usize>,
    /// The file that the message is about, if it is another one.
    told_in: Option<String>,
    #[serde(default)]
    run_labs: bool,
    /// Why it does not lead to its fix.
    not_yet: Option<String>,
}

impl Mistake {
    /// The file with a text in place of the one that is changed.
    fn with(&self, sound: &str, text: &str) -> String {
        assert!(sound.contains(&self.from), "{}: {:?}", self.name, self.from);
        sound.replacen(&self.from, text, 1)
    }

    /// The lines that the message may point at.
    fn lines(&self, sound: &str) -> RangeInclusive<usize> {
        let wrong = self.with(sound, &self.to);
        if let Some(line) = self.line {
            return line..=line;
        }
        let number = |byte: usize| wrong.get(..byte).unwrap().matches('\n').count() + 1;
        if let Some(at) = &self.at {
            let line = number(wrong.find(at.as_str()).expect(&self.name));
            return line..=line;
        }
        let start = number(sound.find(&self.from).unwrap());
        start..=start + self.to.matches('\n').count()
    }

    /// How the first message does not lead to the fix.
    fn complaints(&self, sound: &str, found: &[Value], after: &[Value]) -> Vec<String> {
        let Some(first) = found.first() else {
            return vec!["nothing is said".to_owned()];
        };
        let mut complaints = Vec::new();
        let mut same = |what: &str, is: String, expected: &str| {
            if is != expected {
                complaints.push(format!("the {what} is {is}, not {expected}"));
            }
        };
        let text = |key: &str| first[key].as_str().unwrap_or_default().to_owned();
        same("rule", text("rule"), &self.rule);
        same(
            "file",
            text("file"),
            self.told_in.as_ref().unwrap_or(&self.file),
        );
        let line = usize::try_from(first["line"].as_u64().unwrap()).unwrap();
        let lines = self.lines(sound);
        if !lines.contains(&line) {
            complaints.push(format!("the line is {line}, not one of {lines:?}"));
        }
        if !text("hint").contains(&self.says) || text("hint").is_empty() {
            complaints.push(format!("the help is {:?}", text("hint")));
        }
        if let Some(left) = after.first() {
            complaints.push(format!("after the fix there is {}", left["message"]));
        }
        complaints
    }
}

fn fixtures() -> PathBuf {
    source::root().join("tests/fixtures/mistakes")
}

/// The sound course in a folder of its own, with one file that has another text.
fn course(home: &TempHome, number: usize, file: &str, text: &str) -> String {
    let folder = home.path().join(format!("course-{number}"));
    for part in ["lessons", "quizzes"] {
        fs::create_dir_all(folder.join(part)).unwrap();
        for entry in fs::read_dir(fixtures().join("course").join(part)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.join(part).join(entry.file_name())).unwrap();
        }
    }
    fs::write(folder.join(file), text).unwrap();
    folder.to_str().unwrap().to_owned()
}

/// What `warpup check` says about a course.
fn found(home: &TempHome, course: &str, run_labs: bool) -> Vec<Value> {
    let mut arguments = vec!["check", course, "--json"];
    if run_labs {
        arguments.extend(["--run-labs", "--trust"]);
    }
    let output = home.run(&arguments);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    json["diagnostics"].as_array().unwrap().clone()
}

/// How each mistake does not lead to its fix.
fn complaints(mistakes: &[Mistake], first: usize) -> Vec<Vec<String>> {
    let home = TempHome::new();
    let each = mistakes.iter().enumerate().map(|(at, mistake)| {
        let sound = fs::read_to_string(fixtures().join("course").join(&mistake.file)).unwrap();
        let number = first + at;
        let wrong = mistake.with(&sound, &mistake.to);
        let folder = course(&home, number, &mistake.file, &wrong);
        let before = found(&home, &folder, mistake.run_labs);
        let fixed = mistake.with(&sound, mistake.fix.as_ref().unwrap_or(&mistake.from));
        fs::write(Path::new(&folder).join(&mistake.file), fixed).unwrap();
        let after = found(&home, &folder, mistake.run_labs);
        mistake.complaints(&sound, &before, &after)
    });
    each.collect()
}

#[test]
fn the_first_message_about_a_mistake_leads_to_its_fix() {
    let text = fs::read_to_string(fixtures().join("mistakes.toml")).unwrap();
    let Mistakes { mistake: all } = toml::from_str(&text).unwrap();
    assert!(all.len() >= 60, "{} mistakes", all.len());
    let half = all.len() / 2;
    let (one, other) = all.split_at(half);
    let said = thread::scope(|scope| {
        let other = scope.spawn(|| complaints(other, half));
        let mut said = complaints(one, 0);
        said.extend(other.join().unwrap());
        said
    });
    let mut wrong = String::new();
    let mut good = 0;
    for (mistake, complaints) in all.iter().zip(said) {
        let name = &mistake.name;
        match (complaints.is_empty(), &mistake.not_yet) {
            (true, None) => good += 1,
            (true, Some(_)) => writeln!(wrong, "{name}: it leads to its fix now").unwrap(),
            (false, None) => writeln!(wrong, "{name}: {}", complaints.join(", ")).unwrap(),
            (false, Some(_)) => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        100 * good >= GOOD_PERCENT * all.len(),
        "{good} of {}",
        all.len()
    );
}

#[test]
fn each_rule_is_reported_somewhere() {
    let files: Vec<File> = ["crates", "src"]
        .into_iter()
        .flat_map(source::rust_files_under)
        .collect();
    let is_used = |rule: &Rule| {
        let name = format!("Rule::{rule:?}");
        let is_it = |text: &str| {
            let mut found = text.match_indices(&name).map(|it| it.0 + name.len());
            found.any(|end| !text.get(end..).unwrap().starts_with(char::is_alphanumeric))
        };
        files
            .iter()
            .any(|it| is_it(source::without_tests(&it.text)))
    };
    let unused: Vec<&Rule> = Rule::ALL.iter().filter(|it| !is_used(it)).collect();
    assert_eq!(unused, [] as [&Rule; 0]);
}

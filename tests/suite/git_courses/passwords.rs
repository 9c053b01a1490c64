//! An address with a password or a token: no command prints it, and no file keeps it.

use super::Repository;
use crate::support::pty::Start;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// All that a command line can ask of a course, and what it cannot.
const SURFACES: &str = "
read copies
read nothing
read copies --page nothing
--language fr read copies
run copies/bus
run copies/bus --trust
run copies/bus --trust --json --trace trace.json
run copies/nothing
quiz copies --answers answers.toml
quiz copies --answers answers.toml --json
quiz copies
quiz copies --words
quiz copies --short
quiz nothing
check
check --json
check --sarif
check --against main
doctor
doctor --json
progress
progress show --json
progress export
progress export kept.jsonl
progress import kept.jsonl
progress repair
handoff
handoff --json
export html
export html -o page.html
export md copies
export gift
export ipynb copies
export nothing
pack -o talk.warpup
pack -o talk.warpup
class report kept.jsonl
class report kept.jsonl --html class.html
new lesson more
floor 7b
trace nothing.json
preview nothing.md --plain
progress reset --yes
sing
--sing
";

/// One of them, with a wrong answer: it says what to read again.
const QUIZ: &str = "quiz copies --answers answers.toml";

impl Repository {
    /// Its address with a password, and with this behind it.
    fn secret(&self, rest: &str) -> String {
        let home = self.home.path().display();
        format!("file://u:SECRET@localhost{home}/course{rest}")
    }

    /// What `warpup` prints in the home to somebody who types this, where `WARPUP_COURSE` may name a course. No password is in it.
    fn told(&self, words: &[&str], course: Option<&str>, typed: &str) -> String {
        let mut command = self.home.warpup(words);
        command.envs(course.map(|it| ("WARPUP_COURSE", it)));
        command.current_dir(self.home.path()).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Many read nothing.
        drop(child.stdin.take().unwrap().write_all(typed.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!told.contains("SECRET"), "{words:?}: {told}");
        told
    }
}

/// The files under a folder that have the password in them or in their names.
fn with_secret(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
        if path.is_dir() {
            found.extend(with_secret(&path));
        } else if fs::read(&path).is_ok_and(|it| it.windows(6).any(|it| it == b"SECRET")) {
            found.push(path.display().to_string());
        }
        found.extend(
            path.to_str()
                .filter(|it| it.contains("SECRET"))
                .map(str::to_owned),
        );
    }
    found
}

#[test]
fn no_command_prints_or_keeps_the_password_of_an_address() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let home = &repository.home;
    home.write("answers.toml", "q-bus = \"slow\"\n");
    let tag = repository.secret("#v1.0");
    for line in SURFACES.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let told = repository.told(&[&["--course", &tag], &words[..]].concat(), None, "");
        let tells = ["", "read copies", QUIZ].contains(&line);
        let begin = "warpup --course 'file://…@localhost/";
        assert!(!tells || told.contains(begin), "{line}: {told}");
    }
    let typed = "1\nshow\nrun\nno\nnext\nquiz\n1\n1\n1\n1\nmap\nhelp\nquit\nquit\n";
    repository.told(&["--course", &tag, "--plain"], None, typed);
    repository.told(&["progress"], Some(&tag), "");
    assert_eq!(with_secret(home.path()), Vec::<String>::new());
    home.write("seen/x", "SECRET");
    assert_eq!(with_secret(home.path()).len(), 1);
}

#[test]
fn a_wrong_address_is_refused_without_its_password() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let wrong = [
        "#v9",
        "#v1.0:talks",
        "#a b",
        "#v1.0:../x",
        "?ref=v1",
        "/gone",
    ];
    let wrong = wrong.map(|it| repository.secret(it));
    let others = [
        "http://u:SECRET@localhost/r",
        "git://u:SECRET@localhost/r",
        "ssh://u:SECRET@localhost/r",
        "https://u:SECRET/x@localhost/r",
        "https://u:SECRET@localhost:1/r",
        "u:SECRET@localhost/r",
    ];
    for address in wrong.iter().map(String::as_str).chain(others) {
        let said = repository.told(&["--course", address, "progress"], None, "");
        assert!(said.contains("error: "), "{said}");
        repository.told(&["--course", address, "new", "lesson", "more"], None, "");
        repository.told(&["progress"], Some(address), "");
    }
    let tag = &*repository.secret("#v1.0");
    for words in [
        &[tag][..],
        &["check", tag],
        &["pack", tag, "-o", "talk.warpup"],
        &["preview", tag],
        &["read", "copies", tag],
        &["--coarse", tag],
        &["--language", tag],
    ] {
        let said = repository.told(words, None, "");
        assert!(said.contains("error: "), "{said}");
    }
    assert_eq!(with_secret(repository.home.path()), Vec::<String>::new());
}

#[test]
fn the_app_shows_and_keeps_no_password_of_an_address() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let tag = repository.secret("#v1.0");
    let mut terminal = Start::warpup().args(["--course", &tag]).spawn();
    terminal.wait_for(|it| it.contains("What a copy costs"), "the list of lessons");
    for keys in [
        "", "p", "<Esc>", "/copy", "<Esc>", "d", "<Esc>", "<Enter>", "?",
    ] {
        terminal.press(keys);
        terminal.wait_until_quiet(Duration::from_millis(100));
        let screen = terminal.text();
        assert!(!screen.contains("SECRET"), "{screen}");
    }
    assert_eq!(with_secret(terminal.home()), Vec::<String>::new());
}

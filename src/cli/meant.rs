//! What words on the command line probably mean that no command takes. Pure.

use std::path::Path;
use warpup_course::nearest;

/// Words of other tools, and what does that here.
const WORDS: [(&[&str], &str); 7] = [
    (&["version"], "`warpup --version` prints it"),
    (
        &["list", "ls", "lesson", "lessons"],
        "`warpup read` lists the lessons",
    ),
    (
        &["labs", "exec", "execute", "python"],
        "`warpup run LESSON/LAB` runs a lab, `warpup run FILE.py` your own program",
    ),
    (
        &["profile", "prof", "bench", "benchmark", "time"],
        "`warpup run FILE.py` times each line of a program, `warpup record python FILE.py` records a run under PyTorch",
    ),
    (
        &["config", "settings", "set", "theme"],
        "the app changes its settings: `warpup`, then `,`",
    ),
    (
        &["start", "open", "learn", "course", "resume", "continue"],
        "`warpup` alone opens the course where you left off",
    ),
    (
        &["status", "stats", "score"],
        "`warpup progress` shows what you have done",
    ),
];

/// The command that is meant by a word that is no command, if the word tells.
pub(super) fn command(word: &str, of: &str) -> Option<String> {
    if of != "warpup" {
        return None;
    }
    let known = WORDS.iter().find(|(words, _)| words.contains(&word));
    if let Some((_, hint)) = known {
        return Some((*hint).to_owned());
    }
    let is_lab = word.contains('/') && Path::new(word).extension().is_none();
    Some(match ending(word) {
        "py" => format!(
            "`warpup lab {word}` opens a program of yours, `warpup run {word}` runs it, `warpup plan {word}` says what it would cost on a card"
        ),
        "json" | "gz" => format!("`warpup trace {word}` shows what is in a trace"),
        "md" | "toml" => format!("`warpup preview {word}` shows a lesson while you write it"),
        "warpup" => format!("`warpup --course {word}` opens a packed course"),
        _ if is_lab => format!("if this is a lab, `warpup run {word}` runs it"),
        _ => return None,
    })
}

/// What a word may mean that is not one of these commands.
pub(super) fn other(word: &str, of: &str, names: &[&str]) -> String {
    if word.trim().is_empty() {
        return "the word is empty: is a variable of a script not set?".to_owned();
    }
    match (of, nearest(word, names.iter().copied())) {
        (_, Some(near)) => format!("did you mean `{near}`?"),
        ("warpup", None) => format!(
            "`warpup` opens the course; if this is a lesson, `warpup read {word}` prints it"
        ),
        ("progress", None) if ["list", "status"].contains(&word) => {
            "`warpup progress` alone shows a line for each lesson".to_owned()
        }
        ("progress", None) => {
            format!("if this is a lesson, `warpup progress show {word}` shows what you did in it")
        }
        (_, None) => format!("there are {}", names.join(", ")),
    }
}

/// What an argument means that a command does not take, where the argument says so.
pub(super) fn argument(argument: &str, of: &str) -> Option<String> {
    let is_word = !argument.starts_with('-');
    Some(match (of, argument) {
        ("run", "--gpu" | "--cuda") => {
            "`--device t4` runs it on a modelled card, `--device cuda` on a real one".to_owned()
        }
        ("run", "-m" | "-c") => "name the file: `warpup run FILE.py`".to_owned(),
        ("run", "--lesson" | "--lab") => {
            "a lab is named without an option: `warpup run LESSON/LAB`".to_owned()
        }
        ("read" | "quiz", "--lesson") => {
            format!("a lesson is named without an option: `warpup {of} LESSON`")
        }
        ("plan" | "handoff" | "trace", "--gpu") => {
            "`--card t4` names the card of a plan".to_owned()
        }
        ("progress", "--json") => "`warpup progress show --json` prints it".to_owned(),
        ("warpup", "-v") => "`warpup --version` prints the version".to_owned(),
        (_, "--plain") => "this command prints plain lines by itself".to_owned(),
        ("run" | "plan", file) if ending(file) == "py" => {
            format!(
                "it takes one program: `warpup {of} {file}`; what is for the program follows `--`"
            )
        }
        ("run", lab) if is_word => {
            format!("a lab is one word, `LESSON/{lab}`; what is for a program follows `--`")
        }
        ("read", page) if is_word => {
            format!("it takes one lesson; `--page {page}` names a page")
        }
        ("quiz", _) if is_word => "it takes one lesson".to_owned(),
        ("floor", _) => "a number of parameters is one word, such as 7b".to_owned(),
        _ => return None,
    })
}

/// What an argument means for a command that passes some on to a program, behind `--`.
pub(super) fn of_program(argument: &str, of: &str) -> Option<String> {
    if !argument.starts_with('-') {
        return None;
    }
    Some(match of {
        "run" | "plan" => {
            format!("what is for your program follows `--`: `warpup {of} FILE.py -- {argument}`")
        }
        _ => format!(
            "what is for the program of `--plan` follows `--`: `--plan FILE.py -- {argument}`"
        ),
    })
}

/// What a name of a file ends in.
fn ending(word: &str) -> &str {
    let ending = Path::new(word).extension().and_then(|it| it.to_str());
    ending.unwrap_or_default()
}

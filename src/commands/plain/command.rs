//! What a learner types on a page, as a command.
//!
//! Pure.

use std::path::PathBuf;
use warpup_course::nearest;

/// Each command with its arguments, and what it does. The help lists them.
pub(super) const COMMANDS: [(&str, &str); 21] = [
    (
        "next",
        "what follows, or the next page; Enter does the same",
    ),
    ("back", "the page before"),
    ("again", "this page once more"),
    ("page N", "page N of the lesson"),
    (
        "answer",
        "the next answer of this page that you have not read",
    ),
    ("map", "the list of lessons"),
    (
        "run [LAB]",
        "run the lab of this page; it may ask for a prediction first",
    ),
    ("show [LAB]", "the lab's program, as you have it now"),
    ("candle [LAB]", "the same program in candle (Rust)"),
    ("hint [LAB]", "a hint, milder ones first"),
    (
        "edit [LAB]",
        "change the program in your editor, which EDITOR names",
    ),
    ("save FILE [LAB]", "write the program to a file"),
    ("take FILE [LAB]", "take the program from a file"),
    ("reset [LAB]", "the program as the lesson has it"),
    ("solution [LAB]", "a program that passes; again, other ways"),
    ("device [NAME]", "what labs run on: cpu, cuda or model:CARD"),
    ("quiz", "take the lesson's quiz"),
    (
        "retry",
        "only the questions of the quiz that you missed last",
    ),
    (
        "words",
        "explain in your own words what the quiz asks for that way",
    ),
    ("help", "these words"),
    ("quit", "leave; all is saved"),
];

/// The keys of the app, which the lessons mention, and their commands. As there, `q` goes one step back: from a page to the list
/// of lessons.
const KEYS: [(&str, &str); 12] = [
    ("?", "help"),
    ("a", "answer"),
    ("b", "back"),
    ("d", "device"),
    ("e", "edit"),
    ("h", "hint"),
    ("p", "back"),
    ("q", "map"),
    ("r", "run"),
    ("R", "reset"),
    ("s", "solution"),
    ("z", "quiz"),
];

/// The key of the app that shows the next pane of a lab, which lessons mention, too.
const NEXT_PANE: &str = "o";

/// A command on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlainCommand {
    Next,
    Back,
    Again,
    Page(usize),
    Map,
    /// Read the next folded part.
    Answer,
    Lab(LabCommand, Option<String>),
    Device(Option<String>),
    Quiz,
    Retry,
    Words,
    Help,
    Leave,
}

/// A command on a lab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LabCommand {
    Run,
    Show,
    Candle,
    Hint,
    Edit,
    Save(PathBuf),
    Take(PathBuf),
    Reset,
    Solution,
}

/// Parses what was typed. A command may be cut short as long as one command only begins that way; the error says
/// what to type instead.
pub(super) fn parse(typed: &str) -> Result<PlainCommand, String> {
    let mut words = typed.split_whitespace();
    let Some(word) = words.next() else {
        return Ok(PlainCommand::Next);
    };
    let word = full(word)?;
    let rest: Vec<&str> = words.collect();
    let command = match (word, rest.as_slice()) {
        ("next", []) => PlainCommand::Next,
        ("back", []) => PlainCommand::Back,
        ("again", []) => PlainCommand::Again,
        ("answer", []) => PlainCommand::Answer,
        ("map", []) => PlainCommand::Map,
        ("quiz", []) => PlainCommand::Quiz,
        ("retry", []) => PlainCommand::Retry,
        ("words", []) => PlainCommand::Words,
        ("help", []) => PlainCommand::Help,
        ("quit", []) => PlainCommand::Leave,
        ("page", [number]) => PlainCommand::Page(page(number)?),
        ("device", []) => PlainCommand::Device(None),
        ("device", [name]) => PlainCommand::Device(Some((*name).to_owned())),
        ("save", [file, lab @ ..]) if lab.len() < 2 => on(LabCommand::Save(file.into()), lab),
        ("take", [file, lab @ ..]) if lab.len() < 2 => on(LabCommand::Take(file.into()), lab),
        ("run", lab) if lab.len() < 2 => on(LabCommand::Run, lab),
        ("show", lab) if lab.len() < 2 => on(LabCommand::Show, lab),
        ("candle", lab) if lab.len() < 2 => on(LabCommand::Candle, lab),
        ("hint", lab) if lab.len() < 2 => on(LabCommand::Hint, lab),
        ("edit", lab) if lab.len() < 2 => on(LabCommand::Edit, lab),
        ("reset", lab) if lab.len() < 2 => on(LabCommand::Reset, lab),
        ("solution", lab) if lab.len() < 2 => on(LabCommand::Solution, lab),
        (word, _) => return Err(format!("type {}", form(word))),
    };
    Ok(command)
}

fn on(command: LabCommand, lab: &[&str]) -> PlainCommand {
    PlainCommand::Lab(command, lab.first().map(|&it| it.to_owned()))
}

fn page(number: &str) -> Result<usize, String> {
    let number = number.parse::<usize>().ok();
    let number = number.filter(|it| *it > 0);
    number.ok_or_else(|| format!("type {}", form("page")))
}

/// The names of the commands, without their arguments.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter_map(|it| it.0.split(' ').next())
}

/// A command with its arguments.
fn form(name: &str) -> String {
    let of = |it: &&(&str, &str)| it.0.split(' ').next() == Some(name);
    let form = COMMANDS.iter().find(of).map_or(name, |it| it.0);
    format!("`{form}`")
}

fn full(word: &str) -> Result<&'static str, String> {
    if word == NEXT_PANE {
        let said = "`o` shows another part of a run on the screen; here `run` prints all of them.";
        return Err(said.to_owned());
    }
    if let Some(key) = KEYS.iter().find(|it| it.0 == word) {
        return Ok(key.1);
    }
    if let Some(exact) = names().find(|it| *it == word) {
        return Ok(exact);
    }
    let begun: Vec<_> = names().filter(|it| it.starts_with(word)).collect();
    match begun.as_slice() {
        [one] => Ok(one),
        [] => {
            let near = nearest(word, names());
            let near = near.map_or(String::new(), |it| format!(" Did you mean `{it}`?"));
            Err(format!(
                "`{word}` is not a command.{near}\n`help` lists the commands."
            ))
        }
        several => Err(format!("`{word}` could be {}", several.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_may_be_cut_short_as_long_as_it_is_one() {
        assert_eq!(parse(""), Ok(PlainCommand::Next));
        assert_eq!(parse(" n "), Ok(PlainCommand::Next));
        assert_eq!(parse("ru"), Ok(PlainCommand::Lab(LabCommand::Run, None)));
        assert_eq!(parse("?"), Ok(PlainCommand::Help));
        insta::assert_snapshot!(parse("qu").unwrap_err(), @"`qu` could be quiz, quit");
    }

    #[test]
    fn the_keys_that_lessons_name_do_what_they_do_on_the_screens() {
        assert_eq!(parse("r"), Ok(PlainCommand::Lab(LabCommand::Run, None)));
        assert_eq!(parse("h"), Ok(PlainCommand::Lab(LabCommand::Hint, None)));
        assert_eq!(
            parse("s"),
            Ok(PlainCommand::Lab(LabCommand::Solution, None))
        );
        assert_eq!(parse("d"), Ok(PlainCommand::Device(None)));
        assert_eq!(parse("q"), Ok(PlainCommand::Map));
        assert_eq!(parse("p"), Ok(PlainCommand::Back));
        assert_eq!(parse("R"), Ok(PlainCommand::Lab(LabCommand::Reset, None)));
        insta::assert_snapshot!(parse("o").unwrap_err(), @"`o` shows another part of a run on the screen; here `run` prints all of them.");
    }

    #[test]
    fn what_stands_behind_a_word_is_read_with_it() {
        assert_eq!(parse("page 3"), Ok(PlainCommand::Page(3)));
        assert_eq!(parse("device"), Ok(PlainCommand::Device(None)));
        assert_eq!(
            parse("take a.py placement"),
            Ok(PlainCommand::Lab(
                LabCommand::Take("a.py".into()),
                Some("placement".to_owned())
            ))
        );
    }

    #[test]
    fn what_cannot_be_read_says_what_can() {
        let why = |typed| parse(typed).unwrap_err();
        insta::assert_snapshot!(why("page 0"), @"type `page N`");
        insta::assert_snapshot!(why("page"), @"type `page N`");
        insta::assert_snapshot!(why("run a b"), @"type `run [LAB]`");
        insta::assert_snapshot!(why("save"), @"type `save FILE [LAB]`");
        insta::assert_snapshot!(why("hnit"), @r"
        `hnit` is not a command. Did you mean `hint`?
        `help` lists the commands.
        ");
        insta::assert_snapshot!(why("xyzzy"), @r"
        `xyzzy` is not a command.
        `help` lists the commands.
        ");
    }
}

//! What is wrong with a command line, and what to try.

use super::values::{Instead, WrongValue};
use super::{Cli, meant};
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;
use std::path::{Path, PathBuf};

/// What has nearly the name of a file that does not exist, in its folder.
type Neighbour = fn(&Path) -> Option<PathBuf>;

/// The words of an error, with what was probably meant.
pub(crate) fn told(mut error: clap::Error, neighbour: Neighbour) -> String {
    if let Some(said) = wrong_value(&error) {
        return said;
    }
    let hint = hint(&mut error, neighbour).map_or(String::new(), |it| format!("hint: {it}\n"));
    // What is removed leaves its empty line.
    let said = error.render().to_string().replace("\n\n\n", "\n\n");
    said + &hint
}

/// A value of ours that was refused: what is wrong with it, and the option with one that is right.
fn wrong_value(error: &clap::Error) -> Option<String> {
    let wrong = error.source()?.downcast_ref::<WrongValue>()?;
    let option = text(error, ContextKind::InvalidArg)?;
    let option = option.split_whitespace().next().unwrap_or_default();
    let hint = match wrong.instead {
        Instead::Example(value) => format!("for example `{option} {value}`"),
        Instead::Words(words) => words.to_owned(),
    };
    Some(format!("error: {option}: {wrong}\nhint: {hint}\n"))
}

/// A text that an error comes with.
fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        Some(_) | None => None,
    }
}

/// Some commands are started by warpup itself.
fn suggests_hidden(error: &clap::Error) -> bool {
    let is_hidden = |name: &str| {
        let all = Cli::command();
        all.find_subcommand(name)
            .is_some_and(clap::Command::is_hide_set)
    };
    match error.get(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::String(name)) => is_hidden(name),
        Some(ContextValue::Strings(names)) => names.iter().any(|it| is_hidden(it)),
        Some(_) | None => false,
    }
}

/// What to try in place of what clap says, if we know better; else, what to try beside it.
fn hint(error: &mut clap::Error, neighbour: Neighbour) -> Option<String> {
    let commands = commands_of(error);
    let command = commands.last()?;
    if error.kind() == ErrorKind::InvalidSubcommand {
        no_command(command, error, neighbour)
    } else if error.kind() == ErrorKind::UnknownArgument {
        no_argument(command, error)
    } else if error.kind() == ErrorKind::MissingRequiredArgument {
        example(&commands, error).map(|it| format!("for example `{it}`"))
    } else {
        None
    }
}

/// What a word may mean that is not one of the commands in this one.
fn no_command(
    command: &clap::Command,
    error: &mut clap::Error,
    neighbour: Neighbour,
) -> Option<String> {
    let word = text(error, ContextKind::InvalidSubcommand)?.to_owned();
    let known =
        meant::command(&word, command.get_name()).or_else(|| program_beside(&word, neighbour));
    if known.is_some() || suggests_hidden(error) {
        error.remove(ContextKind::SuggestedSubcommand);
    }
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    let names: Vec<&str> = shown.map(clap::Command::get_name).collect();
    Some(known.unwrap_or_else(|| meant::other(&word, command.get_name(), &names)))
}

/// The program in the folder that was probably meant by a word with a full stop, such as `train.p`.
fn program_beside(word: &str, neighbour: Neighbour) -> Option<String> {
    let near = word.contains('.').then(|| neighbour(Path::new(word)))??;
    let is_program = near.extension().is_some_and(|it| it == "py");
    is_program.then(|| format!("did you mean `warpup {}`?", near.display()))
}

/// What an argument may mean that the command does not take.
fn no_argument(command: &clap::Command, error: &mut clap::Error) -> Option<String> {
    let argument = text(error, ContextKind::InvalidArg)?.to_owned();
    let known = meant::argument(&argument, command.get_name());
    if known.is_some() {
        error.remove(ContextKind::SuggestedArg);
    }
    if error.get(ContextKind::SuggestedArg).is_some() {
        return None;
    }
    let takes_more = command.get_positionals().any(clap::Arg::is_last_set);
    let of_program = || meant::of_program(&argument, command.get_name());
    let hint = known.or_else(|| of_program().filter(|_| takes_more))?;
    error.remove(ContextKind::Suggested);
    Some(hint)
}

/// The command whose arguments are wrong, which its usage names, after the ones that it is a part of.
fn commands_of(error: &clap::Error) -> Vec<clap::Command> {
    let mut all = vec![Cli::command()];
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        Some(_) | None => String::new(),
    };
    for word in usage.split_whitespace() {
        let inner = all.last().and_then(|it| it.find_subcommand(word)).cloned();
        all.extend(inner);
    }
    all
}

/// An example that has what is missing.
fn example(commands: &[clap::Command], error: &clap::Error) -> Option<String> {
    let names: Vec<&str> = commands
        .iter()
        .skip(1)
        .map(clap::Command::get_name)
        .collect();
    let mut needed = vec![names.join(" ")];
    if let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) {
        let options = missing.iter().filter(|it| it.starts_with('-'));
        needed.extend(
            options
                .filter_map(|it| it.split_whitespace().next())
                .map(str::to_owned),
        );
    }
    let texts = commands
        .iter()
        .rev()
        .filter_map(clap::Command::get_after_help);
    let texts: Vec<String> = texts.map(ToString::to_string).collect();
    let lines = texts.iter().flat_map(|it| it.lines()).map(str::trim_start);
    let mut examples = lines.filter(|it| it.starts_with("warpup "));
    let line = examples.find(|it| needed.iter().all(|needed| it.contains(needed.as_str())))?;
    let end = line.find("  ").unwrap_or(line.len());
    Some(line.get(..end)?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn said(words: &[&str]) -> String {
        let words = std::iter::once("warpup").chain(words.iter().copied());
        let beside = |_: &Path| Some(PathBuf::from("train.py"));
        told(Cli::try_parse_from(words).unwrap_err(), beside)
    }

    #[test]
    fn a_program_and_a_lesson_get_their_commands_and_hidden_ones_are_not_suggested() {
        let program = said(&["train.py"]);
        assert!(program.contains("`warpup run train.py`"), "{program}");
        let lesson = said(&["two-workers"]);
        assert!(lesson.contains("`warpup read two-workers`"), "{lesson}");
        assert!(!lesson.contains("'worker'"), "{lesson}");
        assert!(!lesson.contains("\n\n\n"), "{lesson}");
        let typo = said(&["reed"]);
        assert!(typo.contains("'read'"), "{typo}");
        assert!(!typo.contains("hint:"), "{typo}");
    }

    #[test]
    fn a_value_is_refused_with_one_that_is_right() {
        let all = [
            &["floor", "1e9", "--batch", "x", "--length", "8"][..],
            &["floor", "1e9", "--batch", "-4", "--length", "8"],
            &["run", "a.py", "--limit", "0"],
            &["run", "a.py", "--device", "gpu"],
            &["handoff", "--plan", "a.py", "--rows", "64,32"],
            &["preview", "a.md", "--size", "80"],
            &["--language", "german"],
        ];
        insta::assert_snapshot!(all.map(said).concat(), @"
        error: --batch: `x` is not a whole number
        hint: for example `--batch 32`
        error: --batch: -4 is too small: at least 1
        hint: for example `--batch 32`
        error: --limit: 0 is too small: at least 1
        hint: for example `--limit 600`
        error: --device: `gpu` is not a device
        hint: `cuda` is a real card (`cuda:1` the second one, `auto` the least loaded), the name of a card, such as `t4`, a modelled one, and `cpu` no card
        error: --rows: `64,32` is not two numbers, the smaller one first
        hint: for example `--rows 32,64`
        error: --size: `80` is not columns and rows
        hint: for example `--size 80x24`
        error: --language: `german` is not the code of a language
        hint: two small letters, such as `de`, or with a region: `pt-BR`
        ");
    }

    #[test]
    fn what_is_missing_is_asked_for_with_an_example() {
        let missing = said(&["run"]);
        let hint = missing.lines().last().unwrap_or_default();
        insta::assert_snapshot!(hint, @"hint: for example `warpup run two-workers/first-run`");
        let lesson = said(&["progress", "two-workers"]);
        let hint = lesson.lines().last().unwrap_or_default();
        insta::assert_snapshot!(hint, @"hint: if this is a lesson, `warpup progress show two-workers` shows what you did in it");
        let all = [
            &["class", "collect"][..],
            &["new", "lesson"],
            &["floor", "7b", "--batch", "4"],
            &["quiz", "two-workers", "--json"],
        ];
        insta::assert_snapshot!(all.map(hint_of).join("\n"), @"
        hint: for example `warpup class collect /srv/drop --into hand-ins`
        hint: for example `warpup --course my-course new lesson more`
        hint: for example `warpup floor 1e9 --batch 32 --length 2048`
        hint: for example `warpup quiz two-workers --answers answers.toml --json`
        ");
    }

    /// What a command line is answered with, in its last line.
    fn hint_of(words: &[&str]) -> String {
        let said = said(words);
        said.lines().last().unwrap_or_default().to_owned()
    }

    #[test]
    fn words_of_other_tools_are_answered_with_what_does_that_here() {
        let all = [
            &["version"][..],
            &[""],
            &["help", "rum"],
            &["new", "notebook"],
            &["progress", "list"],
            &["-v"],
            &["run", "--lesson", "two-workers"],
            &["lessons"],
            &["profile"],
            &["train.p"],
            &["tarin"],
            &["two-workers/first-run"],
            &["settings"],
            &["trace.json.gz"],
            &["lessons/a.md"],
            &["talk.warpup"],
            &["run", "train.py", "--epochs", "3"],
            &["run", "train.py", "--gpu", "t4"],
            &["run", "python", "train.py"],
            &["run", "two-workers", "first-run"],
            &["run", "-m", "train"],
            &["plan", "train.py", "--gpu", "t4"],
            &["progress", "--json"],
            &["read", "two-workers", "start"],
            &["read", "two-workers", "--plain"],
            &["floor", "7", "b"],
        ];
        insta::assert_snapshot!(all.map(hint_of).join("\n"), @"
        hint: `warpup --version` prints it
        hint: the word is empty: is a variable of a script not set?
        hint: did you mean `run`?
        hint: there are course, lesson, quiz, lab
        hint: `warpup progress` alone shows a line for each lesson
        hint: `warpup --version` prints the version
        hint: a lab is named without an option: `warpup run LESSON/LAB`
        hint: `warpup read` lists the lessons
        hint: `warpup run FILE.py` times each line of a program, `warpup record python FILE.py` records a run under PyTorch
        hint: did you mean `warpup train.py`?
        hint: `warpup` opens the course; if this is a lesson, `warpup read tarin` prints it
        hint: if this is a lab, `warpup run two-workers/first-run` runs it
        hint: the app changes its settings: `warpup`, then `,`
        hint: `warpup trace trace.json.gz` shows what is in a trace
        hint: `warpup preview lessons/a.md` shows a lesson while you write it
        hint: `warpup --course talk.warpup` opens a packed course
        hint: what is for your program follows `--`: `warpup run FILE.py -- --epochs`
        hint: `--device t4` runs it on a modelled card, `--device cuda` on a real one
        hint: it takes one program: `warpup run train.py`; what is for the program follows `--`
        hint: a lab is one word, `LESSON/first-run`; what is for a program follows `--`
        hint: name the file: `warpup run FILE.py`
        hint: `--card t4` names the card of a plan
        hint: `warpup progress show --json` prints it
        hint: it takes one lesson; `--page start` names a page
        hint: this command prints plain lines by itself
        hint: a number of parameters is one word, such as 7b
        ");
    }
}

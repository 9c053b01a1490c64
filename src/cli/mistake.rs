//! What to try where a word on the command line is no command.

use super::Cli;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;
use std::path::Path;

/// The words of an error, with what was probably meant.
pub(crate) fn told(mut error: clap::Error) -> String {
    let hint = hint(&error);
    if suggests_hidden(&error) {
        error.remove(ContextKind::SuggestedSubcommand);
    }
    // What is removed leaves its empty line.
    let said = error.render().to_string().replace("\n\n\n", "\n\n");
    said + &hint
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

/// The arguments as the parser takes them: a program alone opens in the lab.
pub(crate) fn arguments(given: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut given: Vec<OsString> = given.into_iter().collect();
    let first = given.get(1).map(Path::new);
    if first.is_some_and(|it| it.extension().is_some_and(|it| it == "py")) {
        given.insert(1, "lab".into());
    }
    given
}

fn hint(error: &clap::Error) -> String {
    let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    else {
        return String::new();
    };
    let is_program = Path::new(word).extension().is_some_and(|it| it == "py");
    if is_program {
        format!(
            "hint: `warpup run {word}` runs a program of yours, `warpup plan {word}` says what it would cost on a card\n"
        )
    } else if error.get(ContextKind::SuggestedSubcommand).is_none() || suggests_hidden(error) {
        format!(
            "hint: `warpup` opens the course; if this is a lesson, `warpup read {word}` prints it\n"
        )
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn said(words: &[&str]) -> String {
        let words = std::iter::once("warpup").chain(words.iter().copied());
        told(Cli::try_parse_from(words).unwrap_err())
    }

    #[test]
    fn a_program_alone_opens_in_the_lab() {
        let given = |words: &[&str]| {
            let words = words.iter().map(OsString::from);
            arguments(words).join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(
            given(&["warpup", "a/b.py", "--device", "t4"]),
            "warpup lab a/b.py --device t4"
        );
        assert_eq!(given(&["warpup", "run", "b.py"]), "warpup run b.py");
        assert_eq!(given(&["warpup"]), "warpup");
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
}

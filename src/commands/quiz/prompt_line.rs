//! What is typed where an answer is asked for: the answer, or a word that asks for something else.

use crate::commands::console::Console;
use crate::commands::failure::Result;
use warpup_grade::{Answer, Input};

/// The words that ask for something else, as every prompt names them.
pub(super) const WORDS: &str = "hint, back, quit, help";

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) enum PromptLine {
    /// An answer.
    Answer(String),
    /// A hint is wanted.
    Hint,
    /// The words are wanted.
    Help,
    /// The learner leaves.
    Leave(Leave),
}

/// How a learner leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Leave {
    /// To where they came from.
    Back,
    /// Out of warpup.
    Quit,
    /// The input ended.
    End,
}

/// Which of the words are heard in their short form, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum ShortForms {
    /// `q`, `b` and `h`, as everywhere.
    Heard,
    /// None: a letter is a text like any other.
    Text,
}

impl ShortForms {
    /// Letters are answers where a text is typed.
    pub(in crate::commands) fn beside(input: &Input<'_>) -> Self {
        match input.way.empty() {
            Answer::Text(_) => Self::Text,
            Answer::Single(_)
            | Answer::Multi(_)
            | Answer::Number(_)
            | Answer::Order(_)
            | Answer::Match(_) => Self::Heard,
        }
    }
}

/// Asks, and waits for a line.
pub(in crate::commands) fn read(
    console: &mut Console<'_>,
    prompt: &str,
    short: ShortForms,
) -> Result<PromptLine> {
    let Some(text) = console.ask(prompt)? else {
        console.line("")?;
        return Ok(PromptLine::Leave(Leave::End));
    };
    Ok(match (text.as_str(), short) {
        ("hint" | "?", _) | ("h", ShortForms::Heard) => PromptLine::Hint,
        ("help", _) => PromptLine::Help,
        ("back", _) | ("b", ShortForms::Heard) => PromptLine::Leave(Leave::Back),
        ("quit", _) | ("q", ShortForms::Heard) => PromptLine::Leave(Leave::Quit),
        (_, ShortForms::Heard | ShortForms::Text) => PromptLine::Answer(text),
    })
}

/// Asks a question that `y` or `yes` agrees to and an empty line does not, unless the learner leaves.
pub(super) fn confirm(
    console: &mut Console<'_>,
    prompt: &str,
) -> Result<std::result::Result<bool, Leave>> {
    loop {
        match read(console, prompt, ShortForms::Heard)? {
            PromptLine::Answer(text) => match text.to_lowercase().as_str() {
                "y" | "yes" => return Ok(Ok(true)),
                "" | "n" | "no" => return Ok(Ok(false)),
                _ => console.line("Type y for yes, or n for no.")?,
            },
            PromptLine::Leave(leave) => return Ok(Err(leave)),
            PromptLine::Hint | PromptLine::Help => {
                help(console, "y         yes; n or Enter is no")?;
            }
        }
    }
}

/// Says what the words do; `kept` is what leaving means for the answers.
pub(in crate::commands) fn help(console: &mut Console<'_>, kept: &str) -> Result<()> {
    console.line("hint, ?   a hint, milder ones first")?;
    console.line("back      back to where you came from")?;
    console.line("quit      leave warpup")?;
    console.line("help      these words")?;
    console.line(kept)
}

//! `warpup import FORMAT FILE`: a quiz from the questions of another tool.

use super::console::Console;
use super::failure::{Exit, Failure, Result};
use super::file::{self, Contents};
use super::file_failure::unreadable;
use crate::cli::{ImportArgs, ImportFormat};
use std::io::ErrorKind;
use std::path::Path;
use warpup_course::toml_walk::name::{in_words, slug};
use warpup_exchange::{ImportedQuiz, Remark, gift, moodle};
use warpup_lab::units::count;
use warpup_store::text_file;

/// A GIFT file may have this many bytes.
const MAX_GIFT: u64 = 8 << 20;

/// Reads the file of the arguments and writes a quiz.
pub(super) fn execute(args: &ImportArgs, console: &mut Console<'_>) -> Result<Exit> {
    let title = args.title.clone().unwrap_or_else(|| title_of(args));
    let imported = read(args, &title)?;
    for (kind, remarks) in [
        ("left out", &imported.left_out),
        ("note", &imported.changed),
    ] {
        for Remark { place, what } in remarks {
            console.remark(&format!("{kind}: {}, {place}: {what}", args.file.display()))?;
        }
    }
    let Some(quiz) = imported.quiz else {
        return Err(Failure::arguments_but(
            format!(
                "{} has no question that a quiz can have, and nothing was written",
                args.file.display()
            ),
            match args.format {
                ImportFormat::Gift => {
                    "a question in GIFT is `::name:: What is right? { =this ~that }`, with an empty line behind it"
                }
                ImportFormat::Moodle => "export the questions from Moodle as *Moodle XML format*",
            },
        ));
    };
    file::put(
        &Contents::Text(quiz),
        args.out.as_deref(),
        args.force.into(),
        console,
    )?;
    if let Some(path) = &args.out {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        console.line(&format!(
            "wrote {}: {}",
            path.display(),
            count(imported.questions, "question", "questions")
        ))?;
        console.line(&format!(
            "Next, name it in the head of its lesson (`quiz = \"{name}\"`) and run `warpup check`."
        ))?;
    }
    Ok(if imported.left_out.is_empty() {
        Exit::Fine
    } else {
        Exit::Wrong
    })
}

fn read(args: &ImportArgs, title: &str) -> Result<ImportedQuiz> {
    let most = match args.format {
        ImportFormat::Gift => MAX_GIFT,
        ImportFormat::Moodle => moodle::MAX_BYTES,
    };
    let shown = args.file.display();
    let text = text_file::read(&args.file, most).map_err(|error| {
        let failure = unreadable(&args.file, &error);
        if error.kind() == ErrorKind::InvalidData {
            failure.with_hint("give a text file in UTF-8 with the questions")
        } else {
            failure
        }
    })?;
    match args.format {
        ImportFormat::Gift => Ok(gift::read(&text, title)),
        ImportFormat::Moodle => moodle::read(&text, title).map_err(|wrong| {
            Failure::arguments_but(
                format!("{shown}, {}: it cannot be read as Moodle XML", wrong.place),
                wrong.what,
            )
        }),
    }
}

/// The name of the quiz, or of the file that it comes from, in words.
fn title_of(args: &ImportArgs) -> String {
    let named = args.out.as_deref().unwrap_or(&args.file);
    let name = Path::file_stem(named).unwrap_or_default().to_string_lossy();
    let words = in_words(&slug(&name));
    if words.is_empty() {
        "Quiz".to_owned()
    } else {
        words
    }
}

#[cfg(test)]
mod tests;

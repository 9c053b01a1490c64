//! A lesson, page by page.

use super::bench::{Bench, told};
use super::command::{self, PlainCommand, WORDS};
use super::{CommandContext, Left};
use crate::commands::console::count;
use crate::commands::{Exit, Failure, quiz};
use crate::course::plain::{self, Runs};
use crate::course::{BlockKind, Lab, Lesson, Page};
use crate::progress::Event;

/// Reads a lesson from the page that was read last.
pub(super) fn take(
    seat: &mut CommandContext<'_, '_>,
    bench: &mut Bench<'_>,
    lesson: &Lesson,
) -> Result<Left, Failure> {
    let place = seat.learner.progress.lesson(&lesson.id).place.clone();
    let place = place.and_then(|at| lesson.pages.iter().position(|it| it.id == at));
    let mut at = place.unwrap_or(0);
    open(seat, lesson, at)?;
    loop {
        let Some(typed) = seat.console.ask("\n> ")? else {
            seat.console.line("")?;
            return Ok(Left::Course);
        };
        let said = match command::read(&typed) {
            Ok(said) => said,
            Err(why) => {
                seat.console.line(&why)?;
                continue;
            }
        };
        let wanted = match said {
            PlainCommand::Leave => return Ok(Left::Course),
            PlainCommand::Map => return Ok(Left::Lesson),
            PlainCommand::Next => at + 1,
            PlainCommand::Back => match at.checked_sub(1) {
                Some(before) => before,
                None => {
                    seat.console.line("This is the first page.")?;
                    continue;
                }
            },
            PlainCommand::Page(number) if number > lesson.pages.len() => {
                let pages = count(lesson.pages.len(), "page", "pages");
                seat.console.line(&format!("This lesson has {pages}."))?;
                continue;
            }
            PlainCommand::Page(number) => number.saturating_sub(1),
            PlainCommand::Again => at,
            PlainCommand::Quiz => {
                if take_quiz(seat, lesson)? == Exit::Fine {
                    return Ok(Left::Lesson);
                }
                continue;
            }
            PlainCommand::Words => {
                let asked = quiz::ask_for_words(seat, lesson.id.as_str()).map(drop);
                told(seat, asked)?;
                continue;
            }
            PlainCommand::Help => {
                help(seat)?;
                continue;
            }
            PlainCommand::Device(name) => {
                bench.device(seat, name.as_deref())?;
                continue;
            }
            PlainCommand::Lab(deed, name) => {
                match lab_of(lesson, at, name.as_deref()) {
                    Ok(lab) => bench.act(seat, lesson, lab, deed)?,
                    Err(why) => seat.console.line(&why)?,
                }
                continue;
            }
        };
        if wanted < lesson.pages.len() {
            at = wanted;
            open(seat, lesson, at)?;
        } else {
            let end = if lesson.quiz.is_some() {
                "That was the last page. `quiz` takes the quiz, `map` lists the lessons."
            } else {
                "That was the last page. `map` lists the lessons."
            };
            seat.console.line(end)?;
        }
    }
}

/// Shows a page and what can be done on it.
fn open(seat: &mut CommandContext<'_, '_>, lesson: &Lesson, at: usize) -> Result<(), Failure> {
    let Some(page) = lesson.pages.get(at) else {
        return Ok(());
    };
    let event = Event::Read {
        lesson: lesson.id.clone(),
        page: page.id.clone(),
    };
    seat.learner.note(event, (seat.clock)());
    let (number, of) = (at + 1, lesson.pages.len());
    let place = format!("\n{}, page {number} of {of}\n", lesson.title);
    seat.console.line(&place)?;
    let width = seat.console.prose_width();
    seat.console
        .text(&plain::page(lesson, page, width, Runs::ByWord))?;
    seat.console.line(if labs(page).next().is_some() {
        "\nEnter for the next page, `run` for the lab, `help` for all words."
    } else {
        "\nEnter for the next page, `help` for all words."
    })
}

fn help(seat: &mut CommandContext<'_, '_>) -> Result<(), Failure> {
    for (word, what) in WORDS {
        seat.console.line(&format!("{word:<16}  {what}"))?;
    }
    seat.console
        .line("Words may be cut short. LAB is only needed where a page has several.")
}

fn take_quiz(seat: &mut CommandContext<'_, '_>, lesson: &Lesson) -> Result<Exit, Failure> {
    if lesson.quiz.is_none() {
        seat.console.line("This lesson has no quiz.")?;
        return Ok(Exit::Wrong);
    }
    quiz::ask(seat, lesson.id.as_str())
}

/// The labs of a page, by the names of their blocks.
fn labs(page: &Page) -> impl Iterator<Item = &str> {
    page.blocks.iter().filter_map(|block| {
        if let BlockKind::Lab(id) = &block.kind {
            Some(id.as_str())
        } else {
            None
        }
    })
}

/// The lab that is meant: the named one, else the only one of the page.
fn lab_of<'a>(lesson: &'a Lesson, at: usize, name: Option<&str>) -> Result<&'a Lab, String> {
    let find = |id: &str| lesson.labs.iter().find(|it| it.id.as_str() == id);
    let here: Vec<&str> = lesson.pages.get(at).into_iter().flat_map(labs).collect();
    if let Some(name) = name {
        return find(name).ok_or_else(|| {
            let known: Vec<_> = lesson.labs.iter().map(|it| it.id.as_str()).collect();
            format!(
                "There is no lab `{name}` here; there are {}.",
                known.join(", ")
            )
        });
    }
    match here.as_slice() {
        [] => Err("This page has no lab.".to_owned()),
        [one] => find(one).ok_or_else(|| "This page has no lab.".to_owned()),
        several => Err(format!("Which one? There are {}.", several.join(", "))),
    }
}

//! A lesson, page by page.

use super::command::{self, COMMANDS, PlainCommand};
use super::lab::{LabCommands, report_mistake};
use crate::commands::class::feedback;
use crate::commands::context::CommandContext;
use crate::commands::failure::Result;
use crate::commands::find::LessonLab;
use crate::commands::quiz::prompt_line::Leave;
use crate::commands::quiz::{self, Taken};
use std::collections::BTreeMap;
use std::ops::Range;
use warpup_course::plain;
use warpup_course::{Block, BlockKind, Lab, Lesson};
use warpup_lab::units::count;
use warpup_progress::{Event, Remark, RemarkPlace};

/// Where the learner goes from a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LessonExit {
    /// To the list of lessons.
    Map,
    /// Out of the course.
    Quit,
}

/// Where a lesson is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// At the page that was read last.
    WhereLeft,
    /// At the page with this index.
    Page(usize),
    /// At its quiz, behind which is its last page.
    Quiz,
}

/// Shows a lesson.
pub(super) fn read(
    context: &mut CommandContext<'_, '_>,
    labs: &mut LabCommands<'_>,
    lesson: &Lesson,
    opening: Opening,
) -> Result<LessonExit> {
    let place = context.learner.progress.lesson(&lesson.id).place.clone();
    let place = place.and_then(|at| lesson.pages.iter().position(|it| it.id == at));
    let mut at = match opening {
        Opening::WhereLeft => place.unwrap_or(0),
        Opening::Page(at) => at,
        Opening::Quiz => lesson.pages.len().saturating_sub(1),
    };
    if opening == Opening::Quiz
        && let Some(exit) = take_quiz(context, lesson, &PlainCommand::Quiz)?
    {
        return Ok(exit);
    }
    let mut reading = ReadingProgress::default();
    open(context, lesson, at, &reading)?;
    loop {
        let Some(typed) = context.console.ask("\n> ")? else {
            context.console.line("")?;
            return Ok(LessonExit::Quit);
        };
        let command = match command::parse(&typed) {
            Ok(command) => command,
            Err(why) => {
                context.console.line(&why)?;
                continue;
            }
        };
        match command {
            PlainCommand::Leave => return Ok(LessonExit::Quit),
            PlainCommand::Map => return Ok(LessonExit::Map),
            PlainCommand::Next if reading.is_paused(context, lesson, at) => {
                go_on(context, lesson, at, &mut reading)?;
            }
            PlainCommand::Next => at = turn(context, lesson, at, at + 1, &reading)?,
            PlainCommand::Back if at == 0 => context.console.line("This is the first page.")?,
            PlainCommand::Back => at = turn(context, lesson, at, at - 1, &reading)?,
            PlainCommand::Page(number) if number > lesson.pages.len() => {
                let pages = count(lesson.pages.len(), "page", "pages");
                context.console.line(&format!("This lesson has {pages}."))?;
            }
            PlainCommand::Page(number) => {
                let to = number.saturating_sub(1);
                at = turn(context, lesson, at, to, &reading)?;
            }
            PlainCommand::Answer => answer(context, lesson, at, &mut reading)?,
            PlainCommand::Again => open(context, lesson, at, &reading)?,
            PlainCommand::Quiz | PlainCommand::Retry => {
                if let Some(exit) = take_quiz(context, lesson, &command)? {
                    return Ok(exit);
                }
            }
            PlainCommand::Words => match quiz::ask_for_words(context, lesson.id.as_str()) {
                Ok(Some(Leave::Quit | Leave::End)) => return Ok(LessonExit::Quit),
                Ok(Some(Leave::Back) | None) => {}
                Err(failure) => report_mistake(context, Err(failure))?,
            },
            PlainCommand::Help => help(context)?,
            PlainCommand::Device(name) => labs.device(context, name.as_deref())?,
            PlainCommand::Lab(command, name) => match lab_of(lesson, at, name.as_deref()) {
                Ok(lab) => labs.execute(context, LessonLab { lesson, lab }, command)?,
                Err(why) => context.console.line(&why)?,
            },
        }
    }
}

/// How far pages were read since the lesson was opened.
#[derive(Default)]
struct ReadingProgress {
    /// A block of each page that was shown behind a pause.
    seen: BTreeMap<usize, usize>,
    /// How many answers of each page were read.
    answered: BTreeMap<usize, usize>,
}

impl ReadingProgress {
    /// How many blocks of a page are shown.
    fn shown(&self, context: &CommandContext<'_, '_>, lesson: &Lesson, at: usize) -> usize {
        let seen = self.seen.get(&at).copied().unwrap_or(0);
        let progress = context.learner.progress.lesson(&lesson.id);
        progress.shown_blocks(lesson, at, seen)
    }

    /// Whether there is more on a page than is shown.
    fn is_paused(&self, context: &CommandContext<'_, '_>, lesson: &Lesson, at: usize) -> bool {
        let page = lesson.pages.get(at);
        page.is_some_and(|it| self.shown(context, lesson, at) < it.blocks.len())
    }
}

/// Prints the next answer of a page.
fn answer(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    at: usize,
    reading: &mut ReadingProgress,
) -> Result<()> {
    let shown = reading.shown(context, lesson, at);
    let read = reading.answered.entry(at).or_default();
    let page = lesson.pages.get(at);
    let blocks = page.and_then(|it| it.blocks.get(..shown));
    let blocks = blocks.unwrap_or_default();
    let width = context.console.prose_width();
    let Some(text) = plain::answer(lesson, blocks, *read, width) else {
        if *read == 0 {
            return context.console.line("There is no answer to read here.");
        }
        *read = 0;
        let said = "There is no other answer; the next one is the first.";
        return context.console.line(said);
    };
    *read += 1;
    context.console.text(&text)
}

/// Turns from a page to another, if there is one. Gives the page that the learner is on.
fn turn(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    from: usize,
    to: usize,
    reading: &ReadingProgress,
) -> Result<usize> {
    if to < lesson.pages.len() {
        open(context, lesson, to, reading)?;
        return Ok(to);
    }
    context.console.line(if lesson.quiz.is_some() {
        "That was the last page. `quiz` takes the quiz, `map` lists the lessons."
    } else {
        "That was the last page. `map` lists the lessons."
    })?;
    Ok(from)
}

/// Shows a page to its next pause, and what can be done on it.
fn open(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    at: usize,
    reading: &ReadingProgress,
) -> Result<()> {
    let Some(page) = lesson.pages.get(at) else {
        return Ok(());
    };
    let event = Event::Read {
        lesson: lesson.id.clone(),
        page: page.id.clone(),
    };
    context.note(event);
    let (number, of) = (at + 1, lesson.pages.len());
    let place = format!("\n{}, page {number} of {of}\n", lesson.title);
    context.console.line(&place)?;
    say_new(context, lesson, |it| it.is_of_page(lesson, page))?;
    show(context, lesson, at, 0..reading.shown(context, lesson, at))
}

/// Prints what an instructor has sent back that belongs here, once.
fn say_new(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    is_here: impl Fn(&Remark) -> bool,
) -> Result<()> {
    for remark in context.learner.new_remarks(lesson, is_here) {
        feedback::said(context.console, &remark)?;
        context.console.line("")?;
    }
    Ok(())
}

/// Shows what follows the pause of a page.
fn go_on(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    at: usize,
    reading: &mut ReadingProgress,
) -> Result<()> {
    let start = reading.shown(context, lesson, at);
    reading.seen.insert(at, start);
    context.console.line("")?;
    show(
        context,
        lesson,
        at,
        start..reading.shown(context, lesson, at),
    )
}

/// Shows blocks of a page, and what can be done there.
fn show(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    at: usize,
    shown: Range<usize>,
) -> Result<()> {
    let Some(page) = lesson.pages.get(at) else {
        return Ok(());
    };
    let width = context.console.prose_width();
    let last = shown.end;
    context
        .console
        .text(&plain::part(lesson, page, shown, width))?;
    let is_whole = last == page.blocks.len();
    context.console.line("")?;
    if !is_whole {
        return context.console.line("Enter shows what follows.");
    }
    let said = ways_on(lesson, at);
    context.console.wrapped("", "", &said)
}

/// What can be typed at the end of a page.
fn ways_on(lesson: &Lesson, at: usize) -> String {
    let blocks = lesson.pages.get(at).map(|it| it.blocks.as_slice());
    let run = match labs(blocks.unwrap_or_default()).count() {
        0 => "",
        1 => "`run` for the lab, ",
        _ => "`run LAB` for a lab, ",
    };
    let is_last = at + 1 == lesson.pages.len();
    let on = match (is_last, &lesson.quiz) {
        (false, _) => "Enter for the next page, ",
        (true, Some(_)) => "This is the last page: `quiz` for the quiz, ",
        (true, None) => "This is the last page: `map` for the list of lessons, ",
    };
    format!("{on}{run}`help` for all commands.")
}

fn help(context: &mut CommandContext<'_, '_>) -> Result<()> {
    let commands = COMMANDS.iter();
    let console = &mut *context.console;
    console.lines(commands.map(|(word, what)| format!("{word:<16}  {what}")))?;
    console.line("You can shorten commands. LAB is only needed if the page has several labs.")
}

/// Asks the quiz. Gives where the learner goes from the lesson, if they do not stay in it.
fn take_quiz(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    command: &PlainCommand,
) -> Result<Option<LessonExit>> {
    if lesson.quiz.is_none() {
        context.console.line("This lesson has no quiz.")?;
        return Ok(None);
    }
    say_new(context, lesson, |it| it.place == RemarkPlace::Quiz)?;
    let taken = if *command == PlainCommand::Retry {
        quiz::ask_missed(context, lesson)?
    } else {
        quiz::ask(context, lesson.id.as_str())?
    };
    Ok(match taken {
        Taken::Passed | Taken::HandedIn => Some(LessonExit::Map),
        Taken::NotPassed | Taken::Left(Leave::Back) => None,
        Taken::Left(Leave::Quit | Leave::End) => Some(LessonExit::Quit),
    })
}

/// The labs among blocks of a page, by the names of their blocks.
fn labs(blocks: &[Block]) -> impl Iterator<Item = &str> {
    blocks.iter().filter_map(|block| {
        if let BlockKind::Lab(id) = &block.kind {
            Some(id.as_str())
        } else {
            None
        }
    })
}

/// The named lab, or the only one on the page.
fn lab_of<'a>(lesson: &'a Lesson, at: usize, name: Option<&str>) -> Result<&'a Lab, String> {
    let find = |id: &str| lesson.labs.iter().find(|it| it.id.as_str() == id);
    let page = lesson.pages.get(at);
    let blocks = page.map(|it| it.blocks.as_slice()).unwrap_or_default();
    let here: Vec<&str> = labs(blocks).collect();
    if let Some(name) = name {
        return find(name).ok_or_else(|| {
            let known: Vec<_> = lesson.labs.iter().map(|it| it.id.as_str()).collect();
            let known = known.join(", ");
            format!("There is no lab `{name}` here; there are {known}.")
        });
    }
    match here.as_slice() {
        [] => Err(no_lab(lesson, at)),
        [one] => find(one).ok_or_else(|| no_lab(lesson, at)),
        several => Err(format!("Which one? There are {}.", several.join(", "))),
    }
}

/// Says that a page has no lab, and where the next one is, or else the last one before it.
fn no_lab(lesson: &Lesson, at: usize) -> String {
    let with_lab = |it: &usize| {
        let page = lesson.pages.get(*it);
        page.is_some_and(|it| labs(&it.blocks).next().is_some())
    };
    let next = (at + 1..lesson.pages.len()).find(with_lab);
    match next.or_else(|| (0..at).rfind(with_lab)) {
        Some(page) => {
            let number = page + 1;
            format!("This page has no lab; page {number} has one: `page {number}`.")
        }
        None => "This lesson has no lab.".to_owned(),
    }
}

//! The questions for the learner's own words, line by line or from a file. Nobody grades them.
//!
//! The words are stored before anything is said about them, and what they say once it is ticked.

use super::print::QuestionLabels;
use super::prompt_line::{self, Leave, PromptLine, ShortForms};
use super::{print, start};
use crate::commands::console::{Console, Prompt};
use crate::commands::context::CommandContext;
use crate::commands::failure::Failure;
use crate::commands::find;
use std::collections::{BTreeMap, BTreeSet};
use warpup_course::{Lesson, LessonId, Question, QuestionId, Quiz, Text, plain};
use warpup_grade::{Answer, sentence};
use warpup_lab::units::count;
use warpup_progress::Explanation;
use warpup_quiz::own_words::{MAX_CHARS, ticked, written};

/// What leaving means for the words.
const KEPT: &str = "Your words are kept once you have ended them with an empty line.";

/// Which questions are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuestionFilter {
    /// Those without words so far.
    Open,
    /// All of them.
    All,
}

/// Asks all questions of a lesson's quiz that want the learner's own words, and nothing else. Says how the learner
/// left before the end, if so.
pub(in crate::commands) fn ask(
    context: &mut CommandContext<'_, '_>,
    lesson: &str,
) -> Result<Option<Leave>, Failure> {
    let lesson = find::lesson(context.course, lesson)?;
    let quiz = asking(lesson)?;
    ask_each(context, lesson, quiz, QuestionFilter::All)
}

/// The quiz of a lesson, if it asks for the learner's own words.
pub(super) fn asking(lesson: &Lesson) -> Result<&Quiz, Failure> {
    let quiz = find::quiz(lesson)?;
    if quiz.in_own_words().next().is_none() {
        return Err(Failure::arguments(format!(
            "the quiz of `{}` asks for nothing in your own words",
            lesson.id
        )));
    }
    Ok(quiz)
}

/// Invites to explain what is not explained yet, after the questions that count.
pub(super) fn invite(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    quiz: &Quiz,
) -> Result<Option<Leave>, Failure> {
    ask_each(context, lesson, quiz, QuestionFilter::Open)
}

fn ask_each(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    quiz: &Quiz,
    which: QuestionFilter,
) -> Result<Option<Leave>, Failure> {
    let mut left = None;
    let all = quiz.in_own_words().count();
    for (at, (question, parts)) in quiz.in_own_words().enumerate() {
        let progress = context.learner.progress.lesson(&lesson.id);
        let known = progress.explanation(question).cloned();
        if which == QuestionFilter::Open && known.is_some() {
            continue;
        }
        let place = (at + 1, all);
        left = ask_one(context, &lesson.id, (question, parts), known, place)?;
        if left.is_some() {
            break;
        }
    }
    told(context, lesson, quiz)?;
    Ok(left)
}

/// Asks one of them. Says how the learner left, if so; otherwise it was answered or skipped.
fn ask_one(
    context: &mut CommandContext<'_, '_>,
    lesson: &LessonId,
    asked: (&Question, &[Text]),
    known: Option<Explanation>,
    place: (usize, usize),
) -> Result<Option<Leave>, Failure> {
    let (question, parts) = asked;
    print::own_words(context.console, question, place)?;
    if let Some(known) = &known {
        context.console.line("You wrote:")?;
        indented(context.console, &known.text)?;
    }
    let text = match read_text(context.console, question)? {
        Ok(text) => text,
        Err(leave) => return Ok(Some(leave)),
    };
    let before = known.map_or_else(String::new, |it| it.text);
    let text = if text.is_empty() { before } else { text };
    if text.is_empty() {
        context.console.line("Skipped.")?;
        return Ok(None);
    }
    save_text(context, lesson, question, &text);
    compare(context.console, question, parts, QuestionLabels::ByNumber)?;
    loop {
        let prompt = "Which of these do your words say? (such as 1 3; Enter for none) ";
        let numbers = match prompt_line::read(context.console, prompt, ShortForms::Heard)? {
            PromptLine::Answer(numbers) => numbers,
            PromptLine::Leave(leave) => return Ok(Some(leave)),
            PromptLine::Hint | PromptLine::Help => {
                prompt_line::help(context.console, KEPT)?;
                continue;
            }
        };
        match numbers_in(&numbers, parts.len()) {
            Ok(said) => {
                // No number leaves the ticks of another time as they are.
                if !said.is_empty() {
                    let stored = context
                        .learner
                        .progress
                        .lesson(lesson)
                        .explanation(question);
                    let event = ticked(lesson, question, stored, &said);
                    start::save(context, event);
                }
                return Ok(None);
            }
            Err(why) => context.console.line(&sentence(&why))?,
        }
    }
}

/// Reads lines up to an empty one. Words that ask for something else are heard before the first; what was written
/// counts, also when the input ends.
fn read_text(
    console: &mut Console<'_>,
    question: &Question,
) -> Result<Result<String, Leave>, Failure> {
    let mut hints = question.hints.iter();
    let mut lines: Vec<String> = Vec::new();
    loop {
        if !lines.is_empty() {
            match console.ask("> ")? {
                Some(line) if !line.is_empty() => lines.push(line),
                Some(_) | None => break,
            }
            continue;
        }
        match prompt_line::read(console, "> ", ShortForms::Text)? {
            PromptLine::Answer(line) if line.is_empty() => break,
            PromptLine::Answer(line) => lines.push(line),
            PromptLine::Hint => print::hint(console, &mut hints)?,
            PromptLine::Help => prompt_line::help(console, KEPT)?,
            PromptLine::Leave(leave) => return Ok(Err(leave)),
        }
    }
    Ok(Ok(cut(console, &lines.join("\n"))?))
}

/// As much of a text as is kept.
fn cut(console: &mut Console<'_>, text: &str) -> Result<String, Failure> {
    let text = text.trim();
    let kept: String = text.chars().take(MAX_CHARS).collect();
    if kept.len() < text.len() {
        console.remark(&format!("Only the first {MAX_CHARS} characters are kept."))?;
    }
    Ok(kept)
}

/// Numbers such as `1 3`, as positions.
fn numbers_in(text: &str, parts: usize) -> Result<BTreeSet<usize>, String> {
    let words = text.split(|it: char| it.is_whitespace() || it == ',');
    let numbers = words.filter(|it| !it.is_empty()).map(|word| {
        let at = word.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        let none = || format!("`{word}` is not one of the numbers from 1 to {parts}");
        at.filter(|it| *it < parts).ok_or_else(none)
    });
    numbers.collect()
}

/// Stores the words that a file has for these questions.
pub(super) fn take(
    context: &mut CommandContext<'_, '_>,
    lesson: &LessonId,
    quiz: &Quiz,
    answers: &BTreeMap<QuestionId, Answer>,
) -> Result<(), Failure> {
    for (question, _, text) in answered(quiz, answers) {
        let text = cut(context.console, text)?;
        save_text(context, lesson, question, &text);
    }
    Ok(())
}

/// Says what the words in a file are to be compared with.
pub(super) fn compare_all(
    console: &mut Console<'_>,
    quiz: &Quiz,
    answers: &BTreeMap<QuestionId, Answer>,
) -> Result<(), Failure> {
    for (question, parts, _) in answered(quiz, answers) {
        compare(console, question, parts, QuestionLabels::ById)?;
    }
    Ok(())
}

/// The questions for which there are words, their parts, and the words.
fn answered<'a>(
    quiz: &'a Quiz,
    answers: &'a BTreeMap<QuestionId, Answer>,
) -> impl Iterator<Item = (&'a Question, &'a [Text], &'a str)> {
    quiz.in_own_words().filter_map(|(question, parts)| {
        let Answer::Text(text) = answers.get(&question.id)? else {
            return None;
        };
        (!text.trim().is_empty()).then_some((question, parts, text.as_str()))
    })
}

/// Says how many are explained, if any is asked for.
pub(super) fn told(
    context: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    quiz: &Quiz,
) -> Result<(), Failure> {
    let progress = context.learner.progress.lesson(&lesson.id);
    let (done, all) = progress.explained(quiz);
    if all == 0 {
        return Ok(());
    }
    let rest = if done < all {
        match context.console.prompt {
            Prompt::Shell => format!(
                "; the rest: {} quiz {} --words",
                context.console.warpup, lesson.id
            ),
            Prompt::Course => "; `words` asks for the rest".to_owned(),
        }
    } else {
        String::new()
    };
    context.console.line(&format!(
        "\nExplained {done} of {all} in your own words{rest}."
    ))
}

/// Says how it could be explained, and the parts of that.
fn compare(
    console: &mut Console<'_>,
    question: &Question,
    parts: &[Text],
    named: QuestionLabels,
) -> Result<(), Failure> {
    let named = match named {
        QuestionLabels::ById => format!(": {}", question.id),
        QuestionLabels::ByNumber => String::new(),
    };
    console.line(&format!("Kept{named}. One way to say it:"))?;
    let explain = plain::blocks(&question.explain, console.prose_width().saturating_sub(2));
    indented(console, explain.as_str())?;
    console.line(&format!(
        "It says {}:",
        count(parts.len(), "thing", "things")
    ))?;
    for (at, part) in parts.iter().enumerate() {
        let first = format!("  {}  ", at + 1);
        let under = " ".repeat(first.len());
        console.wrapped(&first, &under, plain::inline(part).as_str())?;
    }
    Ok(())
}

fn indented(console: &mut Console<'_>, text: &str) -> Result<(), Failure> {
    for line in text.lines() {
        console.line(format!("  {line}").trim_end())?;
    }
    Ok(())
}

/// Stores a text, unless it is stored already.
fn save_text(
    context: &mut CommandContext<'_, '_>,
    lesson: &LessonId,
    question: &Question,
    text: &str,
) {
    let stored = context
        .learner
        .progress
        .lesson(lesson)
        .explanation(question);
    let event = written(lesson, question, stored, text);
    start::save(context, event);
}

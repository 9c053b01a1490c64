//! `warpup quiz LESSON`: a quiz line by line, or graded from a file.

mod ask;
mod json;
mod own_words;
pub(super) mod tell;
pub(super) mod typed;

pub(super) use ask::{ask, ask_short};
pub(super) use own_words::ask as ask_for_words;

use super::{CommandContext, Exit, Failure, Format, find};
use crate::course::{Lesson, LessonId, QuestionId, Quiz, Severity};
use crate::grade::{Answer, Attempt, Given, Score, answers_file};
use crate::progress::Event;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a file of answers.
const MAX_ANSWERS: u64 = 1 << 20;

/// Which questions are asked, and what that is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    /// All that count, as an attempt that is stored and may finish the lesson.
    Whole,
    /// Those that stand alone, for practice: nothing of it is stored.
    Short,
}

impl From<bool> for Round {
    /// The value of a `--short` flag.
    fn from(short: bool) -> Self {
        if short { Self::Short } else { Self::Whole }
    }
}

/// An attempt on its way, with the name it is stored under.
struct Sitting<'a> {
    lesson: &'a Lesson,
    round: Round,
    id: String,
    attempt: Attempt,
    began_ms: u64,
}

/// Grades the answers in a file as one attempt, and keeps the learner's own words.
pub(super) fn from_file(
    seat: &mut CommandContext<'_, '_>,
    lesson: &str,
    path: &Path,
    how: (Round, Format),
) -> Result<Exit, Failure> {
    let (round, format) = how;
    let lesson = find::lesson(seat.course, lesson)?;
    let quiz = find::quiz(lesson)?;
    let answers = answers_of(seat, quiz, path)?;
    let mut sitting = Sitting::start(seat, lesson, round)?;
    let mut unread = BTreeMap::new();
    for (id, answer) in &answers {
        // Predictions that do not count are answered beside their lab, and own words are not graded.
        let Some(index) = sitting.attempt.index_of(id) else {
            continue;
        };
        if let Err(why) = sitting.attempt.submit(index, answer.clone(), None) {
            unread.insert(id.clone(), why.to_string());
        }
    }
    for index in 0..sitting.attempt.asked().len() {
        sitting.note_answer(seat, index);
    }
    if round == Round::Whole {
        own_words::take(seat, &lesson.id, quiz, &answers)?;
    }
    sitting.hand_in(seat);
    match format {
        Format::Text => {
            for asked in sitting.attempt.asked() {
                let why = unread.get(&asked.question.id).map(String::as_str);
                tell::verdict(seat.console, lesson, asked, why)?;
            }
            if round == Round::Whole {
                own_words::compare_all(seat.console, quiz, &answers)?;
            }
            tell::result(seat.console, &sitting)?;
            if round == Round::Whole {
                own_words::told(seat, lesson, quiz)?;
            }
        }
        Format::Json => {
            let progress = seat.learner.progress.lesson(&lesson.id);
            let shown = json::Shown::of(&sitting, quiz, (&unread, progress));
            seat.console.json(&shown)?;
        }
    }
    Ok(Exit::of(Some(sitting.attempt.passed())))
}

/// Keeps the learner's own words in a file, and looks at nothing else in it.
pub(super) fn words_from_file(
    seat: &mut CommandContext<'_, '_>,
    lesson: &str,
    path: &Path,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(seat.course, lesson)?;
    let quiz = own_words::asking(lesson)?;
    let answers = answers_of(seat, quiz, path)?;
    own_words::take(seat, &lesson.id, quiz, &answers)?;
    own_words::compare_all(seat.console, quiz, &answers)?;
    own_words::told(seat, lesson, quiz)?;
    Ok(Exit::Fine)
}

/// The answers in a file; a file with a mistake in it is refused.
fn answers_of(
    seat: &mut CommandContext<'_, '_>,
    quiz: &Quiz,
    path: &Path,
) -> Result<BTreeMap<QuestionId, Answer>, Failure> {
    let file = path.display().to_string();
    let text = text_of(path).map_err(|error| {
        Failure::arguments_but(format!("cannot read {file}"), error.to_string())
    })?;
    let (answers, diagnostics) = answers_file::parse(&file, &text, quiz);
    for diagnostic in &diagnostics {
        seat.console.remark(diagnostic.render(&text).trim_end())?;
    }
    if diagnostics.iter().any(|it| it.severity == Severity::Error) {
        return Err(Failure::arguments(format!(
            "{file} cannot be graded: nothing is stored"
        )));
    }
    Ok(answers)
}

fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?
        .take(MAX_ANSWERS + 1)
        .read_to_string(&mut text)?;
    if length as u64 > MAX_ANSWERS {
        return Err(io::Error::other("it has more than a mebibyte"));
    }
    Ok(text)
}

impl<'a> Sitting<'a> {
    /// Starts a new attempt.
    fn start(
        seat: &mut CommandContext<'_, '_>,
        lesson: &'a Lesson,
        round: Round,
    ) -> Result<Self, Failure> {
        let began_ms = (seat.clock)();
        let quiz = find::quiz(lesson)?;
        let attempt = match round {
            Round::Whole => Attempt::start(quiz, began_ms),
            Round::Short => Attempt::start_short(quiz, began_ms),
        };
        if attempt.asked().is_empty() {
            return Err(Failure::arguments(format!(
                "the quiz of `{}` has no short form",
                lesson.id
            )));
        }
        Ok(Self {
            lesson,
            round,
            id: seat.learner.new_id(began_ms),
            attempt,
            began_ms,
        })
    }

    /// Stores the answer to a question, if it has one.
    fn note_answer(&self, seat: &mut CommandContext<'_, '_>, index: usize) {
        if self.round == Round::Short {
            return;
        }
        let asked = self.attempt.asked().get(index);
        let given = asked.and_then(|it| Some((&it.question, it.given.as_ref()?)));
        if let Some((question, given)) = given {
            let event = Event::Answered {
                lesson: self.lesson_id(),
                attempt: self.id.clone(),
                question: question.id.clone(),
                hash: question.hash.clone(),
                answer: given.answer.clone(),
                score: Score {
                    earned: given.verdict.earned,
                    max: given.verdict.max,
                },
            };
            seat.learner.note(event, (seat.clock)());
        }
    }

    /// Stores the attempt.
    fn hand_in(&self, seat: &mut CommandContext<'_, '_>) {
        if self.round == Round::Short {
            return;
        }
        let now = (seat.clock)();
        let event = Event::Attempted {
            lesson: self.lesson_id(),
            attempt: self.id.clone(),
            score: self.attempt.score(),
            above_percent: self.attempt.rule().above_percent,
            passed: self.attempt.passed(),
            took_ms: now.saturating_sub(self.began_ms),
            missed: self.missed(),
        };
        seat.learner.note(event, now);
    }

    /// The questions that are not right, open ones included.
    fn missed(&self) -> Vec<QuestionId> {
        let asked = self.attempt.asked().iter();
        let is_right = |it: &Given| it.verdict.is_right();
        let missed = asked.filter(|it| !it.given.as_ref().is_some_and(is_right));
        missed.map(|it| it.question.id.clone()).collect()
    }

    fn lesson_id(&self) -> LessonId {
        self.lesson.id.clone()
    }
}

#[cfg(test)]
mod tests;

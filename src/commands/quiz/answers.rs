//! `warpup quiz LESSON --answers FILE`: a quiz graded from a file, for people and for programs.

use super::{json, own_words, print, start};
use crate::commands::console::Format;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure};
use crate::commands::file_failure::unreadable;
use crate::commands::find;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use warpup_course::{QuestionId, Quiz, Severity};
use warpup_grade::{Answer, answers_file};
use warpup_quiz::{Round, SessionStart};

/// The most bytes of a file of answers.
const MAX_ANSWERS: u64 = 1 << 20;

/// Grades the answers in a file as one attempt, and keeps the learner's own words.
pub(in crate::commands) fn from_file(
    context: &mut CommandContext<'_, '_>,
    lesson: &str,
    path: &Path,
    how: (Round, Format),
) -> Result<Exit, Failure> {
    let (round, format) = how;
    let lesson = find::lesson(context.course, lesson)?;
    let quiz = find::quiz(lesson)?;
    let answers = answers_of(context, quiz, path)?;
    let mut session = start::session(context, lesson, SessionStart::New(round))?;
    let mut unread = BTreeMap::new();
    let asked: Vec<_> = session
        .attempt()
        .asked()
        .iter()
        .map(|it| it.question.id.clone())
        .collect();
    for (index, id) in asked.into_iter().enumerate() {
        let Some(answer) = answers.get(&id) else {
            continue;
        };
        match session.submit(index, answer.clone()) {
            Ok(event) => start::save(context, event),
            Err(why) => {
                unread.insert(id, why.to_string());
            }
        }
    }
    if round == Round::Whole {
        own_words::take(context, &lesson.id, quiz, &answers)?;
    }
    let handed_in = session.hand_in((context.clock)());
    start::save(context, handed_in);
    match format {
        Format::Text => {
            context.say_if_not_saved()?;
            for asked in session.attempt().asked() {
                let why = unread.get(&asked.question.id).map(String::as_str);
                print::verdict_by_id(context.console, lesson, asked, why)?;
            }
            if round == Round::Whole {
                own_words::compare_all(context.console, quiz, &answers)?;
            }
            print::result(context, lesson, &session, print::QuestionLabels::ById)?;
            if round == Round::Whole {
                own_words::told(context, lesson, quiz)?;
            }
        }
        Format::Json => {
            let progress = context.learner.progress.lesson(&lesson.id);
            let graded = json::GradedAttempt {
                lesson,
                quiz,
                session: &session,
                unread: &unread,
                progress,
                saved: context.learner.not_saved().is_none(),
            };
            context.console.json(&graded.to_json())?;
        }
    }
    let attempt = session.attempt();
    Ok(Exit::of(Some(
        attempt.passed() || attempt.is_graded_elsewhere(),
    )))
}

/// Keeps the learner's own words in a file, and looks at nothing else in it.
pub(in crate::commands) fn words_from_file(
    context: &mut CommandContext<'_, '_>,
    lesson: &str,
    path: &Path,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(context.course, lesson)?;
    let quiz = own_words::asking(lesson)?;
    let answers = answers_of(context, quiz, path)?;
    own_words::take(context, &lesson.id, quiz, &answers)?;
    own_words::compare_all(context.console, quiz, &answers)?;
    own_words::told(context, lesson, quiz)?;
    Ok(Exit::Fine)
}

/// The answers in a file; a file with a mistake in it is refused.
fn answers_of(
    context: &mut CommandContext<'_, '_>,
    quiz: &Quiz,
    path: &Path,
) -> Result<BTreeMap<QuestionId, Answer>, Failure> {
    let file = path.display().to_string();
    let text = text_of(path).map_err(|error| unreadable(path, &error))?;
    let (answers, diagnostics) = answers_file::parse(&file, &text, quiz);
    for diagnostic in &diagnostics {
        context
            .console
            .remark(diagnostic.render(&text).trim_end())?;
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

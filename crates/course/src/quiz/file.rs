//! A quiz file: its head and its questions.

use super::computed::draws;
use super::headers;
use super::model::{Question, Quiz};
use super::page_names::PageNames;
use super::pool;
use super::question::{self, Places};
use super::reading::{Keys, Reading};
use super::versions::versions;
use crate::diagnostics::{Report, Rule};
use crate::markdown::Link;
use crate::model::PassRule;
use crate::toml_walk::{Fields, WithSpan, document, is_format_known, name, pass};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// More questions in one quiz are left out.
const MAX_QUESTIONS: usize = 200;
/// The keys of a quiz.
const KEYS: [&str; 7] = ["format", "id", "title", "pass", "ask", "keys", "question"];

/// A quiz, and what has to be looked up in its lesson.
#[derive(Debug)]
pub(crate) struct ReadQuiz {
    /// The quiz.
    pub(crate) quiz: Quiz,
    /// For each of its questions, where it refers to the lesson.
    pub(crate) places: Vec<Places>,
    /// Where it links to.
    pub(crate) links: Vec<Link>,
    /// Where its name is.
    pub(crate) id_span: Range<usize>,
    /// Where it says how many questions an attempt asks, if it does.
    ask_span: Range<usize>,
}

/// Reads a quiz; nothing when its head cannot be read. `course_pass` is the course's rule, and `pages` are those of its lesson.
pub(crate) fn read(
    text: &str,
    course_pass: PassRule,
    pages: &PageNames,
    report: &mut Report,
) -> Option<ReadQuiz> {
    if let Some(header) = headers::single_brackets(text) {
        headers::report(&header, text, report);
        return None;
    }
    let (table, broken) = document(text, report);
    if !broken.is_empty() {
        report.close();
    }
    let fields = Fields::new("quiz", table.get_ref(), 0..0);
    if !is_format_known(&fields, report) {
        return None;
    }
    fields.check_keys(&KEYS, report);
    let mut others = ["questions", "Question", "Questions"].into_iter();
    if others.any(|it| fields.get(it).is_some()) && fields.get("question").is_some() {
        // It may hold what the questions lack.
        report.close();
    }
    let id = fields.text("id", report);
    let title = fields.text("title", report);
    let id = id.filter(|id| name::check(id.value, "quiz", id.span.clone(), report));
    let pass = pass(&fields, report).unwrap_or(course_pass);
    let ask = pool::ask(&fields, report);
    let keys = fields.optional::<bool>("keys", report);
    let mut reading = Reading {
        file: text,
        report,
        links: Vec::new(),
        pages,
        keys: match keys {
            Some(WithSpan { value: false, .. }) => Keys::Withheld,
            Some(WithSpan { value: true, .. }) | None => Keys::Here,
        },
    };
    let (questions, places) = questions(&fields, &broken, &mut reading);
    let links = reading.links;
    if questions.is_empty() && report.errors() == 0 {
        report
            .error(
                Rule::QuizWithoutQuestions,
                0..0,
                "the quiz has no question that can be asked",
            )
            .hint("write a `[[question]]`; `warpup new quiz LESSON` shows how");
    }
    let id = id?;
    let quiz = Quiz {
        id: id.value.to_owned(),
        title: title?.value.to_owned(),
        file: report.file().to_owned(),
        pass,
        ask: ask.as_ref().map(|it| it.value),
        questions,
    };
    (!quiz.questions.is_empty()).then_some(ReadQuiz {
        quiz,
        places,
        links,
        id_span: id.span,
        ask_span: ask.map_or(0..0, |it| it.span),
    })
}

/// Reads a quiz that may be a translation. Its questions keep the hashes of the original where type, choices and key are the same, so
/// that an answer stays valid in all languages.
pub(crate) fn read_translated(
    text: &str,
    original: Option<&str>,
    course_pass: PassRule,
    pages: &PageNames,
    report: &mut Report,
) -> Option<ReadQuiz> {
    let mut read_quiz = read(text, course_pass, pages, report)?;
    let original = original.and_then(|it| read(it, course_pass, pages, &mut Report::new("")));
    if let Some(original) = original {
        for question in &mut read_quiz.quiz.questions {
            let same = original.quiz.question(&question.id);
            if let Some(same) = same.filter(|it| it.key() == question.key()) {
                question.hash.clone_from(&same.hash);
            }
        }
    }
    Some(read_quiz)
}

/// The questions that can be asked. One with any mistake in it is left out: half a key grades wrong.
fn questions(
    fields: &Fields<'_>,
    broken: &[Range<usize>],
    reading: &mut Reading<'_, '_>,
) -> (Vec<Question>, Vec<Places>) {
    let list = fields.list("question", reading.report);
    let mut questions = Vec::new();
    let mut places = Vec::new();
    let mut ids = BTreeSet::new();
    for (index, value) in list.iter().enumerate() {
        if index >= MAX_QUESTIONS {
            let message =
                format!("a quiz may have {MAX_QUESTIONS} questions; the rest is left out");
            reading
                .error(Rule::TooManyQuestions, value.span(), message)
                .hint("divide the quiz, or remove questions");
            break;
        }
        let extent = extent(value, list.get(index + 1), reading.file.len());
        if broken.iter().any(|it| extent.contains(&it.start)) {
            continue;
        }
        let errors = reading.report.errors();
        let draws = draws(value, reading.file, reading.report);
        let versions = versions(value, draws.as_deref(), reading.file, reading.report);
        let mut all = Vec::new();
        for table in &versions.tables {
            let read = question::read(table, &extent, versions.of.as_ref(), reading);
            if let Some((question, _)) = &read
                && !ids.insert(question.id.clone())
            {
                let message = format!("there is a question `{}` already", question.id);
                reading
                    .error(Rule::DuplicateId, question::id_span(value), message)
                    .hint("give this one another id; answers are stored under it");
            }
            all.extend(read);
            if reading.report.errors() > errors {
                // The same mistake is in the next version, too.
                break;
            }
        }
        if reading.report.errors() == errors {
            for (question, place) in all {
                questions.push(question);
                places.push(place);
            }
        }
    }
    (questions, places)
}

/// The bytes from a question's start up to the next one's.
fn extent(
    value: &Spanned<DeValue<'_>>,
    next: Option<&Spanned<DeValue<'_>>>,
    end: usize,
) -> Range<usize> {
    let start = value.span().start;
    start..next.map_or(end, |it| it.span().start).max(start)
}

/// Reports a quiz that nobody can pass or whose draws differ, and questions that give themselves away or teach nothing
/// on a miss.
pub(crate) fn lint(read: &ReadQuiz, report: &mut Report) {
    let quiz = &read.quiz;
    if quiz.counted().next().is_none() {
        report
            .error(
                Rule::NothingCounts,
                0..0,
                "no question of this quiz counts, so nobody can pass it",
            )
            .hint("add a question that is graded, or let a prediction have `counts = true`");
    }
    pool::lint(quiz, &read.ask_span, report);
    for question in &quiz.questions {
        let kind = question.kind.kind();
        kind.lint(&question.id, question.head(), report);
    }
}

//! A quiz and its questions as data.

use super::kind::HashInput;
use super::kinds::QuestionKind;
use super::sheet::Sheet;
use crate::model::{Block, PageId, PassRule, QuestionId, Text};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

/// The questions that decide whether a lesson is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Quiz {
    /// Stable name.
    pub id: String,
    /// Title.
    pub title: String,
    /// The file it was read from, relative to the course folder.
    pub file: String,
    /// The rule in force: the quiz's own, or the course's.
    pub pass: PassRule,
    /// How many of the questions that count an attempt asks; all of them when `None`.
    pub ask: Option<usize>,
    /// All questions, in the author's order, predictions included.
    pub questions: Vec<Question>,
}

impl Quiz {
    /// The questions that count towards the gate. Predictions count only if their author says so.
    pub fn counted(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(|question| question.counts)
    }

    /// Whether an attempt asks only some of the questions that count.
    pub fn draws(&self) -> bool {
        self.ask.is_some() || self.counted().any(|it| it.version_of.is_some())
    }

    /// The questions that count, without other versions of the same question.
    pub fn pool(&self) -> impl Iterator<Item = &Question> {
        let mut names = BTreeSet::new();
        self.counted().filter(move |it| names.insert(it.name()))
    }

    /// How many questions a whole attempt asks.
    pub fn asks(&self) -> usize {
        let (always, drawn) = self.by_draw();
        always.len() + drawn
    }

    /// The points of a whole attempt; where draws differ, those of the draw that has the most.
    pub fn points(&self) -> u64 {
        let (always, drawn) = self.by_draw();
        let mut others: Vec<_> = self.pool().filter(|it| !it.always).collect();
        others.sort_by_key(|it| Reverse(it.points));
        let asked = always.into_iter().chain(others.into_iter().take(drawn));
        asked.map(|it| u64::from(it.points)).sum()
    }

    /// The questions that every attempt asks, and how many of the others are drawn.
    fn by_draw(&self) -> (Vec<&Question>, usize) {
        let always: Vec<_> = self.pool().filter(|it| it.always).collect();
        let others = self.pool().count() - always.len();
        let drawn = self
            .ask
            .map_or(others, |it| it.saturating_sub(always.len()));
        (always, drawn.min(others))
    }

    /// The questions of a short round: those that count and make sense without the lesson.
    pub fn short(&self) -> impl Iterator<Item = &Question> {
        self.counted().filter(|question| question.short)
    }

    /// Whether a question that counts has no key, so that an attempt is handed in and not graded.
    pub fn is_graded_elsewhere(&self) -> bool {
        self.counted().any(Question::is_keyless)
    }

    /// The questions that are answered in the learner's own words, with the parts of a good answer.
    pub fn in_own_words(&self) -> impl Iterator<Item = (&Question, &[Text])> {
        self.questions.iter().filter_map(|question| {
            let QuestionKind::Words(words) = &question.kind else {
                return None;
            };
            Some((question, words.parts.as_slice()))
        })
    }

    /// Looks a question up by its id.
    pub fn question(&self, id: &QuestionId) -> Option<&Question> {
        self.questions.iter().find(|question| &question.id == id)
    }
}

/// One question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Stable name.
    pub id: QuestionId,
    /// The question that this is a version of, with other numbers; an attempt asks one version.
    pub version_of: Option<QuestionId>,
    /// What is asked; markdown, flat.
    pub prompt: Vec<Block>,
    /// Points for a right answer; at least 1.
    pub points: u32,
    /// Whether it counts towards the gate. False for predictions unless the author says otherwise, and for
    /// what is answered in the learner's own words.
    pub counts: bool,
    /// Whether it makes sense without the lesson, so that a short round may ask it. Only what counts may.
    pub short: bool,
    /// Whether every attempt asks it where the others are drawn. Only what counts may be.
    pub always: bool,
    /// What can be answered, and what is right if the quiz says so.
    pub kind: QuestionKind,
    /// Hints, mildest first; inline markdown.
    pub hints: Vec<Text>,
    /// Why the right answer is right, shown when it is right or given up; an explanation to compare with where the
    /// learner gave one.
    pub explain: Vec<Block>,
    /// The page to return to on a miss: `(lesson, page)`; `None` for the lesson is this lesson.
    pub see: Option<PageId>,
    /// Eight hex digits over prompt, choices and key: an answer stays valid while this does.
    pub hash: String,
    /// The same over the question without its key, as a quiz of `warpup pack --no-keys` asks it; nothing where there is no key.
    pub hash_without_key: Option<String>,
    /// Bytes of the quiz file that hold it.
    pub span: Range<usize>,
}

impl Question {
    /// Whether its key is withheld: an answer is kept, and not judged here.
    pub fn is_keyless(&self) -> bool {
        self.kind.kind().is_keyless()
    }

    /// The question on paper.
    pub fn sheet(&self) -> Sheet {
        self.kind.kind().sheet(&self.id)
    }

    /// The name that all versions of a question have in common; its own without versions.
    pub fn name(&self) -> &QuestionId {
        self.version_of.as_ref().unwrap_or(&self.id)
    }

    /// The hash of what is the same in all languages: type, choices by id, and the key.
    pub(crate) fn key(&self) -> String {
        let mut hashed = HashInput::without_words();
        hashed.kind(self.kind.kind());
        hashed.digits()
    }

    /// Where to point for the whole question: its first line.
    pub fn head(&self) -> Range<usize> {
        let start = self.span.start;
        start..(start + "[[question]]".len()).min(self.span.end)
    }
}

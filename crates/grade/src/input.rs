//! How a question is answered: what every front end shows and reads, whatever kind the question is of.

use super::answer_text::AnswerText;
use warpup_course::{Answer, ChoiceId, Text};

/// What a learner is given to answer with.
pub struct Input<'a> {
    /// How it is answered.
    pub way: &'static dyn AnswerMethod,
    /// What can be chosen or moved: for pairs the right sides; nothing where the answer is typed.
    pub rows: Vec<AnswerOption<'a>>,
    /// For pairs the left sides, in the author's order; each gets one of the rows.
    pub lefts: Vec<AnswerOption<'a>>,
    /// The unit that a number is asked in, if it has one.
    pub unit: Option<&'a str>,
}

/// Something to choose, move or pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnswerOption<'a> {
    /// Its name inside the question.
    pub id: &'a ChoiceId,
    /// What it says.
    pub text: &'a Text,
}

/// A way of answering: how an answer is typed, read and shown, with what an [`Input`] has to choose from.
pub trait AnswerMethod {
    /// An answer of this way with nothing in it.
    fn empty(&self) -> Answer;

    /// What to type on the command line, for a sentence that begins with "Type".
    fn how(&self) -> &'static str;

    /// Reads a typed line, in which choices are the numbers of the input's rows. The error says what to type instead.
    fn line(&self, input: &Input<'_>, typed: &str) -> Result<Answer, String>;

    /// Reads a value of a file of answers.
    fn value(&self, written: AnswerText<'_, '_>) -> Option<Answer>;

    /// An answer as a phrase; nothing for an answer of another way.
    fn words(&self, input: &Input<'_>, answer: &Answer) -> Option<String>;

    /// The answer of a learner who guesses from form alone and is shown the rows in this order; `None` where form
    /// gives no hint.
    fn guess(&self, _input: &Input<'_>, _by: Guess, _order: &[ChoiceId]) -> Option<Answer> {
        None
    }
}

/// A rule for answering that looks at nothing but the form.
#[derive(Clone, Copy, Debug)]
pub enum Guess {
    /// For a single choice.
    One(OneOption),
    /// For a multiple choice.
    Many(ManyOptions),
    /// To leave all as it is shown.
    AsShown,
}

/// Which option to take where one is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneOption {
    /// The one with the most characters.
    Longest,
    /// The one with the fewest.
    Shortest,
    /// The one with the middle number of characters; of two in the middle, the longer one.
    MiddleLength,
    /// Any but the one with the most characters: the first such one on the screen.
    NeverLongest,
    /// Any but the one with the fewest characters: the first such one on the screen.
    NeverShortest,
    /// The one that its author wrote first.
    First,
    /// The one that its author wrote last.
    Last,
    /// The one that is shown in this place, counted from 0; the last one where there are fewer.
    Place(usize),
}

/// Which options to take where any number is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManyOptions {
    /// The longer half; of three, two.
    LongerHalf,
    /// The shorter half; of three, two.
    ShorterHalf,
    /// All of them.
    All,
    /// The first one that is shown.
    First,
}

impl<'a> AnswerOption<'a> {
    /// A choice.
    pub(super) fn new(id: &'a ChoiceId, text: &'a Text) -> Self {
        Self { id, text }
    }

    /// What the row of this name says; a name without a row is shown as it is.
    pub(super) fn words(rows: &[Self], id: &ChoiceId) -> String {
        let found = rows.iter().find(|it| it.id == id);
        found.map_or_else(|| id.to_string(), |it| it.text.plain())
    }
}

impl<'a> Input<'a> {
    /// An answer that is made of these rows.
    pub(super) fn of_rows(way: &'static dyn AnswerMethod, rows: Vec<AnswerOption<'a>>) -> Self {
        Self {
            way,
            rows,
            lefts: Vec::new(),
            unit: None,
        }
    }

    /// An answer that is typed.
    pub(super) fn typed(way: &'static dyn AnswerMethod, unit: Option<&'a str>) -> Self {
        Self {
            unit,
            ..Self::of_rows(way, Vec::new())
        }
    }

    /// The same with its choices in `order`; those that it does not name come last.
    #[must_use]
    pub fn in_order(mut self, order: &[ChoiceId]) -> Self {
        let place = |row: &AnswerOption<'_>| order.iter().position(|it| it == row.id);
        self.rows
            .sort_by_key(|row| place(row).unwrap_or(order.len()));
        self
    }

    /// Reads a typed line as an answer. The error says what to type instead.
    pub fn line(&self, typed: &str) -> Result<Answer, String> {
        self.way.line(self, typed)
    }

    /// The rows of the numbers in a typed line. A row's name is taken, too: it is the same however the rows lie.
    pub(super) fn chosen(&self, typed: &str) -> Result<Vec<ChoiceId>, String> {
        let words = typed.split(|it: char| it.is_whitespace() || it == ',');
        words
            .filter(|it| !it.is_empty())
            .map(|word| {
                let index = word.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
                let row = index.and_then(|it| self.rows.get(it));
                let row = row.or_else(|| self.rows.iter().find(|it| it.id.as_str() == word));
                let last = self.rows.len();
                row.map(|it| it.id.clone())
                    .ok_or_else(|| format!("`{word}` is not one of the numbers from 1 to {last}"))
            })
            .collect()
    }

    /// As [`Input::chosen`], with every row exactly once.
    pub(super) fn each_once(&self, typed: &str) -> Result<Vec<ChoiceId>, String> {
        let chosen = self.chosen(typed)?;
        let last = self.rows.len();
        if chosen.len() == last && self.rows.iter().all(|it| chosen.contains(it.id)) {
            return Ok(chosen);
        }
        Err(format!("type each number from 1 to {last} once"))
    }

    /// The names in `order` by the length of their rows, the shortest first; those of one length stay as they are.
    pub(super) fn by_length(&self, order: &[ChoiceId]) -> Vec<ChoiceId> {
        let mut ids = order.to_vec();
        ids.sort_by_cached_key(|id| {
            let row = self.rows.iter().find(|it| it.id == id);
            row.map_or(0, |it| it.text.plain().chars().count())
        });
        ids
    }
}

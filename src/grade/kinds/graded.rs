//! What grading has to know of every kind of question.

use crate::course::{Choice, ChoiceId, Text};
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::{Input, Row};
use crate::grade::shuffle::Shuffle;

/// A kind of question, as grading sees it.
pub(in crate::grade) trait Graded {
    /// How it is answered, with the choices in the author's order.
    fn input(&self) -> Input<'_>;

    /// The order in which to show the choices; empty where the answer is typed.
    fn order(&self, _shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        Vec::new()
    }

    /// Judges an answer for which `max` hundredths of a point can be earned. `truth` is the measured value of a
    /// prediction.
    fn judge(&self, answer: &Answer, truth: Option<f64>, max: u64) -> Result<Judged, Unreadable>;

    /// The right answer, the first of several; nothing where there is none, or none without a `truth`.
    fn key(&self, truth: Option<f64>) -> Option<Answer>;

    /// Answers with the verdict that the author's file implies for each; `warpup check` grades them.
    fn claims(&self) -> Vec<Claim>;
}

/// What the grader has to make of an answer.
pub(in crate::grade) enum Claim {
    /// The key is right for this `truth`.
    Key(Option<f64>),
    /// A certain answer is judged like this.
    Answer {
        /// What the answer is, for messages.
        what: String,
        /// The answer.
        answer: Answer,
        /// The measured value of a prediction.
        truth: Option<f64>,
        /// How it has to be judged.
        expected: Expected,
    },
}

/// How an answer has to be judged.
pub(in crate::grade) enum Expected {
    /// It earns every point.
    Right,
    /// It does not.
    Wrong,
    /// It does not, and this is said.
    Near(Text),
}

impl Claim {
    /// An answer that earns every point.
    pub(in crate::grade) fn right(what: impl Into<String>, answer: Answer) -> Self {
        Self::answer(what, answer, Expected::Right)
    }

    /// An answer that does not.
    pub(in crate::grade) fn wrong(what: impl Into<String>, answer: Answer) -> Self {
        Self::answer(what, answer, Expected::Wrong)
    }

    /// A wrong answer with feedback of its own.
    pub(in crate::grade) fn near(what: impl Into<String>, answer: Answer, said: &Text) -> Self {
        Self::answer(what, answer, Expected::Near(said.clone()))
    }

    fn answer(what: impl Into<String>, answer: Answer, expected: Expected) -> Self {
        Self::Answer {
            what: what.into(),
            answer,
            truth: None,
            expected,
        }
    }
}

/// How much of the points was earned, and what to say.
#[derive(Debug, PartialEq)]
pub(in crate::grade) struct Judged {
    /// Hundredths of a point.
    pub(in crate::grade) earned: u64,
    /// What to say about this very answer.
    pub(in crate::grade) feedback: Vec<Text>,
}

impl Judged {
    /// All or nothing.
    pub(super) fn whole(is_right: bool, max: u64, feedback: Vec<Text>) -> Self {
        Self {
            earned: if is_right { max } else { 0 },
            feedback,
        }
    }
}

/// The option of this name.
pub(super) fn option<'a>(options: &'a [Choice], id: &ChoiceId) -> Result<&'a Choice, Unreadable> {
    options
        .iter()
        .find(|it| &it.id == id)
        .ok_or_else(|| Unreadable::Foreign(format!("there is no option `{id}`")))
}

/// The text of a number.
pub(super) fn typed_number(answer: &Answer) -> Result<&str, Unreadable> {
    let Answer::Number(typed) = answer else {
        return Err(foreign("it asks for a number"));
    };
    Ok(typed)
}

/// An answer to another question.
pub(super) fn foreign(why: &str) -> Unreadable {
    Unreadable::Foreign(why.to_owned())
}

/// The names of choices.
pub(super) fn ids<'a>(choices: impl IntoIterator<Item = &'a Choice>) -> Vec<ChoiceId> {
    choices.into_iter().map(|it| it.id.clone()).collect()
}

/// Choices to show.
pub(super) fn rows(choices: &[Choice]) -> Vec<Row<'_>> {
    let rows = choices.iter().map(|it| Row::new(&it.id, &it.text));
    rows.collect()
}

/// The order in which to show options: those that are pinned stay last.
pub(super) fn option_order(
    options: &[Choice],
    is_shuffled: bool,
    shuffle: &mut Shuffle,
) -> Vec<ChoiceId> {
    let mut order = ids(options.iter().filter(|it| !it.pin_last));
    if is_shuffled {
        shuffle.apply(&mut order);
    }
    order.extend(ids(options.iter().filter(|it| it.pin_last)));
    order
}

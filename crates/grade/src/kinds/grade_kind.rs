//! What grading has to know of every kind of question.

use crate::input::{AnswerOption, Input};
use crate::review::{Mark, ReviewRow};
use crate::score::{NoVerdict, Verdict};
use crate::shuffle::Shuffle;
use std::ops::Range;
use warpup_course::{Answer, Choice, ChoiceId, OptionsKey, Text};

/// A kind of question, as grading sees it.
pub(crate) trait GradeKind {
    /// How it is answered, with the choices in the author's order.
    fn input(&self) -> Input<'_>;

    /// The order in which to show the choices; empty where the answer is typed.
    fn order(&self, _shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        Vec::new()
    }

    /// Judges an answer for which `max` hundredths of a point can be earned. `truth` is the measured value of a
    /// prediction. Without a key an answer is still read: what nobody could judge is refused, and all else gives
    /// [`NoVerdict::NoKey`].
    fn judge(&self, answer: &Answer, truth: Option<f64>, max: u64) -> Result<Verdict, NoVerdict>;

    /// Into how many equal parts the points are divided, of which an answer earns some; 1 where it is all or nothing.
    fn parts(&self) -> u64 {
        1
    }

    /// How many of those parts an answer has right, in words; nothing where it is all or nothing.
    fn parts_right(&self, _answer: &Answer) -> Option<String> {
        None
    }

    /// The right answer, or the first of several. `None` if the question has none here, or needs a `truth` that is missing.
    fn key(&self, truth: Option<f64>) -> Option<Answer>;

    /// The answer beside the right one, once it is judged. What is typed is one row, or two where it is wrong.
    fn review(&self, answer: &Answer, verdict: &Verdict, truth: Option<f64>) -> Vec<ReviewRow> {
        typed_reviewed(self, answer, verdict, truth)
    }

    /// Answers with the verdict that the author's file implies for each; `warpup check` grades them. None without a key.
    fn claims(&self) -> Vec<Claim>;
}

/// What the grader has to make of an answer.
pub(crate) struct Claim {
    /// What the answer is, for messages.
    pub(crate) what: String,
    /// The answer; nothing where a key is missing.
    pub(crate) answer: Option<Answer>,
    /// The measured value of a prediction.
    pub(crate) truth: Option<f64>,
    /// How it has to be judged.
    pub(crate) expected: ExpectedVerdict,
    /// Where the quiz file makes it, if that is a place of its own.
    pub(crate) at: Option<Range<usize>>,
}

/// How an answer has to be judged.
pub(crate) enum ExpectedVerdict {
    /// It earns every point.
    Right,
    /// It does not.
    Wrong,
    /// It does not, and this is said.
    Near(Text),
}

impl Claim {
    /// The key is right for this `truth`.
    pub(super) fn key(of: &impl GradeKind, truth: Option<f64>) -> Self {
        Self {
            what: "the key".to_owned(),
            answer: of.key(truth),
            truth,
            expected: ExpectedVerdict::Right,
            at: None,
        }
    }

    /// An answer without a truth that has to be judged like this.
    pub(super) fn new(what: impl Into<String>, answer: Answer, expected: ExpectedVerdict) -> Self {
        Self {
            what: what.into(),
            answer: Some(answer),
            truth: None,
            expected,
            at: None,
        }
    }
}

/// The option of this name.
pub(super) fn option<'a>(options: &'a [Choice], id: &ChoiceId) -> Result<&'a Choice, NoVerdict> {
    let found = options.iter().find(|it| &it.id == id);
    found.ok_or_else(|| foreign(format!("there is no option `{id}`")))
}

/// What was typed, and the right answer below it where it is wrong.
pub(super) fn typed_reviewed<K: GradeKind + ?Sized>(
    of: &K,
    answer: &Answer,
    verdict: &Verdict,
    truth: Option<f64>,
) -> Vec<ReviewRow> {
    let input = of.input();
    let words = |it: &Answer| input.way.words(&input, it).unwrap_or_default();
    let yours = ReviewRow {
        feedback: verdict.feedback.first().cloned(),
        ..ReviewRow::new(Mark::of(true, verdict.is_right()), Text::of(words(answer)))
    };
    let key = of.key(truth).filter(|_| !verdict.is_right());
    let right = key.map(|it| ReviewRow::new(Mark::Right, Text::of(words(&it))));
    std::iter::once(yours).chain(right).collect()
}

/// Options, each with the mark for whether it was chosen and whether it is right.
pub(super) fn options_reviewed(
    options: &[Choice],
    key: &OptionsKey,
    is_chosen: impl Fn(&ChoiceId) -> bool,
    mark: impl Fn(bool, bool) -> Mark,
) -> Vec<ReviewRow> {
    let rows = options.iter().map(|it| ReviewRow {
        id: Some(it.id.clone()),
        feedback: key.feedback(&it.id).cloned(),
        ..ReviewRow::new(
            mark(is_chosen(&it.id), key.is_right(&it.id)),
            it.text.clone(),
        )
    });
    rows.collect()
}

/// An answer to another question.
pub(super) fn foreign(why: impl Into<String>) -> NoVerdict {
    NoVerdict::Foreign(why.into())
}

/// The names of choices.
pub(super) fn ids<'a>(choices: impl IntoIterator<Item = &'a Choice>) -> Vec<ChoiceId> {
    choices.into_iter().map(|it| it.id.clone()).collect()
}

/// Choices to show.
pub(super) fn rows(choices: &[Choice]) -> Vec<AnswerOption<'_>> {
    let rows = choices.iter().map(|it| AnswerOption::new(&it.id, &it.text));
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

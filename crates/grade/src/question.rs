//! What can be asked of any question: its verdict, its key, the order of its choices.

use super::input::Input;
use super::kinds::graded;
use super::review::ReviewRow;
use super::score::{HUNDREDTHS, NoVerdict, Verdict};
use super::shuffle::Shuffle;
use warpup_course::{Answer, ChoiceId, Question};

/// Judges an answer. For a prediction, `truth` is the metric of the run; without it nothing can be judged.
///
/// An answer that can be read, to a prediction without a truth, gives [`NoVerdict::NotMeasured`]: it may
/// be committed and judged later.
pub fn grade(
    question: &Question,
    answer: &Answer,
    truth: Option<f64>,
) -> Result<Verdict, NoVerdict> {
    let max = u64::from(question.points) * HUNDREDTHS;
    graded(&question.kind).judge(answer, truth, max)
}

/// The right answer. Nothing for a prediction whose `truth` is not known, or lies in no bin, nor for what is
/// answered in the learner's own words.
///
/// Of several right answers it is the first one; graded, it earns every point.
pub fn key(question: &Question, truth: Option<f64>) -> Option<Answer> {
    graded(&question.kind).key(truth)
}

/// How a question is answered, with its choices in the author's order.
pub fn input(question: &Question) -> Input<'_> {
    graded(&question.kind).input()
}

/// What an answer can earn, in hundredths of a point.
pub(super) fn earnable(question: &Question) -> impl Iterator<Item = u64> {
    let max = u64::from(question.points) * HUNDREDTHS;
    let parts = graded(&question.kind).parts().max(1);
    (0..=parts).map(move |it| max * it / parts)
}

/// The order in which to show what can be chosen. The same question and seed give the same order.
///
/// Public because a prediction is asked beside its lab, outside any attempt.
pub fn order_of(question: &Question, seed: u64) -> Vec<ChoiceId> {
    let mut shuffle = Shuffle::new(seed, question.id.as_str());
    graded(&question.kind).order(&mut shuffle)
}

/// The answer beside the right one, the choices in the author's order. `truth` as for [`grade`].
pub fn review(
    question: &Question,
    answer: &Answer,
    verdict: &Verdict,
    truth: Option<f64>,
) -> Vec<ReviewRow> {
    graded(&question.kind).review(answer, verdict, truth)
}

/// How many parts of an answer are right, in words; nothing where the points are all or nothing.
pub(super) fn parts_right(question: &Question, answer: &Answer) -> Option<String> {
    graded(&question.kind).parts_right(answer)
}

/// An answer to the question as a phrase; names of choices that the question no longer has are shown as they are.
pub fn words(question: &Question, answer: &Answer) -> String {
    let input = input(question);
    input.way.words(&input, answer).unwrap_or_default()
}

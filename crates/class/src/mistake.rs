//! What is wrong in an answer, so that the commonest mistake of a class can be counted: it is the misconception.

use warpup_course::{ChoiceId, Question};
use warpup_grade::{Answer, Mark, Verdict, review, words};

/// A longer answer is cut.
const MOST_LETTERS: usize = 60;

/// What is wrong in an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// An option that was chosen.
    Chosen(ChoiceId),
    /// A right option that was not, where several are right.
    LeftOut(ChoiceId),
    /// All of the answer, of a kind without options: a number, an order, pairs, a word.
    Answer(String),
}

impl Mistake {
    /// As words, with what an option says.
    pub fn words(&self, option: impl Fn(&ChoiceId) -> String) -> String {
        match self {
            Self::Chosen(chosen) => option(chosen),
            Self::LeftOut(left) => format!("without {}", option(left)),
            Self::Answer(answer) => answer.clone(),
        }
    }
}

/// The mistakes in an answer; of one that no verdict is known of, all of it.
pub(super) fn mistakes(
    question: &Question,
    answer: &Answer,
    verdict: Option<&Verdict>,
) -> Vec<Mistake> {
    if verdict.is_some_and(Verdict::is_right) {
        return Vec::new();
    }
    if let (Answer::Single(_) | Answer::Multi(_), Some(verdict)) = (answer, verdict) {
        let rows = review(question, answer, verdict, None).into_iter();
        let mistakes = rows.filter_map(|row| {
            let mistake = if row.mark.is_yours_and_wrong() {
                Mistake::Chosen
            } else if row.mark == Mark::LeftOut {
                Mistake::LeftOut
            } else {
                return None;
            };
            row.id.map(mistake)
        });
        return mistakes.collect();
    }
    let mut said = words(question, answer).trim().to_owned();
    if matches!(answer, Answer::Text(_)) {
        said = said.to_lowercase();
    }
    if let Some((end, _)) = said.char_indices().nth(MOST_LETTERS) {
        said.truncate(end);
        said.push('\u{2026}');
    }
    vec![Mistake::Answer(said)]
}

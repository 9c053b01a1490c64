//! Verdicts and scores, in hundredths of a point, so that the gate never compares floats; and why there is no verdict.

use serde::{Deserialize, Serialize};
use std::fmt;
use warpup_course::{ChoiceId, LabId, PassRule, Text};

/// Hundredths in a point.
pub const HUNDREDTHS: u64 = 100;

/// How an answer was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Hundredths of a point earned.
    pub earned: u64,
    /// Hundredths of a point that could be earned.
    pub max: u64,
    /// What to say about this very answer: an option's feedback, a near miss, an answer of the wrong kind.
    pub feedback: Vec<Text>,
}

impl Verdict {
    /// All or nothing.
    pub(super) fn whole(
        is_right: bool,
        max: u64,
        feedback: impl IntoIterator<Item = Text>,
    ) -> Self {
        Self {
            earned: if is_right { max } else { 0 },
            max,
            feedback: feedback.into_iter().collect(),
        }
    }

    /// Whether every point was earned.
    pub fn is_right(&self) -> bool {
        self.earned == self.max
    }

    /// How much of the answer is right.
    pub fn correctness(&self) -> Correctness {
        match self.earned {
            earned if earned == self.max => Correctness::Right,
            0 => Correctness::Wrong,
            _ => Correctness::Partly,
        }
    }
}

/// How much of an answer is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correctness {
    /// Every point was earned.
    Right,
    /// Some points were earned.
    Partly,
    /// None was.
    Wrong,
}

impl Correctness {
    /// The sign in front of the word.
    pub fn sign(self) -> char {
        match self {
            Self::Right => '✓',
            Self::Partly => '◐',
            Self::Wrong => '✗',
        }
    }

    /// How the answer was judged, in a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Partly => "partly right",
            Self::Wrong => "not right",
        }
    }
}

/// With its sign: `✓ right`.
impl fmt::Display for Correctness {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&format!("{} {}", self.sign(), self.word()))
    }
}

/// Points earned out of points possible, in hundredths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Earned.
    pub earned: u64,
    /// Possible.
    pub max: u64,
}

impl Score {
    /// Whether the score is above the rule's share; exactly the share is not above it.
    pub fn passes(self, rule: PassRule) -> bool {
        // A forged record may hold any number.
        let (earned, max) = (u128::from(self.earned), u128::from(self.max));
        max > 0 && 100 * earned > u128::from(rule.above_percent) * max
    }
}

/// Points for people: `6.5 of 8`.
impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of {}", points(self.earned), points(self.max))
    }
}

/// The fewest whole points out of `max` whole points that pass.
pub fn needed(max: u64, rule: PassRule) -> u64 {
    max * u64::from(rule.above_percent) / 100 + 1
}

/// What it takes to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassRequirement {
    /// So many whole points.
    Points(u64),
    /// More than so many hundredths of a point, where answers can earn a part of a point.
    Above(u64),
}

impl PassRequirement {
    /// What is missing to this score, in words; nothing where that is no whole number of points.
    pub fn missing(self, earned: u64) -> Option<String> {
        const WORDS: [&str; 9] = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        ];
        let Self::Points(needed) = self else {
            return None;
        };
        let missing = (needed * HUNDREDTHS)
            .saturating_sub(earned)
            .div_ceil(HUNDREDTHS);
        let place = usize::try_from(missing).ok()?.checked_sub(1)?;
        let word = WORDS.get(place).map(|it| (*it).to_owned());
        Some(word.unwrap_or_else(|| missing.to_string()))
    }
}

impl fmt::Display for PassRequirement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => write!(out, "{points}"),
            Self::Above(hundredths) => write!(out, "more than {}", points(*hundredths)),
        }
    }
}

/// Hundredths of a point as points, with no more digits than they need: `6.5`.
pub fn points(hundredths: u64) -> String {
    let (whole, rest) = (hundredths / HUNDREDTHS, hundredths % HUNDREDTHS);
    let text = format!("{whole}.{rest:02}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Why an answer gets no verdict. Not an attempt: the learner is asked again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoVerdict {
    /// Nothing was answered; with what to do.
    #[error("{0} first")]
    Empty(&'static str),
    /// A number was asked for.
    #[error("`{0}` is not a number: write it in digits")]
    NotANumber(String),
    /// The unit is not one that can be converted.
    #[error("`{unit}` does not fit: answer in {known}")]
    UnknownUnit {
        /// The unit as typed.
        unit: String,
        /// The units that fit, joined for reading.
        known: String,
    },
    /// A number without a unit was asked for.
    #[error("write the number alone, without a unit or other words")]
    NotPlain,
    /// The answer is of another kind than the question, or names a choice that it does not have.
    #[error("the answer does not belong to this question: {0}")]
    Foreign(String),
    /// A row is in the answer more than once.
    #[error("`{0}` is in the answer twice")]
    Repeated(ChoiceId),
    /// Only a part was answered.
    #[error("not everything is answered yet: {0}")]
    Incomplete(String),
    /// The question asks for the learner's own words.
    #[error("this is answered in your own words, which are not graded")]
    NotGraded,
    /// The quiz has no keys: the answer can be read, and the instructor judges it.
    #[error("this quiz has no keys: your instructor grades it")]
    NoKey,
    /// A prediction has nothing to be compared with yet.
    #[error("run the lab `{0}` first: the prediction is compared with what it measures")]
    NotMeasured(LabId),
}

impl NoVerdict {
    /// The reason as a sentence.
    pub fn sentence(&self) -> String {
        sentence(&self.to_string())
    }
}

/// A reason as a sentence.
pub fn sentence(why: &str) -> String {
    capitalized(why) + "."
}

/// A clause that begins a sentence.
pub fn capitalized(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_to_write_a_number_is_said_without_one_that_might_be_the_answer() {
        let said = [
            NoVerdict::NotPlain,
            NoVerdict::NotANumber("much".to_owned()),
        ];
        let said = said.map(|it| it.sentence());
        insta::assert_snapshot!(said.join("\n"), @"
        Write the number alone, without a unit or other words.
        `much` is not a number: write it in digits.
        ");
        let has_digit = |it: &String| it.contains(|it: char| it.is_ascii_digit());
        assert!(!said.iter().any(has_digit), "{said:?}");
    }

    #[test]
    fn no_number_of_points_is_too_large() {
        let (earned, max) = (u64::MAX, u64::MAX);
        let rule = PassRule { above_percent: 99 };
        assert!(Score { earned, max }.passes(rule));
        assert!(!Score { earned: 1, max }.passes(rule));
    }

    #[test]
    fn points_have_no_more_digits_than_they_need() {
        let shown = [0, 50, 125, 700, 1010].map(points);
        assert_eq!(shown, ["0", "0.5", "1.25", "7", "10.1"]);
        let (earned, max) = (650, 800);
        assert_eq!(Score { earned, max }.to_string(), "6.5 of 8");
    }
}

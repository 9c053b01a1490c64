//! What a learner earns who knows nothing and goes by the form of the options: the longest one, the first one,
//! always the same letter.
//!
//! A quiz that such a learner nearly passes asks nothing. Order is drawn by the very shuffle that learners get,
//! and what is guessed goes through the grader.

use super::answer::Answer;
use super::input::Input;
use super::question::{grade, input, order_of};
use super::score::HUNDREDTHS;
use crate::course::{ChoiceId, Course, Diagnostic, Question, QuestionId, Quiz, Severity};
use std::fmt;

/// Orders of the options that are tried; what is earned is the mean over them.
const SEEDS: u64 = 200;

/// A rule for answering that looks at nothing but the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Which option of a single choice.
    pub one: One,
    /// Which options of a multiple choice.
    pub many: Many,
}

/// Which option to take where one is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum One {
    /// The one with the most characters.
    Longest,
    /// The one with the fewest.
    Shortest,
    /// The one that its author wrote first.
    First,
    /// The one that its author wrote last.
    Last,
    /// The one that is shown in this place, counted from 0; the last one where there are fewer.
    Place(usize),
}

/// Which options to take where any number is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// The longer half; of three, two.
    LongerHalf,
    /// The shorter half; of three, two.
    ShorterHalf,
    /// All of them.
    All,
    /// The first one that is shown.
    First,
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.one {
            One::Longest => f.write_str("the longest option")?,
            One::Shortest => f.write_str("the shortest option")?,
            One::First => f.write_str("the option that is first in the file")?,
            One::Last => f.write_str("the option that is last in the file")?,
            One::Place(place) => write!(f, "option {}", place + 1)?,
        }
        f.write_str(match self.many {
            Many::LongerHalf => ", and of several the longer half",
            Many::ShorterHalf => ", and of several the shorter half",
            Many::All => ", and of several all",
            Many::First => ", and of several the first",
        })
    }
}

/// What a strategy earns in a quiz.
#[derive(Clone, Debug, PartialEq)]
pub struct Guessed {
    /// The strategy.
    pub strategy: Strategy,
    /// Hundredths of a point that it earns, over all orders that were tried.
    earned: u64,
    /// Hundredths of a point that there are, over all orders that were tried.
    max: u64,
    /// The questions that give something, and how many hundredths of a point in the mean.
    pub from: Vec<(QuestionId, u64)>,
}

impl Guessed {
    /// Whether it earns half of the points, or more.
    pub fn is_too_much(&self) -> bool {
        self.max > 0 && 2 * self.earned >= self.max
    }

    /// Points earned in the mean, and points there are: `2.4 of 8`.
    pub fn points(&self) -> String {
        let tenths = |all: u64| (10 * all + SEEDS * HUNDREDTHS / 2) / (SEEDS * HUNDREDTHS);
        let earned = tenths(self.earned);
        let max = tenths(self.max) / 10;
        format!("{}.{} of {max}", earned / 10, earned % 10)
    }

    /// The questions that give something, those that give most first: `q-a (1.0), q-b (0.3)`.
    pub fn questions(&self) -> String {
        let mut from = self.from.clone();
        from.sort_by_key(|it| std::cmp::Reverse(it.1));
        let shown: Vec<_> = from
            .iter()
            .map(|(id, earned)| {
                format!("{id} ({}.{:02})", earned / HUNDREDTHS, earned % HUNDREDTHS)
            })
            .collect();
        shown.join(", ")
    }
}

/// What every strategy earns in a quiz, the one that earns most first.
pub fn guesses(quiz: &Quiz) -> Vec<Guessed> {
    let asked: Vec<_> = quiz.counted().map(Asked::of).collect();
    let places = asked.iter().map(|it| it.input.rows().len()).max();
    let ones = [One::Longest, One::Shortest, One::First, One::Last];
    let ones = ones
        .into_iter()
        .chain((0..places.unwrap_or(0)).map(One::Place))
        .map(|it| (it, earned(&asked, |asked, order| asked.one(it, order))));
    let many = [Many::LongerHalf, Many::ShorterHalf, Many::All, Many::First]
        .map(|it| (it, earned(&asked, |asked, order| asked.many(it, order))));
    let as_shown = earned(&asked, Asked::as_shown);
    let max = asked.iter().map(Asked::max).sum();
    let mut all = Vec::new();
    for (one, by_one) in ones {
        for (many, by_many) in &many {
            let parts = by_one.iter().chain(by_many).chain(&as_shown);
            let from: Vec<_> = parts.filter(|it| it.1 > 0).cloned().collect();
            all.push(Guessed {
                strategy: Strategy { one, many: *many },
                earned: from.iter().map(|it| it.1).sum(),
                max,
                from: from.into_iter().map(|(id, it)| (id, it / SEEDS)).collect(),
            });
        }
    }
    all.sort_by_key(|it| std::cmp::Reverse(it.earned));
    all
}

/// For each question, the hundredths that the answer of `answer` earns, summed over all orders; 0 without an answer.
fn earned<'a>(
    asked: &[Asked<'a>],
    answer: impl Fn(&Asked<'a>, &[ChoiceId]) -> Option<Answer>,
) -> Vec<(QuestionId, u64)> {
    let of = |asked: &Asked<'a>| {
        let orders = asked.orders.iter();
        let answers = orders.filter_map(|order| answer(asked, order));
        answers.map(|it| asked.worth(&it)).sum()
    };
    let all = asked.iter().map(|it| (it.question.id.clone(), of(it)));
    all.collect()
}

/// A question with the orders in which it is shown.
struct Asked<'a> {
    question: &'a Question,
    input: Input<'a>,
    orders: Vec<Vec<ChoiceId>>,
}

impl<'a> Asked<'a> {
    fn of(question: &'a Question) -> Self {
        let orders = (0..SEEDS).map(|seed| order_of(question, seed));
        Self {
            question,
            input: input(question),
            orders: orders.collect(),
        }
    }

    fn max(&self) -> u64 {
        u64::from(self.question.points) * HUNDREDTHS * SEEDS
    }

    fn worth(&self, answer: &Answer) -> u64 {
        grade(self.question, answer, None).map_or(0, |it| it.earned)
    }

    /// The options by length, those of one length as they are shown.
    fn by_length(&self, order: &[ChoiceId]) -> Vec<ChoiceId> {
        let length = |id: &ChoiceId| {
            let option = self.input.rows().iter().find(|it| it.id == id);
            option.map_or(0, |it| it.text.plain().chars().count())
        };
        let mut ids = order.to_vec();
        ids.sort_by_cached_key(length);
        ids
    }

    /// The answer to a single choice.
    fn one(&self, rule: One, order: &[ChoiceId]) -> Option<Answer> {
        let Input::Single(options) = &self.input else {
            return None;
        };
        let id = match rule {
            One::Longest => self.by_length(order).pop(),
            One::Shortest => self.by_length(order).into_iter().next(),
            One::First => options.first().map(|it| it.id.clone()),
            One::Last => options.last().map(|it| it.id.clone()),
            One::Place(place) => order.get(place).or(order.last()).cloned(),
        };
        id.map(Answer::Single)
    }

    /// The answer to a multiple choice.
    fn many(&self, rule: Many, order: &[ChoiceId]) -> Option<Answer> {
        let Input::Multi(_) = &self.input else {
            return None;
        };
        let half = order.len().div_ceil(2);
        let ids: Vec<_> = match rule {
            Many::LongerHalf => self.by_length(order).into_iter().rev().take(half).collect(),
            Many::ShorterHalf => self.by_length(order).into_iter().take(half).collect(),
            Many::All => order.to_vec(),
            Many::First => order.iter().take(1).cloned().collect(),
        };
        Some(Answer::Multi(ids.into_iter().collect()))
    }

    /// The answer that leaves all as it is shown; numbers and texts stay unanswered.
    fn as_shown(&self, order: &[ChoiceId]) -> Option<Answer> {
        match &self.input {
            Input::Order(_) => Some(Answer::Order(order.to_vec())),
            Input::Match { lefts, .. } => {
                let lefts = lefts.iter().map(|it| it.id.clone());
                Some(Answer::Match(lefts.zip(order.iter().cloned()).collect()))
            }
            Input::Single(_) | Input::Multi(_) | Input::Number(_) | Input::Text => None,
        }
    }
}

/// Warns about each quiz that gives half of its points, or more, to somebody who goes by form.
pub fn guessable(course: &Course) -> Vec<Diagnostic> {
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    let worst = quizzes.filter_map(|quiz| {
        let guessed = guesses(quiz).into_iter().next()?;
        guessed.is_too_much().then_some((quiz, guessed))
    });
    worst
        .map(|(quiz, guessed)| Diagnostic {
            severity: Severity::Warning,
            file: quiz.file.clone(),
            span: quiz.counted().next().map_or(0..0, Question::head),
            message: format!(
                "who always takes {}, earns {} points: {}",
                guessed.strategy,
                guessed.points(),
                guessed.questions()
            ),
            hint: Some("let the form of the options say nothing about which is right".to_owned()),
        })
        .collect()
}

//! The score of a learner who guesses from the form of the options: the longest one, the first one,
//! always the same letter.
//!
//! A quiz that such a learner nearly passes asks nothing. Order is drawn by the very shuffle that learners get,
//! and what is guessed goes through the grader.

use super::input::{Guess, Input};
use super::question::{grade, input, order_of};
use super::question_pool::{Draw, draw};
use super::score::HUNDREDTHS;
use std::collections::BTreeSet;
use std::fmt;
use warpup_course::{ChoiceId, Course, Diagnostic, Question, QuestionId, Quiz, Rule, Severity};

pub use super::input::{ManyOptions, OneOption};

/// Draws of the questions and orders of the options that are tried; what is earned is the mean over them.
const SEEDS: u64 = 200;

/// From this percentage of the points on, guessing by form earns too much.
const TOO_MUCH: u64 = 40;

/// A rule for answering that looks at nothing but the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Which option of a single choice.
    pub one: OneOption,
    /// Which options of a multiple choice.
    pub many: ManyOptions,
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.one {
            OneOption::Longest => f.write_str("the longest option")?,
            OneOption::Shortest => f.write_str("the shortest option")?,
            OneOption::MiddleLength => f.write_str("the option of middle length")?,
            OneOption::NeverLongest => f.write_str("any option but the longest")?,
            OneOption::NeverShortest => f.write_str("any option but the shortest")?,
            OneOption::First => f.write_str("the option that is first in the file")?,
            OneOption::Last => f.write_str("the option that is last in the file")?,
            OneOption::Place(place) => write!(f, "option {}", place + 1)?,
        }
        f.write_str(match self.many {
            ManyOptions::LongerHalf => ", and of several the longer half",
            ManyOptions::ShorterHalf => ", and of several the shorter half",
            ManyOptions::All => ", and of several all",
            ManyOptions::First => ", and of several the first",
        })
    }
}

/// What a strategy earns in a quiz.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyScore {
    /// The strategy.
    pub strategy: Strategy,
    /// Hundredths of a point that it earns, over all draws and orders that were tried.
    earned: u64,
    /// Hundredths of a point that there are, over all draws and orders that were tried.
    max: u64,
    /// The questions that give something, and how many hundredths of a point in the mean over all attempts, also
    /// those that do not ask it.
    pub from: Vec<(QuestionId, u64)>,
}

impl StrategyScore {
    /// Whether it earns 40 % of the points, or more. One question alone, which some rule always gets right,
    /// says nothing about a quiz.
    pub fn is_too_much(&self) -> bool {
        self.from.len() > 1 && 100 * self.earned >= TOO_MUCH * self.max
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
pub fn guesses(quiz: &Quiz) -> Vec<StrategyScore> {
    let asked = ShuffledQuestion::all(quiz);
    let places = asked.iter().map(|it| it.input.rows.len()).max();
    let ones = [
        OneOption::Longest,
        OneOption::Shortest,
        OneOption::MiddleLength,
        OneOption::NeverLongest,
        OneOption::NeverShortest,
        OneOption::First,
        OneOption::Last,
    ];
    let ones = ones
        .into_iter()
        .chain((0..places.unwrap_or(0)).map(OneOption::Place))
        .map(|it| (it, earned(&asked, Guess::One(it))));
    let many = [
        ManyOptions::LongerHalf,
        ManyOptions::ShorterHalf,
        ManyOptions::All,
        ManyOptions::First,
    ]
    .map(|it| (it, earned(&asked, Guess::Many(it))));
    let as_shown = earned(&asked, Guess::AsShown);
    let max = asked.iter().map(ShuffledQuestion::max).sum();
    let mut all = Vec::new();
    for (one, by_one) in ones {
        for (many, by_many) in &many {
            let parts = by_one.iter().chain(by_many).chain(&as_shown);
            let from: Vec<_> = parts.filter(|it| it.1 > 0).cloned().collect();
            all.push(StrategyScore {
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

/// For each question, the hundredths that a guess earns, summed over all orders; 0 where form says nothing.
fn earned(asked: &[ShuffledQuestion<'_>], by: Guess) -> Vec<(QuestionId, u64)> {
    let all = asked.iter();
    all.map(|it| (it.question.id.clone(), it.earned(by)))
        .collect()
}

/// A question with the orders in which it is shown, one for each attempt that asks it.
struct ShuffledQuestion<'a> {
    question: &'a Question,
    input: Input<'a>,
    orders: Vec<Vec<ChoiceId>>,
}

impl<'a> ShuffledQuestion<'a> {
    fn all(quiz: &'a Quiz) -> Vec<Self> {
        let all = quiz.counted().map(|question| Self {
            question,
            input: input(question),
            orders: Vec::new(),
        });
        let mut all: Vec<_> = all.collect();
        for seed in 0..SEEDS {
            let drawn = draw(quiz.counted(), quiz.ask, Draw::New { last: &[] }, seed);
            let drawn: BTreeSet<_> = drawn.into_iter().map(|it| &it.id).collect();
            for asked in all.iter_mut().filter(|it| drawn.contains(&it.question.id)) {
                asked.orders.push(order_of(asked.question, seed));
            }
        }
        all
    }

    fn max(&self) -> u64 {
        u64::from(self.question.points) * HUNDREDTHS * self.orders.len() as u64
    }

    fn earned(&self, by: Guess) -> u64 {
        let orders = self.orders.iter();
        let answers = orders.filter_map(|order| self.input.way.guess(&self.input, by, order));
        let verdicts = answers.filter_map(|it| grade(self.question, &it, None).ok());
        verdicts.map(|it| it.earned).sum()
    }
}

/// Warns about each quiz that gives too many of its points to somebody who guesses by form.
pub fn guessable(course: &Course) -> Vec<Diagnostic> {
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    let worst = quizzes.filter_map(|quiz| {
        let guessed = guesses(quiz).into_iter().next()?;
        guessed.is_too_much().then_some((quiz, guessed))
    });
    worst
        .map(|(quiz, guessed)| Diagnostic {
            severity: Severity::Warning,
            rule: Rule::Guessable,
            file: quiz.file.clone(),
            span: quiz.counted().next().map_or(0..0, Question::head),
            message: format!(
                "{} points for always taking {}: {}",
                guessed.points(),
                guessed.strategy,
                guessed.questions()
            ),
            hint: Some("make the options alike in length and order".to_owned()),
            fix: None,
        })
        .collect()
}

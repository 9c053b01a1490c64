//! What an instructor may want to ask about: the same wrong answers, and attempts faster than they can be read.
//!
//! A flag is a question to ask, and no verdict: friends learn together, and some read fast.

use super::firsts::{Firsts, began_ms};
use super::questions::WrongAnswer;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use warpup_course::{Course, LessonId, Question, QuestionId, QuestionKind, Quiz, reading_time};

/// From so many shared wrong answers on, two learners are compared.
const SHARED: usize = 5;

/// An attempt with fewer questions says nothing of how somebody reads.
const FEW: usize = 3;

/// What shared wrong answers must say more than chance does among all pairs of learners, in bits: 1 in 1000.
const BITS: f64 = 10.0;

/// Words a minute. Adults read 238 of non-fiction (Brysbaert 2019, a meta-analysis of 190 studies); few read twice as fast.
const WORDS_A_MINUTE: u64 = 500;

/// Something to ask about.
#[derive(Clone, Debug, PartialEq)]
pub enum Flag {
    /// Attempts of two learners have the same names, which are random: one file has records of the other.
    Copied {
        /// Who, in the order of their names.
        learners: [String; 2],
        /// How many attempts.
        attempts: usize,
    },
    /// Two learners gave the same wrong first answers.
    Same {
        /// Who, in the order of their names.
        learners: [String; 2],
        /// How many wrong answers they share.
        shared: usize,
        /// How many wrong answers each of them gave.
        of: [usize; 2],
        /// The questions, in the order of the course.
        questions: Vec<QuestionId>,
    },
    /// A first attempt took less time than its questions take to read.
    Fast {
        /// Who.
        learner: String,
        /// In which lesson.
        lesson: LessonId,
        /// How long it took, in milliseconds.
        took_ms: u64,
        /// The words of its questions and options.
        words: u64,
    },
}

/// A first attempt that was faster than it can be read.
#[derive(Debug)]
pub(super) struct FastAttempt {
    lesson: LessonId,
    took_ms: u64,
    words: u64,
}

/// What is kept of each learner to raise flags.
#[derive(Debug, Default)]
pub(super) struct Flags {
    /// The names of wrong answers, each with its number and how many learners gave it.
    wrong: BTreeMap<WrongAnswer, (usize, usize)>,
    /// Of each learner the numbers of the wrong answers, in the order of the questions.
    learners: Vec<(String, Vec<usize>)>,
    /// The names of attempts, and which learner had one first.
    attempts: HashMap<String, usize>,
    /// How many attempts two learners share.
    copied: BTreeMap<[usize; 2], usize>,
    fast: Vec<Flag>,
}

impl Flags {
    /// Takes in a learner's wrong first answers, the names of all attempts, and the attempts that were too fast.
    pub(super) fn take(
        &mut self,
        name: &str,
        wrong: Vec<WrongAnswer>,
        attempts: BTreeSet<String>,
        fast: Vec<FastAttempt>,
    ) {
        let this = self.learners.len();
        for attempt in attempts {
            let first = *self.attempts.entry(attempt).or_insert(this);
            if first != this {
                *self.copied.entry([first, this]).or_default() += 1;
            }
        }
        let fast = fast.into_iter().map(|it| Flag::Fast {
            learner: name.to_owned(),
            lesson: it.lesson,
            took_ms: it.took_ms,
            words: it.words,
        });
        self.fast.extend(fast);
        let mut numbers = Vec::with_capacity(wrong.len());
        let mut wrong = wrong;
        wrong.sort();
        for wrong in wrong {
            let next = self.wrong.len();
            let known = self.wrong.entry(wrong).or_insert((next, 0));
            known.1 += 1;
            numbers.push(known.0);
        }
        self.learners.push((name.to_owned(), numbers));
    }

    /// What each wrong answer says, and what each question costs.
    fn weights(&self) -> Weights {
        let mut all = BTreeMap::<usize, usize>::new();
        for (wrong, (_, times)) in &self.wrong {
            *all.entry(wrong.question).or_default() += times;
        }
        let mut answers = vec![(0, 0.0); self.wrong.len()];
        let mut squares = BTreeMap::<usize, f64>::new();
        for (wrong, (number, times)) in &self.wrong {
            let of = all.get(&wrong.question).copied().unwrap_or(1).max(1);
            let share = *times as f64 / of as f64;
            *squares.entry(wrong.question).or_default() += share * share;
            if let Some(it) = answers.get_mut(*number) {
                *it = (wrong.question, -share.log2());
            }
        }
        let cost = squares.into_iter();
        let cost = cost.map(|(question, sum)| (question, (2.0 - sum).log2()));
        Weights {
            answers,
            cost: cost.collect(),
        }
    }

    /// The flags: copied attempts first, then the same answers, those that say most first.
    ///
    /// Two learners who err independently share a wrong answer by chance, too. With `p` the share of each wrong answer among all that
    /// were given to a question, a shared one counts `-log2 p`, and each question that both have wrong costs `log2(2 - sum of p²)`: then
    /// `2^sum` is 1 on average for independent learners, so a sum above `t` bits has a chance of at most `2^-t`.
    pub(super) fn raised(self, question: impl Fn(usize) -> Option<QuestionId>) -> Vec<Flag> {
        let weights = self.weights();
        let n = self.learners.len();
        let pairs = (n * n.saturating_sub(1) / 2).max(1);
        let threshold = BITS + (pairs as f64).log2();
        let mut same = Vec::new();
        for (at, one) in self.learners.iter().enumerate() {
            for other in self.learners.iter().skip(at + 1) {
                let (sum, places) = weights.compared(&one.1, &other.1);
                let of = [one.1.len(), other.1.len()];
                let is_much = places.len() >= SHARED && of.iter().all(|it| *it <= 2 * places.len());
                if !is_much || sum < threshold {
                    continue;
                }
                let shared = places.len();
                let mut learners = [one.0.clone(), other.0.clone()];
                learners.sort();
                let flag = Flag::Same {
                    learners,
                    shared,
                    of,
                    questions: places.into_iter().filter_map(&question).collect(),
                };
                same.push((sum, flag));
            }
        }
        same.sort_by(|left, right| right.0.total_cmp(&left.0));
        let copied = self.copied.iter().filter_map(|([one, other], attempts)| {
            let mut learners = [one, other].map(|at| self.learners.get(*at).map(|it| it.0.clone()));
            learners.sort();
            let [Some(one), Some(other)] = learners else {
                return None;
            };
            Some(Flag::Copied {
                learners: [one, other],
                attempts: *attempts,
            })
        });
        let same = same.into_iter().map(|it| it.1);
        let copied: Vec<_> = copied.collect();
        copied.into_iter().chain(same).chain(self.fast).collect()
    }
}

/// What wrong answers say, by their numbers.
struct Weights {
    /// The question of an answer, and its bits.
    answers: Vec<(usize, f64)>,
    /// What a question costs that two learners have wrong.
    cost: BTreeMap<usize, f64>,
}

impl Weights {
    /// Compares the wrong answers of two learners, by question: the bits, and the questions with the same answer.
    fn compared(&self, one: &[usize], other: &[usize]) -> (f64, Vec<usize>) {
        let mut rest = other.iter().filter_map(|it| self.at(*it)).peekable();
        let (mut sum, mut shared) = (0.0, Vec::new());
        for (number, question, bits) in one.iter().filter_map(|it| self.at(*it)) {
            while rest.next_if(|it| it.1 < question).is_some() {}
            let Some(theirs) = rest.next_if(|it| it.1 == question) else {
                continue;
            };
            sum -= self.cost.get(&question).copied().unwrap_or(0.0);
            if theirs.0 == number {
                sum += bits;
                shared.push(question);
            }
        }
        (sum, shared)
    }

    fn at(&self, number: usize) -> Option<(usize, usize, f64)> {
        let (question, bits) = self.answers.get(number)?;
        Some((number, *question, *bits))
    }
}

/// The first attempts of a learner that took less time than their questions take to read.
pub(super) fn fast(course: &Course, firsts: &Firsts<'_>) -> Vec<FastAttempt> {
    let mut fast = Vec::new();
    for lesson in &course.lessons {
        let quiz = lesson.quiz.iter().flat_map(Quiz::counted);
        let read = quiz.filter(|it| !matches!(it.kind, QuestionKind::Predict(_)));
        let given = read.filter_map(|question| {
            let key = (&lesson.id, question.id.as_str(), question.hash.as_str());
            Some((question, firsts.get(&key)?))
        });
        let given: Vec<_> = given.collect();
        // The first attempt is the one that began first.
        let began = given
            .iter()
            .filter_map(|it| Some((began_ms(it.1.attempt)?, it.1.attempt)));
        let Some((began, attempt)) = began.min() else {
            continue;
        };
        let of_it = || given.iter().filter(|it| it.1.attempt == attempt);
        let words = of_it().map(|it| words(it.0)).sum::<u64>();
        let last = of_it().map(|it| it.1.at.0).max().unwrap_or_default();
        let Some(took_ms) = last.checked_sub(began) else {
            continue;
        };
        if of_it().count() >= FEW && words * 60_000 > took_ms.saturating_mul(WORDS_A_MINUTE) {
            fast.push(FastAttempt {
                lesson: lesson.id.clone(),
                took_ms,
                words,
            });
        }
    }
    fast
}

/// The words of a question and of what can be chosen.
fn words(question: &Question) -> u64 {
    let prompt = question
        .prompt
        .iter()
        .map(reading_time::block_words)
        .sum::<usize>();
    let input = warpup_grade::input(question);
    let rows = input.rows.iter().chain(&input.lefts);
    let rows = rows.map(|it| it.text.plain().split_whitespace().count());
    (prompt + rows.sum::<usize>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class of 60 whose wrong answers to 40 questions are drawn, some of them far more often than others.
    fn class(copies: bool) -> Vec<Flag> {
        let mut seed = 7_u64;
        let mut draw = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut all: Vec<Vec<WrongAnswer>> = Vec::new();
        for _ in 0..60 {
            let wrong = (0..40).filter_map(|question| {
                let is_wrong = draw(10) < 4;
                let option = draw(4) * draw(4);
                is_wrong.then_some(WrongAnswer {
                    question,
                    answer: option,
                })
            });
            all.push(wrong.collect());
        }
        if copies {
            all[20] = all[7].clone();
            all[20].pop();
        }
        let mut flags = Flags::default();
        for (at, wrong) in all.into_iter().enumerate() {
            flags.take(
                &format!("learner-{at:02}"),
                wrong,
                BTreeSet::new(),
                Vec::new(),
            );
        }
        flags.raised(|at| Some(QuestionId::new(format!("q-{at}"))))
    }

    #[test]
    fn a_copy_is_flagged_and_learners_who_err_alone_are_not() {
        assert_eq!(class(false), []);
        let flags = class(true);
        let [
            Flag::Same {
                learners,
                shared,
                of,
                questions,
            },
        ] = flags.as_slice()
        else {
            panic!("{flags:?}");
        };
        assert_eq!(*learners, ["learner-07", "learner-20"]);
        assert_eq!((*shared + 1, *shared), (of[0], of[1]));
        assert_eq!(questions.len(), *shared);
    }

    /// Learners of whom some know little, and most of whose mistakes are the same few ones.
    fn honest(learners: usize, questions: usize) -> Vec<Flag> {
        let mut seed = 11_u64;
        let mut draw = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut flags = Flags::default();
        for at in 0..learners {
            let weakness = 5 + draw(85);
            let wrong = (0..questions).filter_map(|question| {
                let is_wrong = draw(100) < weakness;
                let answer = match draw(100) {
                    0..80 => 1,
                    80..95 => 2,
                    _ => 3,
                };
                is_wrong.then_some(WrongAnswer { question, answer })
            });
            let name = format!("learner-{at:03}");
            flags.take(&name, wrong.collect(), BTreeSet::new(), Vec::new());
        }
        flags.raised(|_| None)
    }

    #[test]
    fn weak_learners_with_common_mistakes_are_not_flagged() {
        for (learners, questions) in [(5, 60), (30, 60), (200, 60), (200, 200)] {
            assert_eq!(honest(learners, questions), [], "{learners} × {questions}");
        }
    }

    #[test]
    fn a_file_with_attempts_of_another_learner_is_flagged() {
        let mut flags = Flags::default();
        for (name, attempts) in [
            ("eve", ["A", "B"]),
            ("ada", ["C", "D"]),
            ("bob", ["B", "A"]),
        ] {
            let attempts = attempts.map(str::to_owned).into();
            flags.take(name, Vec::new(), attempts, Vec::new());
        }
        let copied = Flag::Copied {
            learners: ["bob", "eve"].map(str::to_owned),
            attempts: 2,
        };
        assert_eq!(flags.raised(|_| None), [copied]);
    }

    #[test]
    fn common_mistakes_of_a_small_class_say_nothing() {
        let mut flags = Flags::default();
        for name in ["ada", "bob", "eve"] {
            let wrong = (0..8).map(|question| WrongAnswer {
                question,
                answer: 1,
            });
            flags.take(name, wrong.collect(), BTreeSet::new(), Vec::new());
        }
        assert_eq!(flags.raised(|_| None), []);
    }
}

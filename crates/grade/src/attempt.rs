//! An attempt at a quiz: what is asked, in which order, what was answered and what it earned.
//!
//! Pure and deterministic: the same quiz and seed give the same order everywhere. It owns copies of the
//! questions, so that editing the course in the middle of a quiz changes nothing that was already asked.
//! It does not save itself: `quiz::Session` makes the records.

use super::attempt_question::{AttemptQuestion, Confidence, JudgedAnswer, Origin, StoredAnswer};
use super::question::{earnable, grade, order_of};
use super::question_pool::{Draw, draw};
use super::score::{HUNDREDTHS, NoVerdict, PassRequirement, Score, Verdict, needed};
use super::shuffle::Shuffle;
use std::collections::{BTreeMap, BTreeSet};
use warpup_course::{Answer, PassRule, Question, QuestionId, Quiz};

/// An attempt at a quiz. Only the questions that count are asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    rule: PassRule,
    asked: Vec<AttemptQuestion>,
}

impl Attempt {
    /// Starts an attempt with every question open, in the author's order. Where the quiz has more questions than an
    /// attempt asks, `by` says which they are.
    pub fn start(quiz: &Quiz, seed: u64, by: Draw<'_>) -> Self {
        let asked = draw(quiz.counted(), quiz.ask, by, seed);
        Self::of(asked, quiz.pass, seed)
    }

    /// Starts a short round: only questions that make sense without the lesson, under the same rule, and no more than a
    /// whole attempt asks. It finishes no lesson.
    pub fn start_short(quiz: &Quiz, seed: u64) -> Self {
        let asked = draw(quiz.short(), quiz.ask, Draw::New { last: &[] }, seed);
        Self::of(asked, quiz.pass, seed)
    }

    fn of(questions: Vec<&Question>, rule: PassRule, seed: u64) -> Self {
        let asked = questions
            .into_iter()
            .map(|question| AttemptQuestion {
                question: question.clone(),
                order: order_of(question, seed),
                given: None,
            })
            .collect();
        Self { rule, asked }
    }

    /// Starts another attempt at the same questions that asks only what was missed, with the choices in a new order. A
    /// missed question that has several versions is asked in another one.
    ///
    /// Right answers are kept while their question is the one they answered; `quiz` is the quiz as it is
    /// now, so a question that was changed since is asked, and so is one that was added where nothing is drawn.
    #[must_use]
    pub fn retry(&self, quiz: &Quiz, seed: u64) -> Self {
        let again = self.asked.iter().map(|it| {
            let other = other_version(quiz, &it.question, seed).filter(|_| it.is_missed());
            other.unwrap_or(&it.question).id.clone()
        });
        let mut next = Self::start(quiz, seed, Draw::Again(&again.collect::<Vec<_>>()));
        for asked in &mut next.asked {
            let before = self.asked.iter().find(|it| {
                it.question.id == asked.question.id && it.question.hash == asked.question.hash
            });
            let Some(given) = before.and_then(|it| it.given.as_ref()) else {
                continue;
            };
            // What the instructor judges is not known to be missed.
            if given.verdict.as_ref().is_none_or(Verdict::is_right) {
                asked.given = Some(JudgedAnswer {
                    from: Origin::Kept,
                    ..given.clone()
                });
            }
        }
        next
    }

    /// Notes how sure the learner is of the answer that was just given.
    pub fn note_confidence(&mut self, index: usize, confidence: Option<Confidence>) {
        let asked = self.asked.get_mut(index);
        if let Some(given) = asked.and_then(|it| it.given.as_mut()) {
            given.confidence = confidence;
        }
    }

    /// The positions of the answers that the learner was sure of and that are not right: what surprises teaches most.
    pub fn sure_and_wrong(&self) -> Vec<usize> {
        let asked = self.asked.iter().enumerate();
        let surprising = asked.filter(|(_, it)| {
            let given = it.given.as_ref();
            it.is_missed() && given.is_some_and(|it| it.confidence == Some(Confidence::Sure))
        });
        surprising.map(|(index, _)| index).collect()
    }

    /// Restores answers that were stored before the quiz was left: id, hash at that time, answer, how sure it was.
    ///
    /// Answers to a question that has changed since, or that can no longer be read, are left out, so
    /// that question is asked again. `truths` as for [`Attempt::submit`].
    pub fn resume<'a>(
        &mut self,
        stored: impl IntoIterator<Item = (&'a QuestionId, StoredAnswer<'a>)>,
        truths: &BTreeMap<QuestionId, f64>,
    ) {
        for (id, stored) in stored {
            let Some(index) = self.index_of(id) else {
                continue;
            };
            let same = self
                .asked
                .get(index)
                .is_some_and(|it| it.question.hash == stored.hash);
            if same {
                // An answer that cannot be read leaves its question open, which is what is wanted.
                drop(self.submit(index, stored.answer.clone(), truths.get(id).copied()));
                self.note_confidence(index, stored.confidence);
            }
        }
    }

    /// Judges an answer to the question at `index` of [`Attempt::asked`].
    ///
    /// The first readable answer counts: submitting again returns its verdict. An answer to a question without a key has none,
    /// and is kept.
    /// `truth` is needed for predictions only: the metric of the run they are about.
    pub fn submit(
        &mut self,
        index: usize,
        answer: Answer,
        truth: Option<f64>,
    ) -> Result<Option<Verdict>, NoVerdict> {
        let Some(asked) = self.asked.get_mut(index) else {
            return Err(NoVerdict::Foreign("there is no such question".to_owned()));
        };
        if let Some(given) = &asked.given {
            return Ok(given.verdict.clone());
        }
        let verdict = match grade(&asked.question, &answer, truth) {
            Ok(verdict) => Some(verdict),
            Err(NoVerdict::NoKey) => None,
            Err(why) => return Err(why),
        };
        asked.given = Some(JudgedAnswer {
            answer,
            verdict: verdict.clone(),
            truth,
            confidence: None,
            from: Origin::Now,
        });
        Ok(verdict)
    }

    /// The questions, in the order to ask them.
    pub fn asked(&self) -> &[AttemptQuestion] {
        &self.asked
    }

    /// The names of the questions, in the order to ask them.
    pub fn ids(&self) -> Vec<QuestionId> {
        let ids = self.asked.iter().map(|it| it.question.id.clone());
        ids.collect()
    }

    /// The number of the question at `index` among those that this attempt asks, from 1, and how many those are: a retry
    /// does not ask what was right before.
    pub fn place(&self, index: usize) -> (usize, usize) {
        let is_asked =
            |it: &&AttemptQuestion| !matches!(&it.given, Some(it) if it.from == Origin::Kept);
        let before = self.asked.iter().take(index).filter(is_asked).count();
        (before + 1, self.asked.iter().filter(is_asked).count())
    }

    /// The position of a question in [`Attempt::asked`].
    fn index_of(&self, id: &QuestionId) -> Option<usize> {
        self.asked.iter().position(|it| &it.question.id == id)
    }

    /// The next open question at or after `from`, going round to the start; `None` when all are answered.
    pub fn next_open(&self, from: usize) -> Option<usize> {
        let open = |(_, asked): &(usize, &AttemptQuestion)| asked.given.is_none();
        let mut all = self.asked.iter().enumerate();
        all.clone()
            .skip(from)
            .find(open)
            .or_else(|| all.find(open))
            .map(|(index, _)| index)
    }

    /// What was earned so far, out of all that could be earned; open questions earn nothing.
    pub fn score(&self) -> Score {
        let mut score = Score::default();
        for asked in &self.asked {
            score.max += u64::from(asked.question.points) * HUNDREDTHS;
            if let Some((_, verdict)) = asked.judged() {
                score.earned += verdict.earned;
            }
        }
        score
    }

    /// Whether an instructor grades it: some question has no key here.
    pub fn is_graded_elsewhere(&self) -> bool {
        self.asked.iter().any(|it| it.question.is_keyless())
    }

    /// The rule in force.
    pub fn rule(&self) -> PassRule {
        self.rule
    }

    /// Whether the score passes now. What an instructor grades earns nothing here.
    pub fn passed(&self) -> bool {
        !self.is_graded_elsewhere() && self.score().passes(self.rule)
    }

    /// The fewest whole points that pass, and the points there are: "you need 4 of 5".
    pub fn needed(&self) -> (u64, u64) {
        let max = self.score().max / HUNDREDTHS;
        (needed(max, self.rule), max)
    }

    /// What passes, for people: whole points, or a bound where parts of points could make a score between the two.
    pub fn needs(&self) -> PassRequirement {
        let max = self.score().max;
        let bound = max * u64::from(self.rule.above_percent) / 100;
        let points = needed(max / HUNDREDTHS, self.rule);
        let whole = points.saturating_sub(1) * HUNDREDTHS;
        if self.fractions().any(|it| it > 0 && whole + it > bound) {
            PassRequirement::Above(bound)
        } else {
            PassRequirement::Points(points)
        }
    }

    /// The fractions that a score can have, in hundredths of a point.
    fn fractions(&self) -> impl Iterator<Item = u64> {
        let mut fractions = BTreeSet::from([0]);
        for asked in &self.asked {
            let earned: BTreeSet<u64> = earnable(&asked.question)
                .map(|it| it % HUNDREDTHS)
                .collect();
            let sums = |it: u64| earned.iter().map(move |more| (it + more) % HUNDREDTHS);
            fractions = fractions.into_iter().flat_map(sums).collect();
        }
        fractions.into_iter()
    }

    /// The questions that are not wholly right, unanswered ones included, in order; without those that the instructor judges.
    pub fn missed(&self) -> Vec<QuestionId> {
        let missed = self.asked.iter().filter(|it| it.is_missed());
        missed.map(|it| it.question.id.clone()).collect()
    }
}

/// Another version of a question, if it has one.
fn other_version<'q>(quiz: &'q Quiz, question: &Question, seed: u64) -> Option<&'q Question> {
    let is_other = |it: &&Question| it.name() == question.name() && it.id != question.id;
    let mut others: Vec<_> = quiz.counted().filter(is_other).collect();
    Shuffle::new(seed, question.id.as_str()).apply(&mut others);
    others.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::kinds::SingleChoice;
    use warpup_course::{Choice, ChoiceId, OptionsKey, QuestionKind, Text};

    fn question(name: &str, points: u32, counts: bool) -> Question {
        let option = |name: &str, pin_last: bool| Choice {
            id: ChoiceId::new(name),
            text: Text::of(name),
            pin_last,
        };
        Question {
            id: QuestionId::new(name),
            version_of: None,
            prompt: Vec::new(),
            points,
            counts,
            kind: QuestionKind::Single(SingleChoice {
                options: vec![
                    option("none", true),
                    option("a", false),
                    option("b", false),
                    option("c", false),
                ],
                shuffle: true,
                key: Some(OptionsKey::of([ChoiceId::new("a")])),
            }),
            hints: Vec::new(),
            explain: Vec::new(),
            see: None,
            short: false,
            always: false,
            hash: format!("hash-{name}"),
            hash_without_key: None,
            span: 0..0,
        }
    }

    fn quiz() -> Quiz {
        Quiz {
            id: "quiz".to_owned(),
            title: "Quiz".to_owned(),
            file: "quizzes/quiz.toml".to_owned(),
            pass: PassRule { above_percent: 75 },
            ask: None,
            questions: vec![
                question("one", 1, true),
                question("guess", 1, false),
                question("two", 2, true),
                question("three", 1, true),
            ],
        }
    }

    fn start(seed: u64) -> Attempt {
        Attempt::start(&quiz(), seed, Draw::New { last: &[] })
    }

    fn choose(attempt: &mut Attempt, index: usize, option: &str) -> bool {
        let answer = Answer::Single(ChoiceId::new(option));
        let verdict = attempt.submit(index, answer, None).unwrap();
        verdict.is_some_and(|it| it.is_right())
    }

    fn open(attempt: &Attempt) -> Vec<&str> {
        attempt
            .asked()
            .iter()
            .filter(|it| it.given.is_none())
            .map(|it| it.question.id.as_str())
            .collect()
    }

    #[test]
    fn only_questions_that_count_are_asked() {
        let attempt = start(1);
        assert_eq!(open(&attempt), ["one", "two", "three"]);
        assert_eq!(attempt.needed(), (4, 4));
    }

    #[test]
    fn the_next_open_question_goes_round() {
        let mut attempt = start(1);
        choose(&mut attempt, 1, "a");
        assert_eq!(attempt.next_open(1), Some(2));
        choose(&mut attempt, 2, "a");
        assert_eq!(attempt.next_open(1), Some(0));
        choose(&mut attempt, 0, "a");
        assert_eq!(attempt.next_open(1), None);
        assert!(attempt.next_open(0).is_none() && attempt.passed());
    }

    #[test]
    fn the_first_answer_stands() {
        let mut attempt = start(1);
        assert!(!choose(&mut attempt, 0, "b"));
        assert!(!choose(&mut attempt, 0, "a"));
        assert_eq!(
            attempt.missed(),
            ["one", "two", "three"].map(QuestionId::new)
        );
        assert!(choose(&mut attempt, 1, "a"));
        assert_eq!(attempt.missed(), ["one", "three"].map(QuestionId::new));
    }

    #[test]
    fn three_of_four_points_do_not_pass() {
        let mut attempt = start(1);
        choose(&mut attempt, 0, "a");
        choose(&mut attempt, 1, "a");
        choose(&mut attempt, 2, "b");
        assert_eq!(attempt.score().earned, 300);
        assert!(attempt.next_open(0).is_none() && !attempt.passed());
    }

    #[test]
    fn a_retry_asks_what_was_missed_and_what_has_changed() {
        let mut attempt = start(1);
        choose(&mut attempt, 0, "a");
        choose(&mut attempt, 1, "b");
        choose(&mut attempt, 2, "a");
        assert_eq!(attempt.place(1), (2, 3));
        let retry = attempt.retry(&quiz(), 2);
        assert_eq!((open(&retry), retry.place(1)), (vec!["two"], (1, 1)));
        let mut changed = quiz();
        changed.questions[3].hash = "other".to_owned();
        let mut retry = attempt.retry(&changed, 2);
        assert_eq!(open(&retry), ["two", "three"]);
        choose(&mut retry, 1, "a");
        choose(&mut retry, 2, "a");
        assert!(retry.passed());
        let origins: Vec<_> = retry
            .asked()
            .iter()
            .filter_map(|it| it.given.as_ref().map(|it| it.from))
            .collect();
        assert_eq!(origins, [Origin::Kept, Origin::Now, Origin::Now]);
    }

    #[test]
    fn stored_answers_are_taken_up_while_their_question_is_the_same() {
        let mut attempt = start(1);
        let (one, two) = (QuestionId::new("one"), QuestionId::new("two"));
        let answer = Answer::Single(ChoiceId::new("a"));
        let stored = [(&one, "hash-one"), (&two, "older")].map(|(id, hash)| {
            let stored = StoredAnswer {
                hash,
                answer: &answer,
                confidence: None,
            };
            (id, stored)
        });
        attempt.resume(stored, &BTreeMap::new());
        assert_eq!(open(&attempt), ["two", "three"]);
    }

    #[test]
    fn options_are_shuffled_by_seed_and_pinned_ones_stay_last() {
        let orders: BTreeSet<_> = (0..50)
            .map(|seed| start(seed).asked()[0].order.clone())
            .collect();
        assert_eq!(orders.len(), 6, "three options have six orders");
        let last = |order: &Vec<ChoiceId>| order.last().unwrap().as_str() == "none";
        assert!(orders.iter().all(last));
    }
}

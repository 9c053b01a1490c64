//! Which questions an attempt asks, where the quiz has more than an attempt asks.
//!
//! Pure and deterministic: the same quiz, seed and past give the same questions everywhere. The seed is the one by which
//! the choices are shuffled.

use super::shuffle::Shuffle;
use std::collections::BTreeSet;
use warpup_course::{Question, QuestionId};

/// The name of the stream that draws. No question can have it, so that a draw and an order of choices are independent.
const STREAM: &str = "the questions of an attempt";

/// By what an attempt gets its questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw<'a> {
    /// New ones: those that the last attempt did not ask come first.
    New {
        /// What the last attempt asked.
        last: &'a [QuestionId],
    },
    /// Those that an attempt has already. An empty list is that of an attempt from before the quiz drew: it has all.
    Again(&'a [QuestionId]),
}

impl Draw<'_> {
    /// How early a question is taken: the lower, the earlier. Of its versions, the one that was not asked last is the first.
    fn rank(self, question: &Question, asked: &BTreeSet<&QuestionId>) -> (u8, bool) {
        let tier = match self {
            Self::Again(has) if has.contains(&question.id) => 0,
            Self::Again(_) if question.always => 1,
            Self::Again(_) => 2,
            Self::New { .. } if question.always => 0,
            Self::New { .. } if asked.contains(question.name()) => 2,
            Self::New { .. } => 1,
        };
        let is_seen = matches!(self, Self::New { last } if last.contains(&question.id));
        (tier, is_seen)
    }
}

/// Draws `ask` of the questions, in the author's order; all of them if `ask` is not said. Of a question in several
/// versions it draws one.
///
/// There are more than `ask` only if more than that are in every draw, or if an attempt has more already.
pub(super) fn draw<'q>(
    pool: impl Iterator<Item = &'q Question>,
    ask: Option<usize>,
    by: Draw<'_>,
    seed: u64,
) -> Vec<&'q Question> {
    let mut drawn: Vec<_> = pool.enumerate().collect();
    let (Draw::New { last: known } | Draw::Again(known)) = by;
    let asked = drawn.iter().filter(|(_, it)| known.contains(&it.id));
    let asked: BTreeSet<_> = asked.map(|(_, it)| it.name()).collect();
    let is_whole = by == Draw::Again(&[]);
    if !is_whole {
        Shuffle::new(seed, STREAM).apply(&mut drawn);
        drawn.sort_by_key(|(_, it)| by.rank(it, &asked));
    }
    let mut names = BTreeSet::new();
    drawn.retain(|(_, it)| names.insert(it.name()));
    if let Some(ask) = ask.filter(|_| !is_whole) {
        let is_certain = |(_, it): &&(usize, &Question)| by.rank(it, &asked).0 == 0;
        let certain = drawn.iter().filter(is_certain).count();
        drawn.truncate(ask.max(certain));
    }
    drawn.sort_by_key(|(place, _)| *place);
    drawn.into_iter().map(|(_, it)| it).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use warpup_course::sample;

    /// So many questions, of which the first ones are in every draw.
    fn pool(all: usize, always: usize) -> Vec<Question> {
        let any = sample::question("id = \"q\"\ntype = \"text\"\naccept = [\"a\"]");
        let question = |n: usize| Question {
            id: QuestionId::new(format!("q-{n}")),
            always: n < always,
            ..any.clone()
        };
        (0..all).map(question).collect()
    }

    fn ids(pool: &[Question], ask: usize, by: Draw<'_>, seed: u64) -> Vec<QuestionId> {
        let drawn = draw(pool.iter(), Some(ask), by, seed);
        drawn.into_iter().map(|it| it.id.clone()).collect()
    }

    const NEW: Draw<'_> = Draw::New { last: &[] };

    proptest! {
        #[test]
        fn a_draw_has_what_is_asked_for_once_and_follows_from_the_seed(
            all in 1..30_usize,
            ask in 1..30_usize,
            always in 0..30_usize,
            last_seed: u64,
            seed: u64,
        ) {
            let ask = ask.min(all);
            let always = always.min(ask);
            let pool = pool(all, always);
            let last = ids(&pool, ask, NEW, last_seed);
            let by = Draw::New { last: &last };
            let drawn = ids(&pool, ask, by, seed);
            prop_assert_eq!(drawn.len(), ask);
            prop_assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), ask);
            prop_assert!(pool[..always].iter().all(|it| drawn.contains(&it.id)));
            prop_assert_eq!(&drawn, &ids(&pool, ask, by, seed));
            let place = |id: &QuestionId| pool.iter().position(|it| it.id == *id);
            prop_assert!(drawn.is_sorted_by_key(place));
            // Only what has to be asked a second time is.
            let again = drawn.iter().filter(|it| last.contains(it)).count();
            prop_assert_eq!(again, always.max((2 * ask).saturating_sub(all)));
            prop_assert_eq!(ids(&pool, ask, Draw::Again(&drawn), last_seed), drawn);
        }
    }

    #[test]
    fn every_question_is_drawn_by_some_seed_and_none_much_more_often() {
        let pool = pool(10, 1);
        let mut times = [0; 10];
        for seed in 0..900 {
            for (n, question) in pool.iter().enumerate() {
                times[n] += usize::from(ids(&pool, 4, NEW, seed).contains(&question.id));
            }
        }
        assert_eq!(times[0], 900);
        assert!(
            times[1..].iter().all(|it| (240..360).contains(it)),
            "{times:?}"
        );
    }

    #[test]
    fn an_attempt_keeps_its_questions_and_gets_others_for_those_that_are_gone() {
        let pool = pool(6, 1);
        let [one, four, gone] = ["q-1", "q-4", "q-9"].map(QuestionId::new);
        let has = [one.clone(), four.clone(), gone];
        let kept = ids(&pool, 3, Draw::Again(&has), 7);
        assert_eq!(kept, [QuestionId::new("q-0"), one.clone(), four.clone()]);
        let kept = ids(&pool, 2, Draw::Again(&has), 7);
        assert_eq!(kept, [one, four]);
    }

    #[test]
    fn an_attempt_from_before_the_quiz_drew_has_all_questions() {
        let pool = pool(6, 1);
        assert_eq!(ids(&pool, 2, Draw::Again(&[]), 7).len(), 6);
    }
}

//! What the first answers of a class say of a question: how hard it is, how well it tells learners apart, how long it takes.

/// From so many learners on, a correlation says something.
const ENOUGH: usize = 10;

/// A correlation is below what chance makes of a good question if it is so many standard deviations below 0: for answers that
/// have nothing to do with each other, the deviation is 1/√(n - 1), and one question in a hundred is that low.
const BELOW_CHANCE: f64 = 2.33;

/// Times outside of this are no time on a question, in milliseconds: answers from a file, and a walk to the kitchen.
const PLAUSIBLE_MS: std::ops::RangeInclusive<u64> = 1_000..=600_000;

/// The first answers of learners to one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Item {
    answered: usize,
    right: usize,
    /// With the share of points of the rest of the quiz: how many, and sums over x (1 for right), r (the share), r², x·r.
    with_rest: usize,
    sums: [f64; 4],
    times_ms: Vec<u64>,
}

/// The first answer of one learner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FirstScore {
    /// Whether it is right.
    pub(super) is_right: bool,
    /// The share of points of the learner's other first answers in the quiz; nothing if there is no other one.
    pub(super) rest: Option<f64>,
    /// The time since the answer before, in milliseconds; nothing where it is not known.
    pub(super) took_ms: Option<u64>,
}

impl Item {
    pub(super) fn take(&mut self, first: FirstScore) {
        self.answered += 1;
        self.right += usize::from(first.is_right);
        if let Some(rest) = first.rest {
            let x = if first.is_right { 1.0 } else { 0.0 };
            self.with_rest += 1;
            let add = [x, rest, rest * rest, x * rest];
            for (sum, add) in self.sums.iter_mut().zip(add) {
                *sum += add;
            }
        }
        let took = first.took_ms.filter(|it| PLAUSIBLE_MS.contains(it));
        self.times_ms.extend(took);
    }

    pub(super) fn answered(&self) -> usize {
        self.answered
    }

    pub(super) fn right(&self) -> usize {
        self.right
    }

    /// The point-biserial correlation of a right answer with the share of points in the rest of the quiz, from -1 to 1. Nothing for
    /// fewer than ten learners, and where all answers or all shares are equal.
    pub(super) fn discrimination(&self) -> Option<f64> {
        let n = self.with_rest as f64;
        let [x, r, rr, xr] = self.sums;
        let spread = (n * x - x * x) * (n * rr - r * r);
        // Equal shares leave a rest of rounding.
        let is_enough = self.with_rest >= ENOUGH && spread > 1e-9;
        is_enough.then(|| ((n * xr - x * r) / spread.sqrt()).clamp(-1.0, 1.0))
    }

    /// Whether those who know the rest get it wrong, more than chance explains.
    pub(super) fn is_suspect(&self) -> bool {
        let chance = (self.with_rest.saturating_sub(1) as f64).sqrt().recip();
        self.discrimination()
            .is_some_and(|it| it < -BELOW_CHANCE * chance)
    }

    /// The median time, in milliseconds.
    pub(super) fn median_ms(&self) -> Option<u64> {
        median(self.times_ms.clone())
    }
}

/// The median of several times; nothing of none.
pub(super) fn median(mut times: Vec<u64>) -> Option<u64> {
    times.sort_unstable();
    let upper = times.get(times.len() / 2).copied()?;
    let lower = times.get((times.len() - 1) / 2).copied()?;
    Some(lower + (upper - lower) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(answers: &[(bool, f64)]) -> Item {
        let mut item = Item::default();
        for (is_right, rest) in answers {
            item.take(FirstScore {
                is_right: *is_right,
                rest: Some(*rest),
                took_ms: None,
            });
        }
        item
    }

    #[test]
    fn discrimination_is_the_correlation_with_the_rest_of_the_quiz() {
        let good = [
            (true, 0.9),
            (true, 0.8),
            (false, 0.2),
            (false, 0.4),
            (true, 0.7),
        ]
        .repeat(2);
        // numpy.corrcoef([1,1,0,0,1]*2, [.9,.8,.2,.4,.7]*2)
        let told = item(&good).discrimination().unwrap();
        assert!((told - 0.939_336_4).abs() < 1e-6, "{told}");
        let upside_down = good.iter().map(|it| (!it.0, it.1));
        let told = item(&upside_down.collect::<Vec<_>>()).discrimination();
        assert!((told.unwrap() + 0.939_336_4).abs() < 1e-6);
    }

    #[test]
    fn few_or_equal_answers_say_nothing() {
        assert_eq!(item(&[(true, 0.5), (false, 0.1)]).discrimination(), None);
        assert_eq!(item(&[(true, 0.5); 20]).discrimination(), None);
        let equal_rest: Vec<_> = (0..20).map(|it| (it % 2 == 0, 0.1)).collect();
        assert_eq!(item(&equal_rest).discrimination(), None);
    }

    #[test]
    fn times_of_files_and_of_pauses_do_not_count() {
        let mut item = Item::default();
        for took_ms in [
            Some(3),
            Some(20_000),
            None,
            Some(9_000_000),
            Some(30_000),
            Some(5_000),
        ] {
            item.take(FirstScore {
                is_right: true,
                rest: None,
                took_ms,
            });
        }
        assert_eq!(item.median_ms(), Some(20_000));
        assert_eq!((item.answered(), item.right()), (6, 6));
    }
}

//! Sets of moments as intervals: unions, overlaps, and what is left between.

/// From a moment to a later one, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    /// Where it begins.
    pub start_ns: i64,
    /// Where it ends.
    pub end_ns: i64,
}

impl Interval {
    /// Its length; 0 for one that ends before it begins.
    pub fn length(self) -> i64 {
        (self.end_ns - self.start_ns).max(0)
    }

    /// What two have in common.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            start_ns: self.start_ns.max(other.start_ns),
            end_ns: self.end_ns.min(other.end_ns),
        }
    }
}

/// Intervals in the order of time that do not touch each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntervalSet {
    intervals: Vec<Interval>,
    /// The time in all intervals before each.
    before: Vec<i64>,
}

impl IntervalSet {
    /// The union of intervals in any order.
    pub fn of(intervals: impl IntoIterator<Item = Interval>) -> Self {
        let mut sorted: Vec<Interval> = intervals.into_iter().collect();
        sorted.sort_unstable();
        let mut union: Vec<Interval> = Vec::new();
        for it in sorted {
            match union.last_mut() {
                Some(last) if it.start_ns <= last.end_ns => {
                    last.end_ns = last.end_ns.max(it.end_ns);
                }
                _ => union.push(it),
            }
        }
        let before = union.iter().scan(0, |sum, it| {
            let before = *sum;
            *sum += it.length();
            Some(before)
        });
        Self {
            before: before.collect(),
            intervals: union,
        }
    }

    /// The intervals.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// The time in all of them.
    pub fn length(&self) -> i64 {
        self.intervals.iter().map(|it| it.length()).sum()
    }

    /// From the first beginning to the last end.
    pub fn span(&self) -> Interval {
        let start_ns = self.intervals.first().map_or(0, |it| it.start_ns);
        let end_ns = self.intervals.last().map_or(0, |it| it.end_ns);
        Interval { start_ns, end_ns }
    }

    /// The intervals between them.
    pub fn gaps(&self) -> impl Iterator<Item = Interval> {
        let next = self.intervals.iter().skip(1);
        self.intervals
            .iter()
            .zip(next)
            .map(|(before, after)| Interval {
                start_ns: before.end_ns,
                end_ns: after.start_ns,
            })
    }

    /// The time that both have.
    pub fn overlap(&self, other: &Self) -> i64 {
        let mut sum = 0;
        let mut others = other.intervals.iter().peekable();
        for it in &self.intervals {
            while let Some(next) = others.peek() {
                sum += it.with(**next).length();
                // One that goes on may overlap the next of ours, too.
                if next.end_ns > it.end_ns {
                    break;
                }
                others.next();
            }
        }
        sum
    }

    /// The time inside one interval.
    pub fn inside(&self, window: Interval) -> i64 {
        let at = |it: usize| self.intervals.get(it).map(|it| it.with(window).length());
        let first = self
            .intervals
            .partition_point(|it| it.end_ns <= window.start_ns);
        let end = self
            .intervals
            .partition_point(|it| it.start_ns < window.end_ns);
        let Some(last) = end.checked_sub(1).filter(|it| *it >= first) else {
            return 0;
        };
        if first == last {
            return at(first).unwrap_or(0);
        }
        // Those between the first and the last are inside as a whole.
        let before = |it: usize| self.before.get(it).copied().unwrap_or(0);
        let between = before(last) - before(first + 1);
        at(first).unwrap_or(0) + between + at(last).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn union(pairs: &[(i64, i64)]) -> IntervalSet {
        IntervalSet::of(
            pairs
                .iter()
                .map(|&(start_ns, end_ns)| Interval { start_ns, end_ns }),
        )
    }

    #[test]
    fn what_touches_becomes_one() {
        let it = union(&[(5, 6), (0, 2), (2, 3), (1, 2)]);
        assert_eq!(it, union(&[(0, 3), (5, 6)]));
        assert_eq!((it.length(), it.span().length()), (4, 6));
        assert_eq!(it.gaps().map(Interval::length).sum::<i64>(), 2);
    }

    proptest! {
        #[test]
        fn overlap_and_inside_count_moments(
            a in proptest::collection::vec((0..50i64, 0..9i64), 0..9),
            b in proptest::collection::vec((0..50i64, 0..9i64), 0..9),
        ) {
            let of = |it: &[(i64, i64)]| union(&it.iter().map(|&(at, length)| (at, at + length)).collect::<Vec<_>>());
            let has = |it: &[(i64, i64)], moment| it.iter().any(|&(at, length)| (at..at + length).contains(&moment));
            let both = (0..60).filter(|it| has(&a, *it) && has(&b, *it)).count();
            prop_assert_eq!(of(&a).overlap(&of(&b)), i64::try_from(both).unwrap());
            let window = Interval { start_ns: 10, end_ns: 30 };
            let inside = (10..30).filter(|it| has(&a, *it)).count();
            prop_assert_eq!(of(&a).inside(window), i64::try_from(inside).unwrap());
        }
    }
}

//! What a record claims for an attempt, beside what its answers give.

use super::answer_score::ScoreSource;
use warpup_course::PassRule;
use warpup_grade::{Score, points};

/// No attempt has more points, in hundredths: warpup never wrote a larger number, and sums of these stay small.
const MOST: u64 = 1 << 40;

/// What a record says of an attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttemptClaim {
    /// Points.
    pub(super) score: Score,
    /// More than this share passed.
    pub(super) above_percent: u32,
    /// Whether it passed.
    pub(super) passed: bool,
}

/// What the answers of an attempt give.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreFromAnswers {
    /// Whether any answer is there.
    pub(super) has_answers: bool,
    /// Hundredths of a point that they earn.
    pub(super) earned: u64,
    /// Hundredths of a point that the questions of the attempt can give now.
    pub(super) max: u64,
    /// Who says so, of all answers that count the one who knows least.
    pub(super) says: ScoreSource,
}

/// What the report takes an attempt for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AcceptedScore {
    /// Points.
    pub(super) score: Score,
    /// The threshold that decided.
    pub(super) above_percent: u32,
    /// Whether it passed.
    pub(super) passed: bool,
    /// Where the points come from.
    pub(super) basis: Basis,
    /// What its record claims and its answers do not give.
    pub(super) reason: Option<String>,
}

/// Where the points of an attempt come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// From its answers, by the keys of the course.
    Answers,
    /// As claimed: it has a prediction whose measurement no record has.
    Measured,
    /// As claimed: it was graded with another edition of the course.
    AnotherEdition,
}

impl AttemptClaim {
    /// The rule by which it says that it was judged.
    pub(super) fn rule(self) -> PassRule {
        PassRule {
            above_percent: self.above_percent,
        }
    }

    /// What to believe. `rule` is that of the course as it is now.
    ///
    /// More points than the answers give are never believed, and so no point without one: warpup writes the answers first. Another sum
    /// of points or another threshold than those of the course now come from another edition of it, as do answers to questions that
    /// have changed.
    pub(super) fn check(self, given: ScoreFromAnswers, rule: PassRule) -> AcceptedScore {
        let is_plausible = self.score.earned <= self.score.max && self.score.max <= MOST;
        if !is_plausible || self.score.earned > given.earned {
            return self.refused(given, rule);
        }
        let is_same_edition = self.score.max == given.max
            && self.above_percent == rule.above_percent
            && given.says != ScoreSource::Record;
        let basis = match given.says {
            _ if !is_same_edition => Basis::AnotherEdition,
            ScoreSource::Machine => Basis::Measured,
            ScoreSource::Keys | ScoreSource::Record => Basis::Answers,
        };
        let score = match basis {
            Basis::Answers | Basis::Measured => given.score(),
            Basis::AnotherEdition => self.score,
        };
        let above_percent = self.above_percent;
        let passed = score.passes(self.rule());
        let reason = (self.passed && !passed).then(|| format!("claims a pass with {score} points"));
        AcceptedScore {
            score,
            above_percent,
            passed,
            basis,
            reason,
        }
    }

    fn refused(self, given: ScoreFromAnswers, rule: PassRule) -> AcceptedScore {
        let score = given.score();
        let passed = score.passes(rule);
        let pass = if self.passed && !passed {
            " and a pass"
        } else {
            ""
        };
        let given = if given.has_answers || score.earned > 0 {
            format!("its answers give {}", points(score.earned))
        } else {
            "with no answer given before it".to_owned()
        };
        let reason = format!("claims {}{pass}, {given}", self.score);
        AcceptedScore {
            score,
            above_percent: rule.above_percent,
            passed,
            basis: Basis::Answers,
            reason: Some(reason),
        }
    }
}

impl ScoreFromAnswers {
    /// The points, which are never more than there are.
    pub(super) fn score(self) -> Score {
        Score {
            earned: self.earned.min(self.max),
            max: self.max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: PassRule = PassRule { above_percent: 75 };

    fn told(claim: (u64, u64, u32, bool), given: (bool, u64, u64, ScoreSource)) -> String {
        let (earned, max, above_percent, passed) = claim;
        let score = Score { earned, max };
        let claim = AttemptClaim {
            score,
            above_percent,
            passed,
        };
        let (has_answers, earned, max, says) = given;
        let given = ScoreFromAnswers {
            has_answers,
            earned,
            max,
            says,
        };
        let it = claim.check(given, RULE);
        let pass = if it.passed { "passed" } else { "not passed" };
        let reason = it.reason.unwrap_or_else(|| "-".to_owned());
        format!("{} {pass} {:?}: {reason}", it.score, it.basis)
    }

    #[test]
    fn answers_are_believed_and_claims_only_where_no_answer_speaks_against_them() {
        let all = [
            // Honest.
            told((800, 800, 75, true), (true, 800, 800, ScoreSource::Keys)),
            told((300, 800, 75, false), (true, 300, 800, ScoreSource::Keys)),
            told((0, 800, 75, false), (false, 0, 800, ScoreSource::Keys)),
            told((800, 800, 75, true), (true, 800, 800, ScoreSource::Machine)),
            // Points that the answers do not give.
            told((800, 800, 75, true), (true, 300, 800, ScoreSource::Keys)),
            told((800, 800, 75, true), (true, 300, 800, ScoreSource::Record)),
            told((100, 100, 75, true), (true, 0, 800, ScoreSource::Keys)),
            told((500, 800, 75, false), (true, 300, 800, ScoreSource::Keys)),
            // A pass that the points do not give.
            told((300, 800, 75, true), (true, 300, 800, ScoreSource::Keys)),
            // Fewer points than the answers give.
            told((0, 800, 75, false), (true, 800, 800, ScoreSource::Keys)),
            // Other editions: another sum, another threshold, other questions.
            told((300, 300, 75, true), (true, 300, 800, ScoreSource::Keys)),
            told((500, 800, 50, true), (true, 500, 800, ScoreSource::Keys)),
            told((800, 800, 75, true), (true, 800, 800, ScoreSource::Record)),
            // No answers, and none but those that a retry has kept.
            told((800, 800, 75, true), (false, 0, 800, ScoreSource::Keys)),
            told((300, 300, 75, true), (false, 0, 800, ScoreSource::Keys)),
            told((800, 800, 75, true), (false, 700, 800, ScoreSource::Keys)),
            // Impossible.
            told((900, 800, 75, true), (false, 0, 800, ScoreSource::Keys)),
            told(
                (u64::MAX, u64::MAX, 0, true),
                (true, 100, 800, ScoreSource::Keys),
            ),
            told(
                (0, u64::MAX, u32::MAX, true),
                (false, 0, 0, ScoreSource::Keys),
            ),
        ];
        insta::assert_snapshot!(all.join("\n"), @"
        8 of 8 passed Answers: -
        3 of 8 not passed Answers: -
        0 of 8 not passed Answers: -
        8 of 8 passed Measured: -
        3 of 8 not passed Answers: claims 8 of 8 and a pass, its answers give 3
        3 of 8 not passed Answers: claims 8 of 8 and a pass, its answers give 3
        0 of 8 not passed Answers: claims 1 of 1 and a pass, its answers give 0
        3 of 8 not passed Answers: claims 5 of 8, its answers give 3
        3 of 8 not passed Answers: claims a pass with 3 of 8 points
        8 of 8 passed Answers: -
        3 of 3 passed AnotherEdition: -
        5 of 8 passed AnotherEdition: -
        8 of 8 passed AnotherEdition: -
        0 of 8 not passed Answers: claims 8 of 8 and a pass, with no answer given before it
        0 of 8 not passed Answers: claims 3 of 3 and a pass, with no answer given before it
        7 of 8 passed Answers: claims 8 of 8, its answers give 7
        0 of 8 not passed Answers: claims 9 of 8 and a pass, with no answer given before it
        1 of 8 not passed Answers: claims 184467440737095516.15 of 184467440737095516.15 and a pass, its answers give 1
        0 of 0 not passed Answers: claims 0 of 184467440737095516.15 and a pass, with no answer given before it
        ");
    }
}

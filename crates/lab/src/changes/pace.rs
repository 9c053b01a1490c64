//! How much faster or slower a run is than the one before.

use crate::findings::steps_of;
use crate::first_use;
use warpup_protocol::{Clock, Report};

/// How a run compares with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It takes less.
    Faster,
    /// It takes more.
    Slower,
}

/// How much faster or slower a run is than the one before, on the same device and without first use: by the time of a step where both
/// make steps, else by the host's or the device's, whichever was longer. Nothing below a fifth of measured times, which may be chance,
/// and below a hundredth of modelled ones.
pub fn in_words(before: &Report, now: &Report) -> Option<(String, Pace)> {
    let are_modelled = [before, now].iter().all(|it| it.clock == Clock::Modelled);
    let total = |it: &Report| {
        first_use::rest_of(it)
            .saturating_sub(it.interrupted_ns)
            .max(it.device_ns.unwrap_or(0))
    };
    let (of, before, now) = match (steps_of(before), steps_of(now)) {
        (Some(before), Some(now)) => {
            let ns = |it: i64| u64::try_from(it).unwrap_or(0);
            ("a step is ", ns(before.step_ns), ns(now.step_ns))
        }
        (None, None) => ("", total(before), total(now)),
        // A program that makes no steps any more is not a faster one.
        (Some(_), None) | (None, Some(_)) => return None,
    };
    let pace = pace(before, now);
    let word = match pace {
        Pace::Faster => "faster",
        Pace::Slower => "slower",
    };
    if let Some((tenths, _)) = factor(before, now) {
        let said = format!("{of}{}.{} times {word}", tenths / 10, tenths % 10);
        return Some((said, pace));
    }
    let percent = before.abs_diff(now).saturating_mul(100) / before.max(1);
    (are_modelled && percent > 0).then(|| (format!("{of}{percent} % {word}"), pace))
}

/// By how many tenths the longer of two times is the shorter one; nothing below a fifth more.
pub(super) fn factor(before: u64, now: u64) -> Option<(u64, Pace)> {
    let tenths = before.max(now).saturating_mul(10) / before.min(now).max(1);
    (tenths >= 12).then(|| (tenths, pace(before, now)))
}

fn pace(before: u64, now: u64) -> Pace {
    if now > before {
        Pace::Slower
    } else {
        Pace::Faster
    }
}

/// Whether one of two runs used a card for the first time.
pub fn has_first_use(before: &Report, now: &Report) -> bool {
    [before, now].iter().any(|it| first_use::of_run(it) > 0)
}

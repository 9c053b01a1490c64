//! How much faster or slower a run is than the one before.

use crate::findings::steps_of;
use crate::first_use;
use warpup_protocol::Report;

/// How a run compares with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It takes less.
    Faster,
    /// It takes more.
    Slower,
}

/// How much faster or slower a run is than the one before, on the same device and without first use: by the time of a step where both
/// make steps, else by the host's or the device's, whichever was longer. Nothing below a fifth, which may be chance.
pub fn in_words(before: &Report, now: &Report) -> Option<(String, Pace)> {
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
        (_, _) => ("", total(before), total(now)),
    };
    let (tenths, pace) = factor(before, now)?;
    let word = match pace {
        Pace::Faster => "faster",
        Pace::Slower => "slower",
    };
    let said = format!("{of}{}.{} times {word}", tenths / 10, tenths % 10);
    Some((said, pace))
}

/// By how many tenths the longer of two times is the shorter one; nothing below a fifth more.
pub(super) fn factor(before: u64, now: u64) -> Option<(u64, Pace)> {
    let tenths = before.max(now).saturating_mul(10) / before.min(now).max(1);
    let pace = if now > before {
        Pace::Slower
    } else {
        Pace::Faster
    };
    (tenths >= 12).then_some((tenths, pace))
}

/// Whether one of two runs used a card for the first time.
pub fn has_first_use(before: &Report, now: &Report) -> bool {
    [before, now].iter().any(|it| first_use::of_run(it) > 0)
}

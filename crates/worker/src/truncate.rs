//! Cuts texts of a program to lengths that a message and a screen can hold. The program is at fault when they are longer,
//! and the report of its run must not fail because of it.

use warpup_protocol::{Check, Metric, Outcome, Plot, UncaughtException, cut};

/// Bytes of a name: of a check, a metric, a plot, an exception's class.
const NAME: usize = 1 << 10;

/// Bytes of the text of one exception, and of a check's hint.
const MESSAGE: usize = 16 << 10;

/// Bytes of a whole traceback, which has the texts of up to nine exceptions.
const TRACEBACK: usize = 256 << 10;

/// The outcome of a run as it is reported.
pub(crate) fn outcome(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Raised(raised) => Outcome::Raised(self::raised(raised)),
        Outcome::Broken { mut what } => {
            cut(&mut what, MESSAGE);
            Outcome::Broken { what }
        }
        Outcome::Done
        | Outcome::Cancelled
        | Outcome::TimedOut
        | Outcome::TooMuchOutput
        | Outcome::Unavailable(_)
        | Outcome::Busy(_) => outcome,
    }
}

fn raised(mut raised: UncaughtException) -> UncaughtException {
    cut(&mut raised.kind, NAME);
    cut(&mut raised.message, MESSAGE);
    cut(&mut raised.traceback, TRACEBACK);
    raised
}

/// A check as it is reported.
pub(crate) fn check(mut check: Check) -> Check {
    cut(&mut check.name, NAME);
    if let Some(hint) = &mut check.hint {
        cut(hint, MESSAGE);
    }
    check
}

/// A metric as it is reported.
pub(crate) fn metric(mut metric: Metric) -> Metric {
    cut(&mut metric.name, NAME);
    cut(&mut metric.unit, NAME);
    metric
}

/// A plot as it is reported.
pub(crate) fn plot(mut plot: Plot) -> Plot {
    for text in [&mut plot.title, &mut plot.x_label, &mut plot.y_label] {
        cut(text, NAME);
    }
    for series in &mut plot.series {
        cut(&mut series.name, NAME);
    }
    for name in &mut plot.names {
        cut(name, NAME);
    }
    plot
}

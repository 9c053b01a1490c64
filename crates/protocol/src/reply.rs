//! What a worker sends to the app.

use super::device::DeviceInfo;
use super::plot::Plot;
use super::report::Report;
use super::request::RunId;
use super::skip::is_default;
use super::span::Span;
use serde::{Deserialize, Serialize};

/// A reply of the worker.
#[expect(
    clippy::large_enum_variant,
    reason = "a reply is read and taken in before the next one: there is one at a time"
)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum Reply {
    /// The answer to `Request::Hello`.
    Hello {
        /// `VERSION` of the worker.
        version: u32,
        /// The package version of the worker.
        warpup: String,
        /// The devices of this worker.
        devices: Vec<DeviceInfo>,
    },
    /// What a run waits for before it starts: a queue of jobs, of which the engine hears from a launcher, or the run's
    /// turn on a card, which the worker waits for. No limit counts the time.
    Waiting {
        /// The run.
        run: RunId,
        /// In words, of the launcher or of its queue; the newest takes the place of the one before.
        why: String,
    },
    /// A run has started.
    Started {
        /// The run.
        run: RunId,
        /// Its device.
        device: DeviceInfo,
    },
    /// Printed text.
    Output {
        /// The run.
        run: RunId,
        /// The next part of the output.
        text: String,
        /// Where the program printed it.
        #[serde(default, skip_serializing_if = "is_default")]
        to: Standard,
    },
    /// The program, or its check, called `lab.check`.
    Check {
        /// The run.
        run: RunId,
        /// The check.
        check: Check,
    },
    /// The program called `lab.metric`.
    Metric {
        /// The run.
        run: RunId,
        /// The metric.
        metric: Metric,
    },
    /// The program called `lab.plot`. Sent only to an app that asked for plots (`Limits::plots`).
    Plot {
        /// The run.
        run: RunId,
        /// The plot.
        plot: Plot,
    },
    /// Some of the run's spans, in the order of their start on the host.
    Spans {
        /// The run.
        run: RunId,
        /// The spans.
        spans: Vec<Span>,
    },
    /// A run has ended; the last reply of a run.
    Finished {
        /// The run.
        run: RunId,
        /// Its outcome, times and memory.
        report: Report,
    },
    /// The worker could not read or do a request; it continues.
    Refused {
        /// The run of the request, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
        /// Why.
        why: String,
    },
}

/// A standard stream of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standard {
    /// `sys.stdout`
    #[default]
    Output,
    /// `sys.stderr`
    Error,
}

/// The result of one `lab.check`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The claim, as a sentence.
    pub name: String,
    /// Whether it holds.
    pub ok: bool,
    /// What to try if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// The value of one `lab.metric`. Progress logs keep it as it is written here, and have to be readable forever.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its value; NaN and infinity are values, too.
    #[serde(with = "super::number")]
    pub value: f64,
    /// Its unit, empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

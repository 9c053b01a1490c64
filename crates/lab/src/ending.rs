//! How a run ended: its kind, and what happened in words. Pure.
//!
//! Front ends add colour and the names of their keys. What a plan says of its end is in [`super::plan`].

use super::out_of_memory;
use super::run::Run;
use super::units::bytes;
use std::fmt;
use warpup_course::Lab;
use warpup_protocol::{Clock, DeviceName, Limits, Outcome, Reason, UncaughtException};

/// Who or what ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// The program ran to its end, and every check holds.
    Passed,
    /// The program ran to its end, and a check does not hold.
    Failed,
    /// An uncaught exception.
    Raised,
    /// The learner.
    Cancelled,
    /// A limit, such as that of time.
    Limit,
    /// A bug of warpup.
    Broken,
    /// This machine, which has no such device.
    Unavailable,
    /// Others, who hold the device.
    Busy,
}

impl EndingKind {
    /// The kind of a run's end; nothing while it goes on.
    pub fn of(run: &Run) -> Option<Self> {
        Some(match run.report.as_ref()?.outcome {
            Outcome::Done if run.checks.iter().all(|it| it.ok) => Self::Passed,
            Outcome::Done => Self::Failed,
            Outcome::Raised(_) => Self::Raised,
            Outcome::Cancelled => Self::Cancelled,
            Outcome::TimedOut | Outcome::TooMuchOutput => Self::Limit,
            Outcome::Broken { .. } => Self::Broken,
            Outcome::Unavailable(_) => Self::Unavailable,
            Outcome::Busy(_) => Self::Busy,
        })
    }

    /// Whether the times and checks of such a run are worth a look.
    pub fn has_results(self) -> bool {
        match self {
            Self::Passed | Self::Failed | Self::Raised | Self::Cancelled | Self::Limit => true,
            Self::Broken | Self::Unavailable | Self::Busy => false,
        }
    }

    /// The sign in front of the words.
    pub fn sign(self) -> char {
        match self {
            Self::Passed => '✓',
            Self::Failed | Self::Raised => '✗',
            Self::Cancelled | Self::Limit => '■',
            Self::Broken | Self::Unavailable | Self::Busy => '!',
        }
    }

    /// One or two words, for a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "not passed",
            Self::Raised => "raised",
            Self::Cancelled => "cancelled",
            Self::Limit => "stopped",
            Self::Broken => "broken",
            Self::Unavailable => "no card",
            Self::Busy => "busy",
        }
    }
}

/// With its sign: `✓ passed`.
impl fmt::Display for EndingKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&format!("{} {}", self.sign(), self.word()))
    }
}

/// The device and the limits that a run was given.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// The device that was asked for.
    pub device: &'a DeviceName,
    /// How long it may take.
    pub seconds: f64,
    /// What sets that limit, such as `this lab`.
    pub by: &'a str,
    /// How much it may print.
    pub output_bytes: u64,
}

impl<'a> Bounds<'a> {
    /// Those of a lab's run.
    pub fn of_lab(lab: &Lab, device: &'a DeviceName) -> Self {
        Self {
            device,
            seconds: lab.time_limit.as_secs_f64(),
            by: lab.limited_by.words(),
            output_bytes: Limits::default().output_bytes,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending<'a> {
    /// Who or what ended it.
    pub kind: EndingKind,
    /// The verdict on the program, in front of what happened; nothing where that says enough.
    pub verdict: Option<&'static str>,
    /// What happened, as a clause: `stopped: it printed more than 1.00 MiB`.
    pub what: String,
    /// What to try in the program, written the same way.
    pub advice: Option<&'static str>,
    /// Why the device was not to be had.
    pub reason: Option<&'a Reason>,
    /// The device that the sentence names; none by default.
    pub device: Option<String>,
}

impl<'a> Ending<'a> {
    /// The end of a run; nothing while it goes on.
    pub fn of(run: &'a Run, bounds: &Bounds<'_>) -> Option<Self> {
        let outcome = &run.report.as_ref()?.outcome;
        let kind = EndingKind::of(run)?;
        let (seconds, by) = (bounds.seconds, bounds.by);
        let (what, advice) = match outcome {
            Outcome::Done => (checks(run), None),
            Outcome::Raised(raised) => (exception(run, raised), None),
            Outcome::Cancelled => ("cancelled, as you asked".to_owned(), None),
            Outcome::TimedOut => (
                format!("stopped: it took longer than the {seconds} s that {by} allows"),
                Some("look for a loop that does not end"),
            ),
            Outcome::TooMuchOutput => (
                format!(
                    "stopped: it printed more than {}",
                    bytes(bounds.output_bytes)
                ),
                Some("print less in loops"),
            ),
            Outcome::Broken { what } if run.device.is_none() => (format!("not run: {what}"), None),
            Outcome::Broken { what } => {
                let said = format!("warpup broke, and not through your program: {what}");
                (said, None)
            }
            Outcome::Unavailable(_) => {
                let said = "the card is unavailable, and it is not your mistake";
                (said.to_owned(), None)
            }
            Outcome::Busy(_) => {
                let held = match run.device.as_ref().map_or(bounds.device, |it| &it.name) {
                    DeviceName::Cpu | DeviceName::Model(_) => "machine",
                    DeviceName::Cuda(_) => "card",
                };
                let said = format!("the {held} is busy, and it is not your mistake");
                (said, None)
            }
        };
        let is_verdict = match kind {
            EndingKind::Passed | EndingKind::Failed => true,
            EndingKind::Raised => run.raised().is_some_and(|it| it.in_check),
            EndingKind::Cancelled
            | EndingKind::Limit
            | EndingKind::Broken
            | EndingKind::Unavailable
            | EndingKind::Busy => false,
        };
        let verdict = if kind == EndingKind::Passed {
            kind
        } else {
            EndingKind::Failed
        };
        Some(Self {
            kind,
            verdict: is_verdict.then(|| verdict.word()),
            what,
            advice,
            reason: outcome.reason(),
            device: None,
        })
    }

    /// All in one sentence without a full stop, its sign in front.
    pub fn sentence(&self) -> String {
        let (sign, what) = (self.kind.sign(), self.with_advice());
        match (self.verdict, &self.device) {
            (Some(verdict), Some(device)) => format!("{sign} {verdict} on {device}: {what}"),
            (Some(verdict), None) => format!("{sign} {verdict}: {what}"),
            (None, Some(device)) => format!("On {device}: {sign} {what}"),
            (None, None) => format!("{sign} {what}"),
        }
    }

    /// What happened, and what to try in the program.
    pub fn with_advice(&self) -> String {
        let advice = self.advice.map(|it| format!("; {it}"));
        self.what.clone() + &advice.unwrap_or_default()
    }

    /// What happened, and why the device was not to be had.
    pub fn with_reason(&self) -> String {
        let why = self.reason.map(|it| format!(": {}", it.why));
        self.what.clone() + &why.unwrap_or_default()
    }
}

fn checks(run: &Run) -> String {
    let all = run.checks.len();
    let held = run.checks.iter().filter(|it| it.ok).count();
    match run.checks.iter().find(|it| !it.ok) {
        Some(failed) => format!("{held} of {all} checks hold; not yet: {}", failed.name),
        None if all == 0 => "it ran to its end".to_owned(),
        None => format!("{held} of {all} checks hold"),
    }
}

/// An exception in one line: its type, where it was raised, and its message.
fn exception(run: &Run, raised: &UncaughtException) -> String {
    let kind = &raised.kind;
    let first = raised.message.lines().next().unwrap_or_default();
    let short = out_of_memory::in_short(first);
    let first = short.as_deref().unwrap_or(first);
    if raised.in_check {
        return format!("the check stopped with {kind}: {first}");
    }
    let place = match raised.line {
        0 => String::new(),
        line => format!(" on line {line}"),
    };
    if !kind.ends_with("OutOfMemoryError") {
        return format!("{kind}{place}: {first}");
    }
    let device = run.device.as_ref();
    let is_real = device.is_some_and(|it| it.clock == Clock::Measured);
    let neighbours = if is_real {
        ". Others may hold memory of this card, too: `warpup doctor` shows it"
    } else {
        ""
    };
    format!("out of memory{place}: {first}{neighbours}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{Check, DeviceInfo, Report, RunId};

    /// The sentence of a run on the CPU with this outcome and these checks, and the same with its device.
    fn said(outcome: Outcome, checks: &[bool]) -> String {
        let mut run = Run::new(RunId(1));
        run.device = Some(DeviceInfo::cpu(2));
        run.checks.extend(checks.iter().map(|ok| Check {
            name: "on the card".to_owned(),
            ok: *ok,
            hint: None,
        }));
        run.report = Some(Report::without_times(outcome));
        let bounds = Bounds {
            device: &DeviceName::Cpu,
            seconds: 20.0,
            by: "this lab",
            output_bytes: 1 << 20,
        };
        let mut ending = Ending::of(&run, &bounds).unwrap();
        let plain = ending.sentence();
        ending.device = Some("the CPU".to_owned());
        format!("{} | {plain} | {}", ending.kind, ending.sentence())
    }

    #[test]
    fn each_way_to_end_is_said_with_and_without_its_device() {
        let raised = |in_check| {
            Outcome::Raised(UncaughtException {
                kind: "RuntimeError".to_owned(),
                message: "two devices\nand more".to_owned(),
                line: 2,
                traceback: String::new(),
                in_check,
                status: None,
            })
        };
        let reason = || Reason {
            why: "others run".to_owned(),
            hint: String::new(),
            evidence: String::new(),
        };
        let what = "signal 11".to_owned();
        let all = [
            said(Outcome::Done, &[]),
            said(Outcome::Done, &[true, false]),
            said(raised(false), &[]),
            said(raised(true), &[]),
            said(Outcome::Cancelled, &[]),
            said(Outcome::TimedOut, &[]),
            said(Outcome::TooMuchOutput, &[]),
            said(Outcome::Broken { what }, &[]),
            said(Outcome::Unavailable(reason()), &[]),
            said(Outcome::Busy(reason()), &[]),
        ];
        insta::assert_snapshot!(all.join("\n"), @"
        ✓ passed | ✓ passed: it ran to its end | ✓ passed on the CPU: it ran to its end
        ✗ not passed | ✗ not passed: 1 of 2 checks hold; not yet: on the card | ✗ not passed on the CPU: 1 of 2 checks hold; not yet: on the card
        ✗ raised | ✗ RuntimeError on line 2: two devices | On the CPU: ✗ RuntimeError on line 2: two devices
        ✗ raised | ✗ not passed: the check stopped with RuntimeError: two devices | ✗ not passed on the CPU: the check stopped with RuntimeError: two devices
        ■ cancelled | ■ cancelled, as you asked | On the CPU: ■ cancelled, as you asked
        ■ stopped | ■ stopped: it took longer than the 20 s that this lab allows; look for a loop that does not end | On the CPU: ■ stopped: it took longer than the 20 s that this lab allows; look for a loop that does not end
        ■ stopped | ■ stopped: it printed more than 1.00 MiB; print less in loops | On the CPU: ■ stopped: it printed more than 1.00 MiB; print less in loops
        ! broken | ! warpup broke, and not through your program: signal 11 | On the CPU: ! warpup broke, and not through your program: signal 11
        ! no card | ! the card is unavailable, and it is not your mistake | On the CPU: ! the card is unavailable, and it is not your mistake
        ! busy | ! the machine is busy, and it is not your mistake | On the CPU: ! the machine is busy, and it is not your mistake
        ");
    }
}

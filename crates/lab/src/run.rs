//! One run, built from its replies.
//!
//! Pure: replies are folded in, screens and commands read the result. Replies of another run are
//! dropped, so a late one can never change a newer run.

use super::device_choice::counts;
use super::ending::EndingKind;
use super::metrics::Metrics;
use super::units::mib;
use warpup_course::{DeviceWish, LabId, LessonId, RunMetric};
use warpup_progress::{self as progress, Event, FailureReason, RanOn};
use warpup_protocol::{
    Check, DeviceInfo, DeviceName, Metric, Outcome, Plot, Reply, Report, RunId, Span,
    UncaughtException,
};

/// A run so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// What it waits for, before it has started.
    pub waits_for: Option<String>,
    /// What it runs on, once it has started.
    pub device: Option<DeviceInfo>,
    /// Everything it printed.
    pub output: String,
    /// The checks that were made, in order.
    pub checks: Vec<Check>,
    /// The metrics that were given, in order; a later one of the same name replaces the value.
    pub metrics: Metrics,
    /// The plots that were made, in order.
    pub plots: Vec<Plot>,
    /// The spans that were sent.
    pub spans: Vec<Span>,
    /// How it ended; nothing while it runs.
    pub report: Option<Report>,
}

impl Run {
    /// A run that has been asked for and has said nothing yet.
    pub fn new(id: RunId) -> Self {
        Self {
            id,
            ..Self::default()
        }
    }

    /// Folds a reply in. Says whether it changed anything: replies of other runs do not.
    pub fn apply(&mut self, reply: Reply) -> bool {
        match reply {
            Reply::Waiting { run, why } if run == self.id => self.waits_for = Some(why),
            Reply::Started { run, device } if run == self.id => {
                self.waits_for = None;
                self.device = Some(device);
            }
            Reply::Output { run, text, .. } if run == self.id => self.output.push_str(&text),
            Reply::Check { run, check } if run == self.id => self.checks.push(check),
            Reply::Metric { run, metric } if run == self.id => self.metrics.take(metric),
            Reply::Plot { run, plot } if run == self.id => self.plots.push(plot),
            Reply::Spans { run, spans } if run == self.id => self.spans.extend(spans),
            Reply::Finished { run, report } if run == self.id => self.report = Some(report),
            Reply::Refused {
                run: Some(run),
                why,
            } if run == self.id => {
                self.report = Some(Report::broken(why));
            }
            Reply::Hello { .. }
            | Reply::Waiting { .. }
            | Reply::Started { .. }
            | Reply::Output { .. }
            | Reply::Check { .. }
            | Reply::Metric { .. }
            | Reply::Plot { .. }
            | Reply::Spans { .. }
            | Reply::Finished { .. }
            | Reply::Refused { .. } => return false,
        }
        true
    }

    /// Whether it ended well and every check held; nothing while it runs.
    pub fn passed(&self) -> Option<bool> {
        Some(EndingKind::of(self)? == EndingKind::Passed)
    }

    /// The uncaught exception that ended it, if one did.
    pub fn raised(&self) -> Option<&UncaughtException> {
        let Outcome::Raised(raised) = &self.report.as_ref()?.outcome else {
            return None;
        };
        Some(raised)
    }

    /// The metrics that the program gave, unless it has read values that were not computed.
    fn counted_metrics(&self) -> &[Metric] {
        let report = self.report.as_ref();
        match report.and_then(|it| it.not_computed) {
            None => &self.metrics,
            Some(_) => &[],
        }
    }

    /// Whether others may have slowed it down, as far as it is known. A check that then does not hold says nothing about the
    /// learner's program.
    pub fn is_contended(&self) -> bool {
        let report = self.report.as_ref();
        report.is_some_and(|it| !it.contended.is_empty())
    }

    /// What to say of others on its card.
    pub fn contention(&self) -> Vec<String> {
        let report = self.report.as_ref();
        let reasons = report.into_iter().flat_map(|it| &it.contended);
        let reasons =
            reasons.map(|it| format!("others may have slowed this run down: {}", it.words()));
        let failed = self.is_contended() && self.checks.iter().any(|it| !it.ok);
        let uncounted = failed.then(|| "it is not counted as a try, since others may be why a check did not hold: run it again".to_owned());
        reasons.chain(uncounted).collect()
    }

    /// The progress event of a run that came to its own end; nothing for one that was cut short, or that failed a check while
    /// others used its card: that says nothing about the learner's program. `wish` is what the lab asks to run on.
    pub fn event(
        &self,
        lesson: &LessonId,
        lab: &LabId,
        wish: &DeviceWish,
        device: &DeviceName,
    ) -> Option<Event> {
        let report = self.report.as_ref()?;
        let failing = self.checks.iter().find(|it| !it.ok);
        let failing = failing.map(|it| FailureReason::check(&it.name));
        let unmet = match EndingKind::of(self)? {
            EndingKind::Passed | EndingKind::Failed => {
                failing.or_else(|| (!counts(wish, device)).then_some(FailureReason::Device))
            }
            EndingKind::Raised => {
                failing.or_else(|| Some(FailureReason::exception(&self.raised()?.kind)))
            }
            EndingKind::Cancelled
            | EndingKind::Limit
            | EndingKind::Broken
            | EndingKind::Unavailable
            | EndingKind::Busy => {
                return None;
            }
        };
        if matches!(unmet, Some(FailureReason::Check(_))) && self.is_contended() {
            return None;
        }
        Some(Event::Ran {
            lesson: lesson.clone(),
            lab: lab.clone(),
            // Of several cards, the one that it ran on.
            device: self
                .device
                .as_ref()
                .map_or(device, |it| &it.name)
                .to_string(),
            passed: unmet.is_none(),
            on: self.device.as_ref().map(|it| RanOn::of(it, report.clock)),
            metrics: progress::kept(self.counted_metrics()),
            unmet,
        })
    }

    /// The value of a metric: one that the program gave, else a [`RunMetric`]. A program that has read values which
    /// were not computed gives none.
    pub fn metric(&self, name: &str) -> Option<f64> {
        let mut given = self.counted_metrics().iter();
        if let Some(metric) = given.find(|metric| metric.name == name) {
            return Some(metric.value);
        }
        let report = self.report.as_ref()?;
        let milliseconds = |ns: u64| ns as f64 / 1e6;
        match RunMetric::named(name)? {
            RunMetric::HostMs => Some(milliseconds(report.uninterrupted_ns())),
            RunMetric::DeviceMs => report.device_ns.map(milliseconds),
            RunMetric::PeakMib => report.memory.as_ref().map(|it| mib(it.peak_live)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{Contention, Standard};

    fn output(run: u64, text: &str) -> Reply {
        Reply::Output {
            run: RunId(run),
            text: text.to_owned(),
            to: Standard::Output,
        }
    }

    #[test]
    fn a_check_that_fails_while_others_use_the_card_is_no_try() {
        let (lesson, lab) = (LessonId::new("copies"), LabId::new("bus"));
        let event = |ok: bool, contended: Vec<Contention>| {
            let mut run = Run::new(RunId(1));
            run.checks.push(Check {
                name: "it is fast".to_owned(),
                ok,
                hint: None,
            });
            run.report = Some(Report {
                contended,
                ..Report::without_times(Outcome::Done)
            });
            let event = run.event(&lesson, &lab, &DeviceWish::Any, &DeviceName::Cpu);
            let stored = event.map(|it| matches!(it, Event::Ran { passed: true, .. }));
            format!("{stored:?} {}", run.contention().join("; "))
        };
        let others = || vec![Contention::NoTurn { waited_ms: 120_000 }];
        let all = [
            event(true, Vec::new()),
            event(false, Vec::new()),
            event(true, others()),
            event(false, others()),
        ];
        insta::assert_snapshot!(all.join("\n"), @"
        Some(true) 
        Some(false) 
        Some(true) others may have slowed this run down: it went on without its turn after 120 s of waiting
        None others may have slowed this run down: it went on without its turn after 120 s of waiting; it is not counted as a try, since others may be why a check did not hold: run it again
        ");
    }

    #[test]
    fn late_replies_of_another_run_are_dropped() {
        let mut run = Run::new(RunId(2));
        assert!(run.apply(output(2, "mine")));
        assert!(!run.apply(output(1, "late")));
        assert_eq!(run.output, "mine");
    }

    #[test]
    fn a_failed_check_fails_a_run_that_ended_well() {
        let mut run = Run::new(RunId(1));
        let check = Check {
            name: "on the card".to_owned(),
            ok: false,
            hint: None,
        };
        run.apply(Reply::Check {
            run: RunId(1),
            check,
        });
        assert_eq!(run.passed(), None);
        let report = Report {
            outcome: Outcome::Done,
            ..Report::broken("")
        };
        run.apply(Reply::Finished {
            run: RunId(1),
            report,
        });
        assert_eq!(run.passed(), Some(false));
    }
}

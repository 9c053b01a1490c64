//! The latest runs of a lab in a few words each: device, end, and both totals. Pure.

use super::device_choice::counts;
use super::ending::EndingKind;
use super::run::Run;
use super::text::cut_line;
use super::units::duration;
use std::collections::VecDeque;
use warpup_course::DeviceWish;
use warpup_protocol::{Clock, DeviceName};

/// How many are kept.
const KEPT: usize = 20;

/// The latest runs, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastRuns {
    all: VecDeque<PastRun>,
    /// How many there were before these.
    older: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PastRun {
    device: String,
    end: EndingKind,
    clock: Clock,
    host_ns: u64,
    device_ns: Option<u64>,
}

impl PastRuns {
    /// Adds a run that has ended, of a lab that asks for this device, on that one.
    pub fn add(&mut self, run: &Run, wish: &DeviceWish, device: &DeviceName) {
        let (Some(report), Some(end)) = (&run.report, EndingKind::of(run)) else {
            return;
        };
        if run.device.is_none() && end == EndingKind::Cancelled {
            // It has not begun.
            return;
        }
        if self.all.len() == KEPT {
            self.all.pop_front();
            self.older += 1;
        }
        self.all.push_back(PastRun {
            device: run
                .device
                .as_ref()
                .map_or_else(String::new, |it| it.title.clone()),
            end: if end == EndingKind::Passed && !counts(wish, device) {
                EndingKind::Failed
            } else {
                end
            },
            clock: report.clock,
            host_ns: report.host_ns,
            device_ns: report.device_ns,
        });
    }

    /// How many are kept.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// A row for each run, the newest first. `passed` says that one ended well.
    pub fn rows(&self, width: usize, passed: &str) -> Vec<String> {
        let numbered = (self.older + 1..)
            .zip(&self.all)
            .collect::<Vec<_>>()
            .into_iter()
            .rev();
        let rows = numbered.map(|(number, it)| {
            let host = match it.host_ns {
                0 => String::new(),
                ns => format!("host {}", duration(ns)),
            };
            let device = it
                .device_ns
                .map_or_else(String::new, |ns| format!("device {}", duration(ns)));
            let clock = match it.host_ns {
                0 => "",
                _ => it.clock.label(),
            };
            let end = if it.end == EndingKind::Passed {
                passed.to_owned()
            } else {
                it.end.to_string()
            };
            let said = format!(
                "{number:>3} {end:<12} {host:<12} {device:<14} {clock:<8} {}",
                it.device
            );
            let narrow = format!("{number:>3} {end} {host} {device}");
            cut_line(if width >= 60 { &said } else { &narrow }, width)
        });
        rows.map(|it| it.trim_end().to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{DeviceInfo, Outcome, Report, RunId};

    #[test]
    fn the_newest_run_is_first_and_old_ones_are_forgotten() {
        let mut past = PastRuns::default();
        for at in 1..=22 {
            let mut run = Run::new(RunId(at));
            run.device = Some(DeviceInfo::cpu(2));
            run.report = Some(Report {
                outcome: if at == 22 {
                    Outcome::Done
                } else {
                    Outcome::TimedOut
                },
                host_ns: at * 1_000,
                clock: Clock::Measured,
                ..Report::broken("")
            });
            past.add(&run, &DeviceWish::Any, &DeviceName::Cpu);
        }
        let rows = past.rows(80, "✓ passed");
        assert_eq!(rows.len(), 20);
        insta::assert_snapshot!(rows[..2].join("\n"), @r"
        22 ✓ passed     host 22.0 µs                measured CPU, 2 threads
        21 ■ stopped    host 21.0 µs                measured CPU, 2 threads
        ");
        insta::assert_snapshot!(past.rows(38, "✓ passed")[0], @" 22 ✓ passed host 22.0 µs");
    }
}

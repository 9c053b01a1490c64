//! Two traces of the same program, before a change and after it: per step, by operator, by finding.

use super::analysis::{Analysis, LineSummary, Operator};
use super::findings::FindingsReport;
use serde::Serialize;
use std::collections::BTreeMap;
use warpup_lab::findings::Finding;
use warpup_lab::units;

/// A number before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
}

impl Difference {
    /// After less before.
    pub fn difference(self) -> f64 {
        self.after - self.before
    }

    /// After divided by before; none where there was nothing before.
    pub fn ratio(self) -> Option<f64> {
        (self.before > 0.0).then(|| self.after / self.before)
    }
}

/// What a [`Difference`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Time,
    /// Things.
    Count,
}

impl Unit {
    /// An amount in words.
    pub fn written(self, amount: f64) -> String {
        match self {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a time of a step, which is not negative"
            )]
            Self::Time => units::duration(amount as u64),
            Self::Count => units::number(amount),
        }
    }
}

/// An operator before and after, per step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OperatorChange {
    /// Its name.
    pub name: String,
    /// How often it is called in a step.
    pub count: Difference,
    /// Host time of its own in a step.
    pub self_ns: Difference,
    /// Device time of what it launches itself in a step.
    pub self_device_ns: Difference,
}

impl OperatorChange {
    /// By how much its time changes, on the side where it changes more.
    fn size(&self) -> f64 {
        let host = self.self_ns.difference().abs();
        host.max(self.self_device_ns.difference().abs())
    }
}

/// A finding before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindingChange {
    /// Its id.
    pub id: &'static str,
    /// What a step could save before; none where it was not found.
    pub before_ns: Option<i64>,
    /// What a step could save after; none where it is not found any more.
    pub after_ns: Option<i64>,
}

impl FindingChange {
    /// Whether it was found before and after, in words: with what a step could save, if that is known.
    pub fn written(&self) -> [String; 2] {
        [self.before_ns, self.after_ns].map(|it| match it {
            None => "no".to_owned(),
            Some(0) => "yes".to_owned(),
            Some(ns) => units::duration(u64::try_from(ns).unwrap_or(0)),
        })
    }
}

/// What a change of a program changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Time of a step.
    pub step_ns: Difference,
    /// For how long a device works in a step.
    pub device_busy_ns: Difference,
    /// For how long none does.
    pub device_idle_ns: Difference,
    /// Kernels in a step.
    pub kernels: Difference,
    /// How long the host waits for a device in a step.
    pub wait_ns: Difference,
    /// The operators, those that changed most first.
    pub operators: Vec<OperatorChange>,
    /// The findings of either, in the order of the first.
    pub findings: Vec<FindingChange>,
    /// The lines of Python, those that changed most first; as operators, by their own time.
    pub lines: Vec<OperatorChange>,
    #[serde(skip)]
    has_device: bool,
}

impl Comparison {
    /// Compares two traces.
    pub fn of(before: (&Analysis, &FindingsReport), after: (&Analysis, &FindingsReport)) -> Self {
        let both = |of: fn(&Analysis) -> f64| Difference {
            before: of(before.0) / before.0.step_count() as f64,
            after: of(after.0) / after.0.step_count() as f64,
        };
        Self {
            step_ns: both(|it| it.stepped_ns as f64),
            device_busy_ns: both(|it| it.stepped_device_ns as f64),
            device_idle_ns: both(|it| it.stepped_idle_ns as f64),
            kernels: both(|it| it.kernels_in_steps() as f64),
            wait_ns: both(|it| it.waits.iter().map(|it| it.host_ns).sum::<i64>() as f64),
            operators: changes(before.0, after.0, |it| {
                it.operators.iter().map(of_operator).collect()
            }),
            lines: changes(before.0, after.0, |it| {
                it.lines.iter().map(of_line).collect()
            }),
            findings: findings(&before.1.findings, &after.1.findings),
            has_device: before.0.device.is_some() || after.0.device.is_some(),
        }
    }

    /// The figures of a step with their names.
    pub fn of_step(&self) -> Vec<(&'static str, Difference, Unit)> {
        let mut rows = vec![("time", self.step_ns, Unit::Time)];
        if self.has_device {
            rows.extend([
                ("device busy", self.device_busy_ns, Unit::Time),
                ("device idle", self.device_idle_ns, Unit::Time),
                ("host waits for the device", self.wait_ns, Unit::Time),
                ("kernels", self.kernels, Unit::Count),
            ]);
        }
        rows
    }

    /// The operators whose time changed by more than a hundredth, with the side where it changed most: `host` or `device`.
    pub fn changed_operators(&self) -> impl Iterator<Item = (&str, &'static str, Difference)> {
        changed(&self.operators)
    }

    /// The same for lines.
    pub fn changed_lines(&self) -> impl Iterator<Item = (&str, &'static str, Difference)> {
        changed(&self.lines)
    }
}

fn changed(all: &[OperatorChange]) -> impl Iterator<Item = (&str, &'static str, Difference)> {
    all.iter().filter_map(|it| {
        let on_device = it.self_device_ns.difference().abs() > it.self_ns.difference().abs();
        let (side, of) = if on_device {
            ("device", it.self_device_ns)
        } else {
            ("host", it.self_ns)
        };
        let differs = of.difference().abs() * 100.0 > of.before.max(of.after);
        differs.then_some((it.name.as_str(), side, of))
    })
}

/// A name with its count, its host time and its device time, in all steps.
type OperatorTotals<'a> = (&'a str, [f64; 3]);

fn of_operator(it: &Operator) -> OperatorTotals<'_> {
    let amounts = [it.count as f64, it.self_ns as f64, it.self_device_ns as f64];
    (&it.name, amounts)
}

fn of_line(it: &LineSummary) -> OperatorTotals<'_> {
    let amounts = [it.count as f64, it.own_ns as f64, it.device_ns as f64];
    (&it.line, amounts)
}

fn changes<'a>(
    before: &'a Analysis,
    after: &'a Analysis,
    amounts: fn(&Analysis) -> Vec<OperatorTotals<'_>>,
) -> Vec<OperatorChange> {
    let mut rows: BTreeMap<&str, OperatorChange> = BTreeMap::new();
    for (name, all) in amounts(before) {
        let row = rows.entry(name).or_default();
        let [count, host, device] = all.map(|it| it / before.step_count() as f64);
        (
            row.count.before,
            row.self_ns.before,
            row.self_device_ns.before,
        ) = (count, host, device);
    }
    for (name, all) in amounts(after) {
        let row = rows.entry(name).or_default();
        let [count, host, device] = all.map(|it| it / after.step_count() as f64);
        (row.count.after, row.self_ns.after, row.self_device_ns.after) = (count, host, device);
    }
    let named = rows.into_iter().map(|(name, row)| OperatorChange {
        name: name.to_owned(),
        ..row
    });
    let mut rows: Vec<OperatorChange> = named.collect();
    rows.sort_by(|a, b| b.size().total_cmp(&a.size()));
    rows
}

fn findings(before: &[Finding], after: &[Finding]) -> Vec<FindingChange> {
    let saved = |of: &[Finding], id: &str| of.iter().find(|it| it.id == id).map(|it| it.saved_ns);
    let mut ids: Vec<&'static str> = before.iter().chain(after).map(|it| it.id).collect();
    let mut seen = Vec::new();
    ids.retain(|it| {
        let is_new = !seen.contains(it);
        seen.push(*it);
        is_new
    });
    let changes = ids.into_iter().map(|id| FindingChange {
        id,
        before_ns: saved(before, id),
        after_ns: saved(after, id),
    });
    changes.collect()
}

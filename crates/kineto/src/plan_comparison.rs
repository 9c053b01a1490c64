//! A recorded run beside its plan on a modelled card: the same steps, as a whole and by line.
//!
//! A trace before PyTorch 2.15 knows functions only, by the line on which they begin; the plan's lines are then added up by
//! function.

use super::analysis::FileFigures;
use super::functions::{FunctionDefinition, begin, function_of, functions, moved, name_at};
use super::source_lines::{self, Precision};
use serde::Serialize;
use std::collections::BTreeMap;
use warpup_protocol::ProfilerReport;

/// A time in a step, in nanoseconds, as recorded and as modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ComparedTime {
    /// What the trace says; none where it has nothing.
    pub recorded_ns: Option<f64>,
    /// What the plan says; none where it has nothing.
    pub modelled_ns: Option<f64>,
    /// Modelled divided by recorded, where both are.
    pub ratio: Option<f64>,
}

impl ComparedTime {
    fn of(recorded_ns: Option<f64>, modelled_ns: Option<f64>) -> Self {
        let ratio = match (recorded_ns, modelled_ns) {
            (Some(recorded), Some(modelled)) if recorded > 0.0 => Some(modelled / recorded),
            _ => None,
        };
        Self {
            recorded_ns,
            modelled_ns,
            ratio,
        }
    }

    fn longest(self) -> f64 {
        let [recorded, modelled] = [self.recorded_ns, self.modelled_ns].map(|it| it.unwrap_or(0.0));
        recorded.max(modelled)
    }
}

/// A line, or a function, in a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LocationTimes {
    /// The line; of a function the one on which it begins.
    pub line: u32,
    /// The function's name, where functions are compared.
    pub function: Option<String>,
    /// Host time, waits included, without that of other lines to which it leads.
    pub host: ComparedTime,
    /// How much of it the host waits for the device.
    pub wait: ComparedTime,
    /// Device time of what it launches.
    pub device: ComparedTime,
}

impl LocationTimes {
    /// Whether either takes a nanosecond for it.
    pub fn takes_time(&self) -> bool {
        self.host.longest().max(self.device.longest()) >= 1.0
    }
}

/// A recorded run beside its plan. All times are those of one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanComparison {
    /// Steps in the trace; 1 where it marks none.
    pub recorded_steps: u64,
    /// Steps that the planned program recorded; 1 where the trace marks none.
    pub modelled_steps: u64,
    /// A step, until host and device are done.
    pub step: ComparedTime,
    /// How long the host waits for the device.
    pub wait: ComparedTime,
    /// How long kernels and copies take.
    pub device: ComparedTime,
    /// A function that begins elsewhere in the program than in the trace; then lines do not belong together.
    pub moved: Option<MovedFunction>,
    /// Whether lines, functions or nothing can be compared.
    pub precision: Precision,
    /// The lines or functions, those that take most time first.
    pub places: Vec<LocationTimes>,
}

/// A function that is elsewhere in another version of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MovedFunction {
    /// Its name.
    pub function: String,
    /// The line on which it begins in the trace.
    pub recorded_line: u32,
    /// That in the program.
    pub line: u32,
}

/// Times of one place: host, wait and device.
type RawTimes = [Option<f64>; 3];

impl PlanComparison {
    /// Compares what a trace recorded with what the plan of the program with this text recorded.
    pub fn of(recorded: &FileFigures, modelled: &ProfilerReport, source: &str) -> Self {
        // Without marked steps the trace is one step, however the program counts.
        let is_by_step = recorded.steps > 0;
        let functions = functions(source);
        let steps = |steps: u64| if is_by_step { steps.max(1) } else { 1 };
        let (recorded_steps, modelled_steps) = (steps(recorded.steps), steps(modelled.steps));
        let of_recorded = |ns: i64| Some(ns as f64 / recorded_steps as f64);
        let of_modelled = |ns: u64| Some(ns as f64 / modelled_steps as f64);
        let sum = |of: fn(&warpup_protocol::LineTime) -> u64| modelled.lines.iter().map(of).sum();
        Self {
            recorded_steps,
            modelled_steps,
            step: ComparedTime::of(of_recorded(recorded.ns), of_modelled(modelled.ns)),
            wait: ComparedTime::of(
                of_recorded(recorded.wait_ns),
                of_modelled(sum(|it| it.wait_ns)),
            ),
            device: ComparedTime::of(
                recorded.device_ns.and_then(of_recorded),
                of_modelled(sum(|it| it.device_ns.unwrap_or(0))),
            ),
            moved: moved(&recorded.functions, &functions).map(|it| MovedFunction {
                function: it.0.to_owned(),
                recorded_line: it.1,
                line: it.2,
            }),
            precision: recorded.precision,
            places: places(
                recorded_places(recorded, recorded_steps, &functions),
                &modelled_places(modelled, modelled_steps, recorded.precision, &functions),
                |line| {
                    let is_function = recorded.precision == Precision::Functions;
                    is_function.then(|| name_at(line, &functions))
                },
            ),
        }
    }
}

/// What was recorded, by line, with the functions' names.
fn recorded_places(
    recorded: &FileFigures,
    steps: u64,
    functions: &[FunctionDefinition<'_>],
) -> BTreeMap<u32, (Option<String>, RawTimes)> {
    let mut places: BTreeMap<u32, (Option<String>, RawTimes)> = BTreeMap::new();
    for it in &recorded.lines {
        let Some((_, line)) = source_lines::place(&it.line) else {
            continue;
        };
        let name = it.line.split_once(" in ").map(|it| it.1);
        let line = name.map_or(line, |name| begin(line, name, functions));
        let function = name.map(str::to_owned);
        let device_ns = recorded.device_ns.map(|_| it.device_ns);
        let times = [Some(it.own_ns), Some(it.wait_ns), device_ns];
        let (_, sums) = places.entry(line).or_insert((function, [None; 3]));
        add(sums, times.map(|it| it.map(|ns| ns as f64 / steps as f64)));
    }
    places
}

/// What was modelled, by line or by the line on which a function begins.
fn modelled_places(
    modelled: &ProfilerReport,
    steps: u64,
    precision: Precision,
    functions: &[FunctionDefinition<'_>],
) -> BTreeMap<u32, RawTimes> {
    let mut places: BTreeMap<u32, RawTimes> = BTreeMap::new();
    for it in &modelled.lines {
        let line = match precision {
            Precision::Lines => it.line,
            Precision::Functions => function_of(it.line, functions),
            Precision::Nothing => continue,
        };
        let times = [Some(it.host_ns), Some(it.wait_ns), it.device_ns];
        let sums = places.entry(line).or_default();
        add(sums, times.map(|it| it.map(|ns| ns as f64 / steps as f64)));
    }
    places
}

fn add(sums: &mut RawTimes, times: RawTimes) {
    for (sum, ns) in sums.iter_mut().zip(times) {
        if let Some(ns) = ns {
            *sum = Some(sum.unwrap_or(0.0) + ns);
        }
    }
}

fn places(
    mut recorded: BTreeMap<u32, (Option<String>, RawTimes)>,
    modelled: &BTreeMap<u32, RawTimes>,
    name: impl Fn(u32) -> Option<String>,
) -> Vec<LocationTimes> {
    for line in modelled.keys() {
        recorded.entry(*line).or_insert((name(*line), [None; 3]));
    }
    let places = recorded.into_iter().map(|(line, (function, recorded))| {
        let modelled = modelled.get(&line).copied().unwrap_or_default();
        let [host, wait, device] = std::array::from_fn(|it| {
            ComparedTime::of(
                *recorded.get(it).unwrap_or(&None),
                *modelled.get(it).unwrap_or(&None),
            )
        });
        LocationTimes {
            line,
            function,
            host,
            wait,
            device,
        }
    });
    let mut places: Vec<LocationTimes> = places.collect();
    places.sort_by(|a, b| {
        let most = |it: &LocationTimes| it.host.longest().max(it.device.longest());
        most(b).total_cmp(&most(a)).then(a.line.cmp(&b.line))
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::LineSummary;
    use warpup_protocol::LineTime;

    fn time(line: u32, host_ns: u64, device_ns: u64) -> LineTime {
        LineTime {
            line,
            hits: 1,
            host_ns,
            wait_ns: host_ns / 2,
            interrupted_ns: 0,
            worker_ns: 0,
            device_ns: Some(device_ns),
        }
    }

    fn line(line: &str, own_ns: i64, device_ns: i64) -> LineSummary {
        LineSummary {
            line: line.to_owned(),
            count: 1,
            host_ns: own_ns * 2,
            own_ns,
            wait_ns: own_ns / 2,
            device_ns,
            ..LineSummary::default()
        }
    }

    fn recorded(precision: Precision, lines: Vec<LineSummary>) -> FileFigures {
        FileFigures {
            precision,
            lines,
            functions: Vec::new(),
            files: vec!["train.py".to_owned()],
            steps: 3,
            ns: 3_000,
            wait_ns: 300,
            device_ns: Some(1_500),
        }
    }

    #[test]
    fn both_are_divided_by_their_own_steps() {
        let lines = vec![line("train.py:2", 600, 900)];
        let modelled = ProfilerReport {
            steps: 2,
            ns: 4_000,
            lines: vec![time(2, 200, 300)],
        };
        let beside = PlanComparison::of(&recorded(Precision::Lines, lines), &modelled, "");
        assert_eq!(beside.step, ComparedTime::of(Some(1_000.0), Some(2_000.0)));
        assert_eq!(beside.step.ratio, Some(2.0));
        assert_eq!(
            beside.places[0].host,
            ComparedTime::of(Some(200.0), Some(100.0))
        );
        assert_eq!(
            beside.places[0].device,
            ComparedTime::of(Some(300.0), Some(150.0))
        );
    }

    #[test]
    fn a_trace_without_steps_is_one_step_however_the_program_counts() {
        let modelled = ProfilerReport {
            steps: 4,
            ns: 4_000,
            lines: Vec::new(),
        };
        let recorded = FileFigures {
            steps: 0,
            ..recorded(Precision::Nothing, Vec::new())
        };
        let beside = PlanComparison::of(&recorded, &modelled, "");
        assert_eq!((beside.recorded_steps, beside.modelled_steps), (1, 1));
        assert_eq!(beside.step, ComparedTime::of(Some(3_000.0), Some(4_000.0)));
    }

    #[test]
    fn a_line_that_one_side_does_not_have_is_still_there() {
        let lines = vec![line("a/train.py:2", 600, 0)];
        let modelled = ProfilerReport {
            steps: 3,
            ns: 1,
            lines: vec![time(5, 900, 0)],
        };
        let beside = PlanComparison::of(&recorded(Precision::Lines, lines), &modelled, "");
        let hosts: Vec<_> = beside.places.iter().map(|it| (it.line, it.host)).collect();
        assert_eq!(
            hosts,
            [
                (5, ComparedTime::of(None, Some(300.0))),
                (2, ComparedTime::of(Some(200.0), None))
            ]
        );
    }

    #[test]
    fn the_lines_of_a_plan_are_added_up_by_function_where_the_trace_knows_no_lines() {
        let lines = vec![
            line("train.py:2 in step", 300, 0),
            line("train.py:3 in step", 300, 0),
            line("train.py:5 in <module>", 300, 0),
        ];
        let modelled = ProfilerReport {
            steps: 3,
            ns: 1,
            lines: vec![
                time(3, 150, 0),
                time(4, 450, 0),
                time(5, 3, 0),
                time(7, 30, 0),
            ],
        };
        let source = "import torch\ndef step():\n    a()\n    b()\nstep()\ndef log():\n    c()\n";
        let beside = PlanComparison::of(&recorded(Precision::Functions, lines), &modelled, source);
        let places = beside.places.iter();
        let hosts: Vec<_> = places.map(|it| (it.function.as_deref(), it.host)).collect();
        assert_eq!(
            hosts,
            [
                (Some("step"), ComparedTime::of(Some(200.0), Some(200.0))),
                (Some("<module>"), ComparedTime::of(Some(100.0), Some(1.0))),
                // The trace has no call of it in its steps.
                (Some("log"), ComparedTime::of(None, Some(10.0))),
            ]
        );
    }
}

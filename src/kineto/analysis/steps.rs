//! What each step cost.

use crate::kineto::event::Kind;
use crate::kineto::index::Index;
use crate::kineto::window::Window;
use serde::Serialize;

/// What a step cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// When it begins.
    pub start_ns: i64,
    /// How long it takes.
    pub duration_ns: i64,
    /// For how long any stream worked.
    pub device_busy_ns: i64,
    /// For how long none did.
    pub device_idle_ns: i64,
    /// Kernels that began in it.
    pub kernels: u64,
    /// Copies that began in it.
    pub copies: u64,
    /// Operators that began in it.
    pub operators: u64,
}

/// What each step cost.
pub(super) fn of(index: &Index<'_>) -> Vec<Step> {
    let mut steps: Vec<Step> = index.steps.iter().map(|it| step(index, it)).collect();
    for event in &index.trace.events {
        let after = steps.partition_point(|it| it.start_ns <= event.start_ns);
        let Some(step) = after.checked_sub(1).and_then(|it| steps.get_mut(it)) else {
            continue;
        };
        if event.start_ns < step.start_ns + step.duration_ns {
            step.kernels += u64::from(event.kind == Kind::Kernel);
            step.copies += u64::from(event.kind == Kind::Copy);
            step.operators += u64::from(event.kind == Kind::Operator);
        }
    }
    steps
}

fn step(index: &Index<'_>, window: &Window) -> Step {
    let duration_ns = window.interval.length();
    let device_busy_ns = index.busy.inside(window.interval);
    Step {
        name: window.name.clone(),
        start_ns: window.interval.start_ns,
        duration_ns,
        device_busy_ns,
        device_idle_ns: if index.work.is_empty() {
            0
        } else {
            duration_ns - device_busy_ns
        },
        kernels: 0,
        copies: 0,
        operators: 0,
    }
}

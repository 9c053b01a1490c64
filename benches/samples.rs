//! What the benchmarks share: samples, and a table that sets each beside its floor.
//!
//! Nothing is compared with a number from another day or machine. Whatever is measured takes turns with
//! its peers in the same run, and what is printed is the ratio.

use std::time::Duration;

/// The times of one thing that was done many times.
pub(crate) struct Samples {
    name: String,
    times: Vec<Duration>,
}

impl Samples {
    /// No times yet.
    pub(crate) fn of(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            times: Vec::new(),
        }
    }

    /// Adds a time.
    pub(crate) fn push(&mut self, time: Duration) {
        self.times.push(time);
        self.times.sort_unstable();
    }

    /// The time that half of them do not exceed.
    pub(crate) fn median(&self) -> Duration {
        self.at(50)
    }

    /// The time that so many percent of them do not exceed.
    pub(crate) fn at(&self, percent: usize) -> Duration {
        let rank = (self.times.len() * percent).div_ceil(100).max(1);
        *self.times.get(rank - 1).expect("something was measured")
    }
}

/// Prints what was measured, the first as the floor of the others.
pub(crate) fn print_table(title: &str, all: &[Samples]) {
    println!("\n{title}");
    println!(
        "  {:<32} {:>12} {:>12} {:>7} {:>9}",
        "", "median", "p99", "samples", "x first"
    );
    let floor = all.first().map_or(Duration::ZERO, Samples::median);
    for it in all {
        println!(
            "  {:<32} {:>12} {:>12} {:>7} {:>9.2}",
            it.name,
            shown(it.median()),
            shown(it.at(99)),
            it.times.len(),
            it.median().as_secs_f64() / floor.as_secs_f64(),
        );
    }
}

fn shown(time: Duration) -> String {
    if time < Duration::from_micros(10) {
        format!("{:.1} ns", time.as_secs_f64() * 1e9)
    } else if time < Duration::from_millis(1) {
        format!("{:.1} us", time.as_secs_f64() * 1e6)
    } else {
        format!("{:.2} ms", time.as_secs_f64() * 1e3)
    }
}

//! Clocks that are read too early, or that include the start of the card.

use super::run_facts::{RunFacts, signed};
use crate::findings::finding::{Evidence, Finding};
use crate::findings::page::Page;
use crate::findings::scale::duration;
use warpup_protocol::ClockTotal;

pub(super) const NO_WAIT: &str = "timer-without-wait";
pub(super) const FIRST_ITERATION: &str = "first-iteration-in-mean";

/// From this share of the true time on, in percent, what a clock missed matters.
const MISSED_PERCENT: u64 = 10;

/// The same for the start of the card in a mean.
const STARTING_PERCENT: u64 = 20;

/// Fewer kernels than these are no iterations.
const ITERATIONS: u64 = 4;

/// Divisors that only change the unit.
const UNITS: [&str; 8] = ["60", "60.0", "1000", "1000.0", "1e3", "1e6", "1e9", "3600"];

/// Names of times that are meant to be without the device's.
const HOST_TIMES: [&str; 3] = ["queue", "launch", "unsync"];

/// All of them.
pub(super) fn findings(program: &RunFacts<'_>) -> Vec<Finding> {
    [no_wait(program), first_iteration(program)]
        .into_iter()
        .flatten()
        .collect()
}

fn no_wait(program: &RunFacts<'_>) -> Option<Finding> {
    let is_early = |it: &&ClockTotal| {
        let true_ns = it.ns.saturating_add(it.unfinished_ns);
        it.unfinished.saturating_mul(2) >= it.times
            && it.unfinished_ns.saturating_mul(100) >= true_ns.saturating_mul(MISSED_PERCENT)
    };
    let is_host_time = |it: &&ClockTotal| {
        let name = text(program, it.line).and_then(kept_as);
        name.is_some_and(|name| HOST_TIMES.iter().any(|it| name.contains(it)))
    };
    let early = program.facts.clocks.iter().filter(is_early);
    let early = early.filter(|it| !is_host_time(it));
    let it = early.max_by_key(|it| it.unfinished_ns)?;
    let each = |ns: u64| duration(signed(ns / it.times.max(1)));
    Some(Finding {
        id: NO_WAIT,
        sentence: format!(
            "the clock is read after {}, while the device has {} of work left that was queued since it was read on line {}",
            each(it.ns),
            each(it.unfinished_ns),
            it.from_line
        ),
        place: program.place(it.line),
        try_first: "`torch.cuda.synchronize()` before each reading of the clock",
        page: Page::BOTH_ENDS,
        saved_ns: 0,
        evidence: vec![
            Evidence::ns("clock_ns", signed(it.ns)),
            Evidence::ns("unfinished_ns", signed(it.unfinished_ns)),
            Evidence::new("readings", it.times as f64),
        ],
    })
}

fn first_iteration(program: &RunFacts<'_>) -> Option<Finding> {
    let includes_start = |it: &&ClockTotal| {
        it.starting_ns.saturating_mul(100) >= it.ns.saturating_mul(STARTING_PERCENT)
            && it.starting_ns > 0
            && it.queued >= ITERATIONS
            && takes_mean(program, it.line)
    };
    let it = program.facts.clocks.iter().find(includes_start)?;
    Some(Finding {
        id: FIRST_ITERATION,
        sentence: format!(
            "{} of the {} that the clock measures are the start of the card and its libraries, once in a run, and they are in the mean",
            duration(signed(it.starting_ns)),
            duration(signed(it.ns))
        ),
        place: program.place(it.line),
        try_first: "some iterations before the first reading of the clock, and a wait after them",
        page: Page::WARM_UP,
        saved_ns: 0,
        evidence: vec![
            Evidence::ns("clock_ns", signed(it.ns)),
            Evidence::ns("starting_ns", signed(it.starting_ns)),
        ],
    })
}

fn text<'a>(program: &RunFacts<'a>, line: u32) -> Option<&'a str> {
    let at = usize::try_from(line).ok()?.checked_sub(1)?;
    program.source.get(at).copied()
}

/// Whether the program divides what it measures on this line by a count, or takes a mean of it, as far as its text shows.
fn takes_mean(program: &RunFacts<'_>, line: u32) -> bool {
    let Some(text) = text(program, line) else {
        return false;
    };
    if has_divisor(text) {
        return true;
    }
    let Some(name) = kept_as(text) else {
        return false;
    };
    let has_name = |it: &str| {
        let mut words = it.split(|it: char| !it.is_alphanumeric() && it != '_');
        words.any(|word| word == name)
    };
    // What leaves the first out is sound.
    let is_cut = |it: &str| it.contains(&format!("{name}[")) || it.contains("median");
    let uses = program.source.iter().filter(|it| has_name(it));
    let mut uses = uses.filter(|it| !is_cut(it));
    let is_cut_anywhere = program.source.iter().any(|it| has_name(it) && is_cut(it));
    !is_cut_anywhere && uses.any(|it| it.contains("mean(") || has_divisor(it))
}

/// The name that a line gives to a value, or the list that it adds it to.
fn kept_as(text: &str) -> Option<&str> {
    let text = text.trim();
    if let Some((list, _)) = text.split_once(".append(") {
        return Some(list);
    }
    let (name, _) = text.split_once('=')?;
    let name = name.trim().trim_end_matches('+').trim();
    let is_name = name.chars().all(|it| it.is_alphanumeric() || it == '_');
    (is_name && !name.is_empty()).then_some(name)
}

/// Whether a line divides by something that is no unit.
fn has_divisor(text: &str) -> bool {
    let code = text.split('#').next().unwrap_or_default();
    code.split('/').skip(1).any(|after| {
        let divisor = after.trim_start();
        let end = divisor.find(|it: char| !it.is_alphanumeric() && it != '.' && it != '_');
        let word = divisor.get(..end.unwrap_or(divisor.len())).unwrap_or("");
        !word.is_empty() && !UNITS.contains(&word)
    })
}

//! Programs print the same on a card and on a modelled card, whose values the CPU computes.

use crate::card_runs::{is_stand_in, on_a_card, runner};
use crate::support::lab_runner::{LabRunner, outcome};
use crate::support::programs::{
    assert_none, difference, fixtures, losses, printed, programs, snippets, tiny, without_times,
};
use crate::support::request::python_on;
use warpup_lab::run::Run;
use warpup_protocol::{Limits, Outcome, RunRequest};

/// The differences between runs of the same programs on a card and on a modelled card.
struct Both {
    runner: LabRunner,
    differences: Vec<String>,
}

impl Both {
    fn start() -> Self {
        Self {
            runner: runner(),
            differences: Vec::new(),
        }
    }

    fn compare(&mut self, name: &str, source: &str) {
        let modelled = self.modelled(source);
        self.compare_with(&modelled, name, source);
    }

    fn modelled(&mut self, source: &str) -> Run {
        self.runner.run(python_on("model:t4", source))
    }

    fn compare_with(&mut self, modelled: &Run, name: &str, source: &str) {
        let real = self.runner.run(on_a_card(source));
        let printed = |run| without_times(name, &printed(run));
        let difference = difference(name, &printed(modelled), &printed(&real));
        self.differences.extend(difference);
    }
}

/// Snippets that print something else on a card, by reason.
const EXPECTED_DIFFERENCES: [(&str, &[&str]); 6] = [
    (
        "where an index is out of range, a card and the model of one break at different places",
        &[
            "choosing-by-values",
            "cross-entropy",
            "errors-of-layers",
            "index-keys",
            "index-writes",
            "more-errors-of-indices",
            "scattering",
        ],
    ),
    (
        "a card adds up a row in another order, and the last digit shows",
        &["softmax", "softmax-rows"],
    ),
    (
        "candle's kernels on a card do not check probabilities",
        &["losses-of-bits-by-reduction"],
    ),
    (
        "candle rounds a product of 16-bit numbers on a card before a bias is added",
        &["newer-optimizers", "short-sums"],
    ),
    (
        "candle's kernels on a card give zeros other signs",
        &["signs-of-zeros"],
    ),
    (
        "a modelled card has workers of loaders, in which CUDA cannot start; on a real one the program does their work",
        &["program-meters-and-bars", "workers-of-loaders-numpy"],
    ),
];

#[test]
fn snippets_print_the_same_beside_a_card() {
    let mut both = Both::start();
    for (name, source) in snippets() {
        both.compare(&name, &source);
    }
    assert_none(&both.differences);
}

/// The card is the default device, so all tensors are made there.
#[test]
fn snippets_print_the_same_on_a_card() {
    let mut both = Both::start();
    let mut unexpected: Vec<String> = Vec::new();
    for (snippet, source) in snippets() {
        // On the first line, so that lines keep their numbers.
        let on_card = "import warpup; warpup.set_default_device('cuda'); ";
        let before = both.differences.len();
        both.compare(&snippet, &format!("{on_card}{source}"));
        let is_listed = EXPECTED_DIFFERENCES
            .iter()
            .any(|(_, all)| all.contains(&snippet.as_str()));
        if is_listed && both.differences.len() > before {
            both.differences.truncate(before);
        } else if is_listed {
            unexpected.push(snippet);
        }
    }
    assert_none(&both.differences);
    assert!(unexpected.is_empty(), "no longer different: {unexpected:?}");
}

/// What prints something of its card, such as the capability.
const ABOUT_THE_CARD: [&str; 1] = ["the-stack-under-your-framework/choose-type.solution"];

/// The modelled time on a T4 and the peak of memory up to which the stand-in can run a lab.
const STAND_IN_LIMITS: (u64, u64) = (12_000_000, 1 << 30);

/// Whether only a real card can run this: the stand-in would take minutes, or has too little memory.
fn needs_a_real_card(modelled: &Run) -> bool {
    modelled.report.as_ref().is_some_and(|report| {
        let time = report.device_ns.unwrap_or_default();
        let memory = report.memory.as_ref().map_or(0, |it| it.peak_live);
        time > STAND_IN_LIMITS.0 || memory > STAND_IN_LIMITS.1
    })
}

#[test]
fn labs_print_the_same_on_a_card() {
    let mut both = Both::start();
    let (mut compared, mut left_out) = (0, Vec::new());
    for (name, program) in programs() {
        if !program.is_same_on_a_card() || ABOUT_THE_CARD.contains(&name.as_str()) {
            continue;
        }
        let modelled = both.modelled(&program.source);
        if is_stand_in() && needs_a_real_card(&modelled) {
            left_out.push(name);
            continue;
        }
        compared += 1;
        both.compare_with(&modelled, &name, &program.source);
    }
    assert_none(&both.differences);
    assert!(
        compared > 3 * left_out.len(),
        "too much is left to real cards: {left_out:?}"
    );
}

#[test]
fn training_scripts_learn_on_a_card() {
    let mut runner = runner();
    for (name, script) in fixtures("scripts") {
        let request = on_a_card(tiny(&script));
        let limits = Limits {
            time_ms: 55_000,
            ..request.limits
        };
        let run = runner.run(RunRequest { limits, ..request });
        assert_eq!(outcome(&run), &Outcome::Done, "{name}");
        let losses = losses(&run.output);
        assert!(losses.len() > 1, "{name}: {}", run.output);
        assert!(losses.iter().all(|it| it.is_finite()), "{name}: {losses:?}");
    }
}

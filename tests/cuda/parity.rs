//! Programs print on a card what they print on a modelled one, whose values the CPU computes.

use crate::card::{is_stand_in, labs, on_a_card};
use crate::labs::{Labs, outcome, python};
use crate::programs::{assert_none, difference, fixtures, losses, programs, tiny, told};
use warpup::lab::run::Run;
use warpup::protocol::{DeviceName, Limits, Outcome, RunRequest};

/// What differs where the same program runs on a card and on a modelled one.
struct Both {
    labs: Labs,
    differences: Vec<String>,
}

impl Both {
    fn start() -> Self {
        Self {
            labs: labs(),
            differences: Vec::new(),
        }
    }

    fn compare(&mut self, name: &str, source: &str) {
        let modelled = self.modelled(source);
        self.compare_with(&modelled, name, source);
    }

    fn modelled(&mut self, source: &str) -> Run {
        self.labs.run(RunRequest {
            device: DeviceName::Model("t4".to_owned()),
            ..python(source)
        })
    }

    fn compare_with(&mut self, modelled: &Run, name: &str, source: &str) {
        let real = self.labs.run(on_a_card(source));
        let difference = difference(name, &told(modelled), &told(&real));
        self.differences.extend(difference);
    }
}

/// Snippets to which a card has an answer of its own, by the reason.
const OF_THEIR_OWN: [(&str, &[&str]); 3] = [
    (
        "where an index is out of range, a card and the model of one break at different places",
        &[
            "cross-entropy",
            "errors-of-layers",
            "index-keys",
            "index-writes",
            "more-errors-of-indices",
            "scattering",
        ],
    ),
    ("`minimum` of 0.0 and -0.0 is -0.0", &["functions-of-one"]),
    (
        "the largest among numbers and NaN: candle's kernels on a card pass over NaN",
        &["reductions-of-all-kinds"],
    ),
];

#[test]
fn snippets_print_the_same_beside_a_card() {
    let mut both = Both::start();
    for (name, source) in fixtures("snippets") {
        if let Some(snippet) = name.strip_suffix(".py") {
            both.compare(snippet, &source);
        }
    }
    assert_none(&both.differences);
}

/// All their tensors are made on the card.
#[test]
fn snippets_print_the_same_on_a_card() {
    let mut both = Both::start();
    let mut expected: Vec<String> = Vec::new();
    for (name, source) in fixtures("snippets") {
        let Some(snippet) = name.strip_suffix(".py") else {
            continue;
        };
        let rest = source.strip_prefix("import warpup as torch\n").unwrap();
        // On the same line, so that lines keep their numbers.
        let on_card = "import warpup as torch; torch.set_default_device('cuda')\n";
        let before = both.differences.len();
        both.compare(snippet, &format!("{on_card}{rest}"));
        let is_listed = OF_THEIR_OWN.iter().any(|(_, all)| all.contains(&snippet));
        if is_listed && both.differences.len() > before {
            both.differences.truncate(before);
        } else if is_listed {
            expected.push(snippet.to_owned());
        }
    }
    assert_none(&both.differences);
    assert!(expected.is_empty(), "no longer of their own: {expected:?}");
}

/// Modelled time on a T4 and peak of memory, up to which a host can do a lab's work in a card's place.
const A_HOST_CAN: (u64, u64) = (20_000_000, 1 << 30);

/// Whether this is work for a real card: a stand-in would take minutes for it, or has no room.
fn is_for_a_card(modelled: &Run) -> bool {
    modelled.report.as_ref().is_some_and(|report| {
        let time = report.device_ns.unwrap_or_default();
        let memory = report.memory.as_ref().map_or(0, |it| it.peak_live);
        time > A_HOST_CAN.0 || memory > A_HOST_CAN.1
    })
}

#[test]
fn labs_print_the_same_on_a_card() {
    let mut both = Both::start();
    let (mut compared, mut left_out) = (0, Vec::new());
    for (name, program) in programs() {
        if !program.is_same_on_a_card() {
            continue;
        }
        let modelled = both.modelled(&program.source);
        if is_stand_in() && is_for_a_card(&modelled) {
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
    let mut labs = labs();
    for (name, script) in fixtures("scripts") {
        let request = on_a_card(tiny(&script));
        let limits = Limits {
            time_ms: 55_000,
            ..request.limits
        };
        let run = labs.run(RunRequest { limits, ..request });
        assert_eq!(outcome(&run), &Outcome::Done, "{name}");
        let losses = losses(&run.output);
        assert!(losses.len() > 1, "{name}: {}", run.output);
        assert!(losses.iter().all(|it| it.is_finite()), "{name}: {losses:?}");
    }
}

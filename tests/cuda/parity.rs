//! Programs print on a card what they print on a modelled one, whose values the CPU computes.

use crate::card::{labs, on_a_card};
use crate::labs::{Labs, outcome, python};
use crate::programs::{assert_none, difference, fixtures, losses, programs, tiny, told};
use warpup::protocol::{DeviceName, Outcome, RunRequest};

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
        let modelled = self.labs.run(RunRequest {
            device: DeviceName::Model("t4".to_owned()),
            ..python(source)
        });
        let real = self.labs.run(on_a_card(source));
        let difference = difference(name, &told(&modelled), &told(&real));
        self.differences.extend(difference);
    }
}

/// Snippets that tell more than values, so that a card has an answer of its own.
const OF_ITS_OWN: [(&str, &str); 0] = [];

#[test]
fn snippets_print_the_same_beside_a_card() {
    let mut both = Both::start();
    for (name, source) in fixtures("snippets") {
        if name.ends_with(".py") {
            both.compare(&name, &source);
        }
    }
    assert_none(&both.differences);
}

/// All their tensors are made on the card.
#[test]
fn snippets_print_the_same_on_a_card() {
    let mut both = Both::start();
    for (name, source) in fixtures("snippets") {
        let Some(snippet) = name.strip_suffix(".py") else {
            continue;
        };
        if OF_ITS_OWN.iter().any(|(it, _)| *it == snippet) {
            continue;
        }
        let first = "import warpup as torch\n";
        let rest = source.strip_prefix(first).unwrap();
        // On the same line, so that lines keep their numbers.
        let on_card = "import warpup as torch; torch.set_default_device('cuda')\n";
        both.compare(snippet, &format!("{on_card}{rest}"));
    }
    assert_none(&both.differences);
}

#[test]
fn labs_print_the_same_on_a_card() {
    let mut both = Both::start();
    for (name, program) in programs() {
        if program.is_same_on_a_card() {
            both.compare(&name, &program.source);
        }
    }
    assert_none(&both.differences);
}

#[test]
fn training_scripts_learn_on_a_card() {
    let mut labs = labs();
    for (name, script) in fixtures("scripts") {
        let run = labs.run(on_a_card(tiny(&script)));
        assert_eq!(outcome(&run), &Outcome::Done, "{name}");
        let losses = losses(&run.output);
        assert!(losses.len() > 1, "{name}: {}", run.output);
        assert!(losses.iter().all(|it| it.is_finite()), "{name}: {losses:?}");
    }
}

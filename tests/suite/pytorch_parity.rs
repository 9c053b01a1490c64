//! Programs print under warpup what they print under PyTorch.
//!
//! `scripts/pytorch-fixtures` recorded what PyTorch prints; `tests/fixtures/pytorch/VERSION` names the version.
//! No program may print a random value, since warpup's random numbers differ from PyTorch's.

use crate::support::lab_runner::LabRunner;
use crate::support::programs::{
    assert_none, difference, fixtures, printed, programs, runs_on_cpu, snippets, without_times,
};
use crate::support::request::python_on;
use std::collections::BTreeSet;

#[test]
fn labs_print_on_the_cpu_what_pytorch_prints_there() {
    let fixtures = fixtures("pytorch");
    let mut differences = Vec::new();
    for (name, run) in runs_on_cpu() {
        let mut expected = fixtures[&format!("{name}.txt")].clone();
        if let Some(kind) = fixtures.get(&format!("{name}.raises.txt")) {
            expected.extend(["raised ", kind]);
        }
        let (expected, found) = (without_times(name, &expected), printed(run));
        differences.extend(difference(name, &expected, &without_times(name, &found)));
    }
    assert_none(&differences);
}

/// A card changes the names of devices that are printed, and nothing else.
#[test]
fn labs_print_the_same_on_a_modelled_card() {
    let without_devices = |text: &str| text.replace("cuda:0", "cpu").replace("cuda", "cpu");
    let fixtures = fixtures("pytorch");
    let mut runner = LabRunner::start();
    let mut differences = Vec::new();
    for (name, program) in programs() {
        // What PyTorch raises on the CPU, it raises because there is no card, or on any device.
        if !program.is_same_on_a_card() || fixtures.contains_key(&format!("{name}.raises.txt")) {
            continue;
        }
        let expected = without_devices(&fixtures[&format!("{name}.txt")]);
        let run = runner.run(python_on("model:t4", program.source));
        let found = without_devices(&printed(&run));
        let (expected, found) = (
            without_times(&name, &expected),
            without_times(&name, &found),
        );
        differences.extend(difference(&name, &expected, &found));
    }
    assert_none(&differences);
}

#[test]
fn every_fixture_belongs_to_a_lab() {
    let known: BTreeSet<String> = programs()
        .into_iter()
        .flat_map(|(name, _)| [format!("{name}.txt"), format!("{name}.raises.txt")])
        .chain(["VERSION".to_owned()])
        .collect();
    let stray: Vec<String> = fixtures("pytorch")
        .into_keys()
        .filter(|name| !known.contains(name))
        .collect();
    assert!(stray.is_empty(), "no lab has these fixtures: {stray:?}");
}

/// How the output of snippets on a device differs from PyTorch's.
fn differences_on(device: &str) -> Vec<String> {
    let fixtures = fixtures("snippets");
    let mut runner = LabRunner::start();
    let mut differences = Vec::new();
    for (name, source) in snippets() {
        let expected = &fixtures[&format!("{name}.txt")];
        let run = runner.run(python_on(device, source));
        differences.extend(difference(&name, expected, &printed(&run)));
    }
    differences
}

#[test]
fn snippets_print_what_pytorch_prints() {
    assert_none(&differences_on("cpu"));
}

/// No snippet uses a card, so a card changes nothing.
#[test]
fn snippets_print_the_same_beside_a_modelled_card() {
    assert_none(&differences_on("model:t4"));
}

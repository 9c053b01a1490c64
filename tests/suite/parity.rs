//! Programs print under warpup what they print under PyTorch.
//!
//! What PyTorch prints was kept by `scripts/pytorch-fixtures`; the version is in
//! `tests/fixtures/pytorch/VERSION`. No program may print a random value: warpup's random numbers are
//! others, so a fixture that depended on them would differ here.

use crate::labs::{Labs, python};
use crate::programs::{assert_none, difference, fixtures, programs, told, without_operation};
use std::collections::BTreeSet;
use warpup::protocol::{DeviceName, RunRequest};

#[test]
fn labs_print_on_the_cpu_what_pytorch_prints_there() {
    let fixtures = fixtures("pytorch");
    let mut labs = Labs::start();
    let mut differences = Vec::new();
    for (name, program) in programs() {
        let mut expected = fixtures[&format!("{name}.txt")].clone();
        if let Some(kind) = fixtures.get(&format!("{name}.raises.txt")) {
            expected.extend(["raised ", kind]);
        }
        let run = labs.run(python(program.source));
        differences.extend(difference(&name, &expected, &told(&run)));
    }
    assert_none(&differences);
}

/// A card changes the places that are printed, and nothing else.
#[test]
fn labs_print_the_same_on_a_modelled_card() {
    let without_places = |text: &str| text.replace("cuda:0", "cpu").replace("cuda", "cpu");
    let fixtures = fixtures("pytorch");
    let mut labs = Labs::start();
    let mut differences = Vec::new();
    for (name, program) in programs() {
        // What PyTorch raised on the CPU, it raised for want of a card or whatever the device.
        if !program.is_same_on_a_card() || fixtures.contains_key(&format!("{name}.raises.txt")) {
            continue;
        }
        let expected = without_places(&fixtures[&format!("{name}.txt")]);
        let run = labs.run(RunRequest {
            device: DeviceName::Model("t4".to_owned()),
            ..python(program.source)
        });
        let found = without_places(&told(&run));
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

/// How snippets differ from PyTorch on a device.
fn differences_on(device: &DeviceName) -> Vec<String> {
    let fixtures = fixtures("snippets");
    let mut labs = Labs::start();
    let mut differences = Vec::new();
    for (name, source) in &fixtures {
        let Some(name) = name.strip_suffix(".py") else {
            continue;
        };
        let expected = without_operation(&fixtures[&format!("{name}.txt")]);
        let run = labs.run(RunRequest {
            device: device.clone(),
            ..python(source)
        });
        differences.extend(difference(name, &expected, &told(&run)));
    }
    differences
}

#[test]
fn snippets_print_what_pytorch_prints() {
    assert_none(&differences_on(&DeviceName::Cpu));
}

/// No snippet asks for a card, so one that is there changes nothing.
#[test]
fn snippets_print_the_same_beside_a_modelled_card() {
    assert_none(&differences_on(&DeviceName::Model("t4".to_owned())));
}

//! What checks read of a run: one program for each fact, on the CPU and on a modelled card. `tests/cuda` has them on a card.

use crate::support::counts::differences;
use crate::support::lab_runner::LabRunner;
use crate::support::programs::assert_none;
use serde::de::DeserializeOwned;
use warpup_protocol::{Call, HazardKind, Side};

#[test]
fn a_check_knows_what_the_program_did() {
    let mut runner = LabRunner::start();
    let mut wrong = differences(&mut runner, "cpu");
    wrong.extend(differences(&mut runner, "model:t4"));
    assert_none(&wrong);
}

/// `where()` refuses other words, since a check of a word that no row has would hold for every program.
#[test]
fn where_knows_the_words_of_the_report() {
    let python = std::fs::read_to_string("crates/python/lib/warpup/_run_facts.py").unwrap();
    let words = [
        words_of::<Call>(),
        words_of::<HazardKind>(),
        words_of::<Side>(),
    ];
    for word in words.iter().flatten() {
        assert!(python.contains(&format!("\"{word}\"")), "{word}");
    }
}

/// The names of an enum's variants, from the error for a wrong one.
fn words_of<T: DeserializeOwned + std::fmt::Debug>() -> Vec<String> {
    let error = serde_json::from_str::<T>("\"?\"").unwrap_err().to_string();
    let words = error.split('`').skip(3).step_by(2);
    let words: Vec<String> = words.map(str::to_owned).collect();
    assert!(words.len() > 1, "{error}");
    words
}

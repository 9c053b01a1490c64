//! No operation is left out of the lists that the tests of gradients try.
//!
//! Which operations there are is read from the source of the table, so that a new one needs no other list.

use super::layer_tests::layers::layers;
use super::table_tests::cases::{KINDS, REDUCTIONS, of_kind};
use crate::ops::Reduction;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What is not tried as an operation of its own: backward kernels, which the gradients of layers run, and an operation
/// without a gradient that the tests of `GradScaler` run.
const NOT_ALONE: [&str; 17] = [
    "Activate::Backward",
    "Attention::Backward",
    "ChannelNorm::AffineBackward",
    "ChannelNorm::Backward",
    "ChannelNorm::Moments",
    "Dropout::Backward",
    "Dropout::Forward",
    "Embedding::Backward",
    "FoundInf",
    "Loss::Backward",
    "Nll::Backward",
    "Norm::AffineBackward",
    "Norm::Backward",
    "Pool::Largest",
    "Scan::BackwardOfCumProd",
    "Softmax::LogSoftmaxBackward",
    "Softmax::SoftmaxBackward",
];

/// The words in the names of the operations that are tried, by family.
fn tried() -> BTreeMap<String, BTreeSet<String>> {
    let mut runner = TestRunner::deterministic();
    let mut tried: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut note = |op: &str| {
        let mut words = op.split(|it: char| !it.is_ascii_alphanumeric());
        let family = words.next().unwrap().to_owned();
        tried
            .entry(family)
            .or_default()
            .extend(words.map(str::to_owned));
    };
    for kind in 0..KINDS {
        let cases = of_kind(kind);
        for _ in 0..200 {
            let case = cases.new_tree(&mut runner).unwrap().current();
            note(&format!("{:?}", case.op));
        }
    }
    for (op, _) in layers() {
        note(&format!("{op:?}"));
    }
    tried
}

/// The families that the text of `ops/mod.rs` lists.
fn families(text: &str) -> Vec<&str> {
    let list = text.split("\nfamilies! {").nth(1).unwrap();
    let list = list.split('}').next().unwrap();
    list.split(',')
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect()
}

/// The public enums of a file with their variants, as `rustfmt` lays them out. Those of `variants!` are not among them:
/// the cases take all of their `ALL`.
fn enums(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = Vec::new();
    for part in text.split("\npub(crate) enum ").skip(1) {
        let (name, body) = part.split_once(" {\n").unwrap();
        let body = body.split("\n}").next().unwrap();
        let variants = body
            .lines()
            .filter_map(|it| it.strip_prefix("    "))
            .filter(|it| it.starts_with(|first: char| first.is_ascii_uppercase()))
            .filter_map(|it| it.split(|it: char| !it.is_ascii_alphanumeric()).next());
        found.push((name, variants.collect()));
    }
    found
}

/// What the files of the table define and nothing tries, as `Enum::Variant` or as the name of a family.
fn left_out(files: &[String], tried: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut found = Vec::new();
    let nothing = BTreeSet::new();
    let table = files.iter().find(|it| it.contains("\nfamilies! {"));
    for family in families(table.unwrap()) {
        if !tried.contains_key(family) {
            found.push(family.to_owned());
        }
        let is_home = |it: &&String| {
            [" enum ", " struct "].iter().any(|what| {
                [" ", "(", ";"]
                    .iter()
                    .any(|end| it.contains(&format!("pub(crate){what}{family}{end}")))
            })
        };
        let words = tried.get(family).unwrap_or(&nothing);
        let home = files.iter().find(is_home).unwrap();
        for (name, variants) in enums(home) {
            let missing = variants.iter().filter(|it| !words.contains(**it));
            found.extend(missing.map(|it| format!("{name}::{it}")));
        }
    }
    found.sort();
    found
}

/// The public enums that neither [`enums`] nor the list of a macro in front of them has.
fn unread(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut of_macro = false;
    for line in text.lines() {
        let is_indented = line.starts_with(' ');
        if !is_indented && !line.is_empty() {
            of_macro = ["variants! {", "macro_rules! families {"].contains(&line);
        }
        let name = line.trim_start().strip_prefix("pub(crate) enum ");
        if let Some(name) = name.filter(|_| is_indented && !of_macro) {
            found.push(name.trim_end_matches(" {"));
        }
    }
    found
}

fn sources() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ops");
    let files = fs::read_dir(folder).unwrap();
    files
        .map(|it| fs::read_to_string(it.unwrap().path()).unwrap())
        .collect()
}

#[test]
fn every_operation_of_the_table_is_tried() {
    assert_eq!(left_out(&sources(), &tried()), NOT_ALONE);
}

#[test]
fn no_enum_of_the_table_is_overlooked() {
    let files = sources();
    let found: Vec<&str> = files.iter().flat_map(|it| unread(it)).collect();
    assert_eq!(found, <[&str; 0]>::default());

    let file = "variants! {\n    pub(crate) enum Listed { A }\n}\n\nmod inner {\n    pub(crate) enum Hidden {\n";
    assert_eq!(unread(file), ["Hidden"]);
}

#[test]
fn an_operation_that_no_list_has_is_named() {
    let files = [
        "mod a;\nfamilies! {\n    Fold, Turn,\n}\n",
        "\npub(crate) struct Fold {\n    how: How,\n}\n\npub(crate) enum How {\n    /// Once.\n    Once(f64),\n    Twice {\n        gap: f64,\n    },\n}\n",
        "\npub(crate) struct Turn;\n",
    ];
    let files = files.map(str::to_owned);
    let tried = [("Fold".to_owned(), ["Once".to_owned()].into())].into();
    assert_eq!(left_out(&files, &tried), ["How::Twice", "Turn"]);
}

#[test]
fn every_reduction_is_a_method_by_the_list_or_has_arguments_of_its_own() {
    for reduction in REDUCTIONS {
        let has_own_arguments = match reduction {
            Reduction::Max
            | Reduction::Min
            | Reduction::Var(_)
            | Reduction::Std(_)
            | Reduction::Norm(_) => true,
            Reduction::Sum
            | Reduction::Mean
            | Reduction::Prod
            | Reduction::AMax
            | Reduction::AMin
            | Reduction::LogSumExp
            | Reduction::All
            | Reduction::Any
            | Reduction::CountNonzero => false,
        };
        let is_listed = Reduction::METHODS.contains(&reduction);
        assert_ne!(is_listed, has_own_arguments, "{reduction:?}");
    }
}

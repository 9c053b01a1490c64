//! Comments, documentation and messages avoid phrases that a reader has to decode.
//!
//! The list has phrases that reviews found more than once, each with the plain words to use.

use crate::support::source::{self, File};

/// Phrases to avoid, and what to write. In pieces, so that this file does not contain them.
const PHRASES: [([&str; 2], &str); 37] = [
    (["told", " of"], "gets, receives, reports"),
    (["the way", " back"], "backward, the return"),
    (["none", " either"], "nor"),
    (["fault of", " warpup"], "a bug in warpup"),
    (["gho", "st"], "metadata without values"),
    ([" me", "nd"], "fix, correct"),
    (["none the", " worse"], "does not matter"),
    (["gone", " backward"], "runs backward through"),
    (["for", " want of"], "without, because there is no"),
    (["can be", " had"], "is available"),
    (["cannot be", " had"], "is not available"),
    (["all the", " same"], "still"),
    ([" an", "ew"], "again, re-"),
    (["who", "ever"], "the person who, the passive of the verb"),
    (["in va", "in"], "without success, finds no"),
    (["stan", "ds a"], "is above, is alone"),
    (["stan", "ds be"], "is found before, is beside"),
    (["stan", "ds in front"], "is in front"),
    (["stan", "ds in the"], "is in the"),
    (["stan", "ds on"], "is on"),
    (["as it stan", "ds"], "as it is, now"),
    (["is none", " of the"], "is not one of the"),
    (["this is", " no "], "this is not a"),
    (["` is", " no "], "is not a"),
    (["goes", " by "], "uses, follows"),
    (["lets", " go of"], "deletes, frees"),
    (["let", " go of"], "delete, free"),
    (["heard", " of at"], "shows up at, is reported at"),
    (["holds", " no less"], "always holds at least"),
    (["a traini", "ng,"], "a training run"),
    (["a traini", "ng."], "a training run"),
    (["train", "ings"], "training runs"),
    (["soo", "ner than"], "faster than"),
    (["is no", " fault"], "is not a fault"),
    (["stan", "ds beside"], "is beside"),
    (["stan", "ds below"], "is below"),
    (["stan", "ds above"], "is above"),
];

/// Files whose words belong to somebody else, or are compared with them.
const EXCEPTIONS: [&str; 4] = [
    "docs/course-review.md",
    "tests/fixtures/",
    "tests/candle/",
    "docs/measured/programs.md",
];

/// `path:line` of each phrase in a file.
fn findings(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let lower = line.to_lowercase();
        for (phrase, plain) in &PHRASES {
            let phrase = phrase.concat();
            if lower.contains(&phrase) {
                let (path, line) = (&file.path, at + 1);
                found.push(format!("{path}:{line}: `{}`: {plain}", phrase.trim()));
            }
        }
    }
    found
}

#[test]
fn no_text_uses_a_phrase_that_has_to_be_decoded() {
    let places = [
        "lessons",
        "quizzes",
        "src",
        "crates",
        "tests",
        "benches",
        "docs",
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    let files = places.into_iter().flat_map(source::files_under);
    let ours = files.filter(|file| !EXCEPTIONS.iter().any(|it| file.path.starts_with(it)));
    let found: Vec<String> = ours.flat_map(|file| findings(&file)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_phrase_is_found_with_its_line() {
    let file = File {
        path: "docs/x.md".to_owned(),
        text: ["plain\nIt is told", " of it."].concat(),
    };
    assert_eq!(
        findings(&file),
        [["docs/x.md:2: `told", " of`: gets, receives, reports"].concat()]
    );
    assert!(
        findings(&File {
            text: "the way to go".to_owned(),
            ..file
        })
        .is_empty()
    );
}

//! Which entries fit what is typed, the best first: those of a key that is spelled, then those with a fitting name.

use super::entries::{Entry, EntryTarget};
use super::said::heads;
use crate::fuzzy::{self, Fit};

/// More than any name scores.
const BY_KEY: i32 = i32::MAX / 2;

/// How keys begin that are pressed together with another one.
const MODIFIERS: [&str; 3] = ["ctrl", "alt", "shift"];

/// Fewer letters begin too many words.
const FEWEST: usize = 3;

/// So many letters are in most long names somewhere. Half of them have to be side by side, or at the starts of words: then a letter
/// scores this on average.
const SCATTERED: usize = 4;
const TOGETHER: i32 = 19;

/// The numbers of the entries that fit.
pub(super) fn found(typed: &str, entries: &[Entry]) -> Vec<(usize, Fit)> {
    let typed = typed.trim();
    let of_entry = |it: &Entry| by_key(typed, it).or_else(|| by_name(typed, it));
    let all = entries.iter().enumerate();
    let mut found: Vec<_> = all
        .filter_map(|(at, it)| Some((at, of_entry(it)?)))
        .collect();
    if typed.is_empty() {
        found.retain(|it| entries.get(it.0).is_some_and(Entry::is_listed));
    } else {
        found.sort_by_key(|it| std::cmp::Reverse(it.1.score));
    }
    found
}

/// How an entry fits by its name. What is only said is long, and has the letters of any word somewhere: it needs whole words.
fn by_name(typed: &str, entry: &Entry) -> Option<Fit> {
    if !entry.is_listed() {
        return by_beginnings(typed, entry);
    }
    if entry.lead != EntryTarget::Nowhere {
        let letters = typed.chars().filter(|it| !it.is_whitespace()).count();
        let least = i32::try_from(letters)
            .unwrap_or(i32::MAX)
            .saturating_mul(TOGETHER);
        let is_meant = |it: &Fit| letters < SCATTERED || it.score >= least;
        return fuzzy::fit(typed, &entry.name).filter(is_meant);
    }
    let name = entry.name.to_lowercase();
    let mut words = typed.split_whitespace();
    let is_there = words.all(|it| name.contains(&it.to_lowercase()));
    is_there.then(Fit::default)
}

/// How an answer fits, or a key of another screen: its words begin with the typed ones, which are no single letters. The word that
/// it is for counts as if it were all of the name.
fn by_beginnings(typed: &str, entry: &Entry) -> Option<Fit> {
    let typed = typed.to_lowercase();
    let name = entry.name.to_lowercase();
    let begins = |word: &str| name.split([' ', '(']).any(|it| it.starts_with(word));
    if typed.chars().count() < FEWEST || !typed.split_whitespace().all(begins) {
        return None;
    }
    let fit = fuzzy::fit(&typed, &entry.name)?;
    if !heads(&name).any(|it| it == typed) {
        return Some(fit);
    }
    let Fit { score, .. } = fuzzy::fit(&typed, &typed)?;
    Some(Fit { score, ..fit })
}

/// How an entry fits that has the typed key, or one with the typed modifier. The first letters of `space` are not that key: they
/// are those of a name.
fn by_key(typed: &str, entry: &Entry) -> Option<Fit> {
    let spelled = match typed.chars().count() {
        0 => return None,
        // A capital is another key.
        1 => typed.to_owned(),
        _ => typed.to_lowercase().replace('+', "-"),
    };
    let score = if entry.keys.contains(&spelled) {
        BY_KEY
    } else {
        let begins = |it: &String| it.starts_with(&spelled);
        let has_modifier = MODIFIERS.iter().any(|it| spelled.starts_with(it));
        let is_part = has_modifier && entry.keys.iter().any(begins);
        is_part.then_some(BY_KEY - 1)?
    };
    Some(Fit {
        score,
        letters: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::Action;

    #[test]
    fn a_spelled_key_comes_first_and_the_start_of_one_is_that_of_a_name() {
        let entry = |name: &str, keys: &[&str]| Entry {
            kind: "",
            name: name.to_owned(),
            about: String::new(),
            lead: EntryTarget::Act(Action::Back),
            keys: keys.iter().map(|it| (*it).to_owned()).collect(),
        };
        let said = Entry {
            lead: EntryTarget::Nowhere,
            ..entry("the wheel scrolls, and clicks run nothing", &[])
        };
        let entries = [
            said,
            entry("space and time", &[]),
            entry("go on", &["space", "G"]),
            entry("run", &["r", "ctrl-r"]),
        ];
        let names = |typed| {
            let found = found(typed, &entries).into_iter();
            let names = found.map(|it| entries[it.0].name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(names("space"), "go on, space and time");
        assert_eq!(names("spa"), "space and time");
        assert_eq!(
            names("scrolls whe"),
            "the wheel scrolls, and clicks run nothing"
        );
        assert_eq!(names("teln"), "");
        // The letters are in order, and nobody means it.
        assert_eq!(names("sace"), "space and time");
        assert_eq!(names("sand"), "space and time");
        assert_eq!(names("pctm"), "");
        assert_eq!(names("r"), "run, the wheel scrolls, and clicks run nothing");
        assert_eq!(names("G").split(", ").next(), Some("go on"));
        assert_eq!(names("Ctrl+R"), "run");
        assert_eq!(names("ctrl"), "run");
    }
}

//! Which entries fit what is typed, the best first: those of a key that is spelled, then those with a fitting name.

use super::entries::Entry;
use crate::fuzzy::{self, Fit};

/// More than any name scores.
const BY_KEY: i32 = i32::MAX / 2;

/// The numbers of the entries that fit.
pub(super) fn found(typed: &str, entries: &[Entry]) -> Vec<(usize, Fit)> {
    let typed = typed.trim();
    let of_entry = |it: &Entry| by_key(typed, it).or_else(|| fuzzy::fit(typed, &it.name));
    let all = entries.iter().enumerate();
    let mut found: Vec<_> = all
        .filter_map(|(at, it)| Some((at, of_entry(it)?)))
        .collect();
    if !typed.is_empty() {
        found.sort_by_key(|it| std::cmp::Reverse(it.1.score));
    }
    found
}

/// How an entry fits that has the typed key, or one that begins so, such as `ctrl`.
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
        let is_part = spelled.len() > 1 && entry.keys.iter().any(begins);
        is_part.then_some(BY_KEY - 1)?
    };
    Some(Fit {
        score,
        letters: Vec::new(),
    })
}

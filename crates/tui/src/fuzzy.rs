//! How well a few typed letters fit a name.
//!
//! Each word that was typed has to be in the name, its letters in order and not necessarily side by side. Letters at
//! the start of words and side by side count more, gaps count less. The best way to place the letters is found, so
//! `st` in *honest timing* is taken from the two starts of words only where nothing better is there.

/// How a name fits: a larger score is better. `letters` are the positions of the matched characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fit {
    pub(crate) score: i32,
    pub(crate) letters: Vec<usize>,
}

const LETTER: i32 = 16;
const START: i32 = 10;
const ADJACENT: i32 = 14;
/// The most that a gap takes off.
const GAP: usize = 8;

/// How a name fits what was typed; nothing if it does not.
pub(crate) fn fit(typed: &str, name: &str) -> Option<Fit> {
    let letters: Vec<char> = name.chars().map(lower).collect();
    let mut all = Fit::default();
    for word in typed.split_whitespace() {
        let wanted: Vec<char> = word.chars().map(lower).collect();
        let fit = place(&wanted, &letters)?;
        all.score += fit.score;
        all.letters.extend(fit.letters);
    }
    all.letters.sort_unstable();
    all.letters.dedup();
    // Of equal fits, the shorter name is meant.
    all.score -= i32::try_from(letters.len() / 4).unwrap_or(i32::MAX);
    Some(all)
}

/// The best score that ends with a letter of the word at a position, and where the letter before it is.
#[derive(Clone, Copy)]
struct MatchScore {
    score: i32,
    before: usize,
}

/// Places the letters of one word. `rows` has a row for each letter of the word, and a cell for each position in the name.
fn place(wanted: &[char], name: &[char]) -> Option<Fit> {
    let mut rows: Vec<Vec<Option<MatchScore>>> = Vec::new();
    for letter in wanted {
        let row = name.iter().enumerate().map(|(at, found)| {
            if found != letter {
                return None;
            }
            let before = match rows.last() {
                Some(row) => best_before(row, at)?,
                None => MatchScore {
                    score: 0,
                    before: 0,
                },
            };
            Some(MatchScore {
                score: before.score + LETTER + start(name, at),
                before: before.before,
            })
        });
        let row = row.collect();
        rows.push(row);
    }
    let last = rows.last()?;
    let ends = last.iter().enumerate();
    let ends = ends.filter_map(|(at, cell)| Some((cell.as_ref()?.score, at)));
    // Of equal ones the first.
    let (score, mut at) = ends.max_by_key(|(score, at)| (*score, std::cmp::Reverse(*at)))?;
    let mut letters = Vec::new();
    for row in rows.iter().rev() {
        letters.push(at);
        at = row.get(at).copied().flatten()?.before;
    }
    letters.reverse();
    Some(Fit { score, letters })
}

/// The best cell of a row in front of a position, less what the gap takes off.
fn best_before(row: &[Option<MatchScore>], at: usize) -> Option<MatchScore> {
    let cells = row.iter().enumerate().take(at);
    let cells = cells.filter_map(|(before, cell)| {
        let gap = at - before - 1;
        let adjacent = if gap == 0 { ADJACENT } else { 0 };
        let loss = i32::try_from(gap.min(GAP)).unwrap_or(0);
        let score = cell.as_ref()?.score + adjacent - loss;
        Some(MatchScore { score, before })
    });
    cells.max_by_key(|it| it.score)
}

/// What a letter at the start of a word counts in addition.
fn start(name: &[char], at: usize) -> i32 {
    let before = at.checked_sub(1).and_then(|it| name.get(it));
    if before.is_none_or(|it| !it.is_alphanumeric()) {
        START
    } else {
        0
    }
}

fn lower(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The names that fit, best first, with the matched letters as capitals.
    fn ranked(typed: &str, names: &[&str]) -> Vec<String> {
        let mut fits: Vec<_> = names
            .iter()
            .filter_map(|name| Some((fit(typed, name)?, *name)))
            .collect();
        fits.sort_by_key(|it| std::cmp::Reverse(it.0.score));
        let shown = fits.into_iter().map(|(fit, name)| {
            let letters = name.chars().enumerate();
            let letters = letters.map(|(at, letter)| {
                if fit.letters.contains(&at) {
                    letter.to_uppercase().next().unwrap()
                } else {
                    lower(letter)
                }
            });
            letters.collect()
        });
        shown.collect()
    }

    #[test]
    fn starts_of_words_and_neighbours_come_first() {
        let names = [
            "Honest timing",
            "The queue",
            "What a copy costs",
            "Two workers",
        ];
        assert_eq!(ranked("ht", &names), ["Honest Timing", "wHaT a copy costs"]);
        assert_eq!(ranked("work", &names), ["two WORKers"]);
        assert_eq!(ranked("co", &names), ["what a COpy costs"]);
        assert_eq!(ranked("xyz", &names), Vec::<String>::new());
    }

    #[test]
    fn words_are_found_in_any_order() {
        assert_eq!(
            ranked("costs copy", &["What a copy costs"]),
            ["what a COPY COSTS"]
        );
        assert_eq!(
            ranked("copy queue", &["What a copy costs"]),
            Vec::<String>::new()
        );
    }

    #[test]
    fn of_equal_fits_the_shorter_name_is_first() {
        let names = ["queue of a stream of work", "queue"];
        assert_eq!(
            ranked("queue", &names),
            ["QUEUE", "QUEUE of a stream of work"]
        );
    }

    #[test]
    fn nothing_typed_fits_everything() {
        assert_eq!(fit("", "abcd").unwrap().letters, Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn what_is_left_out_of_a_name_still_fits(name in "[a-zA-Z漢 ]{0,30}", keep in proptest::collection::vec(any::<bool>(), 30)) {
            let typed: String = name.chars().zip(keep).filter(|it| it.1 && it.0 != ' ').map(|it| it.0).collect();
            let fit = fit(&typed, &name);
            prop_assert!(fit.is_some());
            let letters = fit.unwrap_or_default().letters;
            prop_assert_eq!(letters.len(), typed.chars().count());
            prop_assert!(letters.is_sorted());
        }
    }
}

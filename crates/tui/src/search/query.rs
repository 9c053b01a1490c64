//! What is searched for, and where it is in a text.
//!
//! As in vim's `smartcase`: words without capitals match in any case, words with one match exactly. Any space matches
//! any other, line feeds and the marks in front of a continued line included, so that a phrase is found across lines.

use std::ops::Range;

/// Words to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Query {
    /// The characters to match; one blank for each space.
    wanted: Vec<char>,
    has_capital: bool,
}

impl Query {
    /// What the learner typed; nothing if that is only space.
    pub(crate) fn new(typed: &str) -> Option<Self> {
        let words: Vec<_> = typed.split_whitespace().collect();
        let typed = words.join(" ");
        let has_capital = typed.chars().any(char::is_uppercase);
        (!typed.is_empty()).then(|| Self {
            wanted: typed.chars().collect(),
            has_capital,
        })
    }

    /// The words, with one blank for each space.
    pub(crate) fn words(&self) -> String {
        self.wanted.iter().collect()
    }

    /// The bytes of each place where it is in a text, from left to right and without overlap.
    pub(crate) fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut free = 0;
        for (start, first) in text.char_indices() {
            if start < free
                || !self
                    .wanted
                    .first()
                    .is_some_and(|it| self.is_same(*it, first))
            {
                continue;
            }
            let rest = text.get(start..).unwrap_or_default();
            if let Some(bytes) = self.length_at_start(rest) {
                free = start + bytes;
                found.push(start..free);
            }
        }
        found
    }

    /// The bytes that it takes at the start of a text, if it is there.
    fn length_at_start(&self, text: &str) -> Option<usize> {
        let mut left = text.char_indices().peekable();
        for wanted in &self.wanted {
            let (_, next) = left.next()?;
            if *wanted == ' ' {
                if !is_space(next) {
                    return None;
                }
                while left.next_if(|it| is_space(it.1)).is_some() {}
            } else if !self.is_same(*wanted, next) {
                return None;
            }
        }
        Some(left.peek().map_or(text.len(), |it| it.0))
    }

    fn is_same(&self, wanted: char, found: char) -> bool {
        wanted == found || (!self.has_capital && found.to_lowercase().eq([wanted]))
    }
}

/// Whether a character separates words: space, or a mark that the layout puts in front of a continued line.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '│' | '↪')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found<'a>(typed: &str, text: &'a str) -> Vec<&'a str> {
        let query = Query::new(typed).unwrap();
        let ranges = query.ranges(text).into_iter();
        ranges.filter_map(|it| text.get(it)).collect()
    }

    #[test]
    fn words_without_capitals_match_in_any_case() {
        assert_eq!(found("cuda", "CUDA, Cuda, cuda"), ["CUDA", "Cuda", "cuda"]);
        assert_eq!(found("Cuda", "CUDA, Cuda, cuda"), ["Cuda"]);
        assert_eq!(found("é", "École É é"), ["É", "É", "é"]);
    }

    #[test]
    fn a_phrase_is_found_across_lines_and_their_marks() {
        assert_eq!(
            found("kernel  launch", "a kernel\n  launch, │ kernel\n│ launch"),
            ["kernel\n  launch", "kernel\n│ launch"]
        );
        assert_eq!(found("kernel launch", "kernels launch"), Vec::<&str>::new());
    }

    #[test]
    fn hits_do_not_overlap() {
        assert_eq!(found("aa", "aaaaa"), ["aa", "aa"]);
        assert_eq!(Query::new("  "), None);
    }

    proptest! {
        #[test]
        fn every_hit_is_what_was_asked_for(typed in "[aB漢 ]{1,3}", text in "[aAbB漢│ \n]{0,30}") {
            if let Some(query) = Query::new(&typed) {
                for range in query.ranges(&text) {
                    let hit = text.get(range).unwrap().replace('│', " ");
                    let words = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
                    prop_assert_eq!(words(&hit).to_lowercase(), words(&typed).to_lowercase());
                }
            }
        }
    }
}

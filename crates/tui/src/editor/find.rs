//! Finding text in the program.

use std::ops::Range;

use super::brackets::CodePosition;
use crate::field::Field;
use crate::search::Query;

/// What is searched.
#[derive(Debug, Default)]
pub(super) struct Find {
    /// The line in which it is typed.
    pub(super) field: Field,
    /// Whether that line is open.
    pub(super) is_open: bool,
    /// What is put in its place, while that is typed.
    pub(super) replacement: Option<Field>,
}

/// A place where it is: the row, and the letters of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) row: usize,
    pub(super) letters: Range<usize>,
}

impl Hit {
    /// Where it begins.
    pub(super) fn place(&self) -> CodePosition {
        (self.row, self.letters.start)
    }
}

impl Find {
    /// What is searched, as in the text of the course; nothing if that is only space.
    pub(super) fn query(&self) -> Option<Query> {
        Query::new(&self.field.text())
    }

    /// The hits within lines, from the top.
    pub(super) fn hits(&self, lines: &[String]) -> Vec<Hit> {
        let Some(query) = self.query() else {
            return Vec::new();
        };
        let in_line = |(row, line): (usize, &String)| {
            let letters = |bytes: usize| line.get(..bytes).unwrap_or_default().chars().count();
            let ranges = query.ranges(line).into_iter();
            let hits = ranges.map(|it| Hit {
                row,
                letters: letters(it.start)..letters(it.end),
            });
            hits.collect::<Vec<_>>()
        };
        lines.iter().enumerate().flat_map(in_line).collect()
    }
}

/// The hit after a place, or before it, around the ends of the text.
pub(super) fn next(hits: &[Hit], from: CodePosition, is_forward: bool) -> Option<CodePosition> {
    let mut places = hits.iter().map(Hit::place);
    if is_forward {
        let next = places.clone().find(|it| *it > from);
        next.or_else(|| places.next())
    } else {
        let before = places.clone().rfind(|it| *it < from);
        before.or_else(|| places.next_back())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_ignore_case_unless_the_query_has_capitals() {
        let lines = ["x = Tensor", "漢 tensor(x)"].map(ToOwned::to_owned);
        let hits = |query: &str| {
            let mut find = Find::default();
            find.field.insert(query);
            find.hits(&lines)
        };
        let places = |query| hits(query).iter().map(Hit::place).collect::<Vec<_>>();
        assert_eq!(places("tensor"), [(0, 4), (1, 2)]);
        assert_eq!(places("Tensor"), [(0, 4)]);
        assert_eq!(places(""), []);
        let both = hits("tensor");
        assert_eq!(both.last().map(|it| it.letters.clone()), Some(2..8));
        assert_eq!(next(&both, (0, 4), true), Some((1, 2)));
        assert_eq!(next(&both, (1, 2), true), Some((0, 4)));
        assert_eq!(next(&both, (0, 4), false), Some((1, 2)));
    }
}

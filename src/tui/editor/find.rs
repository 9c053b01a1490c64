//! Finding text in the program.

use super::brackets::Place;

/// What is searched.
#[derive(Debug, Default)]
pub(super) struct Find {
    pub(super) query: String,
    /// Whether the line in which it is typed is open.
    pub(super) is_open: bool,
}

impl Find {
    /// The places where it begins. Capitals count only if there are some in the query.
    pub(super) fn hits(&self, lines: &[String]) -> Vec<Place> {
        if self.query.is_empty() {
            return Vec::new();
        }
        let is_exact = self.query.chars().any(char::is_uppercase);
        let query: Vec<char> = self.query.chars().collect();
        let same = |one: &char, other: &char| {
            one == other || !is_exact && one.to_lowercase().eq(other.to_lowercase())
        };
        let in_line = |row: usize, line: &String| {
            let letters: Vec<char> = line.chars().collect();
            let starts = letters.windows(query.len()).enumerate();
            let hits = starts.filter(|(_, it)| it.iter().zip(&query).all(|(a, b)| same(a, b)));
            hits.map(|(at, _)| (row, at)).collect::<Vec<_>>()
        };
        let lines = lines.iter().enumerate();
        lines.flat_map(|(row, line)| in_line(row, line)).collect()
    }
}

/// The hit after a place, or before it, around the ends of the text.
pub(super) fn next(hits: &[Place], from: Place, is_forward: bool) -> Option<Place> {
    let found = if is_forward {
        hits.iter().find(|it| **it > from).or(hits.first())
    } else {
        hits.iter().rfind(|it| **it < from).or(hits.last())
    };
    found.copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_ignore_case_unless_the_query_has_capitals() {
        let lines = ["x = Tensor", "tensor(x)"].map(ToOwned::to_owned);
        let hits = |query: &str| {
            let query = query.to_owned();
            let find = Find {
                query,
                is_open: true,
            };
            find.hits(&lines)
        };
        assert_eq!(hits("tensor"), [(0, 4), (1, 0)]);
        assert_eq!(hits("Tensor"), [(0, 4)]);
        assert_eq!(hits(""), []);
        let both = hits("tensor");
        assert_eq!(next(&both, (0, 4), true), Some((1, 0)));
        assert_eq!(next(&both, (1, 0), true), Some((0, 4)));
        assert_eq!(next(&both, (0, 4), false), Some((1, 0)));
    }
}

//! The cells of a row of a table, as they are written.

/// How many cells a row has: `|` ends one, `\|` does not.
pub(super) fn cells(row: &str) -> usize {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = match row.strip_suffix('|') {
        Some(inside) if !inside.ends_with('\\') => inside,
        Some(_) | None => row,
    };
    let pipes = row.match_indices('|').map(|it| it.0);
    let escaped = |at: usize| row.get(..at).is_some_and(|it| it.ends_with('\\'));
    pipes.filter(|at| !escaped(*at)).count() + 1
}

/// The row with `\|` for each `|` in code.
pub(super) fn with_pipes_of_code(row: &str) -> String {
    let mut written = String::with_capacity(row.len());
    let mut is_code = false;
    let mut pieces = row.split('|').peekable();
    while let Some(piece) = pieces.next() {
        written.push_str(piece);
        is_code ^= piece.matches('`').count() % 2 == 1;
        if pieces.peek().is_some() {
            let is_bare = is_code && !piece.ends_with('\\');
            written.push_str(if is_bare { "\\|" } else { "|" });
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_between_pipes_that_are_not_escaped() {
        for (row, count) in [
            ("| a | b |", 2),
            ("a | b", 2),
            ("| a | b", 2),
            (r"| a \| b | c |", 2),
            (r"| a | `b|c` |", 3),
            (r"| a | b\|", 2),
        ] {
            assert_eq!(cells(row), count, "{row}");
        }
        assert_eq!(with_pipes_of_code(r"| a | `b | c` |"), r"| a | `b \| c` |");
        assert_eq!(with_pipes_of_code("| a | b | c |"), "| a | b | c |");
    }
}

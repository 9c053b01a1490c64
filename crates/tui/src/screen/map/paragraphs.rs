//! Which paragraphs of several have room.

use ratatui::text::Line;

/// A paragraph and its rank: one of a lower rank is kept before one of a higher.
pub(super) type Ranked = (u8, Vec<Line<'static>>);

/// The paragraphs that fit into so many rows, in the order in which they are given. One that does not fit as a whole is left out.
pub(super) fn fitting(paragraphs: Vec<Ranked>, rows: usize) -> Vec<Line<'static>> {
    let mut ranks: Vec<_> = paragraphs.iter().map(|it| (it.0, it.1.len())).collect();
    ranks.sort_unstable();
    let mut left = rows;
    let mut kept = Vec::new();
    for (rank, rows) in ranks {
        if let Some(rest) = left.checked_sub(rows) {
            left = rest;
            kept.push(rank);
        }
    }
    let shown = paragraphs.into_iter().filter(|it| kept.contains(&it.0));
    shown.flat_map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_more_has_room_first_and_a_smaller_one_may_follow() {
        let rows = |text: &'static str, rows| vec![Line::from(text); rows];
        let kept = |room| {
            let paragraphs = vec![(1, rows("a", 3)), (0, rows("b", 1)), (2, rows("c", 1))];
            let lines = fitting(paragraphs, room);
            lines.iter().map(ToString::to_string).collect::<String>()
        };
        let all = [0, 1, 2, 3, 4, 5].map(kept);
        assert_eq!(all, ["", "b", "bc", "bc", "aaab", "aaabc"]);
    }
}

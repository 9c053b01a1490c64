//! Whole `https://` addresses on the screen, for terminals that open them (OSC 8).

use std::ops::Range;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

/// An address that is whole on one row of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hyperlink {
    at: Position,
    address: String,
}

impl Hyperlink {
    /// Its row on the screen.
    pub(crate) fn row(&self) -> u16 {
        self.at.y
    }

    /// Its columns on the screen.
    pub(crate) fn columns(&self) -> Range<u16> {
        let width = u16::try_from(self.address.len()).unwrap_or(u16::MAX);
        self.at.x..self.at.x.saturating_add(width)
    }

    /// The same where a line begins at this place.
    pub(crate) fn moved(mut self, to: Position) -> Self {
        self.at.x = self.at.x.saturating_add(to.x);
        self.at.y = self.at.y.saturating_add(to.y);
        self
    }

    /// The address: ASCII that a terminal only prints.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

/// Those of these addresses that are whole on a line of an area, which begins with the first of the lines.
pub(crate) fn on(lines: &[Line<'_>], addresses: &[String], area: Rect) -> Vec<Hyperlink> {
    let rows = (area.y..area.bottom()).zip(lines);
    let found = rows.flat_map(|(y, line)| {
        let of_line = in_line(line, addresses, area.width).into_iter();
        of_line.map(move |it| it.moved(Position::new(area.x, y)))
    });
    found.collect()
}

/// Those of these addresses that are whole in a line of this width, in the row 0. Only `https`, and only ASCII without space
/// and control characters: what is in it ends the sequence for no terminal.
pub(crate) fn in_line(line: &Line<'_>, addresses: &[String], width: u16) -> Vec<Hyperlink> {
    let mut found = Vec::new();
    if !line.spans.iter().any(|it| it.content.contains(':')) {
        return found;
    }
    let is_safe = |it: &String| it.bytes().all(|byte| byte.is_ascii_graphic());
    let text = line.to_string();
    for (at, _) in text.match_indices("https://") {
        let (before, from_here) = text.split_at(at);
        let is_whole = |it: &&String| {
            let behind = from_here.strip_prefix(it.as_str());
            // A longer address may begin like this one.
            behind.is_some_and(|it| it.is_empty() || it.starts_with([' ', '[']))
        };
        let address = addresses.iter().find(|it| is_whole(it) && is_safe(it));
        if let Some(address) = address
            && before.width() + address.len() <= usize::from(width)
        {
            let column = u16::try_from(before.width()).unwrap_or(u16::MAX);
            found.push(Hyperlink {
                at: Position::new(column, 0),
                address: address.clone(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::styled;
    use ratatui::style::Style;

    #[test]
    fn only_whole_and_safe_addresses_are_links() {
        let addresses = [
            "https://a.b",
            "https://a.b/c",
            "http://a.b",
            "https://\u{7}",
            "#page",
        ];
        let addresses = addresses.map(str::to_owned);
        let lines = styled::lines(
            "[1] https://a.b\nsee 漢 https://a.b/c[2]\nhttp://a.b https://a.b/cd\nhttps://a.b/c too far right",
            Style::new(),
        );
        let found = on(&lines, &addresses, Rect::new(2, 5, 20, 9));
        let said = found.iter().map(|it| {
            let columns = it.columns();
            format!(
                "{}: {}-{} {}",
                it.row(),
                columns.start,
                columns.end,
                it.address()
            )
        });
        insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"), @"
        5: 6-17 https://a.b
        6: 9-22 https://a.b/c
        8: 2-15 https://a.b/c
        ");
    }
}

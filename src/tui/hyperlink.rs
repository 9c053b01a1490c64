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

    /// The address: ASCII that a terminal only prints.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

/// Those of these addresses that are whole on a line of an area, which begins with the first of the lines. Only `https`, and
/// only ASCII without space and control characters: what is in it ends the sequence for no terminal.
pub(crate) fn on(lines: &[Line<'_>], addresses: &[String], area: Rect) -> Vec<Hyperlink> {
    let is_safe =
        |it: &&String| it.starts_with("https://") && it.bytes().all(|byte| byte.is_ascii_graphic());
    let addresses: Vec<&String> = addresses.iter().filter(is_safe).collect();
    let mut found = Vec::new();
    if addresses.is_empty() {
        return found;
    }
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        let text = line.to_string();
        for address in &addresses {
            let Some((before, behind)) = text.split_once(address.as_str()) else {
                continue;
            };
            // A longer address may begin like this one.
            let is_whole = behind.is_empty() || behind.starts_with([' ', '[']);
            let column = u16::try_from(before.width()).unwrap_or(u16::MAX);
            let is_inside = before.width() + address.len() <= usize::from(area.width);
            if is_whole && is_inside {
                found.push(Hyperlink {
                    at: Position::new(area.x.saturating_add(column), y),
                    address: (*address).clone(),
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::styled;
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

//! The theme: the style of each role that text has on screen.
//!
//! Never a colour alone: whatever a colour says is also said by a word or a symbol.

mod background;
mod colours;
mod role;

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::styled;
use warpup_lab::plot::{Ink, PlotRow};
use warpup_store::settings::ThemeSetting;

pub(crate) use background::Background;
pub(crate) use colours::Colours;
pub(crate) use role::Role;

pub(crate) use warpup_text::shown::Letters;

/// Colours and characters of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Theme {
    pub(crate) colours: Colours,
    /// On an ASCII terminal, the last step of a frame replaces all other characters.
    pub(crate) letters: Letters,
}

impl Theme {
    /// The theme that is set, or that fits an environment: `NO_COLOR`, what `TERM` and `COLORFGBG` say of colours, and
    /// whether the locale is UTF-8.
    pub(crate) fn of_environment(
        set: ThemeSetting,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        Self {
            colours: Colours::of_environment(set, &variable),
            letters: Letters::of_environment(variable),
        }
    }

    /// Text of a role, on one line.
    pub(crate) fn span(self, text: &str, role: Role) -> Span<'static> {
        styled::span(text, self.style(role))
    }

    /// A line of one role.
    pub(crate) fn line(self, text: &str, role: Role) -> Line<'static> {
        styled::line(text, self.style(role))
    }

    /// A row of a plot, in the colours of its series.
    pub(crate) fn plotted(self, row: PlotRow) -> Line<'static> {
        let parts = row.parts.into_iter().map(|part| {
            let role = match part.ink {
                Ink::Text => Role::Text,
                Ink::Axis => Role::Border,
                Ink::Series(at) => Role::Series(at),
            };
            (part.text, self.style(role))
        });
        styled::parts(parts.collect())
    }

    /// The style of a role.
    pub(crate) fn style(self, role: Role) -> Style {
        self.colours.style(role)
    }
}

/// Replaces the characters that an ASCII terminal cannot draw.
pub(crate) fn make_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let stand_in = cell.symbol().chars().next().map_or(' ', stand_in);
            cell.set_char(stand_in);
        }
    }
}

/// An ASCII character that reads like another one.
fn stand_in(letter: char) -> char {
    match letter {
        '─' | '━' | '–' | '—' | '‒' | '−' | '▔' | '═' | '•' | '·' => '-',
        '│' | '┃' | '▌' | '▏' | '▎' | '▍' | '║' => '|',
        '▁' | '▂' | '▃' => '_',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' => '+',
        // What is done has a sign of its own.
        '●' | '✓' | '✎' => '*',
        '○' => 'o',
        '◐' => '%',
        '◕' => '@',
        '█' | '▓' | '▒' | '■' | '▰' | '▄' | '▅' | '▆' | '▇' | '▋' | '▊' | '▉' => {
            '#'
        }
        '▸' | '▶' | '→' | '›' | '❯' => '>',
        '◀' | '←' | '‹' => '<',
        '▾' | '↓' | '▼' => 'v',
        '↑' | '▲' => '^',
        '↪' | '\\' => '\\',
        '✗' | '×' => 'x',
        '░' | '▱' | '…' | '╭' | '╮' => '.',
        '‘' | '’' | '╰' | '╯' => '\'',
        '“' | '”' => '"',
        'µ' => 'u',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::Cell;
    use ratatui::layout::Rect;

    #[test]
    fn an_ascii_screen_holds_ascii_only() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        buffer.set_line(0, 0, &styled::line("● µs ─│ 漢x", Style::new()), 12);
        make_ascii(&mut buffer);
        let text: String = buffer.content.iter().map(Cell::symbol).collect();
        assert_eq!(text.trim_end(), "* us -| ? x");
    }
}

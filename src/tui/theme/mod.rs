//! The theme: the style of each role that text has on screen.
//!
//! Uses only the sixteen colours of the learner's terminal theme, and never a colour
//! alone: whatever a colour says is also said by a word or a symbol. `NO_COLOR` leaves the modifiers.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::styled;

pub(crate) use crate::shown::Letters;

/// The role of a text on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Text,
    /// Less important text.
    Dim,
    /// `**strong**`
    Strong,
    /// `*emphasis*`
    Emphasis,
    /// The name of the screen.
    Title,
    Heading,
    Code,
    /// A keyword in code.
    Keyword,
    /// A string or number in code.
    Literal,
    /// A comment in code.
    Comment,
    Link,
    /// Right, passed, done.
    Good,
    /// Wrong, failed.
    Bad,
    /// A warning.
    Warn,
    /// A key to press.
    Key,
    /// Where the cursor or the focus is.
    Selected,
    /// Lines between things.
    Border,
    /// Host time.
    Host,
    /// Device time.
    Device,
    /// Copies between host and device.
    Copy,
    /// The series of a plot with this index; its marker differs, too.
    Series(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colours {
    /// The sixteen colours of the terminal.
    Sixteen,
    None,
}

/// Colours and characters of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Theme {
    pub(crate) colours: Colours,
    /// On an ASCII terminal, the last step of a frame replaces all other characters.
    pub(crate) letters: Letters,
}

impl Theme {
    /// The theme for an environment: `NO_COLOR`, and whether the locale is UTF-8.
    pub(crate) fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let colours = match variable("NO_COLOR").filter(|it| !it.is_empty()) {
            Some(_) => Colours::None,
            None => Colours::Sixteen,
        };
        let letters = Letters::of_environment(variable);
        Self { colours, letters }
    }

    /// Text of a role, on one line.
    pub(crate) fn span(self, text: &str, role: Role) -> Span<'static> {
        styled::span(text, self.style(role))
    }

    /// A line of one role.
    pub(crate) fn line(self, text: &str, role: Role) -> Line<'static> {
        styled::line(text, self.style(role))
    }

    /// The style of a role.
    pub(crate) fn style(self, role: Role) -> Style {
        let (colour, modifier) = looks(role);
        let style = Style::new().add_modifier(modifier);
        match (self.colours, colour) {
            (Colours::Sixteen, Some(colour)) => style.fg(colour),
            (Colours::Sixteen, None) | (Colours::None, _) => style,
        }
    }
}

/// Colours of the series of a plot, in order.
const SERIES: [Color; 6] = [
    Color::Cyan,
    Color::Yellow,
    Color::Magenta,
    Color::Green,
    Color::Red,
    Color::Blue,
];

/// The colour and modifiers of each role.
fn looks(role: Role) -> (Option<Color>, Modifier) {
    let plain = Modifier::empty();
    match role {
        Role::Text => (None, plain),
        Role::Dim | Role::Border => (None, Modifier::DIM),
        Role::Comment => (None, Modifier::DIM.union(Modifier::ITALIC)),
        Role::Emphasis => (None, Modifier::ITALIC),
        Role::Strong | Role::Title => (None, Modifier::BOLD),
        Role::Code | Role::Device => (Some(Color::Cyan), plain),
        Role::Keyword => (Some(Color::Magenta), plain),
        Role::Literal | Role::Host => (Some(Color::Green), plain),
        Role::Link => (Some(Color::Blue), Modifier::UNDERLINED),
        Role::Good => (Some(Color::Green), Modifier::BOLD),
        Role::Bad => (Some(Color::Red), Modifier::BOLD),
        Role::Warn => (Some(Color::Yellow), Modifier::BOLD),
        Role::Heading | Role::Key => (Some(Color::Cyan), Modifier::BOLD),
        Role::Selected => (None, Modifier::REVERSED),
        Role::Copy => (Some(Color::Yellow), plain),
        Role::Series(at) => (SERIES.get(at % SERIES.len()).copied(), plain),
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
        '─' | '━' | '–' | '—' | '‒' | '−' | '▔' | '═' => '-',
        '│' | '┃' | '▌' | '▏' | '║' => '|',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' => '+',
        '•' | '●' | '✓' | '·' => '*',
        '○' => 'o',
        '◐' => '%',
        '█' | '▓' | '▒' | '■' => '#',
        '▸' | '▶' | '→' | '›' | '❯' => '>',
        '◀' | '←' | '‹' => '<',
        '▾' | '↓' | '▼' => 'v',
        '↑' | '▲' => '^',
        '↪' | '\\' => '\\',
        '✗' | '×' => 'x',
        '░' | '…' => '.',
        '‘' | '’' => '\'',
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
    fn without_colours_no_colour_is_left() {
        let theme = Theme {
            colours: Colours::None,
            letters: Letters::Unicode,
        };
        for role in [Role::Good, Role::Bad, Role::Link, Role::Heading, Role::Host] {
            assert_eq!(theme.style(role).fg, None, "{role:?}");
        }
    }

    #[test]
    fn the_environment_decides_on_colours_and_letters() {
        let of = |pairs: &[(&str, &str)]| {
            Theme::of_environment(|name| {
                let found = pairs.iter().find(|it| it.0 == name);
                found.map(|it| it.1.to_owned())
            })
        };
        assert_eq!(of(&[("LANG", "de_DE.UTF-8")]).letters, Letters::Unicode);
        assert_eq!(of(&[("NO_COLOR", "1")]).colours, Colours::None);
        assert_eq!(of(&[("NO_COLOR", "")]).colours, Colours::Sixteen);
    }

    #[test]
    fn an_ascii_screen_holds_ascii_only() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        buffer.set_line(0, 0, &styled::line("● µs ─│ 漢x", Style::new()), 12);
        make_ascii(&mut buffer);
        let text: String = buffer.content.iter().map(Cell::symbol).collect();
        assert_eq!(text.trim_end(), "* us -| ? x");
    }
}

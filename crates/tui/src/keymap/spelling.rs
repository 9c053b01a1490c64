//! How keys are spelled in settings.toml: `x`, `space`, `ctrl-r`, `shift-up`, `f5`.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::binding::Chord;

impl Chord {
    /// How it is spelled.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(super) fn spelling(self) -> String {
        let arrow = match self.0 {
            KeyCode::Up => "up",
            KeyCode::Down => "down",
            KeyCode::Left => "left",
            KeyCode::Right => "right",
            // A capital is another key.
            KeyCode::Char(letter) if self.1.is_empty() && letter != ' ' => {
                return letter.to_string();
            }
            _ => return self.name().to_lowercase(),
        };
        format!("{}{arrow}", self.modifiers().to_lowercase())
    }

    /// Reads the spelling of a key that can be set; otherwise what is wrong with it.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "there are more keys than meanings"
    )]
    pub(super) fn spelled(text: &str) -> Result<Self, String> {
        let (modifiers, name) = parted(text);
        let code = code(name).ok_or_else(|| format!("`{text}` is not a key"))?;
        let chord = match code {
            KeyCode::Tab if modifiers == KeyModifiers::SHIFT => {
                Self(KeyCode::BackTab, KeyModifiers::NONE)
            }
            // A capital is the letter that the terminal sends.
            KeyCode::Char(letter) if modifiers.contains(KeyModifiers::SHIFT) => {
                let letter = letter.to_ascii_uppercase();
                let rest = modifiers.difference(KeyModifiers::SHIFT);
                Self(KeyCode::Char(letter), rest)
            }
            KeyCode::Char(letter) if modifiers.contains(KeyModifiers::CONTROL) => {
                Self(KeyCode::Char(letter.to_ascii_lowercase()), modifiers)
            }
            _ => Self(code, modifiers),
        };
        match why_not(chord) {
            Some(why) => Err(format!("`{text}` cannot be set: {why}")),
            None => Ok(chord),
        }
    }
}

/// What cannot be given away: nobody may lose the way out, and some keys arrive as others.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "there are more keys than meanings"
)]
fn why_not(chord: Chord) -> Option<&'static str> {
    let is_control = chord.1.contains(KeyModifiers::CONTROL);
    match chord.0 {
        KeyCode::Esc => Some("it always leads back"),
        KeyCode::Char('c') if is_control => Some("it always cancels, and quits"),
        KeyCode::Char('q') if is_control => Some("it always quits"),
        KeyCode::Char('Q') if chord.1.is_empty() => Some("it always quits"),
        KeyCode::Char('z') if is_control => Some("it always suspends"),
        KeyCode::Char('i') if is_control => Some("terminals send it as Tab"),
        KeyCode::Char('j' | 'm') if is_control => Some("terminals send it as Enter"),
        KeyCode::Char('[') if is_control => Some("terminals send it as Esc"),
        KeyCode::Char('0'..='9') if chord.1.is_empty() => {
            Some("digits choose options and open links")
        }
        _ => None,
    }
}

/// The modifiers, and the key behind them.
fn parted(text: &str) -> (KeyModifiers, &str) {
    let mut modifiers = KeyModifiers::NONE;
    let mut rest = text;
    while let Some((word, behind)) = rest.split_once(['-', '+']).filter(|it| !it.1.is_empty()) {
        match word.to_ascii_lowercase().as_str() {
            "ctrl" | "control" => modifiers |= KeyModifiers::CONTROL,
            "alt" => modifiers |= KeyModifiers::ALT,
            "shift" => modifiers |= KeyModifiers::SHIFT,
            _ => break,
        }
        rest = behind;
    }
    (modifiers, rest)
}

fn code(name: &str) -> Option<KeyCode> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return letter.is_ascii_graphic().then_some(KeyCode::Char(letter));
    }
    let name = name.to_ascii_lowercase();
    Some(match name.as_str() {
        "space" => KeyCode::Char(' '),
        "enter" | "return" => KeyCode::Enter,
        "esc" | "escape" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backspace" => KeyCode::Backspace,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "insert" => KeyCode::Insert,
        "delete" => KeyCode::Delete,
        "page-up" | "pageup" | "pgup" => KeyCode::PageUp,
        "page-down" | "pagedown" | "pgdn" => KeyCode::PageDown,
        _ => {
            let number = name.strip_prefix('f')?.parse().ok()?;
            (1..=12).contains(&number).then_some(KeyCode::F(number))?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_people_write_them() {
        let name = |text| Chord::spelled(text).map(Chord::name);
        let said: Vec<_> = [
            "x",
            "X",
            "shift-x",
            "-",
            "+",
            "space",
            "Ctrl-R",
            "ctrl+r",
            "alt-x",
            "shift-up",
            "shift-tab",
            "ctrl-page-up",
            "F5",
            "home",
        ]
        .map(|it| name(it).unwrap())
        .to_vec();
        insta::assert_snapshot!(said.join(" "), @"x X X - + Space Ctrl-R Ctrl-R Alt-x Shift-↑ Shift-Tab Ctrl-PgUp F5 Home");
    }

    #[test]
    fn keys_are_spelled_as_people_type_them() {
        let spelled = |text| Chord::spelled(text).map(Chord::spelling);
        for text in [
            "x", "X", "space", "ctrl-r", "alt-down", "shift-f3", "f5", "tab",
        ] {
            assert_eq!(spelled(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_is_no_key_or_cannot_be_given_away_is_said() {
        let said: Vec<_> = [
            "", "xy", "f13", "ctrl-", "esc", "Q", "ctrl-c", "ctrl-i", "7",
        ]
        .map(|it| Chord::spelled(it).unwrap_err())
        .to_vec();
        insta::assert_snapshot!(said.join("\n"), @"
        `` is not a key
        `xy` is not a key
        `f13` is not a key
        `ctrl-` is not a key
        `esc` cannot be set: it always leads back
        `Q` cannot be set: it always quits
        `ctrl-c` cannot be set: it always cancels, and quits
        `ctrl-i` cannot be set: terminals send it as Tab
        `7` cannot be set: digits choose options and open links
        ");
    }
}

//! Colours for code.

use ratatui::text::{Line, Span};

use crate::styled;
use crate::theme::{Role, Theme};
use warpup_text::highlight::{self, CodeRole};
use warpup_text::shown::Shown;

/// Code as lines, in one style where the language is unknown.
pub(crate) fn code(language: &str, code: &str, theme: Theme) -> Vec<Line<'static>> {
    let shown = Shown::new(code);
    let Some(lines) = highlight::lines(language, shown.as_str()) else {
        return styled::lines(code, theme.style(Role::Text));
    };
    let span = |(text, role): (&str, CodeRole)| theme.span(text, role_of(role));
    let line = |it: Vec<(&str, CodeRole)>| {
        Line::from(it.into_iter().map(span).collect::<Vec<Span<'static>>>())
    };
    lines.into_iter().map(line).collect()
}

fn role_of(role: CodeRole) -> Role {
    match role {
        CodeRole::Plain => Role::Text,
        CodeRole::Keyword => Role::Keyword,
        CodeRole::Literal => Role::Literal,
        CodeRole::Comment => Role::Comment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Colours, Letters};
    use proptest::prelude::*;

    const THEME: Theme = Theme {
        colours: Colours::Sixteen,
        letters: Letters::Unicode,
    };

    proptest! {
        #[test]
        fn no_letter_is_lost(text in any::<String>()) {
            for language in ["python", "rust", "toml", "text"] {
                let lines = code(language, &text, THEME);
                let all: Vec<_> = lines.iter().map(ToString::to_string).collect();
                let shown = Shown::new(&text).into_string();
                prop_assert_eq!(all.join("\n"), shown.strip_suffix('\n').unwrap_or(&shown));
            }
        }
    }
}

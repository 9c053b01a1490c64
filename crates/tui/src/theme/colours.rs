//! The colours of each role, for each theme.
//!
//! Text keeps the colour of the terminal. The colours of [`Colours::Any`] are those of the 256 that have a contrast of at least
//! 4.5 : 1 on black and on white, which WCAG 2 asks of text; a test computes it for all themes.

use ratatui::style::{Color, Modifier, Style};

use super::background::Background;
use super::role::Role;
use warpup_store::settings::ThemeSetting;

/// A theme's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colours {
    /// For any background.
    Any,
    /// For a black one.
    Dark,
    /// For a white one.
    Light,
    /// Weight, lines and inversion, and no dim text.
    HighContrast,
    /// Blue and a reddish brown, which everybody can tell apart; for any background.
    ColourBlind,
    /// The sixteen colours of the terminal, whose contrast the terminal decides.
    Sixteen,
    /// Weight and lines.
    None,
}

/// The hues of a theme.
#[derive(Clone, Copy)]
struct Hues {
    heading: Color,
    /// Keys to press, and links.
    key: Color,
    code: Color,
    keyword: Color,
    literal: Color,
    good: Color,
    bad: Color,
    warn: Color,
    /// The mark of what is modelled.
    modelled: Color,
    /// Less important text.
    dim: Color,
}

const ANY: Hues = Hues {
    heading: Color::Indexed(63),
    key: Color::Indexed(63),
    modelled: Color::Indexed(163),
    code: Color::Indexed(63),
    keyword: Color::Indexed(98),
    literal: Color::Indexed(29),
    good: Color::Indexed(29),
    bad: Color::Indexed(131),
    warn: Color::Indexed(163),
    dim: Color::Indexed(243),
};

const DARK: Hues = Hues {
    heading: Color::Indexed(75),
    key: Color::Indexed(216),
    modelled: Color::Indexed(213),
    code: Color::Indexed(80),
    keyword: Color::Indexed(176),
    literal: Color::Indexed(114),
    good: Color::Indexed(114),
    bad: Color::Indexed(210),
    warn: Color::Indexed(221),
    dim: Color::Indexed(246),
};

const LIGHT: Hues = Hues {
    heading: Color::Indexed(25),
    key: Color::Indexed(130),
    modelled: Color::Indexed(127),
    code: Color::Indexed(23),
    keyword: Color::Indexed(90),
    literal: Color::Indexed(22),
    good: Color::Indexed(22),
    bad: Color::Indexed(124),
    warn: Color::Indexed(94),
    dim: Color::Indexed(241),
};

const COLOUR_BLIND: Hues = Hues {
    heading: Color::Indexed(63),
    key: Color::Indexed(63),
    modelled: Color::Indexed(131),
    code: Color::Indexed(63),
    keyword: Color::Indexed(63),
    literal: Color::Indexed(131),
    good: Color::Indexed(63),
    bad: Color::Indexed(131),
    warn: Color::Indexed(131),
    dim: Color::Indexed(243),
};

const SIXTEEN: Hues = Hues {
    heading: Color::Cyan,
    key: Color::Cyan,
    modelled: Color::Yellow,
    code: Color::Cyan,
    keyword: Color::Magenta,
    literal: Color::Green,
    good: Color::Green,
    bad: Color::Red,
    warn: Color::Yellow,
    dim: Color::Reset,
};

impl Colours {
    /// The theme that is set, or that fits an environment.
    pub(crate) fn of_environment(
        set: ThemeSetting,
        variable: &impl Fn(&str) -> Option<String>,
    ) -> Self {
        let variable = |name| variable(name).filter(|it: &String| !it.is_empty());
        if set != ThemeSetting::Auto {
            return Self::of_setting(set);
        }
        if variable("NO_COLOR").is_some() {
            return Self::None;
        }
        let has_256 = variable("COLORTERM").is_some()
            || variable("TERM").is_some_and(|it| it.contains("256color") || it.contains("kitty"));
        // Some terminals say the numbers of their colours, the background last.
        let background =
            variable("COLORFGBG").and_then(|it| it.rsplit(';').next()?.parse::<u8>().ok());
        match background {
            _ if !has_256 => Self::Sixteen,
            Some(0..=6 | 8) => Self::Dark,
            Some(7 | 15) => Self::Light,
            Some(_) | None => Self::Any,
        }
    }

    /// The theme that is set; where that depends on the terminal, the one for any.
    pub(crate) fn of_setting(set: ThemeSetting) -> Self {
        match set {
            ThemeSetting::Dark => Self::Dark,
            ThemeSetting::Light => Self::Light,
            ThemeSetting::HighContrast => Self::HighContrast,
            ThemeSetting::ColourBlind => Self::ColourBlind,
            ThemeSetting::Sixteen => Self::Sixteen,
            ThemeSetting::None => Self::None,
            ThemeSetting::Auto => Self::Any,
        }
    }

    /// The colours that fit the environment, where the terminal has this background. It decides only between themes that are
    /// made for one.
    pub(crate) fn on(self, background: Background) -> Self {
        match (self, background) {
            (Self::Any | Self::Dark | Self::Light, Background::Dark) => Self::Dark,
            (Self::Any | Self::Dark | Self::Light, Background::Light) => Self::Light,
            (Self::HighContrast | Self::ColourBlind | Self::Sixteen | Self::None, _) => self,
        }
    }

    /// Whether they are made for a background, or a compromise between two.
    pub(crate) fn depend_on_background(self) -> bool {
        matches!(self, Self::Any | Self::Dark | Self::Light)
    }

    /// The style of a role.
    pub(super) fn style(self, role: Role) -> Style {
        let style = Style::new().add_modifier(self.modifier(role));
        match self.hues().and_then(|it| colour(role, it)) {
            Some(colour) if colour != Color::Reset => style.fg(colour),
            Some(_) | None => style,
        }
    }

    fn hues(self) -> Option<Hues> {
        match self {
            Self::Any => Some(ANY),
            Self::Dark => Some(DARK),
            Self::Light => Some(LIGHT),
            Self::ColourBlind => Some(COLOUR_BLIND),
            Self::Sixteen => Some(SIXTEEN),
            Self::HighContrast | Self::None => None,
        }
    }

    fn modifier(self, role: Role) -> Modifier {
        let plain = Modifier::empty();
        // A terminal makes dim text of any colour; a theme with 256 colours has one of its own.
        let dim = match self {
            Self::Sixteen | Self::None => Modifier::DIM,
            Self::Any | Self::Dark | Self::Light | Self::HighContrast | Self::ColourBlind => plain,
        };
        match role {
            Role::Dim | Role::Border => dim,
            Role::Comment => dim.union(Modifier::ITALIC),
            Role::Emphasis => Modifier::ITALIC,
            Role::Link => Modifier::UNDERLINED,
            Role::Selected => Modifier::REVERSED,
            Role::Strong
            | Role::Title
            | Role::Good
            | Role::Bad
            | Role::Warn
            | Role::Modelled
            | Role::Heading
            | Role::Key => Modifier::BOLD,
            // Without colour, nothing else would tell code from the words around it.
            Role::Code if self.hues().is_none() => Modifier::UNDERLINED,
            Role::Text
            | Role::Code
            | Role::Device
            | Role::Keyword
            | Role::Literal
            | Role::Host
            | Role::Copy
            | Role::Series(_) => plain,
        }
    }
}

fn colour(role: Role, hues: Hues) -> Option<Color> {
    let series = [
        // Those of host, device and copies come first: most plots are of them.
        hues.literal,
        hues.code,
        hues.warn,
        hues.heading,
        hues.keyword,
        hues.bad,
    ];
    match role {
        Role::Text | Role::Strong | Role::Title | Role::Emphasis | Role::Selected => None,
        Role::Dim | Role::Border | Role::Comment => Some(hues.dim),
        Role::Code | Role::Device => Some(hues.code),
        Role::Keyword => Some(hues.keyword),
        Role::Literal | Role::Host => Some(hues.literal),
        Role::Heading => Some(hues.heading),
        Role::Link | Role::Key => Some(hues.key),
        Role::Modelled => Some(hues.modelled),
        Role::Good => Some(hues.good),
        Role::Bad => Some(hues.bad),
        Role::Warn | Role::Copy => Some(hues.warn),
        Role::Series(at) => series.get(at % series.len()).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::background::luminance;

    const ROLES: [Role; 19] = [
        Role::Dim,
        Role::Heading,
        Role::Code,
        Role::Keyword,
        Role::Literal,
        Role::Comment,
        Role::Link,
        Role::Good,
        Role::Bad,
        Role::Warn,
        Role::Modelled,
        Role::Key,
        Role::Border,
        Role::Host,
        Role::Device,
        Role::Copy,
        Role::Series(0),
        Role::Series(1),
        Role::Series(4),
    ];

    /// The light of one of xterm's colours above 15.
    fn luminance_of(index: u8) -> f64 {
        let cube = |it: u8| if it == 0 { 0 } else { 55 + 40 * it };
        let rgb = match index {
            232.. => [8 + 10 * (index - 232); 3],
            _ => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(cube),
        };
        luminance(rgb.map(|it| f64::from(it) / 255.0))
    }

    fn contrast(index: u8, background: f64) -> f64 {
        let (one, other) = (luminance_of(index) + 0.05, background + 0.05);
        if one > other {
            one / other
        } else {
            other / one
        }
    }

    #[test]
    fn every_colour_can_be_read_on_black_and_on_white() {
        let (black, white) = (0.0, 1.0);
        let themes: [(Colours, &[f64]); 4] = [
            (Colours::Any, &[black, white]),
            (Colours::ColourBlind, &[black, white]),
            (Colours::Dark, &[black]),
            (Colours::Light, &[white]),
        ];
        for (theme, backgrounds) in themes {
            for role in ROLES {
                let style = theme.style(role);
                let Some(Color::Indexed(index)) = style.fg else {
                    panic!("{theme:?} has no colour for {role:?}");
                };
                assert!(
                    !style.add_modifier.contains(Modifier::DIM),
                    "{theme:?} {role:?}"
                );
                for background in backgrounds {
                    let found = contrast(index, *background);
                    assert!(
                        found >= 4.5,
                        "{theme:?} {role:?} on {background}: {found:.2}"
                    );
                }
            }
        }
        for theme in [Colours::HighContrast, Colours::None] {
            for role in ROLES {
                assert_eq!(theme.style(role).fg, None, "{theme:?} {role:?}");
            }
        }
        assert!(
            ROLES
                .iter()
                .all(|it| Colours::HighContrast.modifier(*it) & Modifier::DIM == Modifier::empty())
        );
    }

    #[test]
    fn the_environment_decides_unless_a_theme_is_set() {
        let of = |set, pairs: &[(&str, &str)]| {
            Colours::of_environment(set, &|name: &str| {
                let found = pairs.iter().find(|it| it.0 == name);
                found.map(|it| it.1.to_owned())
            })
        };
        let auto = ThemeSetting::Auto;
        assert_eq!(
            of(auto, &[("NO_COLOR", "1"), ("TERM", "xterm-256color")]),
            Colours::None
        );
        assert_eq!(
            of(auto, &[("NO_COLOR", ""), ("TERM", "xterm")]),
            Colours::Sixteen
        );
        assert_eq!(of(auto, &[("TERM", "xterm-256color")]), Colours::Any);
        let black = [("TERM", "xterm-256color"), ("COLORFGBG", "15;0")];
        assert_eq!(of(auto, &black), Colours::Dark);
        let white = [("COLORTERM", "truecolor"), ("COLORFGBG", "0;default;15")];
        assert_eq!(of(auto, &white), Colours::Light);
        assert_eq!(
            of(ThemeSetting::Light, &[("NO_COLOR", "1")]),
            Colours::Light
        );
    }

    #[test]
    fn a_background_decides_between_the_themes_that_are_made_for_one() {
        use Background::{Dark, Light};
        for colours in [Colours::Any, Colours::Dark, Colours::Light] {
            assert_eq!(colours.on(Dark), Colours::Dark);
            assert_eq!(colours.on(Light), Colours::Light);
        }
        for colours in [Colours::None, Colours::Sixteen] {
            assert_eq!(colours.on(Light), colours);
        }
    }

    #[test]
    fn on_a_known_background_each_kind_of_text_has_a_colour_of_its_own() {
        for theme in [Colours::Dark, Colours::Light] {
            let roles = [
                Role::Heading,
                Role::Key,
                Role::Code,
                Role::Good,
                Role::Bad,
                Role::Warn,
                Role::Modelled,
                Role::Dim,
            ];
            let mut seen: Vec<_> = roles.map(|it| theme.style(it).fg).to_vec();
            seen.dedup();
            let all: std::collections::HashSet<_> = seen.iter().copied().collect();
            assert_eq!(all.len(), roles.len(), "{theme:?}: {seen:?}");
        }
    }
}

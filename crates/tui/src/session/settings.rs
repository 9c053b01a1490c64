//! What is set about the screen, and the file that keeps it.

use crate::theme::{Background, Colours};
use warpup_store::settings::{Change, ThemeSetting};

/// What is set about the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The path of the file; nothing where there is no folder for it.
    pub(crate) file: Option<String>,
    pub(crate) theme: ThemeSetting,
    /// The colours that the theme `auto` has in this terminal.
    pub(crate) automatic: Colours,
    /// Whether wheel and clicks come to warpup.
    pub(crate) mouse: bool,
    /// What is wrong in the file.
    pub(crate) warnings: Vec<String>,
    /// Whether the last choice is in the file.
    pub(crate) kept: SettingSave,
}

/// Whether a choice is in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum SettingSave {
    /// Nothing was chosen.
    #[default]
    Unchanged,
    Yes,
    /// Not, for this reason: it holds until the app ends.
    No(String),
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            file: None,
            theme: ThemeSetting::default(),
            automatic: Colours::Any,
            mouse: true,
            warnings: Vec::new(),
            kept: SettingSave::default(),
        }
    }
}

impl Settings {
    /// Takes a choice over.
    pub(crate) fn choose(&mut self, change: Change) {
        match change {
            Change::Theme(theme) => self.theme = theme,
            Change::Mouse(mouse) => self.mouse = mouse,
        }
    }

    /// Takes over whether the last choice is in the file.
    pub(crate) fn note(&mut self, kept: Result<(), String>) {
        self.kept = match kept {
            Ok(()) => SettingSave::Yes,
            Err(why) => SettingSave::No(why),
        };
    }

    /// Whether this is chosen now.
    pub(crate) fn is_chosen(&self, change: Change) -> bool {
        match change {
            Change::Theme(theme) => self.theme == theme,
            Change::Mouse(mouse) => self.mouse == mouse,
        }
    }

    /// The colours that the theme `auto` has on this background.
    pub(crate) fn take_background(&mut self, background: Background) {
        self.automatic = self.automatic.on(background);
    }

    /// The colours of the theme.
    pub(crate) fn colours(&self) -> Colours {
        self.colours_of(self.theme)
    }

    /// The colours that a theme has in this terminal.
    pub(crate) fn colours_of(&self, theme: ThemeSetting) -> Colours {
        if theme == ThemeSetting::Auto {
            self.automatic
        } else {
            Colours::of_setting(theme)
        }
    }
}

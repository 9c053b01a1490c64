//! What a learner or an administrator has set: `$XDG_CONFIG_HOME/warpup/settings.toml`.
//!
//! A small file that people write; warpup writes only what is chosen on its settings screen. A mistake in it ends
//! nothing: a warning names its line, and the default applies.

mod change;
mod course;
mod keys;
mod pass;
mod policy;
mod size;

use crate::text_file;
use serde::Deserialize;
use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use warpup_course::{Diagnostic, Rule, Severity};

pub use change::{Change, keep};
pub use keys::KeySetting;
pub use policy::{ClassPolicy, CudaPolicy, Deadline, FILE as POLICY_FILE, Policy, RunPolicy};

use policy::least;

/// How long the worker for real cards stays after a run, where nothing is set.
const LINGER: Duration = Duration::from_secs(10);

/// The most bytes of the file.
const MAX: u64 = 1 << 20;

/// What a mistake means for the rest of the file.
const NOTHING_COUNTS: &str = "nothing in this file counts until this is corrected";

/// The longest time that can be set: an idle context holds memory that others may want.
const MOST_LINGER_SECONDS: u64 = 600;

/// Everything that can be set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The course that is opened where none is named: a folder, a packed file or the address of a repository.
    #[serde(deserialize_with = "course::deserialize")]
    pub course: Option<PathBuf>,
    /// What is about real cards.
    pub cuda: CudaSettings,
    /// The limits of each run, which only a [`Policy`] sets.
    #[serde(skip)]
    pub run: RunPolicy,
    /// What is about the terminal.
    pub screen: ScreenSettings,
    /// The keys that have another meaning than in the table, in the order of the file.
    #[serde(deserialize_with = "keys::deserialize")]
    pub keys: Vec<KeySetting>,
}

/// The table `[screen]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScreenSettings {
    /// The colours.
    pub theme: ThemeSetting,
    /// Whether wheel and clicks come to warpup; the terminal then selects text with Shift.
    pub mouse: bool,
}

impl Default for ScreenSettings {
    fn default() -> Self {
        Self {
            theme: ThemeSetting::Auto,
            mouse: true,
        }
    }
}

/// A theme, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeSetting {
    /// What the terminal says fits.
    #[default]
    Auto,
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// No colours and no dim text.
    HighContrast,
    /// Colours that everybody can tell apart.
    #[serde(alias = "color-blind")]
    ColourBlind,
    /// The sixteen colours of the terminal.
    Sixteen,
    /// No colours.
    None,
}

impl ThemeSetting {
    /// The name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Dark => "dark",
            Self::Light => "light",
            Self::HighContrast => "high-contrast",
            Self::ColourBlind => "colour-blind",
            Self::Sixteen => "sixteen",
            Self::None => "none",
        }
    }
}

/// The table `[cuda]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CudaSettings {
    /// The executable of the worker; looked for where it usually is when left out.
    pub worker: Option<PathBuf>,
    /// What starts it, such as `["ssh", "gpubox"]`; empty where it is started directly.
    pub launcher: Vec<String>,
    /// How long it stays after its last run.
    #[serde(rename = "linger_seconds", deserialize_with = "seconds")]
    pub linger: Duration,
    /// Whether it stays although a launcher has started it, which only a [`Policy`] says.
    #[serde(skip)]
    pub may_linger_launched: bool,
    /// Folders where its libraries are looked for first.
    pub library_path: Vec<PathBuf>,
    /// Bytes of a card's memory that a run may hold; all of it when left out.
    #[serde(deserialize_with = "size::deserialize")]
    pub memory_cap: Option<u64>,
    /// The cards that runs may use, by UUID, which only a [`Policy`] says; every card if there is none. `CUDA_VISIBLE_DEVICES` is
    /// the user's own choice.
    #[serde(skip)]
    pub cards: Vec<String>,
}

impl Default for CudaSettings {
    fn default() -> Self {
        Self {
            worker: None,
            launcher: Vec::new(),
            linger: LINGER,
            may_linger_launched: false,
            library_path: Vec::new(),
            memory_cap: None,
            cards: Vec::new(),
        }
    }
}

/// The settings, and what is wrong with their file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadedSettings {
    /// The settings.
    pub settings: Settings,
    /// What is wrong, in words for a person and with its place, if anything is.
    pub warning: Option<String>,
    /// The same on one line.
    pub headline: Option<String>,
    /// The file and its text, for what is found to be wrong later.
    source: Source,
}

/// A file and its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Source {
    file: String,
    text: String,
}

impl LoadedSettings {
    /// A warning about some bytes of the file, with their place.
    pub fn warning_at(&self, span: Range<usize>, message: String, hint: String) -> String {
        let warning = self.source.warning(span, message, hint);
        warning.render(&self.source.text)
    }
}

impl LoadedSettings {
    /// Whether the file sets a course that nobody can read, since there is a mistake in the file.
    pub fn hides_a_course(&self) -> bool {
        let before = [' ', '\t', '"', '\'', '\u{feff}'];
        let mut lines = self.source.text.lines();
        self.warning.is_some()
            && lines.any(|it| it.trim_start_matches(before).starts_with("course"))
    }
}

impl Source {
    fn warning(&self, span: Range<usize>, message: String, hint: String) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            rule: Rule::Setting,
            file: self.file.clone(),
            span,
            message,
            hint: Some(hint),
            fix: None,
        }
    }
}

impl Settings {
    /// Puts what a policy sets in the place of the user's.
    fn govern(&mut self, policy: &Policy) {
        let own = &mut self.cuda;
        let CudaPolicy {
            worker,
            launcher,
            linger_seconds,
            library_path,
            memory_cap,
            cards,
        } = &policy.cuda;
        *own = CudaSettings {
            worker: worker.clone().or(own.worker.take()),
            launcher: launcher
                .clone()
                .unwrap_or(std::mem::take(&mut own.launcher)),
            linger: linger_seconds.map_or(own.linger, Duration::from_secs),
            may_linger_launched: linger_seconds.is_some(),
            library_path: library_path
                .clone()
                .unwrap_or(std::mem::take(&mut own.library_path)),
            // A user may want less.
            memory_cap: least(*memory_cap, own.memory_cap),
            cards: cards.clone().unwrap_or_default(),
        };
        self.course = policy.course.clone().or(self.course.take());
        self.run = policy.run;
    }
}

/// Where the settings are: `$XDG_CONFIG_HOME/warpup/settings.toml`, else `~/.config/warpup/settings.toml`;
/// nowhere if neither is set.
pub fn file() -> Option<PathBuf> {
    file_from(|name| std::env::var_os(name))
}

/// Reads the settings of the user alone. A file that is not there sets nothing.
pub fn of_user() -> LoadedSettings {
    file().map_or_else(LoadedSettings::default, |file| read(&file))
}

/// The same under the policy of the machine, which comes before them. A mistake in the policy is reported when a command
/// begins ([`Policy::load`]).
pub fn load() -> LoadedSettings {
    let mut loaded = of_user();
    if let Ok(policy) = Policy::load() {
        loaded.settings.govern(&policy);
    }
    loaded
}

fn file_from(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // The XDG specification has relative paths ignored.
    let path = |name| {
        let path = PathBuf::from(variable(name)?);
        path.is_absolute().then_some(path)
    };
    let folder = path("XDG_CONFIG_HOME").or_else(|| Some(path("HOME")?.join(".config")))?;
    Some(folder.join("warpup/settings.toml"))
}

fn read(file: &Path) -> LoadedSettings {
    match text_file::read(file, MAX) {
        Ok(text) => parse(&text, &file.display().to_string()),
        // Who has made a link to a file means it to be there.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !file.is_symlink() => {
            LoadedSettings::default()
        }
        Err(error) => LoadedSettings {
            settings: Settings::default(),
            warning: Some(format!(
                "warning: {} cannot be read, so nothing in it counts: {error}; make it a text file that you may read, or remove it",
                file.display()
            )),
            headline: None,
            source: Source::default(),
        },
    }
}

fn parse(text: &str, file: &str) -> LoadedSettings {
    let source = Source {
        file: file.to_owned(),
        text: text.to_owned(),
    };
    let (settings, warning) = match toml::from_str(text) {
        Ok(settings) => (settings, None),
        Err(error) => {
            let message = error.message().to_owned();
            let span = error.span().unwrap_or_default();
            let written = text.get(span.clone()).unwrap_or_default();
            let hint = as_list(&message, written) + NOTHING_COUNTS;
            (
                Settings::default(),
                Some(source.warning(span, message, hint)),
            )
        }
    };
    LoadedSettings {
        settings,
        warning: warning.as_ref().map(|it| it.render(text)),
        headline: warning.map(|it| it.headline(text)),
        source,
    }
}

/// How to write the list that a text was written for, in front of another hint; nothing for any other mistake.
fn as_list(message: &str, written: &str) -> String {
    let text = written.trim_matches(['"', '\'', '\n']);
    if !message.ends_with("expected a sequence") || text.len() == written.len() {
        return String::new();
    }
    let parts = text
        .split([' ', ',', ':', '\n'])
        .filter(|it| !it.is_empty());
    let list: Vec<_> = parts.map(|it| format!("\"{it}\"")).collect();
    format!(
        "write a list, each entry in quotes: `[{}]`; ",
        list.join(", ")
    )
}

fn seconds<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Duration, D::Error> {
    let seconds = u64::deserialize(input)?;
    if seconds > MOST_LINGER_SECONDS {
        let why =
            format!("at most {MOST_LINGER_SECONDS} seconds: the worker holds memory of the card");
        return Err(serde::de::Error::custom(why));
    }
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests;

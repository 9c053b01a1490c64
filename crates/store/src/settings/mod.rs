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
pub use policy::{ClassPolicy, CudaPolicy, FILE as POLICY_FILE, Policy, RunPolicy};

use policy::least;

/// How long the worker for real cards stays after a run, where nothing is set.
const LINGER: Duration = Duration::from_secs(10);

/// The most bytes of the file.
const MAX: u64 = 1 << 20;

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
        let mut lines = self.source.text.lines();
        self.warning.is_some() && lines.any(|it| it.trim_start().starts_with("course"))
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
        Err(error) if error.kind() == io::ErrorKind::NotFound => LoadedSettings::default(),
        Err(error) => LoadedSettings {
            settings: Settings::default(),
            warning: Some(format!(
                "warning: {} cannot be read, so nothing in it counts: {error}",
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
            let hint = "nothing in this file counts until this is corrected".to_owned();
            let span = error.span().unwrap_or_default();
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
mod tests {
    use super::*;

    fn warning(text: &str) -> String {
        let loaded = parse(text, "/c/settings.toml");
        assert_eq!(loaded.settings, Settings::default());
        loaded.warning.unwrap_or_default()
    }

    #[test]
    fn what_the_administrator_sets_comes_before_what_the_user_has_set() {
        let text = r#"
            course = "/srv/course"
            [cuda]
            launcher = ["srun", "--gres=gpu:1"]
            linger_seconds = 5
            memory_cap = "2 GiB"
            [run]
            seconds = 30
            memory = "4 GiB"
        "#;
        let policy = Policy::parse(text, POLICY_FILE).unwrap();
        let mut settings = Settings {
            course: Some("/mine".into()),
            ..Settings::default()
        };
        settings.cuda.worker = Some("/opt/w".into());
        settings.cuda.launcher = vec!["ssh".to_owned()];
        settings.cuda.memory_cap = Some(1 << 30);
        settings.govern(&policy);
        assert_eq!(settings.course.as_deref(), Some(Path::new("/srv/course")));
        assert_eq!(settings.cuda.launcher, ["srun", "--gres=gpu:1"]);
        assert_eq!(settings.cuda.worker.as_deref(), Some(Path::new("/opt/w")));
        assert_eq!(settings.cuda.memory_cap, Some(1 << 30));
        assert_eq!(settings.cuda.linger, Duration::from_secs(5));
        assert!(settings.cuda.may_linger_launched);
        assert_eq!(settings.run.memory, Some(4 << 30));
        // What it leaves out stays as it was.
        let before = settings.clone();
        settings.govern(&Policy::default());
        assert_eq!(settings.cuda.launcher, before.cuda.launcher);
        assert_eq!(settings.course, before.course);
    }

    #[test]
    fn everything_can_be_set() {
        let text = r#"
            course = "/srv/course"

            [cuda]
            worker = "/opt/warpup/warpup-worker-cuda"
            launcher = ["ssh", "gpubox"]
            linger_seconds = 0
            library_path = ["/opt/cuda/lib64"]
            memory_cap = "1.5 GiB"

            [screen]
            theme = "color-blind"
            mouse = false
        "#;
        let loaded = parse(text, "settings.toml");
        assert_eq!(loaded.warning, None);
        let set = CudaSettings {
            worker: Some("/opt/warpup/warpup-worker-cuda".into()),
            launcher: vec!["ssh".to_owned(), "gpubox".to_owned()],
            linger: Duration::ZERO,
            may_linger_launched: false,
            library_path: vec!["/opt/cuda/lib64".into()],
            memory_cap: Some(3 << 29),
            cards: Vec::new(),
        };
        assert_eq!(loaded.settings.cuda, set);
        let course = loaded.settings.course.as_deref();
        assert_eq!(course, Some(Path::new("/srv/course")));
        let screen = ScreenSettings {
            theme: ThemeSetting::ColourBlind,
            mouse: false,
        };
        assert_eq!(loaded.settings.screen, screen);
    }

    #[test]
    fn keys_are_read_in_the_order_of_the_file_and_judged_elsewhere() {
        let text = "[keys]\nrun = \"ctrl-r\"\nback = [\"b\", \"x\"]\nnonsense = 5\n";
        let loaded = parse(text, "/c/settings.toml");
        assert_eq!(loaded.warning, None);
        let said = loaded.settings.keys.iter().map(|it| {
            let source = text.get(it.keys_at.clone()).unwrap();
            format!("{}: {:?} from {source}", it.action, it.keys)
        });
        insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"), @r#"
        run: Some(["ctrl-r"]) from "ctrl-r"
        back: Some(["b", "x"]) from ["b", "x"]
        nonsense: None from 5
        "#);
        let third = loaded.settings.keys[2].clone();
        let warning = loaded.warning_at(third.action_at, "no action".to_owned(), "try".to_owned());
        insta::assert_snapshot!(warning, @"
        warning[setting]: no action
         --> /c/settings.toml:4:1
          |
        4 | nonsense = 5
          | ^^^^^^^^
          |
          = help: try
        ");
    }

    #[test]
    fn nothing_has_to_be_set() {
        for text in ["", "[cuda]", "# nothing\n"] {
            let loaded = parse(text, "settings.toml");
            assert_eq!(loaded.settings, Settings::default(), "{text}");
            assert_eq!(loaded.warning, None);
        }
        assert_eq!(Settings::default().cuda.linger, LINGER);
    }

    #[test]
    fn a_mistake_is_told_with_its_place_and_sets_nothing() {
        let text = "[cuda]\nlinger_seconds = 30\nworkr = \"/opt/w\"\n";
        insta::assert_snapshot!(warning(text), @r#"
        warning[setting]: unknown field `workr`, expected one of `worker`, `launcher`, `linger_seconds`, `library_path`, `memory_cap`
         --> /c/settings.toml:3:1
          |
        3 | workr = "/opt/w"
          | ^^^^^
          |
          = help: nothing in this file counts until this is corrected
        "#);
        let text = "[cuda]\nlinger_seconds = 3600\n";
        insta::assert_snapshot!(warning(text), @"
        warning[setting]: at most 600 seconds: the worker holds memory of the card
         --> /c/settings.toml:2:18
          |
        2 | linger_seconds = 3600
          |                  ^^^^
          |
          = help: nothing in this file counts until this is corrected
        ");
        let text = "[cuda]\nmemory_cap = \"8 gigs\"\n";
        insta::assert_snapshot!(warning(text), @r#"
        warning[setting]: give bytes as in 8589934592, or words as in "8 GiB"
         --> /c/settings.toml:2:14
          |
        2 | memory_cap = "8 gigs"
          |              ^^^^^^^^
          |
          = help: nothing in this file counts until this is corrected
        "#);
        let text = "[cuda\n";
        insta::assert_snapshot!(warning(text), @"
        warning[setting]: unclosed table, expected `]`
         --> /c/settings.toml:1:6
          |
        1 | [cuda
          |      ^
          |
          = help: nothing in this file counts until this is corrected
        ");
    }

    #[test]
    fn the_file_is_where_configuration_belongs() {
        let file = |variables: &[(&str, &str)]| {
            file_from(|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            })
        };
        let both = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")];
        assert_eq!(file(&both), Some("/x/warpup/settings.toml".into()));
        let home = Some("/h/.config/warpup/settings.toml".into());
        assert_eq!(file(&both[..1]), home);
        assert_eq!(file(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "x")]), home);
        assert_eq!(file(&[]), None);
    }

    #[test]
    fn a_named_pipe_in_the_place_of_the_file_is_not_waited_for() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("settings.toml");
        rustix::fs::mkfifoat(rustix::fs::CWD, &file, rustix::fs::Mode::RUSR).unwrap();
        let warning = read(&file).warning.unwrap();
        assert!(warning.ends_with("it is not a regular file"), "{warning}");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_and_a_missing_one_is_not() {
        let folder = tempfile::TempDir::new().unwrap();
        assert_eq!(
            read(&folder.path().join("settings.toml")),
            LoadedSettings::default()
        );
        let loaded = read(folder.path());
        let warning = loaded.warning.unwrap();
        assert!(
            warning.contains(folder.path().to_str().unwrap()),
            "{warning}"
        );
        assert_eq!(loaded.settings, Settings::default());
    }
}

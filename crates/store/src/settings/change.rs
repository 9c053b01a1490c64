//! A choice that goes into settings.toml. Comments and all other entries of the file stay as they are.

use std::io;
use std::path::Path;

use toml_edit::{DocumentMut, Item, Value};

use super::{MAX, ThemeSetting, file, parse};
use crate::text_file;

/// Something that is set on the settings screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The colours.
    Theme(ThemeSetting),
    /// Whether wheel and clicks come to warpup.
    Mouse(bool),
}

impl Change {
    /// The key in the table `[screen]`, and its value.
    fn entry(self) -> (&'static str, Value) {
        match self {
            Self::Theme(theme) => ("theme", theme.name().into()),
            Self::Mouse(mouse) => ("mouse", mouse.into()),
        }
    }
}

/// Writes a choice into the file of the settings; otherwise says why it could not, for a person.
pub fn keep(change: Change) -> Result<(), String> {
    let Some(file) = file() else {
        return Err("there is no folder for settings: set HOME or XDG_CONFIG_HOME".to_owned());
    };
    keep_in(&file, change).map_err(|why| format!("{} is not changed: {why}", file.display()))
}

fn keep_in(file: &Path, change: Change) -> Result<(), String> {
    let text = match text_file::read(file, MAX) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.to_string()),
    };
    let text = with(&text, change)?;
    text_file::replace(file, &text).map_err(|error| error.to_string())
}

/// The text of the file with a choice in it.
fn with(text: &str, change: Change) -> Result<String, String> {
    let first = |why: &str| why.lines().next().unwrap_or_default().to_owned();
    if let Some(headline) = parse(text, "settings.toml").headline {
        return Err(format!("correct it first: {headline}"));
    }
    let document: Result<DocumentMut, _> = text.parse();
    let mut document = document.map_err(|error| first(error.to_string().trim()))?;
    let screen = document.entry("screen").or_insert_with(toml_edit::table);
    let Some(screen) = screen.as_table_like_mut() else {
        return Err("`screen` in it is no table".to_owned());
    };
    let (key, mut value) = change.entry();
    match screen.get_mut(key).and_then(Item::as_value_mut) {
        Some(before) => {
            // With the comment behind it.
            *value.decor_mut() = before.decor().clone();
            *before = value;
        }
        None => drop(screen.insert(key, Item::Value(value))),
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_choice_keeps_comments_and_all_else() {
        let text = "# mine\n[cuda]\nlinger_seconds = 20 # long\n\n[screen]\n# at night\ntheme = 'auto'  # or light\n\n[keys]\nrun = \"ctrl-r\"\n";
        let text = with(text, Change::Theme(ThemeSetting::HighContrast)).unwrap();
        let text = with(&text, Change::Mouse(false)).unwrap();
        insta::assert_snapshot!(text, @r#"
        # mine
        [cuda]
        linger_seconds = 20 # long

        [screen]
        # at night
        theme = "high-contrast"  # or light
        mouse = false

        [keys]
        run = "ctrl-r"
        "#);
        let empty = with("", Change::Theme(ThemeSetting::Dark)).unwrap();
        insta::assert_snapshot!(empty, @r#"
        [screen]
        theme = "dark"
        "#);
    }

    #[test]
    fn a_file_with_a_mistake_is_not_touched() {
        let said = ["[screen\n", "screen = 1\n", "[screen]\ntheem = 1\n"]
            .map(|it| with(it, Change::Mouse(true)).unwrap_err());
        insta::assert_snapshot!(said.join("\n"), @"
        correct it first: settings.toml:1:8: warning[setting]: unclosed table, expected `]`
        correct it first: settings.toml:1:10: warning[setting]: invalid type: integer `1`, expected struct ScreenSettings
        correct it first: settings.toml:2:1: warning[setting]: unknown field `theem`, expected `theme` or `mouse`
        ");
    }

    #[test]
    fn the_file_is_replaced_in_one_step_and_stays_where_its_link_leads() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("warpup/settings.toml");
        keep_in(&file, Change::Mouse(false)).unwrap();
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "[screen]\nmouse = false\n"
        );
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let link = folder.path().join("link.toml");
        symlink(&file, &link).unwrap();
        keep_in(&link, Change::Mouse(true)).unwrap();
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "[screen]\nmouse = true\n"
        );
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        let files = fs::read_dir(file.parent().unwrap()).unwrap().count();
        assert_eq!(files, 1);
    }

    #[test]
    fn a_file_that_may_not_be_written_is_left_alone() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("settings.toml");
        fs::write(&file, "# mine\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let why = keep_in(&file, Change::Mouse(false)).unwrap_err();
        assert_eq!(why, "it is read-only");
        assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\n");
        let why = keep_in(folder.path(), Change::Mouse(false)).unwrap_err();
        assert_eq!(why, "is a directory");
    }
}

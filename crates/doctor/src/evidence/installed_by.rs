//! What installed the app, which decides the command that installs the worker for real cards.

use serde::{Deserialize, Serialize};

/// What installed the app.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InstalledBy {
    /// None of the others: a build of the source, an archive, a `.deb` or a `.rpm`.
    #[default]
    Other,
    /// `pip` of this `python`.
    Pip(String),
    /// `uv pip` in the environment with this `python`, which has no pip of its own.
    UvPip(String),
    /// `pipx install`.
    Pipx,
    /// `uv tool install`.
    UvTool,
    /// `uvx`, in an environment that uv removes with its cache.
    Uvx,
}

impl InstalledBy {
    /// Whether the worker comes from a wheel, so that nothing has to be built.
    pub fn has_wheels(&self) -> bool {
        *self != Self::Other
    }

    /// The command that installs the worker for real cards on the machine with the card, as a shell reads it.
    pub fn command(&self) -> String {
        match self {
            Self::Other => "scripts/build-cuda-worker".to_owned(),
            Self::Pip(python) => format!("{} -m pip install 'warpup[cuda]'", word(python)),
            Self::UvPip(python) => {
                format!("uv pip install --python {} 'warpup[cuda]'", word(python))
            }
            Self::Pipx => "pipx install --force 'warpup[cuda]'".to_owned(),
            Self::UvTool => "uv tool install --force 'warpup[cuda]'".to_owned(),
            Self::Uvx => "uvx --from 'warpup[cuda]' warpup".to_owned(),
        }
    }
}

/// A path as one word of a shell.
fn word(path: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_@%+=:,./-".contains(it);
    if path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_for_a_shell() {
        let command = |python: &str| InstalledBy::Pip(python.to_owned()).command();
        assert_eq!(
            command("/v/bin/python3"),
            "/v/bin/python3 -m pip install 'warpup[cuda]'"
        );
        assert_eq!(
            command("/q'uo te/$(x);/python3"),
            r"'/q'\''uo te/$(x);/python3' -m pip install 'warpup[cuda]'"
        );
    }
}

//! What installed the app, which decides the command that installs the worker for real cards.

use serde::{Deserialize, Serialize};

/// What installed the app.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InstalledBy {
    /// None of the others: a build of the source, an archive, a `.deb` or a `.rpm`.
    #[default]
    Other,
    /// `pip` of the environment with this `python`.
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

    /// The command that installs the worker for real cards on the machine with the card.
    pub fn command(&self) -> String {
        match self {
            Self::Other => "scripts/build-cuda-worker".to_owned(),
            Self::Pip(python) => format!("{python} -m pip install 'warpup[cuda]'"),
            Self::UvPip(python) => format!("uv pip install --python {python} 'warpup[cuda]'"),
            Self::Pipx => "pipx install --force 'warpup[cuda]'".to_owned(),
            Self::UvTool => "uv tool install --force 'warpup[cuda]'".to_owned(),
            Self::Uvx => "uvx --from 'warpup[cuda]' warpup".to_owned(),
        }
    }
}

//! Where the executable of the worker for real cards is.
//!
//! An executable that is named counts alone: a silent fallback to another one would hide the mistake. Otherwise it
//! is searched beside the app, where `scripts/build-cuda-worker` puts it, then among the packages of the Python
//! environment that has the app, where pip puts the wheel of the worker, and then on `PATH`.

use super::site_packages::site_packages;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use warpup_protocol::Reason;

/// The name of the executable.
pub(super) const EXECUTABLE: &str = "warpup-worker-cuda";

/// Where wheels of the worker have it among Python's packages, newest CUDA first; `scripts/package` builds them.
const IN_PACKAGES: [&str; 1] = ["warpup_worker_cuda13/warpup-worker-cuda"];

/// A variable that names its path, before every setting.
pub const VARIABLE: &str = "WARPUP_WORKER_CUDA";

/// An executable that a variable or the settings name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredWorker {
    /// The executable; a leading `~` is the home folder.
    pub path: PathBuf,
    /// Where it is named, such as `WARPUP_WORKER_CUDA`.
    pub by: String,
}

/// Where it is searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchPaths {
    /// The named executable.
    pub(super) named: Option<ConfiguredWorker>,
    /// The executable of the app: its folder, and the Python environment of that folder.
    pub(super) app: Option<PathBuf>,
    /// The folders of `PATH`.
    pub(super) path: Vec<PathBuf>,
}

impl SearchPaths {
    /// The paths of this process; `set` is the one in the settings.
    pub(super) fn of_this_process(set: Option<ConfiguredWorker>) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self {
            named: named(set, |name| std::env::var_os(name)),
            app: std::env::current_exe().ok(),
            path: std::env::split_paths(&path)
                .filter(|it| it.is_absolute())
                .collect(),
        }
    }

    /// Searches the executable, or says where it was searched and what to try.
    pub(super) fn find(&self) -> Result<PathBuf, Reason> {
        let found = match &self.named {
            Some(named) => Some(named.path.clone()).filter(|it| it.is_file()),
            None => self.beside().filter(|it| it.is_file()).or_else(|| {
                let packages = self.python_environment();
                let packages = packages.iter();
                let packages = packages.flat_map(|it| IN_PACKAGES.map(|file| it.join(file)));
                let path = self.path.iter().map(|it| it.join(EXECUTABLE));
                packages.chain(path).find(|it| is_executable(it))
            }),
        };
        found.ok_or_else(|| self.not_found())
    }

    fn beside(&self) -> Option<PathBuf> {
        Some(self.app.as_ref()?.with_file_name(EXECUTABLE))
    }

    /// The folders of Python's packages that belong to the app.
    fn python_environment(&self) -> Vec<PathBuf> {
        self.app.as_deref().map(site_packages).unwrap_or_default()
    }

    fn not_found(&self) -> Reason {
        let (why, hint) = match &self.named {
            Some(ConfiguredWorker { path, by }) => (
                format!(
                    "there is no worker for real cards at {}, which {by} names",
                    path.display()
                ),
                format!("correct {by}, or run on cpu or a modelled card such as model:t4"),
            ),
            None => {
                let beside = match self.beside() {
                    Some(file) => format!("it was not found at {}", file.display()),
                    None => "it was not found beside warpup".to_owned(),
                };
                let python = match self.python_environment().first() {
                    Some(packages) => format!(", in {}", packages.display()),
                    None => String::new(),
                };
                (
                    format!("there is no worker for real cards ({EXECUTABLE}): {beside}{python} or on PATH"),
                    "run on cpu or a modelled card such as model:t4; where there is a card, warpup doctor prints the command that installs a worker".to_owned(),
                )
            }
        };
        Reason {
            why,
            hint,
            evidence: String::new(),
        }
    }
}

/// The executable that the variable names, or else the settings.
fn named(
    set: Option<ConfiguredWorker>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<ConfiguredWorker> {
    let by_variable = variable(VARIABLE).filter(|it| !it.is_empty());
    let named = by_variable
        .map(|path| ConfiguredWorker {
            path: path.into(),
            by: VARIABLE.to_owned(),
        })
        .or(set)?;
    let in_home = named.path.strip_prefix("~").ok();
    let path = match (in_home, variable("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        (None, _) | (_, None) => named.path.clone(),
    };
    Some(ConfiguredWorker { path, ..named })
}

/// Whether a path is an executable file.
pub fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    /// A folder with folders in it; those in `with` hold a worker of these permissions.
    fn folders(with: &[(&str, u32)]) -> (TempDir, SearchPaths) {
        let dir = TempDir::new().unwrap();
        for (folder, mode) in with {
            let file = dir.path().join(folder).join(EXECUTABLE);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(*mode)).unwrap();
        }
        let paths = SearchPaths {
            named: None,
            app: Some(dir.path().join("env/bin/warpup")),
            path: vec![dir.path().join("first"), dir.path().join("second")],
        };
        (dir, paths)
    }

    fn found(with: &[(&str, u32)]) -> String {
        let (dir, paths) = folders(with);
        let text = match paths.find() {
            Ok(found) => found.display().to_string(),
            Err(missing) => format!("{missing:#?}"),
        };
        text.replace(dir.path().to_str().unwrap(), "DIR")
    }

    #[test]
    fn the_one_beside_the_app_comes_before_those_on_the_path() {
        assert_eq!(
            found(&[("env/bin", 0o755), ("first", 0o755)]),
            "DIR/env/bin/warpup-worker-cuda"
        );
        // Beside the app it is the one that is meant, so that it cannot be executed is worth telling.
        assert_eq!(
            found(&[("env/bin", 0o644), ("first", 0o755)]),
            "DIR/env/bin/warpup-worker-cuda"
        );
        assert_eq!(
            found(&[("first", 0o644), ("second", 0o755)]),
            "DIR/second/warpup-worker-cuda"
        );
        assert_eq!(
            found(&[
                ("first", 0o755),
                (
                    "env/lib/python3.12/site-packages/warpup_worker_cuda13",
                    0o755
                )
            ]),
            "DIR/env/lib/python3.12/site-packages/warpup_worker_cuda13/warpup-worker-cuda"
        );
    }

    #[test]
    fn where_there_is_none_it_says_where_it_looked() {
        insta::assert_snapshot!(found(&[]), @r#"
        Reason {
            why: "there is no worker for real cards (warpup-worker-cuda): it was not found at DIR/env/bin/warpup-worker-cuda or on PATH",
            hint: "run on cpu or a modelled card such as model:t4; where there is a card, warpup doctor prints the command that installs a worker",
            evidence: "",
        }
        "#);
    }

    #[test]
    fn it_names_the_python_environment_that_it_looked_into() {
        let (dir, paths) = folders(&[]);
        fs::create_dir_all(dir.path().join("env/lib/python3.12/site-packages")).unwrap();
        let why = paths.find().unwrap_err().why;
        insta::assert_snapshot!(why.replace(dir.path().to_str().unwrap(), "DIR"), @"there is no worker for real cards (warpup-worker-cuda): it was not found at DIR/env/bin/warpup-worker-cuda, in DIR/env/lib/python3.12/site-packages or on PATH");
    }

    #[test]
    fn a_named_executable_counts_alone() {
        let (dir, paths) = folders(&[("env/bin", 0o755), ("mine", 0o755)]);
        let named = |path: PathBuf| SearchPaths {
            named: Some(ConfiguredWorker {
                path,
                by: "settings.toml".to_owned(),
            }),
            ..paths.clone()
        };
        let mine = dir.path().join("mine").join(EXECUTABLE);
        assert_eq!(named(mine.clone()).find(), Ok(mine));
        let missing = named("/nowhere/worker".into()).find().unwrap_err();
        insta::assert_snapshot!(missing.why, @"there is no worker for real cards at /nowhere/worker, which settings.toml names");
    }

    #[test]
    fn the_variable_comes_before_the_settings_and_home_is_written_out() {
        let set = ConfiguredWorker {
            path: "~/bin/worker".into(),
            by: "settings.toml".to_owned(),
        };
        let variables = |name: &str| match name {
            "HOME" => Some("/h".into()),
            VARIABLE => Some("/v".into()),
            _ => None,
        };
        let by_variable = named(Some(set.clone()), variables).unwrap();
        assert_eq!(by_variable.path, Path::new("/v"));
        assert_eq!(by_variable.by, VARIABLE);
        let home_only = |name: &str| variables(name).filter(|_| name == "HOME");
        let by_settings = named(Some(set), home_only).unwrap();
        assert_eq!(by_settings.path, Path::new("/h/bin/worker"));
        assert_eq!(named(None, home_only), None);
    }
}

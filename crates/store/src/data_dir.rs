//! The folder that progress is kept in.

use super::guest::guest;
use std::ffi::OsString;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// There is nowhere to keep progress.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no folder to keep progress in: neither WARPUP_DATA nor HOME is set, and XDG_DATA_HOME is not set to an absolute path"
)]
pub struct NoDataDir;

/// The folder for progress: that of a guest, else `$WARPUP_DATA`, else `$XDG_DATA_HOME/warpup`, else `~/.local/share/warpup`.
///
/// Not made here: a learner who only reads leaves no trace.
pub fn data_dir() -> Result<PathBuf, NoDataDir> {
    guest().map_or_else(|| data_dir_from(|name| std::env::var_os(name)), Ok)
}

/// Who besides this user and root can write to a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenTo {
    /// Another user, who owns it.
    Owner(u32),
    /// Every user.
    Everybody,
}

/// Those of the folders for progress that users other than this one and root can write to.
pub fn open_to_others(dir: &Path) -> Vec<(PathBuf, OpenTo)> {
    let mine = rustix::process::geteuid().as_raw();
    let open_to = |path: PathBuf| {
        let found = std::fs::metadata(&path).ok().filter(Metadata::is_dir)?;
        if found.uid() != mine && found.uid() != 0 {
            Some((path, OpenTo::Owner(found.uid())))
        } else if found.mode() & 0o002 != 0 {
            Some((path, OpenTo::Everybody))
        } else {
            None
        }
    };
    let folders = [dir.to_owned(), dir.join("log")].into_iter();
    folders.filter_map(open_to).collect()
}

fn data_dir_from(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, NoDataDir> {
    let path = |name| {
        let set = variable(name).filter(|it| !it.is_empty());
        set.map(PathBuf::from)
    };
    // The XDG specification has relative paths ignored.
    let xdg = || path("XDG_DATA_HOME").filter(|it| it.is_absolute());
    path("WARPUP_DATA")
        .or_else(|| Some(xdg()?.join("warpup")))
        .or_else(|| Some(path("HOME")?.join(".local/share/warpup")))
        .ok_or(NoDataDir)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use tempfile::TempDir;

    #[test]
    fn a_folder_that_everybody_can_write_to_is_noticed() {
        let dir = TempDir::new().unwrap();
        assert!(open_to_others(dir.path()).is_empty());
        assert!(open_to_others(Path::new("/nowhere")).is_empty());
        let log = dir.path().join("log");
        fs::create_dir(&log).unwrap();
        fs::set_permissions(&log, Permissions::from_mode(0o777)).unwrap();
        assert_eq!(open_to_others(dir.path()), [(log, OpenTo::Everybody)]);
    }

    fn dir(variables: &[(&str, &str)]) -> Result<PathBuf, NoDataDir> {
        data_dir_from(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn progress_is_kept_where_the_learner_says_else_where_data_belongs() {
        let all = [
            ("HOME", "/h"),
            ("XDG_DATA_HOME", "/x"),
            ("WARPUP_DATA", "w"),
        ];
        assert_eq!(dir(&all).unwrap(), Path::new("w"));
        assert_eq!(dir(&all[..2]).unwrap(), Path::new("/x/warpup"));
        assert_eq!(dir(&all[..1]).unwrap(), Path::new("/h/.local/share/warpup"));
        assert_eq!(dir(&[]), Err(NoDataDir));
    }

    #[test]
    fn empty_and_relative_folders_are_passed_over() {
        let odd = [("WARPUP_DATA", ""), ("XDG_DATA_HOME", "x"), ("HOME", "/h")];
        assert_eq!(dir(&odd).unwrap(), Path::new("/h/.local/share/warpup"));
        let why = dir(&odd[..2]).unwrap_err().to_string();
        assert!(why.contains("not set to an absolute path"), "{why}");
    }
}

//! The folder that progress is kept in.

use std::ffi::OsString;
use std::path::PathBuf;

/// There is nowhere to keep progress.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no folder to keep progress in: neither WARPUP_DATA nor XDG_DATA_HOME nor HOME is set")]
pub struct NoDataDir;

/// The folder for progress: `$WARPUP_DATA`, else `$XDG_DATA_HOME/warpup`, else `~/.local/share/warpup`.
///
/// Not made here: a learner who only reads leaves no trace.
pub fn data_dir() -> Result<PathBuf, NoDataDir> {
    data_dir_from(|name| std::env::var_os(name))
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
    use std::path::Path;

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
    }
}

//! The files that keep a screen: its picture, and the summary that shows it.
//!
//! Nothing is ever replaced: each has the first number that is free.

use std::fs;
use std::io;
use std::path::Path;

use crate::effect::SavedScreen;
use warpup_store::{data_dir, guest, text_file};

/// More files of one name are refused.
const MOST: u32 = 10_000;

/// Writes both files into the current folder or, where that is not possible, into the data folder. Says where they are, or
/// why they are nowhere.
pub(super) fn save(screen: &SavedScreen, picture: &str) -> Result<String, String> {
    let here = std::env::current_dir().and_then(|here| {
        let name = save_in(&here, screen, picture)?;
        Ok(said(&name, &here))
    });
    let why = match here {
        Ok(said) => return Ok(said),
        Err(why) => format!("the screen is not saved: the current folder cannot be written: {why}"),
    };
    // What is in a guest's folder is gone with the guest.
    let Some(data) = data_dir().ok().filter(|_| guest().is_none()) else {
        return Err(format!("{why}; start warpup in another folder"));
    };
    let data = data.join("screens");
    match save_in(&data, screen, picture) {
        Ok(name) => Ok(said(&name, &data)),
        Err(other) => Err(format!("{why}; nor can {}: {other}", data.display())),
    }
}

fn said(name: &str, folder: &Path) -> String {
    format!("saved {name}.svg and {name}.md in {}", folder.display())
}

/// Writes both files into a folder, and gives the name that they have in common.
fn save_in(folder: &Path, screen: &SavedScreen, picture: &str) -> io::Result<String> {
    for number in 1..=MOST {
        let name = format!("{}-{number}", screen.name);
        let of_picture = folder.join(format!("{name}.svg"));
        match text_file::create(&of_picture, picture) {
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => continue,
            created => created?,
        }
        let summary = format!("{}\n![The screen]({name}.svg)\n", screen.summary);
        match text_file::create(&folder.join(format!("{name}.md")), summary) {
            Ok(()) => return Ok(name),
            Err(why) => {
                // One without the other would say where neither is.
                drop(fs::remove_file(&of_picture));
                if why.kind() != io::ErrorKind::AlreadyExists {
                    return Err(why);
                }
            }
        }
    }
    Err(io::Error::other(format!("it has {MOST} such files")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Paper;
    use std::os::unix::fs::PermissionsExt;

    fn screen() -> SavedScreen {
        SavedScreen {
            name: "copies-bus".to_owned(),
            title: "The bus".to_owned(),
            paper: Paper::Dark,
            summary: "# The bus\n".to_owned(),
        }
    }

    /// The files of a folder, and what is in them.
    fn files(folder: &Path) -> Vec<String> {
        let mut found: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|it| {
                let path = it.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                format!(
                    "{name}: {}",
                    fs::read_to_string(path).unwrap().escape_debug()
                )
            })
            .collect();
        found.sort();
        found
    }

    #[test]
    fn files_that_exist_stay_and_the_next_number_is_taken() {
        let folder = tempfile::TempDir::new().unwrap();
        let folder = folder.path();
        fs::write(folder.join("copies-bus-1.svg"), "mine").unwrap();
        fs::write(folder.join("copies-bus-2.md"), "mine, too").unwrap();
        assert_eq!(
            save_in(folder, &screen(), "<svg/>").unwrap(),
            "copies-bus-3"
        );
        insta::assert_snapshot!(files(folder).join("\n"), @r"
        copies-bus-1.svg: mine
        copies-bus-2.md: mine, too
        copies-bus-3.md: # The bus\n\n![The screen](copies-bus-3.svg)\n
        copies-bus-3.svg: <svg/>
        ");
    }

    #[test]
    fn a_folder_that_cannot_be_written_says_why_and_has_no_half_of_it() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(save_in(&file.join("deeper"), &screen(), "<svg/>").is_err());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
        let saved = save_in(folder.path(), &screen(), "<svg/>");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        // Root may write everywhere.
        if let Err(why) = saved {
            assert_eq!(why.kind(), io::ErrorKind::PermissionDenied);
            assert_eq!(files(folder.path()), ["file: "]);
        }
    }
}

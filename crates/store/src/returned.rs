//! What instructors send back: files beside those that were handed in, and what the learner remembers of them.
//!
//! Nobody lists a drop folder, so a learner opens a returned file by the name of what they handed in, which has 128 random bits. The
//! folder's owner and group decide whom to believe: a returned file names the bytes that were handed in, which only the learner and
//! members of that group can read.

use super::hex::hex;
use super::log::{DropName, DroppedFile};
use super::text_file;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use warpup_course::CourseId;
use warpup_progress::{Feedback, Remark};

/// In the data folder: what was handed in, a line each, the newest last.
const HANDED_IN: &str = "handed-in.jsonl";

/// In the data folder: which remarks were seen, a line each.
const SEEN: &str = "feedback-seen.txt";

/// The most bytes of these, and of a returned file.
const MOST: usize = 1 << 20;

/// So many hand-ins are looked at, and so many files of each.
const MOST_FILES: usize = 100;

/// Between the name of what was handed in and the number of a returned file.
const MIDDLE: &str = ".return-";

/// The end of a returned file.
const ENDING: &str = ".toml";

/// A file that was handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandIn {
    /// The course.
    course: CourseId,
    /// Where it was put.
    path: PathBuf,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    sha256: String,
}

/// A returned file.
#[derive(Debug, Serialize, Deserialize)]
struct ReturnFile {
    format: u32,
    course: CourseId,
    /// What the one has read who wrote it.
    sha256: String,
    #[serde(flatten)]
    feedback: Feedback,
}

impl HandIn {
    /// What was put there.
    pub fn new(course: &CourseId, path: &Path, bytes: &[u8]) -> Self {
        Self {
            course: course.clone(),
            path: path.to_owned(),
            sha256: hex(&Sha256::digest(bytes)),
        }
    }

    /// Keeps in the data folder that it was handed in.
    pub fn remember(&self, data: &Path) -> io::Result<()> {
        let line = serde_json::to_string(self)?;
        add_line(&data.join(HANDED_IN), &line)
    }

    /// What was returned for it, as far as this user may believe it: the oldest file first.
    pub fn returned(&self) -> Feedback {
        let mut all = Feedback::default();
        for number in 1..=MOST_FILES {
            let Some(path) = self.path_of(number) else {
                break;
            };
            match DroppedFile::at(&path) {
                Ok(file) => all.add(self.read(&file).unwrap_or_default()),
                // The numbers have no gaps.
                Err(_) => break,
            }
        }
        all
    }

    /// Puts a file beside it. It can be read by everybody who knows its name, since its learner is in no group of the folder's.
    ///
    /// # Errors
    /// The system's; and where the file that was handed in has another name than `warpup class submit` gives.
    pub fn give_back(&self, feedback: &Feedback) -> io::Result<PathBuf> {
        let unknown = || io::Error::other("its learner does not know its name");
        let folder = self.path.parent().ok_or_else(unknown)?;
        let text = toml::to_string(&ReturnFile {
            format: 1,
            course: self.course.clone(),
            sha256: self.sha256.clone(),
            feedback: feedback.clone(),
        });
        let mut file = tempfile::Builder::new()
            .prefix(".return-")
            .tempfile_in(folder)?;
        file.write_all(text.map_err(io::Error::other)?.as_bytes())?;
        file.as_file()
            .set_permissions(Permissions::from_mode(0o644))?;
        for number in 1..=MOST_FILES {
            let path = self.path_of(number).ok_or_else(unknown)?;
            match file.persist_noclobber(&path) {
                Ok(_) => return Ok(path),
                Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => {
                    file = taken.file;
                }
                Err(failed) => return Err(failed.error),
            }
        }
        Err(io::Error::other(format!(
            "{MOST_FILES} files were returned for it already"
        )))
    }

    /// Where the returned file of this number is; nothing where no learner would look for it.
    fn path_of(&self, number: usize) -> Option<PathBuf> {
        let name = self.path.file_name()?;
        DropName::of(name)?;
        let name = Path::new(name).file_stem()?.to_str()?;
        Some(
            self.path
                .with_file_name(format!("{name}{MIDDLE}{number}{ENDING}")),
        )
    }

    /// Reads a returned file, if it may be believed.
    fn read(&self, file: &DroppedFile) -> Option<Feedback> {
        let folder = fs::metadata(file.path.parent()?).ok()?;
        // In the folder of a group, what was handed in is read by nobody else.
        let has_group = folder.mode() & 0o2000 != 0;
        let is_known = file.owner == 0 || file.owner == folder.uid() || has_group;
        let may_change = fs::symlink_metadata(&file.path).ok()?.mode() & 0o022 != 0;
        if !is_known || may_change {
            return None;
        }
        let bytes = file.bytes().ok().filter(|it| it.len() <= MOST)?;
        let text = String::from_utf8(bytes).ok()?;
        let read: ReturnFile = toml::from_str(&text).ok()?;
        let is_ours = read.course == self.course && read.sha256 == self.sha256;
        is_ours.then_some(read.feedback)
    }
}

/// Whether a file of this name was returned.
pub fn is_returned(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|it| it.strip_suffix(ENDING));
    let name = name.and_then(|it| it.rsplit_once(MIDDLE));
    name.is_some_and(|(of, _)| DropName::of(OsStr::new(&format!("{of}.jsonl"))).is_some())
}

/// What was returned for all that was handed in from this data folder, in a course.
pub fn returned(data: &Path, course: &CourseId) -> Feedback {
    let text = text_file::read(&data.join(HANDED_IN), MOST as u64).unwrap_or_default();
    let lines = text.lines().rev();
    let all = lines.filter_map(|it| serde_json::from_str::<HandIn>(it).ok());
    let all: Vec<_> = all
        .filter(|it| it.course == *course)
        .take(MOST_FILES)
        .collect();
    let seen = text_file::read(&data.join(SEEN), MOST as u64).unwrap_or_default();
    let mut feedback = Feedback {
        seen: seen.lines().map(str::to_owned).collect(),
        ..Feedback::default()
    };
    for hand_in in all.iter().rev() {
        feedback.add(hand_in.returned());
    }
    feedback
}

/// Keeps that the learner has seen a remark.
pub fn note_seen(data: &Path, remark: &Remark) -> io::Result<()> {
    add_line(&data.join(SEEN), &remark.key())
}

/// Adds a line to a file that only this user reads.
fn add_line(file: &Path, line: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
    }
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(file)?;
    file.write_all(format!("{line}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, Mode, mkfifoat};
    use tempfile::TempDir;
    use warpup_course::LessonId;
    use warpup_progress::Comment;

    /// A drop folder with a hand-in, and the data folder of its learner.
    struct Class {
        dir: TempDir,
        hand_in: HandIn,
    }

    impl Class {
        fn new() -> Self {
            let dir = TempDir::new().unwrap();
            let name = DropName::new("ada", 0).unwrap().file();
            let hand_in = HandIn::new(&CourseId::new("c"), &dir.path().join(name), b"records");
            hand_in.remember(&dir.path().join("data")).unwrap();
            Self { dir, hand_in }
        }

        fn give_back(&self, text: &str) -> PathBuf {
            self.hand_in.give_back(&wrote(text)).unwrap()
        }

        /// What the learner reads.
        fn read(&self) -> Vec<String> {
            let data = self.dir.path().join("data");
            let comments = returned(&data, &CourseId::new("c")).comments;
            comments.into_iter().map(|it| it.text).collect()
        }
    }

    fn wrote(text: &str) -> Feedback {
        let comment = Comment {
            lesson: LessonId::new("copies"),
            about: None,
            text: text.to_owned(),
        };
        Feedback {
            comments: vec![comment],
            ..Feedback::default()
        }
    }

    #[test]
    fn a_learner_reads_what_was_returned_for_what_they_handed_in_and_the_newest_counts() {
        let class = Class::new();
        assert!(class.read().is_empty());
        let path = class.give_back("first");
        assert!(is_returned(path.file_name().unwrap()));
        assert!(!is_returned(class.hand_in.path.file_name().unwrap()));
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o644);
        assert_eq!(class.read(), ["first"]);
        class.give_back("second");
        assert_eq!(class.read(), ["second"]);
        let data = class.dir.path().join("data");
        assert_eq!(
            returned(&data, &CourseId::new("other")),
            Feedback::default()
        );
    }

    #[test]
    fn what_is_seen_stays_seen() {
        let class = Class::new();
        let data = class.dir.path().join("data");
        let remark = Remark {
            lesson: LessonId::new("copies"),
            place: warpup_progress::RemarkPlace::Lesson,
            heading: String::new(),
            text: "text".to_owned(),
        };
        note_seen(&data, &remark).unwrap();
        let seen = returned(&data, &CourseId::new("c")).seen;
        assert!(seen.contains(&remark.key()), "{seen:?}");
    }

    #[test]
    fn links_pipes_and_files_of_who_has_not_read_the_hand_in_are_not_believed() {
        let class = Class::new();
        let first = class.give_back("first");
        let text = fs::read_to_string(&first).unwrap();
        fs::remove_file(&first).unwrap();
        let other = class.dir.path().join("other");
        let at = |number| class.hand_in.path_of(number).unwrap();
        fs::write(&other, &text).unwrap();
        std::os::unix::fs::symlink(&other, at(1)).unwrap();
        mkfifoat(CWD, at(2), Mode::RUSR | Mode::WUSR).unwrap();
        fs::write(at(3), text.replace("sha256 = \"", "sha256 = \"0")).unwrap();
        fs::write(at(4), &text).unwrap();
        fs::set_permissions(at(4), Permissions::from_mode(0o666)).unwrap();
        fs::write(at(5), vec![b' '; MOST + 1]).unwrap();
        fs::write(at(6), "not TOML").unwrap();
        assert!(class.read().is_empty());
        // They keep nobody from sending more.
        assert_eq!(class.give_back("later"), at(7));
        assert_eq!(class.read(), ["later"]);
    }

    #[test]
    fn a_file_under_another_name_has_nothing_returned() {
        let path = Path::new("/nowhere/ada.jsonl");
        let hand_in = HandIn::new(&CourseId::new("c"), path, b"");
        assert_eq!(hand_in.returned(), Feedback::default());
        assert!(hand_in.give_back(&wrote("")).is_err());
    }
}

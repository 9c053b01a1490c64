//! What instructors send back: files beside those that were handed in, and what the learner remembers of them.
//!
//! Nobody lists a drop folder, so a learner opens a returned file by the name of what they handed in, which has 128 random bits. The
//! folder's owner and group decide whom to believe: a returned file proves for its own words that its writer knows the bytes that were
//! handed in, which only the learner and members of that group can read.

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

/// The beginning of a returned file, before what proves the rest.
const PROOF: &str = "proof = \"";

/// A file that was handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandIn {
    /// The course.
    course: CourseId,
    /// Where it was put.
    path: PathBuf,
    /// The SHA-256 of its bytes, in hexadecimal digits: a secret, which no returned file has.
    sha256: String,
}

/// What a returned file says behind its proof.
#[derive(Debug, Serialize, Deserialize)]
struct ReturnFile {
    format: u32,
    course: CourseId,
    at_ms: u64,
    #[serde(flatten)]
    feedback: Feedback,
}

/// What was returned at once.
#[derive(Debug, PartialEq, Eq)]
pub struct Returned {
    /// When, in milliseconds since 1970 UTC: the newest words count.
    pub at_ms: u64,
    /// The number of the user who wrote it.
    pub owner: u32,
    /// The words and points.
    pub feedback: Feedback,
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

    /// What was returned for it, as far as this user may believe it, the oldest first. Any of the files may have been removed.
    pub fn returned(&self) -> Vec<Returned> {
        let paths = (1..=MOST_FILES).filter_map(|number| self.path_of(number));
        let files = paths.filter_map(|path| DroppedFile::at(&path).ok());
        let mut all: Vec<_> = files.filter_map(|it| self.read(&it)).collect();
        all.sort_by_key(|it| it.at_ms);
        all
    }

    /// Puts a file beside it. It can be read by everybody who knows its name, since its learner is in no group of the folder's.
    ///
    /// # Errors
    /// The system's; where the file that was handed in has another name than `warpup class submit` gives; and where its learner
    /// would not read the file, which is too long or one too many.
    pub fn give_back(&self, feedback: &Feedback, at_ms: u64) -> io::Result<PathBuf> {
        let unknown = || io::Error::other("its learner does not know its name");
        let folder = self.path.parent().ok_or_else(unknown)?;
        let body = toml::to_string(&ReturnFile {
            format: 1,
            course: self.course.clone(),
            at_ms,
            feedback: feedback.clone(),
        });
        let body = body.map_err(io::Error::other)?;
        let text = format!("{PROOF}{}\"\n{body}", self.proof(&body));
        if text.len() > MOST {
            let why = "that is more than a learner's warpup reads: send less at once";
            return Err(io::Error::other(why));
        }
        let mut file = tempfile::Builder::new()
            .prefix(".return-")
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
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
        let name = self.path.file_stem().unwrap_or_default().display();
        Err(io::Error::other(format!(
            "{MOST_FILES} files were sent back for it already: remove old ones, {name}{MIDDLE}*{ENDING}, or ask for a new hand-in"
        )))
    }

    /// What only somebody can say of this text who knows the bytes that were handed in.
    ///
    /// All that is hashed here has one length, so that nobody continues it.
    fn proof(&self, body: &str) -> String {
        let mut hash = Sha256::new();
        hash.update("warpup class return\n");
        hash.update(&self.sha256);
        hash.update(Sha256::digest(body));
        hex(&hash.finalize())
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
    fn read(&self, file: &DroppedFile) -> Option<Returned> {
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
        let (proof, body) = text.strip_prefix(PROOF)?.split_once("\"\n")?;
        if proof != self.proof(body) {
            return None;
        }
        let read: ReturnFile = toml::from_str(body).ok()?;
        (read.course == self.course).then_some(Returned {
            at_ms: read.at_ms,
            owner: file.owner,
            feedback: read.feedback,
        })
    }
}

/// Whether a file of this name was returned.
pub fn is_returned(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|it| it.strip_suffix(ENDING));
    let name = name.and_then(|it| it.rsplit_once(MIDDLE));
    name.is_some_and(|(of, _)| DropName::of(OsStr::new(&format!("{of}.jsonl"))).is_some())
}

/// What was returned for all that was handed in from this data folder, in a course; and why there may be more, if so.
pub fn returned(data: &Path, course: &CourseId) -> (Feedback, Option<String>) {
    let (all, why) = handed_in(data, course);
    let mut all: Vec<_> = all.iter().flat_map(HandIn::returned).collect();
    all.sort_by_key(|it| it.at_ms);
    let seen = text_file::read(&data.join(SEEN), MOST as u64).unwrap_or_default();
    let mut feedback = Feedback {
        seen: seen.lines().map(str::to_owned).collect(),
        ..Feedback::default()
    };
    for it in all {
        feedback.add(it.feedback);
    }
    (feedback, why)
}

/// The newest hand-ins of a course, and why there may be more.
fn handed_in(data: &Path, course: &CourseId) -> (Vec<HandIn>, Option<String>) {
    let file = data.join(HANDED_IN);
    let bytes = match text_file::read_bytes(&file, MOST as u64) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (Vec::new(), None),
        Err(error) => {
            let why = format!("{} cannot be read: {error}", file.display());
            return (Vec::new(), Some(why));
        }
    };
    let lines = bytes.split(|it| *it == b'\n').filter(|it| !it.is_empty());
    let (mut all, mut damaged) = (Vec::new(), 0);
    for line in lines {
        match serde_json::from_slice::<HandIn>(line) {
            Ok(it) => all.extend((it.course == *course).then_some(it)),
            Err(_) => damaged += 1,
        }
    }
    let mut why = Vec::new();
    if damaged > 0 {
        let lines = if damaged == 1 { "line" } else { "lines" };
        let file = file.display();
        why.push(format!("{damaged} {lines} of {file} cannot be read"));
    }
    let older = all.len().saturating_sub(MOST_FILES);
    if older > 0 {
        let of = all.len();
        why.push(format!(
            "only the newest {MOST_FILES} of {of} hand-ins are looked at"
        ));
        all.drain(..older);
    }
    (all, (!why.is_empty()).then(|| why.join("; ")))
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
            self.hand_in.give_back(&wrote(text), 1).unwrap()
        }

        /// Where a returned file is or would be.
        fn at(&self, number: usize) -> PathBuf {
            self.hand_in.path_of(number).unwrap()
        }

        /// What the learner reads.
        fn read(&self) -> Vec<String> {
            let data = self.dir.path().join("data");
            let comments = returned(&data, &CourseId::new("c")).0.comments;
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
            (Feedback::default(), None)
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
        let seen = returned(&data, &CourseId::new("c")).0.seen;
        assert!(seen.contains(&remark.key()), "{seen:?}");
    }

    #[test]
    fn links_pipes_and_files_of_who_has_not_read_the_hand_in_are_not_believed() {
        let class = Class::new();
        let first = class.give_back("first");
        let text = fs::read_to_string(&first).unwrap();
        fs::remove_file(&first).unwrap();
        let other = class.dir.path().join("other");
        let at = |number| class.at(number);
        fs::write(&other, &text).unwrap();
        std::os::unix::fs::symlink(&other, at(1)).unwrap();
        mkfifoat(CWD, at(2), Mode::RUSR | Mode::WUSR).unwrap();
        fs::write(at(3), text.replace(PROOF, "proof = \"0")).unwrap();
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
    fn what_was_returned_tells_nobody_how_to_write_other_words() {
        let class = Class::new();
        let text = fs::read_to_string(class.give_back("first")).unwrap();
        assert!(!text.contains(&class.hand_in.sha256), "{text}");
        let forged = text
            .replace("first", "forged")
            .replace("at_ms = 1", "at_ms = 2");
        fs::write(class.at(2), forged).unwrap();
        assert_eq!(class.read(), ["first"]);
    }

    #[test]
    fn the_newest_words_count_wherever_they_are() {
        let class = Class::new();
        let at = |at_ms, text| class.hand_in.give_back(&wrote(text), at_ms).unwrap();
        let first = at(3, "newest");
        at(1, "oldest");
        let third = at(2, "between");
        // A later hand-in, for which earlier words were sent.
        let name = DropName::new("ada", 1).unwrap().file();
        let path = class.dir.path().join(name);
        let later = HandIn::new(&CourseId::new("c"), &path, b"more records");
        later.remember(&class.dir.path().join("data")).unwrap();
        later.give_back(&wrote("earlier"), 0).unwrap();
        assert_eq!(class.read(), ["newest"]);
        fs::remove_file(&first).unwrap();
        assert_eq!(class.read(), ["between"]);
        fs::remove_file(third).unwrap();
        assert_eq!(class.read(), ["oldest"]);
        assert_eq!(at(4, "again"), first);
        assert_eq!(class.read(), ["again"]);
    }

    #[test]
    fn what_no_learner_would_read_is_not_written() {
        let class = Class::new();
        let why = |text: &str| {
            let error = class.hand_in.give_back(&wrote(text), 1).unwrap_err();
            error.to_string()
        };
        assert!(why(&"x".repeat(MOST)).contains("send less at once"));
        for number in 1..=MOST_FILES {
            fs::write(class.at(number), "").unwrap();
        }
        assert!(why("one more").contains("remove old ones"));
    }

    #[test]
    fn a_file_under_another_name_has_nothing_returned() {
        let path = Path::new("/nowhere/ada.jsonl");
        let hand_in = HandIn::new(&CourseId::new("c"), path, b"");
        assert_eq!(hand_in.returned(), []);
        assert!(hand_in.give_back(&wrote(""), 1).is_err());
    }
}

//! Course files: the course that is built in, or a folder.
//!
//! Only what [`warpup_course`] reads is read, and only from inside the folder: a course from somewhere
//! must not make the app open anything else. What the texts mean is not looked at.

use rustix::fs::OFlags;
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use warpup_course::{Index, Language, MAX_FILE, PARTS, Sources, is_of_course, is_translated};

/// The most files a course may have.
const MAX_FILES: usize = 2_000;

/// The most bytes of all files of a course.
const MAX_BYTES: usize = 64 << 20;

/// So many names of files that are not read are kept of a folder.
const MAX_UNREAD: usize = 200;

/// The file that names a course, which people put beside its folder `lessons`.
const COURSE_FILE: &str = "course.toml";

/// Why a link is not followed.
const LEADS_OUT: &str = "it leads out of the course folder";

/// The id of the course that is built in. No folder may have its progress.
pub const BUILT_IN_ID: &str = "warpup";

/// The files of the course that is built in, with their paths. The build script lists them.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/course-files.rs"));

/// Why a course folder could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no `lessons` in it.
    #[error("{} is not a course: there is no folder `lessons` in it", .0.display())]
    NoCourse(PathBuf),
    /// It has too many files.
    #[error("{} has more than {MAX_FILES} files", .0.display())]
    TooManyFiles(PathBuf),
    /// Its files are too large, together.
    #[error("the files of {} have more than {} MiB together", .0.display(), MAX_BYTES >> 20)]
    TooLarge(PathBuf),
    /// A folder or file could not be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The texts of the course that is built in. Nothing is copied, nor even looked at.
pub fn embedded() -> Sources {
    let files = FILES.iter();
    Sources::of(files.map(|(path, text)| ((*path).to_owned(), Cow::Borrowed(*text))))
}

/// The index of the course that is built in, which the build script has made of the same files.
pub fn embedded_index() -> Index {
    let index = include_str!(concat!(env!("OUT_DIR"), "/course-index.json"));
    // The tests hold that it can be read. A course without lessons would say so on the first screen.
    serde_json::from_str(index).unwrap_or_default()
}

/// A course folder as far as it could be read.
#[derive(Debug, Default)]
pub struct CourseFolder {
    /// The texts.
    pub sources: Sources,
    /// Files that were left out.
    pub left_out: Vec<LeftOut>,
}

/// A file that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The file, relative to the folder.
    pub file: String,
    /// Why.
    pub why: String,
}

/// Reads a course folder. Text that is no UTF-8 is read with replacement characters.
pub fn folder(dir: &Path) -> Result<CourseFolder, OpenError> {
    let at = |source| OpenError::Io {
        path: dir.to_owned(),
        source,
    };
    let root = dir.canonicalize().map_err(at)?;
    let lessons = root.join("lessons");
    match fs::metadata(&lessons) {
        Ok(it) if it.is_dir() => {}
        // One that may not be looked into may well hold a course.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(at(error));
        }
        Ok(_) | Err(_) => return Err(OpenError::NoCourse(dir.to_owned())),
    }
    let mut reading = FolderReader {
        dir,
        root: &root,
        opened: CourseFolder::default(),
        bytes: 0,
    };
    for (part, _) in PARTS {
        if !root.join(part).exists() {
            continue;
        }
        for language in reading.folder(part)? {
            // A translation that cannot be read is left out, and no reason to read nothing.
            reading.folder(&language)?;
        }
    }
    let mut opened = reading.opened;
    if root.join(COURSE_FILE).exists() {
        opened.sources.unread.insert(COURSE_FILE.to_owned());
    }
    opened.sources.unread.extend(turned_round(&root));
    opened.left_out.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(opened)
}

/// Folders such as `de/lessons`, which are meant to be `lessons/de`.
fn turned_round(root: &Path) -> Vec<String> {
    // Beside a course may be anything.
    let folders = fs::read_dir(root).into_iter().flatten().flatten();
    let names = folders
        .take(MAX_UNREAD)
        .map(|it| it.file_name().to_string_lossy().into_owned());
    let languages = names.filter(|it| Language::of_locale(it).is_some());
    let parts = PARTS.map(|it| it.0);
    let inside = languages.flat_map(|language| {
        parts
            .into_iter()
            .filter(|it| is_translated(it))
            .map(move |it| format!("{language}/{it}"))
    });
    inside.filter(|it| root.join(it).is_dir()).collect()
}

/// A course folder while it is read.
struct FolderReader<'a> {
    /// The folder as it was named.
    dir: &'a Path,
    /// The folder itself.
    root: &'a Path,
    opened: CourseFolder,
    /// How many bytes its files have so far.
    bytes: usize,
}

impl FolderReader<'_> {
    /// Reads the files of a folder in the course, such as `lessons/de`. Gives the folders of translations in it.
    fn folder(&mut self, part: &str) -> Result<Vec<String>, OpenError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            |source| OpenError::Io { path, source }
        };
        let folder = self.root.join(part);
        if let Err(why) = is_folder_inside(self.root, &folder) {
            if part == "lessons" {
                return Err(at(&folder)(why));
            }
            self.opened.left_out.push(LeftOut {
                file: part.to_owned(),
                why: why.to_string(),
            });
            return Ok(Vec::new());
        }
        let mut translations = Vec::new();
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let entry = entry.map_err(at(&folder))?;
            let name = entry.file_name();
            let file = format!("{part}/{}", name.to_string_lossy());
            if is_translated(part)
                && name.to_str().and_then(Language::new).is_some()
                && entry.path().is_dir()
            {
                translations.push(file);
                continue;
            }
            if !is_of_course(&file) {
                self.pass_over(file, &entry.path());
                continue;
            }
            if self.opened.sources.files.len() + self.opened.left_out.len() >= MAX_FILES {
                return Err(OpenError::TooManyFiles(self.dir.to_owned()));
            }
            match text_of(self.root, &entry.path()) {
                Ok(text) => {
                    self.bytes += text.len();
                    if self.bytes > MAX_BYTES {
                        return Err(OpenError::TooLarge(self.dir.to_owned()));
                    }
                    self.opened.sources.files.insert(file, Cow::Owned(text));
                }
                Err(why) => self.opened.left_out.push(LeftOut {
                    file,
                    why: why.to_string(),
                }),
            }
        }
        Ok(translations)
    }

    /// Keeps the names of what is beside lessons and quizzes: their author may mean it to be read.
    fn pass_over(&mut self, file: String, path: &Path) {
        let unread = &mut self.opened.sources.unread;
        let (part, name) = file.split_once('/').unwrap_or_default();
        // A program is the same in all languages, which not everybody expects.
        let is_meant = is_translated(part)
            || part == "labs" && Language::new(name).is_some()
            || part == "repairs" && !path.is_dir();
        if !is_meant || name.starts_with('.') || unread.len() >= MAX_UNREAD {
            return;
        }
        if is_folder_inside(self.root, path).is_err() {
            unread.insert(file);
            return;
        }
        let inside = fs::read_dir(path).into_iter().flatten().flatten();
        let names = inside.map(|it| it.file_name().to_string_lossy().into_owned());
        unread.extend(names.take(MAX_UNREAD).map(|it| format!("{file}/{it}")));
    }
}

/// Refuses a folder whose names belong to somebody else. What cannot be read is found out when it is read.
fn is_folder_inside(root: &Path, folder: &Path) -> io::Result<()> {
    let folder = folder.canonicalize()?;
    if !folder.starts_with(root) {
        return Err(io::Error::other(LEADS_OUT));
    }
    if !fs::metadata(folder)?.is_dir() {
        return Err(io::Error::other("it is not a folder"));
    }
    Ok(())
}

fn text_of(root: &Path, path: &Path) -> io::Result<String> {
    let path = path.canonicalize()?;
    if !path.starts_with(root) {
        return Err(io::Error::other(LEADS_OUT));
    }
    // Not following again, and not waiting for the other end of a pipe.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = File::options()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    // Room for all of it from the start, and for the byte that says that no more comes: one call instead of a dozen.
    let length = usize::try_from(found.len()).unwrap_or(MAX_FILE);
    let mut bytes = Vec::with_capacity(length.min(MAX_FILE) + 1);
    file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_FILE {
        return Err(io::Error::other("it has more than a mebibyte"));
    }
    // A course of 10,000 lines opens measurably faster if good text is not copied.
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|why| String::from_utf8_lossy(why.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use tempfile::TempDir;

    fn course(files: &[(&str, &[u8])]) -> TempDir {
        let dir = TempDir::new().unwrap();
        for (path, bytes) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        dir
    }

    fn left_out(dir: &TempDir) -> Vec<String> {
        let opened = folder(dir.path()).unwrap();
        let left_out = opened.left_out.iter();
        left_out
            .map(|it| format!("{}: {}", it.file, it.why))
            .collect()
    }

    #[test]
    fn the_index_of_the_course_is_that_of_its_files() {
        assert_eq!(embedded_index(), Index::of(&embedded()));
        let (indexed, whole) = (
            warpup_course::open_indexed(&embedded(), embedded_index()),
            warpup_course::parse(&embedded()).0,
        );
        let mut lessons = indexed.lessons.iter();
        assert!(lessons.all(|it| !it.content.is_read() && !it.outline().pages.is_empty()));
        // Reads each lesson, so that programs, quizzes and other ways are compared, too.
        assert_eq!(indexed, whole);
    }

    #[test]
    fn only_the_files_of_a_course_are_read() {
        let dir = course(&[
            ("lessons/course.toml", b"format = 1"),
            ("lessons/a.md", b"# a"),
            ("lessons/.a.md", b""),
            ("lessons/a.md~", b""),
            ("lessons/deep/b.md", b""),
            ("quizzes/a.toml", b""),
            ("quizzes/a.md", b""),
            ("labs/a.py", b""),
            ("labs/notes.txt", b""),
            ("labs/de/a.py", b""),
            ("lessons/de/a.md", b"# A"),
            ("lessons/de/fr/a.md", b""),
            ("quizzes/de/a.toml", b""),
            ("fr/lessons/a.md", b""),
            ("README.md", b""),
        ]);
        let opened = folder(dir.path()).unwrap();
        let files: Vec<_> = opened.sources.files.keys().collect();
        assert_eq!(
            files,
            [
                "labs/a.py",
                "lessons/a.md",
                "lessons/course.toml",
                "lessons/de/a.md",
                "quizzes/a.toml",
                "quizzes/de/a.toml"
            ]
        );
        assert_eq!(opened.sources.files["lessons/a.md"], "# a");
        assert!(opened.left_out.is_empty());
        let unread: Vec<_> = opened.sources.unread.iter().collect();
        assert_eq!(
            unread,
            [
                "fr/lessons",
                "labs/de/a.py",
                "lessons/a.md~",
                "lessons/de/fr/a.md",
                "lessons/deep/b.md",
                "quizzes/a.md"
            ]
        );
    }

    #[test]
    fn a_folder_without_a_course_is_named() {
        let dir = course(&[("a.md", b"")]);
        let error = folder(dir.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("there is no folder `lessons` in it"),
            "{error}"
        );
        let missing = folder(&dir.path().join("nowhere")).unwrap_err();
        assert!(matches!(missing, OpenError::Io { .. }));
    }

    #[test]
    fn a_folder_that_may_not_be_looked_into_is_not_called_no_course() {
        let dir = course(&[("lessons/course.toml", b"")]);
        let shut = |mode| fs::set_permissions(dir.path(), Permissions::from_mode(mode)).unwrap();
        shut(0o600);
        let opened = folder(dir.path());
        shut(0o700);
        // Root may look into everything.
        if let Err(error) = opened {
            assert!(matches!(error, OpenError::Io { .. }), "{error}");
        }
    }

    #[test]
    fn what_is_no_utf_8_is_read_with_replacements() {
        let dir = course(&[("lessons/course.toml", b"a\xffb")]);
        let opened = folder(dir.path()).unwrap();
        assert_eq!(opened.sources.files["lessons/course.toml"], "a\u{fffd}b");
    }

    #[test]
    fn links_out_of_the_folder_are_left_out_and_links_inside_are_not() {
        let outside = course(&[("secret.md", b"secret"), ("secret.toml", b"secret")]);
        let dir = course(&[("lessons/course.toml", b""), ("lessons/a.md", b"a")]);
        symlink(
            outside.path().join("secret.md"),
            dir.path().join("lessons/out.md"),
        )
        .unwrap();
        symlink("a.md", dir.path().join("lessons/in.md")).unwrap();
        symlink(outside.path(), dir.path().join("quizzes")).unwrap();
        assert_eq!(
            left_out(&dir),
            [
                "lessons/out.md: it leads out of the course folder",
                "quizzes: it leads out of the course folder"
            ]
        );
        assert_eq!(
            folder(dir.path()).unwrap().sources.files["lessons/in.md"],
            "a"
        );
    }

    #[test]
    fn a_folder_of_lessons_elsewhere_is_not_listed() {
        let outside = course(&[("secret.md", b"secret")]);
        let dir = TempDir::new().unwrap();
        symlink(outside.path(), dir.path().join("lessons")).unwrap();
        let Err(OpenError::Io { path, source }) = folder(dir.path()) else {
            panic!("it is opened");
        };
        assert!(path.ends_with("lessons"), "{}", path.display());
        assert_eq!(source.to_string(), LEADS_OUT);
    }

    #[test]
    fn quizzes_that_are_no_folder_leave_the_lessons() {
        let dir = course(&[("lessons/a.md", b"a"), ("quizzes", b"")]);
        assert_eq!(left_out(&dir), ["quizzes: it is not a folder"]);
    }

    #[test]
    fn a_course_of_more_than_64_mib_is_refused_as_a_whole() {
        let large = vec![b'x'; MAX_FILE];
        let names: Vec<String> = (0..65).map(|it| format!("lessons/{it}.md")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|it| (it.as_str(), &large[..])).collect();
        let dir = course(&files);
        let error = folder(dir.path()).unwrap_err().to_string();
        assert!(error.ends_with("have more than 64 MiB together"), "{error}");
        fs::remove_file(dir.path().join("lessons/0.md")).unwrap();
        assert!(folder(dir.path()).is_ok());
    }

    #[test]
    fn what_is_no_file_or_too_large_is_left_out() {
        let large = vec![b'x'; MAX_FILE + 1];
        let dir = course(&[("lessons/course.toml", b""), ("lessons/large.md", &large)]);
        fs::create_dir(dir.path().join("lessons/folder.md")).unwrap();
        assert_eq!(
            left_out(&dir),
            [
                "lessons/folder.md: it is not a file",
                "lessons/large.md: it has more than a mebibyte"
            ]
        );
    }
}

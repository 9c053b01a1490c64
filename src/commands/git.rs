//! Runs git: with arguments and never by a shell, for a limited time, and without what a repository or a terminal could add.
//!
//! No hook, no filter, no submodule, no prompt. What it says is in English, and kept for the message of a failure. `gix` is
//! 34 crates of its own, and would have to find keys, proxies and passwords as the user's git does already.

use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use warpup_course::is_of_course;

/// More bytes on the disk than any course needs.
const MOST_BYTES: u64 = 512 << 20;
/// How often a running git is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// Of what git says when it fails, this much is read.
const MOST_SAID: u64 = 16 << 10;

/// What every call has, before its own words.
const ALWAYS: [&str; 15] = [
    "--no-pager",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.askPass=",
    "-c",
    "submodule.recurse=false",
    "-c",
    "filter.lfs.smudge=",
    "-c",
    "filter.lfs.process=",
    "-c",
    "gc.auto=0",
];

/// Variables that would lead git to another repository or another program than the one that is meant.
const FOREIGN: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
];

/// Why git did not do what it was asked.
#[derive(Debug)]
pub(super) enum GitFailure {
    /// There is no git.
    Missing,
    /// It took longer than it may.
    Slow(Duration),
    /// It brought more than any course needs.
    TooLarge,
    /// It says what is wrong.
    Said(String),
    /// It could not be run.
    Io(io::Error),
}

impl From<io::Error> for GitFailure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound {
            Self::Missing
        } else {
            Self::Io(error)
        }
    }
}

/// A folder to run git in, with the repository that it may make there.
pub(super) struct Git<'a> {
    /// The folder. What git writes is in it, and so is what it prints.
    pub(super) folder: &'a Path,
    /// When it has to be done.
    pub(super) until: Instant,
}

impl Git<'_> {
    /// Whether the user has said which ssh git runs; it may have the key that a host wants.
    fn has_own_ssh(&self) -> bool {
        let is_set = |name| std::env::var_os(name).is_some();
        let config = || {
            let mut command = Command::new("git");
            command.args(["config", "--get", "core.sshCommand"]);
            command.current_dir(self.folder).stdin(Stdio::null());
            command.output().is_ok_and(|it| !it.stdout.is_empty())
        };
        is_set("GIT_SSH_COMMAND") || is_set("GIT_SSH") || config()
    }

    /// What a call prints. `input` is a file in the folder that it reads.
    pub(super) fn run(&self, words: &[&str], input: Option<&str>) -> Result<Vec<u8>, GitFailure> {
        Ok(fs::read(self.end(words, input)?)?)
    }

    /// Gives each part of what a call prints, up to the byte `end`. It has to be done in time with that, too: a repository decides
    /// how much there is to read.
    pub(super) fn each(
        &self,
        words: &[&str],
        end: u8,
        part: impl FnMut(&str),
    ) -> Result<(), GitFailure> {
        let began = Instant::now();
        let printed = BufReader::new(File::open(self.end(words, None)?)?);
        parts(printed, end, || self.in_time(began), part)
    }

    /// Whether there is time left for what began then.
    pub(super) fn in_time(&self, began: Instant) -> Result<(), GitFailure> {
        if Instant::now() >= self.until {
            return Err(GitFailure::Slow(began.elapsed()));
        }
        Ok(())
    }

    /// Runs a call to its end. Gives the file with what it printed.
    fn end(&self, words: &[&str], input: Option<&str>) -> Result<PathBuf, GitFailure> {
        let (out, err) = (self.folder.join("out"), self.folder.join("err"));
        let began = Instant::now();
        let mut command = Command::new("git");
        command.args(ALWAYS).args(words).current_dir(self.folder);
        command.env("GIT_TERMINAL_PROMPT", "0");
        command.env("GIT_ALLOW_PROTOCOL", "https:ssh:file");
        command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        let is_remote = words.iter().any(|it| ["ls-remote", "fetch"].contains(it));
        if is_remote && !self.has_own_ssh() {
            command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        }
        for name in FOREIGN {
            command.env_remove(name);
        }
        command.stdin(match input {
            Some(file) => Stdio::from(File::open(self.folder.join(file))?),
            None => Stdio::null(),
        });
        command
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?);
        // It starts others, which end with it.
        let mut child = command.process_group(0).spawn()?;
        let ended = loop {
            if let Some(status) = child.try_wait()? {
                break Ok(status);
            }
            if let Err(slow) = self.in_time(began) {
                break Err(slow);
            }
            if bytes_in(self.folder) > MOST_BYTES {
                break Err(GitFailure::TooLarge);
            }
            thread::sleep(LOOK);
        };
        let Ok(status) = ended else {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                // It may have ended just now.
                let _ = kill_process_group(group, Signal::KILL);
            }
            drop(child.wait());
            return ended.map(|_| out);
        };
        if status.success() {
            return Ok(out);
        }
        let mut said = Vec::new();
        File::open(err)?.take(MOST_SAID).read_to_end(&mut said)?;
        Err(GitFailure::Said(
            String::from_utf8_lossy(&said).trim().to_owned(),
        ))
    }
}

/// Gives each part of a text that ends with this byte, as long as there is time.
fn parts(
    mut text: impl BufRead,
    end: u8,
    in_time: impl Fn() -> Result<(), GitFailure>,
    mut part: impl FnMut(&str),
) -> Result<(), GitFailure> {
    let mut bytes = Vec::new();
    loop {
        in_time()?;
        bytes.clear();
        if text.read_until(end, &mut bytes)? == 0 {
            return Ok(());
        }
        part(&String::from_utf8_lossy(
            bytes.strip_suffix(&[end]).unwrap_or(&bytes),
        ));
    }
}

/// The bytes of all files in a folder.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|it| match it.metadata() {
        Ok(found) if found.is_dir() => bytes_in(&it.path()),
        Ok(found) => found.len(),
        // It was there a moment ago.
        Err(_) => 0,
    });
    sizes.sum()
}

/// A file that a course can have, in a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CourseFile<'a> {
    /// What git calls its text.
    pub(super) object: &'a str,
    /// Its size.
    pub(super) bytes: usize,
    /// Its path in the course, such as `lessons/copies.md`.
    pub(super) path: &'a str,
}

/// The file of an entry of `git ls-tree -l -z`, such as `100644 blob 8baef1b 42\tlessons/a.md`, if it is one that a course in this
/// folder of the repository can have: no link, no submodule, no deeper folder.
pub(super) fn course_file<'a>(entry: &'a str, inside: &str) -> Option<CourseFile<'a>> {
    let (about, path) = entry.split_once('\t')?;
    let mut about = about.split_whitespace();
    let (mode, kind, object) = (about.next()?, about.next()?, about.next()?);
    let bytes: usize = about.next()?.parse().ok()?;
    let path = match inside {
        "" => path,
        inside => path.strip_prefix(inside)?.strip_prefix('/')?,
    };
    let is_odd = |it: char| it.is_control() || it == '\\' || it == '\u{fffd}';
    let is_file = mode.starts_with("100") && kind == "blob";
    (is_file && is_of_course(path) && !path.contains(is_odd)).then_some(CourseFile {
        object,
        bytes,
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_git_that_does_not_end_is_ended_with_what_it_started() {
        let folder = tempfile::TempDir::new().unwrap();
        let git = Git {
            folder: folder.path(),
            until: Instant::now(),
        };
        let endless = ["-c", "alias.endless=!tail -f /dev/null", "endless"];
        match git.run(&endless, None) {
            Err(GitFailure::Slow(_) | GitFailure::Missing) => {}
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_git_printed_is_read_as_long_as_there_is_time() {
        let left = Cell::new(1000);
        let in_time = || match left.replace(left.get() - 1) {
            0 => Err(GitFailure::Slow(Duration::ZERO)),
            _ => Ok(()),
        };
        let mut count = 0;
        let endless = BufReader::new(io::repeat(0));
        let ended = parts(endless, 0, in_time, |_| count += 1);
        assert!(matches!(ended, Err(GitFailure::Slow(_))), "{ended:?}");
        assert_eq!(count, 1000);
        let mut read = Vec::new();
        parts(&b"a\0b"[..], 0, || Ok(()), |it| read.push(it.to_owned())).unwrap();
        assert_eq!(read, ["a", "b"]);
    }

    #[test]
    fn a_call_is_late_when_what_it_printed_is_not_read_in_time() {
        let folder = tempfile::TempDir::new().unwrap();
        let until = Instant::now() + Duration::from_millis(500);
        let git = Git {
            folder: folder.path(),
            until,
        };
        let mut count = 0;
        let slowly = |_: &str| {
            count += 1;
            while Instant::now() < until {
                thread::yield_now();
            }
        };
        let ended = git.each(&["version", "--build-options"], b'\n', slowly);
        // On a busy machine, git alone may take longer.
        match ended {
            Err(GitFailure::Slow(_) | GitFailure::Missing) => assert!(count <= 1),
            other => panic!("{other:?} after {count} lines"),
        }
    }

    #[test]
    fn only_files_that_a_course_can_have_are_taken() {
        let path = |entry: &'static str, inside: &str| course_file(entry, inside).map(|it| it.path);
        let plain = "100644 blob 8baef1b      42\tlessons/a.md";
        assert_eq!(path(plain, ""), Some("lessons/a.md"));
        assert_eq!(path(plain, "talks"), None);
        let inside = "100755 blob 8baef1b 42\ttalks/one/labs/a.py";
        assert_eq!(path(inside, "talks/one"), Some("labs/a.py"));
        assert_eq!(path(inside, "talks/on"), None);
        let translated = "100644 blob 8baef1b 42\tlessons/de/a.md";
        assert_eq!(path(translated, ""), Some("lessons/de/a.md"));
        for wrong in [
            "120000 blob 8baef1b 42\tlessons/a.md",
            "040000 tree 8baef1b -\tlessons/deep",
            "160000 commit 8baef1b -\tlessons/sub",
            "100644 blob 8baef1b 42\tlessons/deep/a.md",
            "100644 blob 8baef1b 42\t../lessons/a.md",
            "100644 blob 8baef1b 42\tlessons/.a.md",
            "100644 blob 8baef1b 42\tlessons/a.sh",
            "100644 blob 8baef1b 42\tREADME.md",
            "100644 blob 8baef1b 42\t.git/config",
            "",
        ] {
            assert_eq!(path(wrong, ""), None, "{wrong}");
        }
    }
}

//! What the administrator of a machine has set, for everybody: `/etc/warpup.toml`.
//!
//! The same names as in the settings, and limits of each run. What it sets comes before the settings of the user; a mistake in it
//! is an error, since nobody should run under half of it. It is no lock: who builds warpup can build another one. What has to
//! hold, the system holds, such as Slurm, cgroups and the rights of files.

use super::{course, pass, size};
use crate::text_file;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use toml::value::Datetime;
use warpup_course::{
    CoursePolicy, Diagnostic, HOW_DUE, LessonId, PassRule, Rule, Severity, due_ms,
};

/// The file.
pub const FILE: &str = "/etc/warpup.toml";

/// The most bytes of it.
const MAX: u64 = 1 << 20;

/// What the administrator has set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// The course that is opened where none is named on the command line.
    #[serde(deserialize_with = "course::deserialize")]
    pub course: Option<PathBuf>,
    /// Whether the labs of that course run without asking each user: the administrator trusts its author.
    pub trust: bool,
    /// What is about real cards.
    pub cuda: CudaPolicy,
    /// The limits of each run.
    pub run: RunPolicy,
    /// What passing a quiz takes, whatever courses and quizzes say.
    #[serde(deserialize_with = "pass::deserialize")]
    pub pass: Option<PassRule>,
    /// What is about handing in.
    pub class: ClassPolicy,
    /// Until when lessons are to be passed, whatever their course says. A machine may have several courses, so a lesson of another
    /// course is no mistake.
    pub due: BTreeMap<LessonId, Deadline>,
}

/// A moment, in milliseconds since 1970 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline(pub u64);

impl<'de> Deserialize<'de> for Deadline {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let mistake = |why: &str| D::Error::custom(format!("{why}; {HOW_DUE}"));
        let date = Datetime::deserialize(input);
        let date = date.map_err(|_error| mistake("this deadline is no date"))?;
        due_ms(&date).map(Self).map_err(mistake)
    }
}

/// The table `[class]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClassPolicy {
    /// The folder that learners hand in to.
    #[serde(deserialize_with = "whole_path")]
    pub drop: Option<PathBuf>,
}

/// The table `[cuda]`; what is left out is the user's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CudaPolicy {
    /// The executable of the worker.
    pub worker: Option<PathBuf>,
    /// What starts it; an empty list starts it directly.
    pub launcher: Option<Vec<String>>,
    /// How long it stays after its last run, in seconds, also where a launcher has started it.
    pub linger_seconds: Option<u64>,
    /// Folders where its libraries are looked for first.
    pub library_path: Option<Vec<PathBuf>>,
    /// Bytes of a card's memory that a run may hold.
    #[serde(deserialize_with = "size::deserialize")]
    pub memory_cap: Option<u64>,
    /// The cards that runs may use, by UUID; every card when left out.
    #[serde(deserialize_with = "uuids")]
    pub cards: Option<Vec<String>>,
}

/// The table `[run]`: the most that a run may use. A lab that asks for less has less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunPolicy {
    /// Seconds that a program may compute.
    #[serde(deserialize_with = "seconds")]
    pub seconds: Option<u64>,
    /// Bytes of host memory.
    #[serde(deserialize_with = "memory")]
    pub memory: Option<u64>,
    /// Threads that it computes with.
    pub threads: Option<NonZeroU32>,
}

impl RunPolicy {
    /// The same with what a course asks for, where that is less.
    #[must_use]
    pub fn with(self, course: &CoursePolicy) -> Self {
        let threads = course.threads.and_then(NonZeroU32::new);
        Self {
            seconds: least(self.seconds, course.seconds.map(u64::from)),
            memory: least(self.memory, course.memory),
            threads: least(self.threads, threads),
        }
    }
}

/// The smaller of two limits, of which either may be missing.
pub(super) fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// A folder that is the same for everybody.
fn whole_path<'de, D: Deserializer<'de>>(input: D) -> Result<Option<PathBuf>, D::Error> {
    let path = PathBuf::deserialize(input)?;
    if path.is_absolute() {
        return Ok(Some(path));
    }
    Err(D::Error::custom(
        "give the whole path of the folder, from /",
    ))
}

/// The least memory that a lab can do something with: the interpreter has some of it.
const LEAST_MEMORY: u64 = 64 << 20;

fn seconds<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u64>, D::Error> {
    match u64::deserialize(input) {
        Ok(seconds) if seconds > 0 => Ok(Some(seconds)),
        Ok(_) | Err(_) => Err(D::Error::custom("give whole seconds, at least 1")),
    }
}

fn memory<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u64>, D::Error> {
    let bytes = size::deserialize(input)?;
    if bytes.is_some_and(|it| it < LEAST_MEMORY) {
        return Err(D::Error::custom(
            "no lab runs in so little memory: give at least \"64 MiB\"",
        ));
    }
    Ok(bytes)
}

/// Cards by what never changes: numbers depend on the order in which CUDA counts.
fn uuids<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Vec<String>>, D::Error> {
    const HOW: &str = "give each card by its UUID, as `nvidia-smi -L` writes it: \"GPU-8932f937-…\" or \"MIG-…\", at least eight digits of it";
    let uuids = Vec::<String>::deserialize(input).map_err(|_error| D::Error::custom(HOW))?;
    let is_uuid = |it: &String| {
        let bytes = it.strip_prefix("GPU-").or(it.strip_prefix("MIG-"));
        // A shorter beginning may be that of several cards.
        bytes.is_some_and(|it| {
            it.len() >= 8 && it.chars().all(|it| it.is_ascii_hexdigit() || it == '-')
        })
    };
    if uuids.is_empty() {
        return Err(D::Error::custom(
            "name at least one card, or leave `cards` out to allow every card",
        ));
    }
    if uuids.iter().all(is_uuid) {
        return Ok(Some(uuids));
    }
    Err(D::Error::custom(HOW))
}

impl Policy {
    /// Whether it trusts the programs of the course in this folder or file.
    pub fn trusts(&self, course: &Path) -> bool {
        self.trust && self.course.as_deref() == Some(course)
    }

    /// Reads the policy of this machine. A file that is not there sets nothing.
    ///
    /// # Errors
    /// A mistake in the file, with its place, or why it cannot be read; in words for a person.
    pub fn load() -> Result<Self, String> {
        Self::read(Path::new(FILE))
    }

    fn read(file: &Path) -> Result<Self, String> {
        match text_file::read(file, MAX) {
            Ok(text) => Self::parse(&text, &file.display().to_string()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{} cannot be read: {error}", file.display())),
        }
    }

    pub(super) fn parse(text: &str, file: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| {
            let mistake = Diagnostic {
                severity: Severity::Error,
                rule: Rule::Setting,
                file: file.to_owned(),
                span: error.span().unwrap_or_default(),
                message: error.message().to_owned(),
                hint: None,
                fix: None,
            };
            mistake.headline(text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_an_error_with_its_place() {
        let why = |text| Policy::parse(text, FILE).unwrap_err();
        insta::assert_snapshot!(why("[cuda]\nlauncer = []\n"), @"/etc/warpup.toml:2:1: error[setting]: unknown field `launcer`, expected one of `worker`, `launcher`, `linger_seconds`, `library_path`, `memory_cap`, `cards`");
        insta::assert_snapshot!(why("[run]\nmemory = \"much\"\n"), @r#"/etc/warpup.toml:2:10: error[setting]: give bytes as in 8589934592, or words as in "8 GiB""#);
        insta::assert_snapshot!(why("pass = { above_percent = 100 }\n"), @"/etc/warpup.toml:1:8: error[setting]: nobody can earn more than all points: `above_percent` is at most 99");
        insta::assert_snapshot!(why("[run]\nthreads = 0\n"), @"/etc/warpup.toml:2:11: error[setting]: invalid value: integer `0`, expected a nonzero u32");
        insta::assert_snapshot!(why("[class]\ndrop = \"inbox\"\n"), @"/etc/warpup.toml:2:8: error[setting]: give the whole path of the folder, from /");
        insta::assert_snapshot!(why("[due]\ncopies = 2026-12-01T18:00:00\n"), @"/etc/warpup.toml:2:10: error[setting]: this deadline has no offset from UTC: the same time is another moment elsewhere; write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00");
        insta::assert_snapshot!(why("[due]\ncopies = \"2026-12-01\"\n"), @"/etc/warpup.toml:2:10: error[setting]: this deadline is no date; write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00");
        insta::assert_snapshot!(why("[run]\nseconds = 0\n"), @"/etc/warpup.toml:2:11: error[setting]: give whole seconds, at least 1");
        insta::assert_snapshot!(why("[run]\nmemory = 4\n"), @r#"/etc/warpup.toml:2:10: error[setting]: no lab runs in so little memory: give at least "64 MiB""#);
        insta::assert_snapshot!(why("[cuda]\ncards = [0]\n"), @r#"/etc/warpup.toml:2:9: error[setting]: give each card by its UUID, as `nvidia-smi -L` writes it: "GPU-8932f937-…" or "MIG-…", at least eight digits of it"#);
        insta::assert_snapshot!(why("[cuda]\ncards = [\"GPU-7\"]\n"), @r#"/etc/warpup.toml:2:9: error[setting]: give each card by its UUID, as `nvidia-smi -L` writes it: "GPU-8932f937-…" or "MIG-…", at least eight digits of it"#);
        insta::assert_snapshot!(why("[cuda]\ncards = []\n"), @"/etc/warpup.toml:2:9: error[setting]: name at least one card, or leave `cards` out to allow every card");
        insta::assert_snapshot!(why("seconds = \"\n"), @r#"/etc/warpup.toml:1:12: error[setting]: invalid basic string, expected `"`"#);
    }

    #[test]
    fn only_the_course_of_the_policy_is_trusted_and_only_where_it_says_so() {
        let trusts =
            |text: &str, course: &str| Policy::parse(text, FILE).unwrap().trusts(Path::new(course));
        let says_so = "course = \"/srv/course\"\ntrust = true\n";
        assert!(trusts(says_so, "/srv/course"));
        assert!(!trusts(says_so, "/srv/another"));
        assert!(!trusts("course = \"/srv/course\"\n", "/srv/course"));
        assert!(!trusts("trust = true\n", "/srv/course"));
    }

    #[test]
    fn a_machine_without_the_file_has_no_policy() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("warpup.toml");
        assert_eq!(Policy::read(&file), Ok(Policy::default()));
        std::fs::create_dir(&file).unwrap();
        let why = Policy::read(&file).unwrap_err();
        assert!(why.contains("cannot be read: "), "{why}");
    }
}

//! Fetches one commit of a repository, and takes the files of a course out of it.

use super::address::Address;
use super::refs::Refs;
use crate::commands::failure::{Failure, Result};
use crate::commands::git::{CourseFile, Git, GitFailure, course_file};
use crate::commands::secrets::shown;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use warpup_course::{MAX_FILE, PARTS};
use warpup_store::kept_course::{Edition, KeptCourse};

/// A course has no more files, and no more bytes in them, as in a folder.
const MAX_FILES: usize = 2_000;
const MAX_BYTES: usize = 64 << 20;
/// The file that says that a folder is a course.
const MANIFEST: &str = "lessons/course.toml";
/// So many places of a course are named where it was looked for at another one.
const NAMED: usize = 5;
/// How long they are looked for, which is only for a hint.
const SEARCH: Duration = Duration::from_secs(10);

/// What git calls the repository that is fetched into.
const REPOSITORY: &str = "--git-dir=repository";

/// What was fetched.
pub(super) struct FetchResult {
    /// Which edition it is.
    pub(super) edition: Edition,
    /// What was left out of it, and why.
    pub(super) left_out: Vec<String>,
}

/// Brings the edition that an address names, if it is not kept already.
pub(super) fn edition(address: &Address, kept: &KeptCourse, until: Instant) -> Result<FetchResult> {
    let scratch = kept.scratch()?;
    let fetching = CourseFetch {
        address,
        git: Git {
            folder: scratch.path(),
            until,
        },
    };
    let mut refs = Refs::default();
    let list = ["ls-remote", "--symref", "--", address.url.revealed()];
    let listed = fetching.git.each(&list, b'\n', |it| refs.add(it));
    listed.map_err(|it| fetching.failure(it))?;
    let wanted = refs.wanted(address)?;
    let mut edition = Edition {
        by: wanted.by,
        name: wanted.name,
        commit: wanted.commit,
    };
    let mut left_out = Vec::new();
    if !kept.files(&edition.commit).is_dir() {
        edition.commit = fetching.fetch(&wanted.spec)?;
        let files = scratch.path().join("files");
        left_out = fetching.take(&edition.commit, &files)?;
        kept.keep(&edition.commit, &files)?;
    }
    kept.name(address.name.as_deref(), &edition)?;
    Ok(FetchResult { edition, left_out })
}

struct CourseFetch<'a> {
    address: &'a Address,
    git: Git<'a>,
}

impl CourseFetch<'_> {
    fn run(&self, words: &[&str]) -> Result<Vec<u8>> {
        self.git.run(words, None).map_err(|it| self.failure(it))
    }

    /// Fetches a commit without its history, and gives its digits.
    fn fetch(&self, spec: &str) -> Result<String> {
        self.run(&["init", "--quiet", "--bare", "--template=", "repository"])?;
        self.run(&[
            REPOSITORY,
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            "--",
            self.address.url.revealed(),
            spec,
        ])?;
        let commit = self.run(&[REPOSITORY, "rev-parse", "--verify", "FETCH_HEAD^{commit}"])?;
        Ok(String::from_utf8_lossy(&commit).trim().to_owned())
    }

    /// Writes the files of the course in a commit into a new folder. Says what was left out.
    fn take(&self, commit: &str, to: &Path) -> Result<Vec<String>> {
        let inside = &self.address.folder;
        let parts = PARTS.map(|(part, _)| match inside.as_str() {
            "" => format!("{part}/"),
            inside => format!("{inside}/{part}/"),
        });
        // Alone, since no course needs what else there is: it may be without end, and names in it are no patterns.
        let mut words = vec![REPOSITORY, "--literal-pathspecs", "ls-tree", "-r", "-l"];
        words.extend(["-z", "--full-tree", commit, "--"]);
        words.extend(parts.iter().map(String::as_str));
        let mut entries = Vec::new();
        let listed = self.git.each(&words, 0, |entry| {
            if course_file(entry, inside).is_some() {
                entries.push(entry.to_owned());
            }
        });
        listed.map_err(|it| self.failure(it))?;
        let files = entries.iter().filter_map(|it| course_file(it, inside));
        let (files, large): (Vec<_>, Vec<_>) = files.partition(|it| it.bytes <= MAX_FILE);
        if !files.iter().any(|it| it.path == MANIFEST) {
            return Err(self.no_course(commit));
        }
        let bytes: usize = files.iter().map(|it| it.bytes).sum();
        if files.len() > MAX_FILES || bytes > MAX_BYTES {
            return Err(Failure::arguments(format!(
                "the course in {} has more than {MAX_FILES} files, or more than {} MiB in them",
                self.address,
                MAX_BYTES >> 20
            )));
        }
        self.write(&files, to)?;
        let large = large.iter().map(|it| {
            let most = MAX_FILE >> 20;
            format!(
                "warning: {} is left out: it has more than {most} MiB",
                it.path
            )
        });
        Ok(large.collect())
    }

    fn write(&self, files: &[CourseFile<'_>], to: &Path) -> Result<()> {
        let objects: Vec<&str> = files.iter().map(|it| it.object).collect();
        fs::write(self.git.folder.join("objects"), objects.join("\n") + "\n")?;
        let printed = self
            .git
            .run(&[REPOSITORY, "cat-file", "--batch"], Some("objects"));
        let printed = printed.map_err(|it| self.failure(it))?;
        let began = Instant::now();
        let mut rest = printed.as_slice();
        for file in files {
            let in_time = self.git.in_time(began);
            in_time.map_err(|it| self.failure(it))?;
            // `OBJECT blob BYTES`, a line feed, the bytes, a line feed.
            let head = rest
                .iter()
                .position(|it| *it == b'\n')
                .unwrap_or(rest.len());
            let text = rest.get(head + 1..head + 1 + file.bytes);
            let Some(text) = text.filter(|_| rest.starts_with(file.object.as_bytes())) else {
                let what = format!("git did not print {}", file.path);
                return Err(Failure::Internal(anyhow::anyhow!(what)));
            };
            let path = to.join(file.path);
            fs::create_dir_all(path.parent().unwrap_or(to))?;
            fs::write(path, text)?;
            rest = rest.get(head + file.bytes + 2..).unwrap_or_default();
        }
        Ok(())
    }

    /// That there is no course at the place that was named, and where one is.
    fn no_course(&self, commit: &str) -> Failure {
        let Address { folder, name, .. } = self.address;
        let place = match folder.as_str() {
            "" => self.address.to_string(),
            folder => format!("the folder `{folder}` of {}", self.address),
        };
        let name = name.as_deref().unwrap_or_default();
        let (mut places, mut at_root) = (Vec::new(), false);
        let search = Git {
            folder: self.git.folder,
            until: self.git.until.min(Instant::now() + SEARCH),
        };
        let list = ["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit];
        let searched = search.each(&[&[REPOSITORY], &list[..]].concat(), 0, |path| {
            at_root |= path == MANIFEST;
            let folder = path.strip_suffix(MANIFEST);
            if let Some(folder) = folder.and_then(|it| it.strip_suffix('/'))
                && places.len() < NAMED
            {
                places.push(format!("`#{name}:{folder}`"));
            }
        });
        let hint = match (places.as_slice(), at_root) {
            ([], false) if searched.is_err() => format!(
                "a course has a file `{MANIFEST}`; name the folder that has it: `#{name}:FOLDER` behind the address"
            ),
            ([], false) => {
                format!("a course has a file `{MANIFEST}`, and this repository has none")
            }
            ([], true) => "the repository itself is a course: leave the folder out".to_owned(),
            (places, _) => format!(
                "there is one behind the address with {}",
                places.join(" or ")
            ),
        };
        Failure::arguments_but(
            format!("{place} is not a course: it has no {MANIFEST}"),
            hint,
        )
    }

    fn failure(&self, why: GitFailure) -> Failure {
        let address = self.address;
        let own = "a clone of your own works, too: `--course FOLDER`";
        match why {
            GitFailure::Missing => Failure::arguments_but(
                format!("git is not installed, and {address} is a git repository"),
                "install git, or give a folder, or a file of `warpup pack`",
            ),
            GitFailure::Slow(after) => Failure::arguments_but(
                format!(
                    "{address} did not answer within {} s",
                    after.as_secs().max(1)
                ),
                format!("try again; {own}"),
            ),
            GitFailure::TooLarge => Failure::arguments_but(
                format!("{address} is larger than any course"),
                format!("a repository with large files is not fetched; {own}"),
            ),
            GitFailure::Said(said) => {
                let said = said.replace(address.url.revealed(), &address.url.to_string());
                Failure::arguments_because(
                    format!("git cannot fetch {address}"),
                    format!("git says: {}", shown(reason(&said))),
                )
                .with_hint(own)
            }
            GitFailure::Io(error) => Failure::Internal(error.into()),
        }
    }
}

/// The line that says why git failed: ssh and git print warnings before it, and advice after it.
fn reason(said: &str) -> &str {
    let lines = || said.lines().map(str::trim).filter(|it| !it.is_empty());
    let is_denial = |it: &&str| it.contains("denied") || it.starts_with("ssh:");
    let is_fatal = |it: &&str| it.starts_with("fatal:") || it.starts_with("error:");
    let is_warning = |it: &&str| it.to_ascii_lowercase().starts_with("warning:");
    lines()
        .find(is_denial)
        .or_else(|| lines().find(is_fatal))
        .or_else(|| lines().rfind(|it| !is_warning(it)))
        .or_else(|| lines().next())
        .unwrap_or("nothing")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_not_a_warning_in_front_of_it() {
        let ssh = "Warning: Permanently added 'h' to the list of known hosts.\ngit@h: Permission denied (publickey).\n\
            fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights";
        assert_eq!(reason(ssh), "git@h: Permission denied (publickey).");
        let url = "warning: url contains a newline\nfatal: bad\n";
        assert_eq!(reason(url), "fatal: bad");
        assert_eq!(reason("warning: a\n"), "warning: a");
        assert_eq!(reason(""), "nothing");
    }
}

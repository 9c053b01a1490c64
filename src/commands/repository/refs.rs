//! What `git ls-remote --symref` lists: the tags and branches of a repository.
//!
//! Pure.

use super::address::Address;
use crate::commands::failure::Failure;
use warpup_course::nearest;
use warpup_store::kept_course::NamedBy;

/// So many tags are named where one does not exist.
const NAMED: usize = 5;
/// Among so many names, one like it is looked for.
const COMPARED: usize = 10_000;
/// The digits of a commit, with SHA-1 and with SHA-256.
const DIGITS: [usize; 2] = [40, 64];

/// The names that a repository has.
#[derive(Debug, Default)]
pub(super) struct Refs {
    /// The default branch.
    default: Option<String>,
    /// Its commit.
    head: Option<String>,
    tags: Vec<(String, String)>,
    branches: Vec<(String, String)>,
}

/// What to fetch.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FetchTarget {
    pub(super) by: NamedBy,
    /// The tag or branch; of a commit its digits.
    pub(super) name: String,
    /// What git is asked for.
    pub(super) spec: String,
    /// The digits of the commit, as listed.
    pub(super) commit: String,
}

impl Refs {
    /// Takes a line of the list.
    pub(super) fn add(&mut self, line: &str) {
        let Some((left, name)) = line.split_once('\t') else {
            return;
        };
        if let Some(branch) = left.strip_prefix("ref: refs/heads/") {
            if name == "HEAD" {
                self.default = Some(branch.to_owned());
            }
        } else if !is_commit(left) {
            // The name of a folder is made of it.
        } else if name == "HEAD" {
            self.head = Some(left.to_owned());
        } else if let Some(branch) = name.strip_prefix("refs/heads/") {
            self.branches.push((branch.to_owned(), left.to_owned()));
        } else if let Some(tag) = name.strip_prefix("refs/tags/") {
            let Some(tag) = tag.strip_suffix("^{}") else {
                self.tags.push((tag.to_owned(), left.to_owned()));
                return;
            };
            // What an annotated tag is of comes right behind it, so no other is looked at: there may be many.
            if let Some(last) = self.tags.last_mut().filter(|it| it.0 == tag) {
                left.clone_into(&mut last.1);
            }
        }
    }

    /// What an address asks for: a tag before a branch of the same name.
    pub(super) fn wanted(&self, address: &Address) -> Result<FetchTarget, Failure> {
        let Some(name) = &address.name else {
            let commit = self.head.clone().ok_or_else(|| {
                Failure::arguments_but(
                    format!("{address} is empty: it has no default branch"),
                    "commit the course to it, or name a tag or a branch: `#TAG` behind the address",
                )
            })?;
            return Ok(FetchTarget {
                by: NamedBy::Branch,
                name: self.default.as_deref().unwrap_or("HEAD").to_owned(),
                spec: "HEAD".to_owned(),
                commit,
            });
        };
        let of = |all: &[(String, String)]| all.iter().find(|it| it.0 == *name).cloned();
        let found = of(&self.tags).map(|it| (NamedBy::Tag, "refs/tags/", it));
        let found =
            found.or_else(|| of(&self.branches).map(|it| (NamedBy::Branch, "refs/heads/", it)));
        if let Some((by, folder, (name, commit))) = found {
            return Ok(FetchTarget {
                by,
                spec: format!("{folder}{name}"),
                name,
                commit,
            });
        }
        if is_commit(name) {
            return Ok(FetchTarget {
                by: NamedBy::Commit,
                name: name.clone(),
                spec: name.clone(),
                commit: name.to_lowercase(),
            });
        }
        Err(self.unknown(address, name))
    }

    fn unknown(&self, address: &Address, name: &str) -> Failure {
        let all = || {
            self.tags
                .iter()
                .chain(&self.branches)
                .map(|it| it.0.as_str())
                .take(COMPARED)
        };
        let near = nearest(name, all()).map(|it| format!("did you mean `{it}`? "));
        let tags: Vec<&str> = self
            .tags
            .iter()
            .rev()
            .take(NAMED)
            .map(|it| it.0.as_str())
            .collect();
        let known = match (tags.as_slice(), self.branches.as_slice()) {
            ([], []) => "it has none".to_owned(),
            ([], branches) => {
                let names = branches.iter().take(NAMED).map(|it| format!("`{}`", it.0));
                format!(
                    "it has no tags, and the branches {}",
                    names.collect::<Vec<_>>().join(", ")
                )
            }
            (tags, _) => format!("its last tags are `{}`", tags.join("`, `")),
        };
        let commit = if name.len() >= 7 && name.bytes().all(|it| it.is_ascii_hexdigit()) {
            "; a commit needs all of its digits"
        } else {
            ""
        };
        Failure::arguments_but(
            format!("{address} has no tag or branch `{name}`"),
            format!("{}{known}{commit}", near.unwrap_or_default()),
        )
    }
}

/// Whether these are all digits of a commit.
fn is_commit(digits: &str) -> bool {
    DIGITS.contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::super::address::address;
    use super::*;
    use crate::commands::sample;
    use std::path::Path;

    const LISTED: &str = "ref: refs/heads/main\tHEAD\n\
        1111111111111111111111111111111111111111\tHEAD\n\
        1111111111111111111111111111111111111111\trefs/heads/main\n\
        2222222222222222222222222222222222222222\trefs/heads/v1.0\n\
        3333333333333333333333333333333333333333\trefs/tags/v1.0\n\
        4444444444444444444444444444444444444444\trefs/tags/v1.1\n\
        5555555555555555555555555555555555555555\trefs/tags/v1.1^{}\n\
        6666666666666666666666666666666666666666\trefs/pull/1/head\n\
        ../../../../srv/other\trefs/tags/v2.0\n";

    fn read<'a>(lines: impl IntoIterator<Item = &'a str>) -> Refs {
        let mut refs = Refs::default();
        lines.into_iter().for_each(|it| refs.add(it));
        refs
    }

    fn wanted(listed: &str, named: &str) -> String {
        let address = address(Path::new(named)).unwrap().unwrap();
        match read(listed.lines()).wanted(&address) {
            Ok(it) => format!("{:?} {} {} {}\n", it.by, it.name, it.spec, it.commit),
            Err(failure) => sample::console("", |_| Err(failure)).0,
        }
    }

    #[test]
    fn a_name_is_a_tag_then_a_branch_then_a_commit() {
        let wanted = [
            "",
            "#v1.0",
            "#v1.1",
            "#main",
            "#9999999999999999999999999999999999999999",
        ];
        let wanted = wanted.map(|it| self::wanted(LISTED, &format!("https://host/r{it}")));
        insta::assert_snapshot!(wanted.concat(), @"
        Branch main HEAD 1111111111111111111111111111111111111111
        Tag v1.0 refs/tags/v1.0 3333333333333333333333333333333333333333
        Tag v1.1 refs/tags/v1.1 5555555555555555555555555555555555555555
        Branch main refs/heads/main 1111111111111111111111111111111111111111
        Commit 9999999999999999999999999999999999999999 9999999999999999999999999999999999999999 9999999999999999999999999999999999999999
        ");
    }

    #[test]
    fn a_name_that_is_not_there_says_which_are() {
        let unknown = ["#v1.01", "#abcdef1", "#other"];
        let unknown = unknown.map(|it| wanted(LISTED, &format!("https://host/r{it}")));
        insta::assert_snapshot!(unknown.concat(), @"
        error: https://host/r has no tag or branch `v1.01`
        hint: did you mean `v1.0`? its last tags are `v1.1`, `v1.0`
        error: https://host/r has no tag or branch `abcdef1`
        hint: its last tags are `v1.1`, `v1.0`; a commit needs all of its digits
        error: https://host/r has no tag or branch `other`
        hint: its last tags are `v1.1`, `v1.0`
        ");
        let branches = "1111111111111111111111111111111111111111\trefs/heads/dev\n";
        insta::assert_snapshot!(wanted(branches, "https://host/r#v1"), @"
        error: https://host/r has no tag or branch `v1`
        hint: it has no tags, and the branches `dev`
        ");
        insta::assert_snapshot!(wanted("", "https://host/r"), @"
        error: https://host/r is empty: it has no default branch
        hint: commit the course to it, or name a tag or a branch: `#TAG` behind the address
        ");
    }

    #[test]
    fn what_a_tag_is_of_is_taken_right_behind_it_alone() {
        let line = |digit: &str, name: &str| format!("{}\trefs/tags/{name}", digit.repeat(40));
        let lines = [
            line("1", "a"),
            line("2", "b"),
            line("3", "a^{}"),
            line("4", "c^{}"),
        ];
        let refs = read(lines.iter().map(String::as_str));
        let expected = [("a", "1"), ("b", "2")].map(|it| (it.0.to_owned(), it.1.repeat(40)));
        assert_eq!(refs.tags, expected);
        // Where each line were compared with all tags before it, nobody would wait for the end.
        let mut refs = Refs::default();
        for at in 0..200_000 {
            refs.add(&line("1", &at.to_string()));
            refs.add(&line("2", &format!("{at}^{{}}")));
        }
        assert_eq!(refs.tags.len(), 200_000);
        let commit = "2".repeat(40);
        assert!(refs.tags.iter().all(|it| it.1 == commit));
    }
}

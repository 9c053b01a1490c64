//! A course in a git repository, `--course https://host/owner/course#v1.2`: fetched once, kept, and opened as a folder.
//!
//! Only the files of the course are taken out of what is fetched, one by one: no checkout, so no link, filter or hook. Whether its labs
//! may run is asked as for any course that is not part of warpup.

mod address;
mod fetch;
mod refs;

use super::failure::{Failure, Result};
use super::secrets::Secret;
use address::{Address, address};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use warpup_store as store;
use warpup_store::kept_course::{Edition, KeptCourse, NamedBy};
use warpup_text::shown::Shown;

/// How long the first fetch may take.
const FIRST: Duration = Duration::from_mins(2);
/// How long a learner waits who has a copy already.
const AGAIN: Duration = Duration::from_secs(10);

/// Whether a course is named by the address of a repository.
pub(super) fn is_address(named: &Secret<PathBuf>) -> bool {
    !matches!(address(named.revealed()), Ok(None))
}

/// The folder or file of a course. What is said about one in a repository goes to stderr.
pub(super) fn located(named: Option<&Secret<PathBuf>>) -> Result<Option<PathBuf>> {
    let Some(named) = named.map(Secret::revealed) else {
        return Ok(None);
    };
    let Some(address) = address(named)? else {
        return Ok(Some(named.to_owned()));
    };
    let data = store::data_dir().map_err(|why| Failure::arguments(why.to_string()))?;
    let found = opened(&address, &data)?;
    for line in found.said {
        writeln!(io::stderr(), "{}", Shown::new(&line))?;
    }
    Ok(Some(found.folder))
}

/// A course that was fetched.
struct FetchedCourse {
    folder: PathBuf,
    /// What a learner should know.
    said: Vec<String>,
}

fn opened(address: &Address, data: &Path) -> Result<FetchedCourse> {
    let kept = KeptCourse::of(data, address.url.revealed(), &address.folder);
    let name = address.name.as_deref();
    let known = kept.edition(name);
    if let Some(known) = known.as_ref().filter(|it| it.by != NamedBy::Branch) {
        return Ok(FetchedCourse {
            folder: kept.files(&known.commit),
            said: Vec::new(),
        });
    }
    let limit = if known.is_some() { AGAIN } else { FIRST };
    if known.is_none() {
        let fetching = format!("Fetching {address} …");
        writeln!(io::stderr(), "{}", Shown::new(&fetching))?;
    }
    match (
        fetch::edition(address, &kept, Instant::now() + limit),
        known,
    ) {
        (Ok(fetched), _) => {
            let mut said = fetched.left_out;
            said.push(is_now(address, &fetched.edition));
            Ok(FetchedCourse {
                folder: kept.files(&fetched.edition.commit),
                said,
            })
        }
        (Err(why), Some(known)) => {
            let what = format!(
                "warning: whether {address} has a newer edition is not known: {why}\n\
                 The copy of commit {} is used, which was fetched before.",
                short(&known.commit)
            );
            Ok(FetchedCourse {
                folder: kept.files(&known.commit),
                said: vec![what],
            })
        }
        (Err(why), None) => Err(why),
    }
}

/// Which edition this is.
fn is_now(address: &Address, edition: &Edition) -> String {
    let commit = short(&edition.commit);
    let name = &edition.name;
    match (edition.by, &address.name) {
        (NamedBy::Branch, None) => format!(
            "No tag is given: this is the default branch `{name}` of {address}, commit {commit}, and a later start may bring another. \
             `#TAG` behind the address stays at one edition."
        ),
        (NamedBy::Branch, Some(_)) => {
            format!("This is the branch `{name}` of {address}, commit {commit}.")
        }
        (NamedBy::Tag, _) => format!("Fetched {name} of {address}, commit {commit}."),
        (NamedBy::Commit, _) => format!("Fetched commit {commit} of {address}."),
    }
}

/// The first digits of a commit.
fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

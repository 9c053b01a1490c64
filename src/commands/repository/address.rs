//! The address of a course in a git repository: `URL#NAME:FOLDER`.
//!
//! Pure. The form is that of Docker's build contexts; a git name has no colon, so it has one reading.

use crate::commands::failure::{Failure, Result};
use std::fmt;
use std::path::Path;

/// How the address of a repository may begin.
const SCHEMES: [&str; 4] = ["https://", "ssh://", "git://", "file://"];

/// What an address looks like, for hints.
const FORM: &str = "write `URL`, `URL#TAG` or `URL#TAG:FOLDER`, such as `https://host/owner/course#v1.2:talks/cuda`";

/// Where a course is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The repository, as git takes it.
    pub(super) url: String,
    /// A tag, a branch, or a commit; the default branch without one.
    pub(super) name: Option<String>,
    /// The folder in the repository that has the course; empty for the repository itself.
    pub(super) folder: String,
}

/// The address that somebody named as a course; nothing for a folder or a file.
pub(super) fn address(named: &Path) -> Result<Option<Address>> {
    let Some(text) = named.to_str() else {
        return Ok(None);
    };
    if named.exists() || !(text.contains("://") || is_like_scp(text)) {
        return Ok(None);
    }
    // As pip and Nix write it.
    let text = text.strip_prefix("git+").unwrap_or(text);
    if text.contains(char::is_control) {
        return Err(Failure::arguments_but(
            "the address of a repository has no line breaks and no other control characters",
            FORM,
        ));
    }
    // A password may have a `#` in it.
    let host = text.find("://").map_or(0, |it| it + 3);
    let path = text
        .get(host..)
        .and_then(|it| it.find('/'))
        .map_or(0, |it| host + it);
    let sign = text.get(path..).and_then(|it| it.find('#'));
    let (url, rest) = text.split_at(sign.map_or(text.len(), |it| path + it));
    let rest = rest.strip_prefix('#').unwrap_or_default();
    if !is_like_scp(url) && !SCHEMES.iter().any(|it| url.starts_with(it)) {
        let scheme = url.split("://").next().unwrap_or_default();
        return Err(Failure::arguments_but(
            format!("a course cannot be fetched by `{scheme}`"),
            "give an address that begins with https://, ssh://, git:// or file://, or git@host:path",
        ));
    }
    if url.contains("?ref=") || url.contains("?dir=") || rest.contains('=') {
        return Err(Failure::arguments_but(
            format!(
                "`{}` is not how a course in a repository is named",
                shown(text)
            ),
            FORM,
        ));
    }
    let (name, folder) = rest.split_once(':').unwrap_or((rest, ""));
    if !name.is_empty() && !is_name(name) {
        return Err(Failure::arguments_but(
            format!("`{name}` cannot be a tag, a branch or a commit"),
            FORM,
        ));
    }
    let folder = folder.trim_matches('/');
    let is_inside = |it: &str| !it.is_empty() && it != "." && it != ".." && !it.contains('\\');
    if !folder.is_empty() && !folder.split('/').all(is_inside) {
        return Err(Failure::arguments_but(
            format!("`{folder}` cannot be a folder of a repository"),
            FORM,
        ));
    }
    Ok(Some(Address {
        url: url.to_owned(),
        name: (!name.is_empty()).then(|| name.to_owned()),
        folder: folder.to_owned(),
    }))
}

/// Whether it is `user@host:path`, as `scp` and git take it.
fn is_like_scp(text: &str) -> bool {
    let Some((host, _)) = text.split_once(':') else {
        return false;
    };
    let Some((user, host)) = host.split_once('@') else {
        return false;
    };
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "._-".contains(it);
    let is_word = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_alphanumeric()) && it.chars().all(is_plain)
    };
    is_word(user) && is_word(host)
}

/// Whether git could have something of this name; `git check-ref-format` has the rules.
fn is_name(name: &str) -> bool {
    let is_odd = |it: char| it.is_whitespace() || it.is_control() || "~^:?*[\\".contains(it);
    !name.starts_with(['-', '/', '.'])
        && !name.ends_with(['/', '.'])
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(is_odd)
        && name.len() <= 200
}

/// A text in which addresses have no passwords and no tokens.
pub(super) fn shown(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, address)) = rest.split_once("://") {
        out.push_str(before);
        out.push_str("://");
        let end = address.find(|it: char| it.is_whitespace() || "'\"".contains(it));
        let (address, behind) = address.split_at(end.unwrap_or(address.len()));
        let path = address.find('/').unwrap_or(address.len());
        let (host, path) = address.split_at(path);
        match host.rsplit_once('@') {
            // Only a name is no secret.
            Some((user, _)) if !user.contains(':') && before.ends_with("ssh") => out.push_str(host),
            Some((_, host)) => {
                out.push_str("…@");
                out.push_str(host);
            }
            None => out.push_str(host),
        }
        match path.split_once('?') {
            Some((path, _)) => {
                out.push_str(path);
                out.push_str("?…");
            }
            None => out.push_str(path),
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&shown(&self.url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Exit;
    use crate::commands::sample;

    fn read(text: &str) -> String {
        match address(Path::new(text)) {
            Ok(None) => "a folder or a file".to_owned(),
            Ok(Some(it)) => {
                let folder = if it.folder.is_empty() {
                    "-"
                } else {
                    &it.folder
                };
                format!("{} {} {folder}", it.url, it.name.as_deref().unwrap_or("-"))
            }
            Err(failure) => {
                let (text, exit) = sample::console("", |_| Err(failure));
                assert_eq!(exit, Exit::Arguments);
                text
            }
        }
    }

    #[test]
    fn an_address_has_a_repository_a_name_and_a_folder() {
        let read: Vec<_> = [
            "https://host/o/r",
            "https://host/o/r.git#v1.2",
            "git+https://host/o/r#v1.2:talks/cuda/",
            "ssh://git@host:22/o/r#:talks",
            "git@host:o/r.git#release/2",
            "file:///srv/r#0123456789abcdef0123456789abcdef01234567",
            "talk",
            "talk.warpup",
            "/srv/a@b",
            ".",
        ]
        .map(read)
        .into();
        insta::assert_snapshot!(read.join("\n"), @"
        https://host/o/r - -
        https://host/o/r.git v1.2 -
        https://host/o/r v1.2 talks/cuda
        ssh://git@host:22/o/r - talks
        git@host:o/r.git release/2 -
        file:///srv/r 0123456789abcdef0123456789abcdef01234567 -
        a folder or a file
        a folder or a file
        a folder or a file
        a folder or a file
        ");
    }

    #[test]
    fn what_is_no_address_says_how_to_write_one() {
        let read: Vec<_> = [
            "http://host/o/r",
            "ext::sh -c 'touch x'://",
            "git+https://host/o/r?ref=v1&dir=talks",
            "git+https://host/o/r#subdirectory=talks",
            "https://host/o/r#--upload-pack=x",
            "https://host/o/r#a b",
            "https://host/o/r#v1:../x",
        ]
        .map(read)
        .into();
        insta::assert_snapshot!(read.concat(), @"
        error: a course cannot be fetched by `http`
        hint: give an address that begins with https://, ssh://, git:// or file://, or git@host:path
        error: a course cannot be fetched by `ext::sh -c 'touch x'`
        hint: give an address that begins with https://, ssh://, git:// or file://, or git@host:path
        error: `https://host/o/r?…` is not how a course in a repository is named
        hint: write `URL`, `URL#TAG` or `URL#TAG:FOLDER`, such as `https://host/owner/course#v1.2:talks/cuda`
        error: `https://host/o/r#subdirectory=talks` is not how a course in a repository is named
        hint: write `URL`, `URL#TAG` or `URL#TAG:FOLDER`, such as `https://host/owner/course#v1.2:talks/cuda`
        error: `https://host/o/r#--upload-pack=x` is not how a course in a repository is named
        hint: write `URL`, `URL#TAG` or `URL#TAG:FOLDER`, such as `https://host/owner/course#v1.2:talks/cuda`
        error: `a b` cannot be a tag, a branch or a commit
        hint: write `URL`, `URL#TAG` or `URL#TAG:FOLDER`, such as `https://host/owner/course#v1.2:talks/cuda`
        error: `../x` cannot be a folder of a repository
        hint: write `URL`, `URL#TAG` or `URL#TAG:FOLDER`, such as `https://host/owner/course#v1.2:talks/cuda`
        ");
        assert_eq!(read.len(), 7);
    }

    #[test]
    fn a_password_is_not_shown() {
        let said = [
            "https://me:secret@host/r",
            "https://token@host/r",
            "ssh://git@host/r",
            "git@host:r",
        ];
        let said = said.map(shown);
        assert_eq!(
            said,
            [
                "https://…@host/r",
                "https://…@host/r",
                "ssh://git@host/r",
                "git@host:r"
            ]
        );
    }

    #[test]
    fn no_password_and_no_token_is_shown() {
        assert_eq!(shown("https://user:pa#ss@host/o/r"), "https://…@host/o/r");
        assert_eq!(
            shown("https://u:p@ss@host:8/r?token=abc"),
            "https://…@host:8/r?…"
        );
        assert_eq!(
            shown("fatal: unable to access 'https://ss@host/r/': refused"),
            "fatal: unable to access 'https://…@host/r/': refused"
        );
        assert_eq!(shown("ssh://git@host/r"), "ssh://git@host/r");
        assert_eq!(
            read("https://user:pa#ss@host/o/r#v1:talks"),
            "https://user:pa#ss@host/o/r v1 talks"
        );
    }
}

//! The address of a course in a git repository: `URL#NAME:FOLDER`.
//!
//! Pure. The form is that of Docker's build contexts; a git name has no colon, so it has one reading.

use crate::commands::failure::{Failure, Result};
use crate::commands::secrets::{Secret, shown, user};
use std::fmt;
use std::path::Path;

/// How the address of a repository may begin. What others on the way could change, as with `http` and `git`, is not fetched.
const SCHEMES: [&str; 3] = ["https://", "ssh://", "file://"];

/// What an address looks like, for hints.
const FORM: &str = "write `URL`, `URL#TAG` or `URL#TAG:FOLDER`, such as `https://host/owner/course#v1.2:talks/cuda`";

/// Where a course is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The repository, as git takes it.
    pub(super) url: Secret<String>,
    /// A tag, a branch, or a commit; the default branch without one.
    pub(super) name: Option<String>,
    /// The folder in the repository that has the course; empty for the repository itself.
    pub(super) folder: String,
}

/// The address that somebody named as a course; nothing for a folder or a file.
pub(super) fn address(named: &Path) -> Result<Option<Address>> {
    let text = &*named.to_string_lossy();
    // Without its kind, an address with a password would be printed as a folder that is not there.
    let has_password = |it: &str| user(it).contains(':');
    if named.exists() || !(text.contains("://") || is_like_scp(text) || has_password(text)) {
        return Ok(None);
    }
    // As pip and Nix write it.
    let text = text.strip_prefix("git+").unwrap_or(text);
    if text.contains(|it: char| it.is_control() || it == char::REPLACEMENT_CHARACTER) {
        return Err(Failure::arguments_but(
            "the address of a repository is UTF-8 without line breaks and other control characters",
            FORM,
        ));
    }
    let (scheme, address) = text.split_once("://").unwrap_or(("", text));
    let user = user(address);
    if user.contains('/') || user.contains(':') && ["", "ssh"].contains(&scheme) {
        return Err(Failure::arguments_but(
            "the password in this address cannot be used",
            "begin the address with `https://`, and write `%2F` for a `/` in the password; ssh takes a key instead",
        ));
    }
    // A password may have a `#` in it.
    let host = text.len() - address.len() + user.len();
    let sign = text.get(host..).and_then(|it| it.find('#'));
    let (url, rest) = text.split_at(sign.map_or(text.len(), |it| host + it));
    let rest = rest.strip_prefix('#').unwrap_or_default();
    if !is_like_scp(url) && !SCHEMES.iter().any(|it| url.starts_with(it)) {
        let scheme = url.split(':').next().unwrap_or_default();
        return Err(Failure::arguments_but(
            format!("a course cannot be fetched by `{scheme}`"),
            "give an address that begins with https://, ssh:// or file://, or git@host:path",
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
        url: Secret::new(url.to_owned()),
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

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Exit;
    use crate::commands::sample;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    fn read(text: &str) -> String {
        match address(Path::new(text)) {
            Ok(None) => "a folder or a file".to_owned(),
            Ok(Some(it)) => {
                let folder = if it.folder.is_empty() {
                    "-"
                } else {
                    &it.folder
                };
                let (url, name) = (it.url.revealed(), it.name.as_deref());
                format!("{url} {} {folder}", name.unwrap_or("-"))
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
            "git@host:r#release/2",
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
        git@host:r release/2 -
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
            "git://host/o/r",
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
        hint: give an address that begins with https://, ssh:// or file://, or git@host:path
        error: a course cannot be fetched by `git`
        hint: give an address that begins with https://, ssh:// or file://, or git@host:path
        error: a course cannot be fetched by `ext`
        hint: give an address that begins with https://, ssh:// or file://, or git@host:path
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
        assert_eq!(read.len(), 8);
    }

    #[test]
    fn a_password_may_have_a_number_sign_and_is_in_no_error() {
        assert_eq!(
            read("https://user:pa#ss@host/o/r#v1:talks"),
            "https://user:pa#ss@host/o/r v1 talks"
        );
        for wrong in [
            "https://u:SECRET/x@host/r#v1",
            "https://u:SECRET/x#y@host/r#v1",
            "https://u:x#SECRET@host#a b",
            "ssh://u:SECRET@host/r",
            "ssh://u:SEC%40RET@host/r",
            "u:SECRET@host/o/r",
            "git+u:SECRET@host/o/r",
            "http://u:SECRET@host/r",
            "x:SECRET@host://r",
            "https://u:SECRET@host/r?ref=v1",
            "https://u:SECRET@host/r#a b",
            "https://u:SECRET@host/r#v1:../x",
            "https://u:SECRET@host/\n",
        ] {
            let said = read(wrong);
            assert!(
                said.starts_with("error: ") && !said.contains("SEC"),
                "{said}"
            );
        }
        let odd = OsStr::from_bytes(b"https://u:SECRET@host/\xff");
        let failure = address(Path::new(odd)).unwrap_err();
        let (said, _) = sample::console("", |_| Err(failure));
        assert!(!said.contains("SECRET"), "{said}");
        insta::assert_snapshot!(read("ssh://u:SECRET@host/r"), @"
        error: the password in this address cannot be used
        hint: begin the address with `https://`, and write `%2F` for a `/` in the password; ssh takes a key instead
        ");
    }
}

//! Addresses with a password or a token in them, such as `https://me:token@host/course`: what is printed has none of it.
//!
//! Pure.

use std::ffi::OsStr;
use std::fmt;

/// Parts of the names of what pages hand over behind a `#`.
const SECRETS: [&str; 6] = ["auth", "key", "pass", "secret", "sig", "token"];

/// A path or an address that may have a secret in it. As text it has none.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret<T>(T);

impl<T> Secret<T> {
    /// Hides what this may have in it.
    pub(super) fn new(whole: T) -> Self {
        Self(whole)
    }

    /// All of it, for who opens it: never for text.
    pub(super) fn revealed(&self) -> &T {
        &self.0
    }
}

impl<T: AsRef<OsStr>> fmt::Display for Secret<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hide(&self.0.as_ref().to_string_lossy()))
    }
}

impl<T: AsRef<OsStr>> fmt::Debug for Secret<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// A text in which addresses have no passwords and no tokens.
pub(super) fn shown(text: &str) -> String {
    let is_behind = |it: char| it.is_whitespace() || "'\"`.,:;)".contains(it);
    let words = text.split_inclusive(char::is_whitespace).map(|word| {
        let address = word.trim_end_matches(is_behind);
        hide(address) + word.get(address.len()..).unwrap_or_default()
    });
    words.collect()
}

/// An address, or several that nothing separates, without secrets.
fn hide(mut word: &str) -> String {
    let mut out = String::new();
    let mut query = "";
    while let Some((before, address)) = word.split_once("://") {
        let user = user(address);
        // Only a name is no secret; for other kinds it may be a token.
        let is_name = user.is_empty() || !user.contains(':') && before.ends_with("ssh");
        out.extend([before, "://", if is_name { user } else { "…" }]);
        word = address.get(user.len()..).unwrap_or_default();
        if let Some((path, _)) = word.split_once('?') {
            (word, query) = (path, "?…");
        }
    }
    if let Some((path, named)) = word.split_once('#')
        && let Some((name, _)) = named.split_once('=')
        && SECRETS.iter().any(|it| name.contains(it))
    {
        (word, query) = (path, "#…");
    }
    // What is nearly an address: a slash too few, or a sign that looks like `@`.
    let (place, signs) = if out.is_empty() {
        (word, &["@", "%40", "＠"][..])
    } else {
        (
            word.split('/').next().unwrap_or_default(),
            &["%40", "＠"][..],
        )
    };
    if let Some(sign) = signs.iter().filter_map(|it| place.rfind(it)).max()
        && let Some((before, _)) = word.split_at(sign).0.split_once(':')
    {
        out.extend([before, ":…"]);
        word = word.get(sign..).unwrap_or_default();
    }
    out + word + query
}

/// The user, and the password behind a colon, of an address without its kind; empty if it has none.
pub(super) fn user(address: &str) -> &str {
    let host = address.split('/').next().unwrap_or_default();
    let end = host.rfind('@').or_else(|| {
        let (_, port) = host.split_once(':')?;
        let is_port = port.bytes().all(|it| it.is_ascii_digit()) || host.starts_with('[');
        // Else it is a password with a `/` in it.
        if is_port { None } else { address.rfind('@') }
    });
    address.get(..end.unwrap_or(0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn no_password_and_no_token_of_an_address_is_shown() {
        let shown = [
            "https://me:secret@host/r#v1:talks",
            "https://secret@host/r",
            "file://me:secret@localhost/srv/r",
            "https://me:sec#ret@host/o/r",
            "https://me:sec@ret@host:8/r?token=secret",
            "https://me:sec'ret@host/r",
            "https://me:sec/ret@host/r",
            "https://host/r,https://me:secret@host/r",
            "--course=https://me:secret@host/r",
            "warpup --course 'https://me:secret@host/r?secret' run a/b",
            "fatal: unable to access 'https://me:secret@host/r/': refused",
            "https:/me:secret@host/r",
            "//me:secret@host/r",
            "https//me:secret@host/r",
            "https://me:secret%40host/r",
            "https://me:secret＠host/r",
            "https://host/r#access_token=secret",
        ]
        .map(shown);
        assert!(
            shown
                .iter()
                .all(|it| !it.contains("sec") && !it.contains("ret"))
        );
        insta::assert_snapshot!(shown.join("\n"), @"
        https://…@host/r#v1:talks
        https://…@host/r
        file://…@localhost/srv/r
        https://…@host/o/r
        https://…@host:8/r?…
        https://…@host/r
        https://…@host/r
        https://host/r,https://…@host/r
        --course=https://…@host/r
        warpup --course 'https://…@host/r?…' run a/b
        fatal: unable to access 'https://…@host/r/': refused
        https:…@host/r
        //me:…@host/r
        https//me:…@host/r
        https://me:…%40host/r
        https://me:…＠host/r
        https://host/r#…
        ");
    }

    #[test]
    fn an_address_without_a_secret_stays_as_it_is() {
        for address in [
            "https://host:8/r@2/x#a@1",
            "ssh://git@host:22/o/r",
            "ssh://[::1]:22/r@2",
            "git@host:o/r",
            "file:///srv/a@b: gone",
            "see https://host/r, or `https://host`.\n",
        ] {
            assert_eq!(shown(address), address);
        }
    }

    #[test]
    fn what_is_hidden_is_in_no_text() {
        let hidden = Secret::new(PathBuf::from("https://me:two words@host/r"));
        assert_eq!(
            format!("{hidden} {hidden:?}"),
            "https://…@host/r https://…@host/r"
        );
        assert_eq!(
            hidden.revealed().to_str(),
            Some("https://me:two words@host/r")
        );
    }
}

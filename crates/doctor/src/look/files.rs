//! Files of a machine whose root may be any folder. An unreadable file counts as absent.

use super::machine::Machine;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// The maximum number of bytes that are read of a file.
const MOST: u64 = 1 << 20;

/// The maximum number of links in a chain.
const LINKS: usize = 8;

impl Machine {
    /// A path of the machine as a path of this one.
    pub(super) fn real(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// Whether a path exists; a broken link counts.
    pub(super) fn is_there(&self, path: &str) -> bool {
        self.real(path).symlink_metadata().is_ok()
    }

    /// The bytes of a file.
    pub(super) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = fs::File::open(self.real(path)).ok()?;
        file.take(MOST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The text of a file.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&self.bytes(path)?).into_owned())
    }

    /// The first line of a file.
    pub(super) fn line(&self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        let line = text.lines().next()?.trim();
        (!line.is_empty()).then(|| line.to_owned())
    }

    /// The names in a folder, sorted.
    pub(super) fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.real(folder)) else {
            return Vec::new();
        };
        let names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// The target of a link, unresolved.
    pub(super) fn link(&self, path: &str) -> Option<String> {
        let target = fs::read_link(self.real(path)).ok()?;
        Some(target.to_string_lossy().into_owned())
    }

    /// The end of a chain of links.
    pub(super) fn end_of_links(&self, path: &str) -> String {
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            match self.link(&path) {
                None => break,
                Some(target) if target.starts_with('/') => path = target,
                Some(target) => {
                    let folder = path.rsplit_once('/').map_or("", |it| it.0);
                    path = flat(&format!("{folder}/{target}"));
                }
            }
        }
        path
    }

    /// Whether two paths are one file.
    pub(super) fn is_same(&self, one: &str, other: &str) -> bool {
        let real = |path| self.real(path).canonicalize().ok();
        real(one).is_some_and(|it| Some(it) == real(other))
    }

    /// The id of the owner of a file.
    pub(super) fn owner(&self, path: &str) -> Option<u32> {
        Some(self.real(path).metadata().ok()?.uid())
    }
}

/// A path without `..` and `.`.
fn flat(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_flat() {
        assert_eq!(
            flat("/usr/local/cuda/../cuda-13.0/./lib"),
            "/usr/local/cuda-13.0/lib"
        );
    }
}

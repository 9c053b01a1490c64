//! Finds libraries in the order of the loader: the folders of `LD_LIBRARY_PATH`, then those of the system.
//!
//! Nothing is loaded or opened: names and links are enough.

use super::machine::Machine;
use crate::evidence::{Libraries, Library, LoaderPath};

/// The loader's default folders; those in `/etc/ld.so.conf` come before them.
const SYSTEM: [&str; 8] = [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
];

/// The maximum depth of includes in the configuration.
const DEPTH: usize = 4;

/// A folder, and why the loader searches it.
type Folder = (String, LoaderPath);

/// The libraries of the driver and the toolkits, first those in the folders of `LD_LIBRARY_PATH`.
pub(super) fn find(machine: &Machine) -> Libraries {
    let variable = machine.library_path().into_iter();
    let mut folders: Vec<Folder> = variable.map(|it| (it, LoaderPath::Variable)).collect();
    let mut system = Vec::new();
    configured(machine, "/etc/ld.so.conf", DEPTH, &mut system);
    system.extend(SYSTEM.map(str::to_owned));
    folders.extend(system.into_iter().map(|it| (it, LoaderPath::System)));
    let of = |prefix: &str| all(machine, &folders, prefix);
    Libraries {
        cuda: of("libcuda.so.1"),
        nvml: of("libnvidia-ml.so.1"),
        cudart: of("libcudart.so."),
        cudnn: of("libcudnn.so."),
        nccl: of("libnccl.so."),
    }
}

/// The folders that a configuration file of the loader names.
fn configured(machine: &Machine, path: &str, depth: usize, folders: &mut Vec<String>) {
    let Some(text) = machine.text(path).filter(|_| depth > 0) else {
        return;
    };
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        match line.strip_prefix("include") {
            Some(pattern) => {
                let pattern = pattern.trim();
                let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
                let (start, end) = name.split_once('*').unwrap_or((name, ""));
                let names = machine.names(folder).into_iter();
                for name in names.filter(|it| it.starts_with(start) && it.ends_with(end)) {
                    configured(machine, &format!("{folder}/{name}"), depth - 1, folders);
                }
            }
            None if line.starts_with('/') => folders.push(line.trim_end_matches('/').to_owned()),
            None => {}
        }
    }
}

/// The libraries whose names start with `prefix`, in the order of the folders; each file once.
fn all(machine: &Machine, folders: &[Folder], prefix: &str) -> Vec<Library> {
    let mut found: Vec<Library> = Vec::new();
    for (folder, from) in folders {
        // No worker can load 32-bit libraries.
        if folder.contains("i386") || folder.contains("lib32") {
            continue;
        }
        for name in machine
            .names(folder)
            .into_iter()
            .filter(|it| is_library(it, prefix))
        {
            let path = format!("{}/{name}", folder.trim_end_matches('/'));
            let end = machine.end_of_links(&path);
            let file = end.rsplit('/').next().unwrap_or_default().to_owned();
            // `/lib` is a link to `/usr/lib` on most systems.
            let is_known = |it: &Library| it.path == path || machine.is_same(&it.path, &path);
            if !found.iter().any(is_known) {
                found.push(Library {
                    path,
                    file,
                    from: *from,
                });
            }
        }
    }
    found
}

/// Whether programs load a library by this name: `libcudart.so.` and one number, or the whole name.
fn is_library(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| {
        if prefix.ends_with('.') {
            !rest.is_empty() && rest.bytes().all(|it| it.is_ascii_digit())
        } else {
            rest.is_empty()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_asked_for_by_its_major_version() {
        assert!(is_library("libcudart.so.12", "libcudart.so."));
        assert!(!is_library("libcudart.so.12.8.90", "libcudart.so."));
        assert!(!is_library("libcudart.so", "libcudart.so."));
        assert!(is_library("libcuda.so.1", "libcuda.so.1"));
        assert!(!is_library("libcuda.so.1.1", "libcuda.so.1"));
    }
}

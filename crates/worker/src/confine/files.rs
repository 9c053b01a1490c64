//! Landlock: no file can be opened, made or removed any more, no TCP port bound or reached, no process outside signalled.
//!
//! It restricts the thread that asks and all threads that it starts later, so it has to come before the first of them.

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The newest version whose rights are handled; an older kernel handles those that it knows.
const NEWEST: ABI = ABI::V7;

/// Where the driver of a card reads and writes: device nodes, its settings, pipes of MPS, what it compiles.
const OF_THE_DRIVER: [&str; 4] = ["/dev", "/proc", "/tmp", "/run"];

/// Where it only reads: libraries, and what the system says of the card. No system keeps somebody's own files there.
const OF_THE_SYSTEM: [&str; 8] = [
    "/sys",
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/nvidia",
    "/nix/store",
    "/gnu/store",
];

/// Variables that name folders of libraries, as lists.
const LIBRARIES: [&str; 3] = ["LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH"];

/// Takes all of it away.
pub(super) fn refuse_all() -> Result<(), RulesetError> {
    // A set of rules that allows nothing.
    Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .restrict_self()
        .map(drop)
}

/// Takes away files, except those of the driver and of the libraries that are loaded.
///
/// Asking for the size of a file stays possible: Landlock does not know it.
pub(super) fn refuse_all_but_the_driver_s() -> Result<(), RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::Signal)?
        .create()?;
    let reading = AccessFs::ReadFile | AccessFs::ReadDir;
    let writing = AccessFs::from_write(NEWEST) | reading;
    let home = env::var_os("HOME").map(PathBuf::from);
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let listed = LIBRARIES.iter().filter_map(env::var_os);
    let listed: Vec<_> = listed
        .flat_map(|it| env::split_paths(&it).collect::<Vec<_>>())
        .collect();
    let read = OF_THE_SYSTEM.iter().map(PathBuf::from);
    let loaded = loaded_from(&maps).into_iter().chain(listed);
    let read = read.chain(loaded.filter(|it| !holds(it, home.as_deref())));
    let written = OF_THE_DRIVER.iter().map(PathBuf::from).chain(caches());
    let read = read.map(|it| (it, reading));
    for (path, access) in read.chain(written.map(|it| (it, writing))) {
        // What is not there needs no rule.
        if let Ok(place) = PathFd::new(&path) {
            let access = if path.is_dir() {
                access
            } else {
                access & AccessFs::from_file(NEWEST)
            };
            rules = rules.add_rule(PathBeneath::new(place, access))?;
        }
    }
    rules.restrict_self().map(drop)
}

/// The folders of the files that this process has mapped: its own executable, and libraries, which load others from
/// beside them when they are first used.
fn loaded_from(maps: &str) -> BTreeSet<PathBuf> {
    // Five fields without a slash stand before the path.
    let paths = maps
        .lines()
        .filter_map(|it| Some(it.split_at(it.find('/')?).1));
    let folders = paths.filter_map(|it| Path::new(it).parent());
    folders.map(Path::to_owned).collect()
}

/// Whether a folder is the home folder, or one around it, or no absolute path: no library makes all of that readable.
fn holds(folder: &Path, home: Option<&Path>) -> bool {
    !folder.is_absolute()
        || folder.parent().is_none()
        || home.is_some_and(|it| it.starts_with(folder))
}

/// Where the driver keeps compiled kernels, and where temporary files are.
fn caches() -> impl Iterator<Item = PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from);
    let of_home = folder("HOME").map(|it| it.join(".nv"));
    of_home
        .into_iter()
        .chain(folder("CUDA_CACHE_PATH"))
        .chain(folder("TMPDIR"))
        // A later run of this worker takes its turn, too.
        .chain(folder(crate::turns::VARIABLE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_read_from_where_they_were_loaded_but_never_all_of_home() {
        let maps = "\
            7f10-7f20 r-xp 00000000 08:01 99 /opt/cuda 13/lib64/libcublas.so.13\n\
            7f20-7f30 r--p 00000000 08:01 98 /opt/cuda 13/lib64/libcublasLt.so.13\n\
            7f30-7f40 r--p 00000000 08:01 97 /people/ada/libodd.so\n\
            7f40-7f50 rw-p 00000000 00:00 0\n\
            7f50-7f60 rw-p 00000000 00:00 0 [heap]\n";
        let found = loaded_from(maps);
        let expected = ["/people/ada", "/opt/cuda 13/lib64"].map(PathBuf::from);
        assert_eq!(found, expected.into());
        let home = Some(Path::new("/people/ada"));
        for (folder, is_held) in [
            ("/people/ada", true),
            ("/people", true),
            ("/", true),
            ("lib", true),
            ("", true),
            ("/people/ada/lib", false),
            ("/people/adam", false),
            ("/opt", false),
        ] {
            assert_eq!(holds(Path::new(folder), home), is_held, "{folder}");
        }
        assert!(holds(Path::new("/"), None));
    }
}

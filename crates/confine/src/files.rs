//! Landlock: no file can be opened, made or removed any more, no port bound or reached, no process outside signalled.
//!
//! It restricts the thread that asks and all threads that it starts later, so it has to come before the first of them; from
//! Linux 7.0 on, it can also restrict those that run.

use crate::driver_files;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, RestrictSelfAttr, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use std::fs;
use std::path::{Path, PathBuf};

/// The newest version whose rights are handled; an older kernel handles those that it knows.
const NEWEST: ABI = ABI::V10;

/// Folders of which the driver has only what [`driver_files`] names: devices, processes, services, temporary files.
const OF_OTHERS: [&str; 4] = ["/dev", "/proc", "/run", "/tmp"];

/// Takes all of it away.
pub(super) fn refuse_all() -> Result<(), RulesetError> {
    // A set of rules that allows nothing.
    rules()?.restrict_self().map(drop)
}

/// Takes away what no driver needs even while it opens a card: the files of the home folder, and writing outside of its own
/// folders.
pub(super) fn refuse_the_home_folder(own_folders: &[PathBuf]) -> Result<(), RulesetError> {
    let mut rules = allow_the_driver_s(rules()?, own_folders)?;
    let homes = driver_files::homes();
    // Where nobody knows the home folder, any folder may be it.
    let others = fs::read_dir("/").ok().filter(|_| !homes.is_empty());
    for entry in others.into_iter().flatten().flatten() {
        let path = entry.path();
        let is_of_others = OF_OTHERS.iter().any(|it| path == Path::new(it));
        if !is_of_others && !driver_files::holds(&path, &homes) {
            rules = allow(rules, &path, reading())?;
        }
    }
    rules.restrict_self().map(drop)
}

/// Takes away files, except those of the driver and of the libraries that are loaded.
///
/// Asking for the size of a file stays possible: Landlock does not know it.
pub(super) fn refuse_all_but_the_driver_s(own_folders: &[PathBuf]) -> Result<(), RulesetError> {
    let rules = allow_the_driver_s(rules()?, own_folders)?;
    rules.all_threads(true)?.restrict_self().map(drop)
}

fn rules() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()
}

fn allow_the_driver_s(
    mut rules: RulesetCreated,
    own_folders: &[PathBuf],
) -> Result<RulesetCreated, RulesetError> {
    let homes = driver_files::homes();
    for path in driver_files::read(&homes) {
        rules = allow(rules, &path, reading())?;
    }
    for path in driver_files::written(&homes).iter().chain(own_folders) {
        rules = allow(rules, path, writing() | reading())?;
    }
    // A rule is one of an inode, and `/proc` may make another for this process unless somebody holds it open.
    let _stays_open = std::mem::ManuallyDrop::new(PathFd::new("/proc/self"));
    Ok(rules)
}

fn reading() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::ReadDir
}

/// Without nodes of devices, pipes and sockets: a folder for temporary files is no place to open a disk.
fn writing() -> BitFlags<AccessFs> {
    let nodes = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeFifo | AccessFs::MakeSock;
    AccessFs::from_write(NEWEST) & !nodes
}

/// Allows this at a path and below it. What is not there needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(place) = PathFd::new(path) else {
        return Ok(rules);
    };
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(NEWEST)
    };
    rules.add_rule(PathBeneath::new(place, access))
}

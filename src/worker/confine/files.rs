//! Landlock: no file can be opened, made or removed any more, no TCP port bound or reached, no process outside signalled.
//!
//! It restricts the thread that asks and all threads that it starts later, so it has to come before the first of them.

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};
use std::env;
use std::path::PathBuf;

/// The newest version whose rights are handled; an older kernel handles those that it knows.
const NEWEST: ABI = ABI::V7;

/// Where the driver of a card writes: device nodes, its settings, pipes of MPS.
const OF_THE_DRIVER: [&str; 4] = ["/dev", "/proc", "/tmp", "/run"];

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

/// Takes away writing, except where the driver of a card writes.
pub(super) fn refuse_writes() -> Result<(), RulesetError> {
    let writing = AccessFs::from_write(NEWEST);
    let mut rules = Ruleset::default()
        .handle_access(writing)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::Signal)?
        .create()?;
    for folder in OF_THE_DRIVER.map(PathBuf::from).into_iter().chain(caches()) {
        // A folder that is not there needs no rule.
        if let Ok(folder) = PathFd::new(folder) {
            rules = rules.add_rule(PathBeneath::new(folder, writing))?;
        }
    }
    rules.restrict_self().map(drop)
}

/// Where the driver keeps compiled kernels, and where temporary files are.
fn caches() -> impl Iterator<Item = PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from);
    let of_home = folder("HOME").map(|it| it.join(".nv"));
    of_home
        .into_iter()
        .chain(folder("CUDA_CACHE_PATH"))
        .chain(folder("TMPDIR"))
}

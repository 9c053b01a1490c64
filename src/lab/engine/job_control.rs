//! Whether somebody could continue this process if it stopped (Ctrl-Z).
//!
//! A shell with job control can: a process of the same session in another group. Without one the process group is
//! orphaned, as under `ssh -t HOST warpup`, and would stay stopped for good. The kernel ignores its own stop signals
//! there, but an app that catches them and then sends itself `SIGSTOP` has to look.

use rustix::process::{Pid, getpgid, getpgrp, getppid, getsid};

/// How many ancestors are asked; scripts that start scripts stay in one group.
const ANCESTORS: usize = 64;

/// Whether somebody could continue this process.
pub fn can_be_continued() -> bool {
    let Ok(session) = getsid(None) else {
        return false;
    };
    let group = getpgrp();
    let mut ancestor = getppid();
    for _ in 0..ANCESTORS {
        let Some(pid) = ancestor else { return false };
        match (getsid(Some(pid)), getpgid(Some(pid))) {
            (Ok(theirs), Ok(other)) if theirs == session && other != group => return true,
            (Ok(theirs), Ok(_)) if theirs == session => ancestor = parent_of(pid),
            (Ok(_) | Err(_), _) => return false,
        }
    }
    false
}

/// The parent of another process.
fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the process, in brackets, may hold anything.
    let (_, after_name) = stat.rsplit_once(')')?;
    let parent = after_name.split_whitespace().nth(1)?;
    Pid::from_raw(parent.parse().ok()?)
}

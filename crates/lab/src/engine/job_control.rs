//! Whether somebody could continue this process if it stopped (Ctrl-Z).
//!
//! A shell with job control can: a process of the same session in another group. Without one the process group is
//! orphaned, as under `ssh -t HOST warpup`, and would stay stopped for good. The kernel ignores its own stop signals
//! there, but an app that catches them and then sends itself `SIGSTOP` has to look.
//!
//! In a container, the number of a session or group from outside is 0. rustix has no such number, so this uses nix.

use super::stat::Stat;
use nix::unistd::{Pid, getpgid, getpgrp, getppid, getsid};

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
        // A parent outside of the container has the number 0, which would ask for this process itself.
        if ancestor.as_raw() == 0 {
            return false;
        }
        match (getsid(Some(ancestor)), getpgid(Some(ancestor))) {
            (Ok(theirs), Ok(other)) if theirs == session && other != group => return true,
            (Ok(theirs), Ok(_)) if theirs == session => match Stat::of(ancestor.as_raw()) {
                Some(stat) => ancestor = Pid::from_raw(stat.parent),
                None => return false,
            },
            (Ok(_) | Err(_), _) => return false,
        }
    }
    false
}

//! Processes that a worker leaves behind: what it started in a session of its own, or as a daemon, no kill of its
//! group reaches.
//!
//! Linux gives a process whose parent has died to the nearest ancestor that asks for it. The app asks, before its first
//! run, and then ends what it did not start itself: after the exit of each worker, and when it ends. Elsewhere, and where
//! a launcher such as `srun` or `ssh` starts a worker and may leave a daemon on purpose, nothing is adopted.

use super::stat::Stat;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, waitpid};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often to look whether they have ended.
const LOOK: Duration = Duration::from_millis(2);

/// How long to look: a process that the kernel cannot end now is left to the system.
const PATIENCE: Duration = Duration::from_millis(300);

/// Whose orphans they are is a property of the process, and so is what it has started.
static ADOPTION: Mutex<Option<Adoption>> = Mutex::new(None);

/// The children that are none of a worker's.
#[derive(Debug, Default)]
struct Adoption {
    /// From before: a shell that became warpup may have left some.
    earlier: BTreeSet<i32>,
    /// Started by this process.
    own: BTreeSet<i32>,
}

/// Adopts what workers leave behind, from now on. Not for a launcher.
pub fn adopt() {
    let mut adoption = adoption();
    // Tests of this library start programs beside it.
    if !cfg!(test) && adoption.is_none() && set_adopting(true) {
        let earlier = Processes::read().children();
        let own = BTreeSet::new();
        *adoption = Some(Adoption { earlier, own });
    }
}

/// Starts a program of the app's own.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    // Nobody may look between the start and the note of it.
    let mut adoption = adoption();
    let child = command.spawn()?;
    if let (Some(adoption), Ok(id)) = (adoption.as_mut(), i32::try_from(child.id())) {
        adoption.own.insert(id);
    }
    Ok(child)
}

/// Runs a program of the user, which may leave a daemon, such as an editor does.
pub fn run_freely(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = spawn(command)?;
    let adopts = adoption().is_some();
    if adopts {
        set_adopting(false);
    }
    let status = child.wait();
    if adopts {
        set_adopting(true);
    }
    i32::try_from(child.id()).into_iter().for_each(forget);
    status
}

/// A child that was waited for: its number may now be that of another process.
pub(super) fn forget(id: i32) {
    if let Some(adoption) = adoption().as_mut() {
        adoption.own.remove(&id);
    }
}

/// Ends what workers that have exited have left.
pub(super) fn end_left() {
    let until = Instant::now() + PATIENCE;
    loop {
        {
            let adoption = adoption();
            let Some(adoption) = adoption.as_ref() else {
                return;
            };
            let is_left = |it: &i32| !adoption.own.contains(it) && !adoption.earlier.contains(it);
            let mut left = Processes::read().children();
            left.retain(is_left);
            if left.is_empty() || Instant::now() > until {
                return;
            }
            for pid in left.into_iter().filter_map(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
                // It is nobody else's to wait for.
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
        thread::sleep(LOOK);
    }
}

/// Ends workers and all that they have started: the app ends.
pub fn end_all() {
    let until = Instant::now() + PATIENCE;
    loop {
        let adoption = adoption();
        let Some(adoption) = adoption.as_ref() else {
            return;
        };
        let left = Processes::read().descendants(&adoption.earlier);
        if left.is_empty() || Instant::now() > until {
            return;
        }
        for pid in left.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
        thread::sleep(LOOK);
    }
}

fn adoption() -> MutexGuard<'static, Option<Adoption>> {
    ADOPTION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks the system for orphans below this process, or no longer; says whether it does that.
#[cfg(target_os = "linux")]
fn set_adopting(is_adopting: bool) -> bool {
    // Any number but 0 asks.
    rustix::process::set_child_subreaper(is_adopting.then(getpid)).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn set_adopting(_is_adopting: bool) -> bool {
    false
}

/// The processes of the system.
struct Processes {
    /// The parent of each, and whether it has ended and waits for somebody to see that.
    parents: BTreeMap<i32, (i32, bool)>,
}

impl Processes {
    fn read() -> Self {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|it| it.file_name().to_str()?.parse::<i32>().ok());
        let parents = ids.filter_map(|id| {
            let stat = Stat::of(id)?;
            Some((id, (stat.parent, stat.has_ended())))
        });
        Self {
            parents: parents.collect(),
        }
    }

    /// The children of this process, ended or not.
    fn children(&self) -> BTreeSet<i32> {
        let own = getpid().as_raw_nonzero().get();
        let of_it = self
            .parents
            .iter()
            .filter(|(_, (parent, _))| *parent == own);
        of_it.map(|(id, _)| *id).collect()
    }

    /// The living descendants of this process, but for these children and theirs.
    fn descendants(&self, but: &BTreeSet<i32>) -> Vec<i32> {
        let own = getpid().as_raw_nonzero().get();
        let mut found = Vec::new();
        let mut next = vec![own];
        while let Some(parent) = next.pop() {
            for (id, (of, has_ended)) in &self.parents {
                if *of == parent && !but.contains(id) {
                    next.push(*id);
                    if !has_ended {
                        found.push(*id);
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descendants_are_found_at_every_depth_but_below_those_of_others() {
        let own = getpid().as_raw_nonzero().get();
        // 1 and 2 are children, 3 of 2, 4 of 3 has ended and left 5; 6 is of 1.
        let table = [
            (-1, own),
            (-2, own),
            (-3, -2),
            (-4, -3),
            (-5, -4),
            (-6, -1),
            (-7, -8),
        ];
        let parents = table.map(|(id, parent)| (id, (parent, id == -4)));
        let processes = Processes {
            parents: parents.into(),
        };
        let mut found = processes.descendants(&BTreeSet::from([-1]));
        found.sort_unstable();
        assert_eq!(found, [-5, -3, -2]);
        assert_eq!(processes.children(), BTreeSet::from([-2, -1]));
    }
}

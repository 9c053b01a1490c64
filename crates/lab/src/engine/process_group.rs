//! A child process and everything it starts: killed together, and waited for.

use super::orphans;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often to check whether the process has exited.
const LOOK: Duration = Duration::from_millis(10);

/// The process group of a child that leads it.
#[derive(Clone, Debug)]
pub struct ProcessGroup {
    leader: Option<Pid>,
    /// After the child was reaped, its id may belong to another process.
    is_reaped: Arc<AtomicBool>,
}

impl ProcessGroup {
    /// Starts a program in a group of its own: it gets no signals of the terminal, and a kill reaches all of it.
    pub fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
        let child = orphans::spawn(command.process_group(0))?;
        let group = Self {
            leader: i32::try_from(child.id()).ok().and_then(Pid::from_raw),
            is_reaped: Arc::default(),
        };
        Ok((child, group))
    }

    /// The child, unless it was reaped.
    pub(crate) fn leader(&self) -> Option<Pid> {
        let is_reaped = self.is_reaped.load(Ordering::SeqCst);
        self.leader.filter(|_| !is_reaped)
    }

    /// Kills all processes of the group.
    pub fn kill(&self) {
        if let Some(leader) = self.leader() {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// Asks the processes of the group to end.
    pub fn ask(&self) {
        if let Some(leader) = self.leader() {
            let _ = kill_process_group(leader, Signal::TERM);
        }
    }

    /// Waits until the child has ended, or the time is up. Says whether it has.
    pub fn ends_within(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        while let Some(leader) = self.leader()
            && let Ok(None) | Err(Errno::INTR) = waitid(WaitId::Pid(leader), options)
        {
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(LOOK);
        }
        true
    }

    /// Blocks until the child has exited. It does not reap the child, whose id stays valid.
    pub fn wait_for_exit(&self) {
        if let Some(leader) = self.leader {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(Errno::INTR) = waitid(WaitId::Pid(leader), options) {}
        }
    }

    /// Kills what is left of the group, and reaps the child.
    pub fn reap(&self, child: &mut Child) -> io::Result<ExitStatus> {
        self.kill();
        let status = child.wait();
        self.is_reaped.store(true, Ordering::SeqCst);
        if let Some(leader) = self.leader {
            orphans::forget(leader.as_raw_nonzero().get());
        }
        status
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_for_the_exit_leaves_the_status_to_be_reaped() {
        let mut shell = Command::new("/bin/sh");
        let (mut child, group) = ProcessGroup::spawn(shell.args(["-c", "exit 3"])).unwrap();
        group.wait_for_exit();
        assert_eq!(group.reap(&mut child).unwrap().code(), Some(3));
    }

    #[test]
    fn a_killed_group_ends_the_wait() {
        let mut shell = Command::new("/bin/sh");
        let stops = shell.args(["-c", "kill -STOP $$"]);
        let (mut child, group) = ProcessGroup::spawn(stops).unwrap();
        group.kill();
        group.wait_for_exit();
        assert_eq!(group.reap(&mut child).unwrap().code(), None);
    }
}

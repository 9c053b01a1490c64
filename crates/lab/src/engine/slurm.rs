//! A job in Slurm's queue, for a worker that `srun` starts: its place, and its end.
//!
//! `srun` says on its standard error which job it is. What is asked of Slurm goes the way of `srun` itself: behind
//! `ssh login srun …` it is `ssh login squeue …`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;
use warpup_protocol::ordinal;

/// The first look at the queue comes after this time, and each later one as long after the one before: schedulers of large
/// sites ask not to be asked often.
const LOOKS: Duration = Duration::from_secs(10);

/// What `srun` says of its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SrunMessage {
    /// `srun: job 28 queued and waiting for resources`
    Queued(u64),
    /// `srun: job 28 has been allocated resources`
    Allocated(u64),
}

impl SrunMessage {
    /// Reads a line of `srun`.
    pub(super) fn of(line: &str) -> Option<Self> {
        let (_, said) = line.split_once("srun: job ")?;
        let (number, state) = said.split_once(' ')?;
        let number = number.parse().ok()?;
        if state.starts_with("queued") {
            Some(Self::Queued(number))
        } else if state.contains("allocated") {
            Some(Self::Allocated(number))
        } else {
            None
        }
    }
}

/// The place of a job in what `squeue` lists, the next one first: `28 gpu Resources` in each line, with its partition.
fn place(listed: &str, job: u64) -> Option<String> {
    let jobs = || {
        listed.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let number: u64 = words.next()?.parse().ok()?;
            Some((number, words.next()?, words.next().unwrap_or_default()))
        })
    };
    let (_, partition, why) = jobs().find(|it| it.0 == job)?;
    let before = jobs().take_while(|it| it.0 != job);
    let before = before.filter(|it| it.1 == partition).count();
    let why = why.trim_matches(['(', ')']);
    let why = if why.is_empty() {
        String::new()
    } else {
        format!(" ({why})")
    };
    let place = ordinal(before + 1);
    Some(format!("waiting in Slurm's queue: {place}, job {job}{why}"))
}

/// A job that waits or runs. Dropping it ends the looks at the queue.
#[derive(Debug)]
pub(super) struct Job {
    /// What comes before Slurm's own commands, such as `ssh login`.
    before: Vec<String>,
    number: u64,
    /// Disconnected to end the looks.
    _looks: SyncSender<()>,
}

impl Job {
    /// The job with this number, which this command waits for; its place in the queue is said while it is there.
    pub(super) fn new<'a>(
        launcher: impl IntoIterator<Item = &'a str>,
        number: u64,
        say: impl Fn(String) + Send + 'static,
    ) -> Self {
        let is_srun = |word: &&str| Path::new(word).file_name().is_some_and(|it| it == "srun");
        let words = launcher.into_iter().take_while(|it| !is_srun(it));
        let before: Vec<String> = words.map(str::to_owned).collect();
        let (looks, ended) = sync_channel(0);
        let words = before.clone();
        let look = move || {
            let mut known = String::new();
            while ended.recv_timeout(LOOKS) == Err(RecvTimeoutError::Timeout) {
                let mut command = command(&words, "squeue");
                let fields = [
                    "--noheader",
                    "--states=PENDING",
                    "--sort=-p,i",
                    "--format=%i %P %r",
                ];
                let Ok(listed) = command.args(fields).output() else {
                    return;
                };
                let listed = String::from_utf8_lossy(&listed.stdout);
                if let Some(place) = place(&listed, number).filter(|it| *it != known) {
                    known.clone_from(&place);
                    say(place);
                }
            }
        };
        // Without a thread nobody hears of the place.
        drop(thread::Builder::new().name("queue".to_owned()).spawn(look));
        Self {
            before,
            number,
            _looks: looks,
        }
    }

    /// Whether `srun` runs behind another command: the end of `ssh` leaves it in its queue.
    pub(super) fn is_elsewhere(&self) -> bool {
        !self.before.is_empty()
    }

    /// Cancels it, for an `srun` that does not do so itself.
    pub(super) fn cancel(&self) {
        let mut command = command(&self.before, "scancel");
        // A job that has ended is no mistake.
        drop(command.arg(self.number.to_string()).output());
    }
}

/// One of Slurm's commands, behind what comes before it.
fn command(before: &[String], name: &str) -> Command {
    let mut command = match before.split_first() {
        None => Command::new(name),
        Some((program, words)) => {
            let mut command = Command::new(program);
            command.args(words).arg(name);
            command
        }
    };
    command.stdin(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srun_says_which_job_it_waits_for() {
        let queued = "srun: job 28 queued and waiting for resources";
        assert_eq!(SrunMessage::of(queued), Some(SrunMessage::Queued(28)));
        let allocated = "srun: job 28 has been allocated resources";
        assert_eq!(SrunMessage::of(allocated), Some(SrunMessage::Allocated(28)));
        assert_eq!(SrunMessage::of("srun: job x queued"), None);
        assert_eq!(SrunMessage::of("Warning: Permanently added 'gpubox'"), None);
    }

    #[test]
    fn the_place_of_a_job_is_that_in_its_partition() {
        let listed = "31 gpu (Resources)\n12 cpu Priority\n28 gpu Priority\n33 gpu Priority\n";
        let said = |job| place(listed, job).unwrap_or_default();
        insta::assert_snapshot!(said(31), @"waiting in Slurm's queue: 1st, job 31 (Resources)");
        insta::assert_snapshot!(said(28), @"waiting in Slurm's queue: 2nd, job 28 (Priority)");
        insta::assert_snapshot!(said(12), @"waiting in Slurm's queue: 1st, job 12 (Priority)");
        assert_eq!(place(listed, 7), None);
        assert_eq!(place("", 28), None);
        let places = [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal);
        assert_eq!(
            places.join(" "),
            "1st 2nd 3rd 4th 11th 12th 13th 21st 112th"
        );
    }

    #[test]
    fn slurm_is_asked_the_way_that_srun_goes() {
        let words = |launcher: &[&str]| {
            let job = Job::new(launcher.iter().copied(), 28, |_| {});
            let command = command(&job.before, "scancel");
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            words
                .map(|it| it.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(words(&["srun", "-n1", "w"]), "scancel");
        assert_eq!(words(&["/opt/slurm/bin/srun", "-n1"]), "scancel");
        assert_eq!(
            words(&["ssh", "-T", "login", "srun", "w"]),
            "ssh -T login scancel"
        );
    }
}

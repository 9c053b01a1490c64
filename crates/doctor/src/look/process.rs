//! Runs a program to its end, or kills it with everything it started when its time is up.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use warpup_lab::engine::process_group::ProcessGroup;

/// Bytes of each stream that are kept; the rest is read and dropped.
const MOST: usize = 256 << 10;

/// How a program ended.
#[derive(Debug)]
pub(super) enum ProgramResult {
    /// It ended.
    Ended {
        /// Its exit status, unless a signal ended it.
        status: Option<i32>,
        /// The exit in words.
        how: String,
        /// What it printed.
        output: String,
        /// What it printed to standard error.
        errors: String,
    },
    /// Its time was up.
    Hung {
        /// Its time limit in milliseconds.
        after_ms: u64,
    },
    /// The system did not start it.
    NotStarted {
        /// The system's message.
        why: String,
    },
}

/// Runs a program with this environment and an empty input.
pub(super) fn run(
    program: &Path,
    arguments: &[&str],
    environment: &BTreeMap<OsString, OsString>,
    limit: Duration,
) -> ProgramResult {
    run_patiently((program, arguments), environment, limit, Duration::ZERO)
}

/// The same for a program that is asked to end when its time is up, and has so long to do so before it is killed.
pub(super) fn run_patiently(
    (program, arguments): (&Path, &[&str]),
    environment: &BTreeMap<OsString, OsString>,
    limit: Duration,
    patience: Duration,
) -> ProgramResult {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let started = ProcessGroup::spawn(&mut command);
    let ended = started.and_then(|(child, group)| wait(child, &group, limit, patience));
    match ended {
        Ok(Some((status, output, errors))) => ProgramResult::Ended {
            status: status.code(),
            how: in_words(status),
            output,
            errors,
        },
        Ok(None) => ProgramResult::Hung {
            after_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        },
        Err(error) => ProgramResult::NotStarted {
            why: error.to_string(),
        },
    }
}

/// Waits until both streams are closed and the program has ended; `None` if its time is up first.
///
/// Nothing here waits longer: a program that hangs in the driver does not end even when it is killed.
fn wait(
    mut child: Child,
    group: &ProcessGroup,
    limit: Duration,
    patience: Duration,
) -> io::Result<Option<(ExitStatus, String, String)>> {
    let until = Instant::now() + limit;
    let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(io::Error::other("the program has no pipes"));
    };
    let output = collect(output)?;
    let errors = collect(errors)?;
    let status = reap(child, group.clone())?;
    let left = || until.saturating_duration_since(Instant::now());
    let ended = status.recv_timeout(left()).and_then(|status| {
        let (output, errors) = (output.recv_timeout(left())?, errors.recv_timeout(left())?);
        Ok((status, output, errors))
    });
    if ended.is_err() && !patience.is_zero() {
        group.ask();
        group.ends_within(patience);
    }
    group.kill();
    match ended {
        Ok((status, output, errors)) => Ok(Some((status?, output, errors))),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(None),
    }
}

/// Reads a stream to its end on a thread; another process may hold the stream open.
fn collect(mut stream: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (sender, text) = sync_channel(1);
    let thread = thread::Builder::new().name("doctor reads".to_owned());
    thread.spawn(move || {
        let mut kept = Vec::new();
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut bytes) {
            let room = MOST.saturating_sub(kept.len()).min(count);
            kept.extend_from_slice(bytes.get(..room).unwrap_or_default());
        }
        drop(sender.send(String::from_utf8_lossy(&kept).into_owned()));
    })?;
    Ok(text)
}

/// Waits for the program on a thread.
fn reap(mut child: Child, group: ProcessGroup) -> io::Result<Receiver<io::Result<ExitStatus>>> {
    let (sender, status) = sync_channel(1);
    let thread = thread::Builder::new().name("doctor waits".to_owned());
    thread.spawn(move || {
        group.wait_for_exit();
        drop(sender.send(group.reap(&mut child)));
    })?;
    Ok(status)
}

fn in_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit status".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, Mode, mkfifoat};
    use std::fs;

    fn shell(script: &str, limit: Duration) -> ProgramResult {
        let environment = std::env::vars_os().collect();
        run(Path::new("/bin/sh"), &["-c", script], &environment, limit)
    }

    #[test]
    fn what_a_program_says_and_how_it_ends_is_told() {
        let ran = shell("echo out; echo err >&2; exit 9", Duration::from_mins(1));
        let ProgramResult::Ended {
            status,
            how,
            output,
            errors,
        } = ran
        else {
            unreachable!("{ran:?}");
        };
        assert_eq!((status, how.as_str()), (Some(9), "exit status 9"));
        assert_eq!((output.as_str(), errors.as_str()), ("out\n", "err\n"));
    }

    #[test]
    fn what_a_program_leaves_running_does_not_keep_the_doctor_waiting() {
        // The one in the background holds both streams and never ends.
        let ran = shell("sh -c 'kill -STOP $$' & echo out", Duration::from_mins(1));
        let ProgramResult::Ended { output, .. } = ran else {
            unreachable!("{ran:?}");
        };
        assert_eq!(output, "out\n");
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_everything_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("held-while-alive");
        mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
        let (sender, closed) = sync_channel(1);
        let end = pipe.clone();
        let reader = thread::Builder::new();
        reader
            .spawn(move || sender.send(fs::read_to_string(end).unwrap()))
            .unwrap();
        let child = format!("exec 3>'{}'; echo open >&3; kill -STOP $$", pipe.display());
        let script = format!("sh -c \"{}\" & kill -STOP $$", child.replace('$', "\\$"));
        // Far too short for a program that ends, long enough to start one.
        let ran = shell(&script, Duration::from_millis(1500));
        assert!(
            matches!(ran, ProgramResult::Hung { after_ms: 1500 }),
            "{ran:?}"
        );
        let said = closed.recv_timeout(Duration::from_mins(1));
        assert_eq!(said.as_deref(), Ok("open\n"));
    }

    #[test]
    fn a_program_that_is_not_there_is_told_in_the_systems_words() {
        let environment = BTreeMap::new();
        let ran = run(
            Path::new("/nowhere/nvidia-smi"),
            &[],
            &environment,
            Duration::from_mins(1),
        );
        let ProgramResult::NotStarted { why } = ran else {
            unreachable!("{ran:?}");
        };
        assert!(why.contains("No such file"), "{why}");
    }
}

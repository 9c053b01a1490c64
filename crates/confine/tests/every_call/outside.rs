//! Starts the confined process and reads what the kernel said.

use super::inside::{COMMAND, INHERITED};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A process begins within this time.
const START: Duration = Duration::from_secs(10);

/// A call that waits for something says nothing; it is ended after this time.
const LIMIT: Duration = Duration::from_secs(2);

/// What the kernel says of a call that it does not make: refused, not there, and, by Landlock, a file that cannot be moved.
const REFUSALS: [i32; 4] = [libc::EPERM, libc::EACCES, libc::ENOSYS, libc::EXDEV];

/// The number of each call that was answered, and the error, 0 if there was none. Calls that end the process or wait end the list.
pub(super) fn answers(kind: &str, calls: &[String], home: &Path) -> Vec<(i64, i32)> {
    let mut confined = Command::new(std::env::current_exe().unwrap())
        .arg(COMMAND)
        .arg(kind)
        .args(calls)
        .env("HOME", home)
        .env(INHERITED, home.join("secret"))
        .env_remove("TMPDIR")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = BufReader::new(confined.stdout.take().unwrap());
    let (lines, received) = mpsc::sync_channel(1);
    let mut answers = Vec::new();
    thread::scope(|scope| {
        scope.spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let (number, error) = line.split_once(' ').unwrap();
                let answer = (number.parse().unwrap(), error.parse().unwrap());
                // Nobody waits for more after the time limit.
                if lines.send(answer).is_err() {
                    break;
                }
            }
            drop(lines);
        });
        let mut limit = START;
        while let Ok(answer) = received.recv_timeout(limit) {
            answers.push(answer);
            limit = LIMIT;
        }
        confined.kill().unwrap();
        confined.wait().unwrap();
        drop(received);
    });
    answers
}

/// Whether the kernel did not make a call.
pub(super) fn is_refused(error: i32) -> bool {
    REFUSALS.contains(&error)
}

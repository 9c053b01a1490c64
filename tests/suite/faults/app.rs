//! Faults in the app: a quiz on a pseudo-terminal, and `strace` on the thread that saves.

use super::course::{self, QUESTIONS};
use super::strace::{self, Attached, Fault};
use super::{CALLS, Disk, ERRORS, Tally, wanted, with_each};
use crate::support::pty::{Start, Terminal};
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How a session ends, if no fault ends it.
#[derive(Clone, Copy, Debug)]
enum End {
    Quit,
    Terminate,
    /// Killed as soon as the last verdict is on the screen.
    KillAtVerdict,
    /// Killed after the last answer is given, whatever is on the screen.
    KillAtAnswer,
}

/// A session to try.
#[derive(Clone, Debug)]
struct Plan {
    fault: Option<Fault>,
    answers: usize,
    end: End,
}

/// What the screen says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    Asked,
    Saving,
    Acknowledged,
    Refused,
}

/// The footer is drawn last, so with it the frame is complete: a slow terminal shows the parts of two frames before.
fn judge(text: &str) -> Screen {
    let has = |words: &str| text.contains(words);
    if !has("Enter next") {
        Screen::Asked
    } else if has("NOT SAVED") {
        Screen::Refused
    } else if has("saving…") {
        Screen::Saving
    } else if has("✓ right") || has("✗ not right") {
        Screen::Acknowledged
    } else {
        Screen::Asked
    }
}

/// Takes the quiz and says what was acknowledged.
fn session(course: &Path, plan: &Plan) -> Tally {
    let disk = Disk::new();
    let mut terminal = start(course, &disk);
    let out = disk.folder.path().join("injected");
    let attached = plan
        .fault
        .as_ref()
        .map(|fault| Attached::to(saver_of(terminal.pid()), fault, &out));
    let mut acknowledged = BTreeSet::new();
    let mut refused = BTreeSet::new();
    for n in 1..=plan.answers {
        terminal.press("1<Enter>");
        if n == plan.answers && matches!(plan.end, End::KillAtAnswer) {
            terminal.signal(Signal::KILL);
        }
        let is_decided = |text: &str| matches!(judge(text), Screen::Acknowledged | Screen::Refused);
        let is_over = !terminal.wait_or_end(is_decided, "a verdict");
        let question = format!("q-{n}");
        match judge(&terminal.text()) {
            Screen::Acknowledged => drop(acknowledged.insert(question)),
            Screen::Refused => drop(refused.insert(question)),
            Screen::Saving | Screen::Asked => {}
        }
        if is_over || n == plan.answers {
            break;
        }
        terminal.press("<Enter>");
        let next = format!("· {} of", n + 1);
        let is_asked = |text: &str| text.contains(&next) && text.contains("↓ choose");
        if !terminal.wait_or_end(is_asked, "the next question") {
            break;
        }
    }
    end(&mut terminal, plan.end);
    let status = terminal.wait_exit();
    let injected = attached.map_or(0, Attached::injected);
    let kills = usize::from(status.signal().is_some());
    // What the app says at its end counts as well: refused answers are all kept elsewhere, or all saved after all.
    let mut claimed = acknowledged.clone();
    let said = terminal.text().replace('\n', "");
    if let Some((_, rest)) = said.split_once(" kept in ") {
        let folder = rest.split_once(';').map_or("", |it| it.0);
        disk.take_over(Path::new(folder));
        claimed.extend(refused.iter().cloned());
    } else if status.success() {
        claimed.extend(refused.iter().cloned());
    }
    Tally {
        sessions: 1,
        injected: injected.max(kills),
        kills,
        acknowledged: acknowledged.len(),
        refused: refused.len(),
        lost: disk.lost(&claimed, &format!("{plan:?}")),
    }
}

/// The app at the first question of the quiz.
pub(super) fn start(course: &Path, disk: &Disk) -> Terminal {
    let mut terminal = Start::warpup()
        .args(["--course", course.to_str().unwrap()])
        .env("WARPUP_DATA", disk.data())
        .env("TMPDIR", disk.tmp())
        .spawn();
    terminal.wait_for(|it| it.contains("Many questions"), "the map");
    terminal.press("z");
    let first = format!("· 1 of {QUESTIONS}");
    let is_asked = |text: &str| text.contains(&first) && text.contains("↓ choose");
    terminal.wait_for(is_asked, "the first question");
    terminal
}

fn end(terminal: &mut Terminal, end: End) {
    match end {
        End::Quit => {
            terminal.press("Q");
            let is_asked = |text: &str| text.contains("y yes");
            if terminal.wait_or_end(
                |text| is_asked(text) || text.contains("still saving"),
                "the end",
            ) {
                terminal.press(if is_asked(&terminal.text()) { "y" } else { "q" });
            }
        }
        End::Terminate => terminal.signal(Signal::TERM),
        End::KillAtVerdict | End::KillAtAnswer => terminal.signal(Signal::KILL),
    }
}

/// The thread that saves. Its name is there once it runs.
pub(super) fn saver_of(pid: i32) -> i32 {
    let deadline = Instant::now() + Duration::from_secs(10);
    while Instant::now() < deadline {
        for task in fs::read_dir(format!("/proc/{pid}/task")).unwrap() {
            let task = task.unwrap().path();
            if fs::read_to_string(task.join("comm")).is_ok_and(|it| it == "saver\n") {
                return task.file_name().unwrap().to_str().unwrap().parse().unwrap();
            }
        }
        thread::yield_now();
    }
    panic!("the app has no thread that saves");
}

/// All plans, as many as asked for.
fn plans(count: usize) -> Vec<Plan> {
    let mut plans = Vec::new();
    let fault = |calls, what: String, when: String| Some(Fault { calls, what, when });
    let mut round = 0;
    while plans.len() < count {
        round += 1;
        for (at, calls) in CALLS.into_iter().enumerate() {
            let kill = fault(calls, "signal=KILL".to_owned(), round.to_string());
            plans.push(Plan {
                fault: kill,
                answers: 1 + round % 4,
                end: End::Quit,
            });
            for (nth, error) in ERRORS.into_iter().enumerate() {
                // Every first, second, third … call, so that one session has several faults.
                // Not every one is interrupted, or trying again would never end.
                let least = if error == "EINTR" { 2 } else { 1 };
                let when = format!("{}+{}", 1 + (round + nth) % 3, least + (round + at) % 4);
                let ends = [End::Quit, End::Terminate, End::KillAtVerdict];
                plans.push(Plan {
                    fault: fault(calls, format!("error={error}"), when),
                    answers: 6,
                    end: ends[(round + nth) % ends.len()],
                });
            }
        }
        let slow = fault(
            "fdatasync",
            "delay_enter=50000".to_owned(),
            "1+1".to_owned(),
        );
        plans.push(Plan {
            fault: slow.clone(),
            answers: 3,
            end: End::KillAtAnswer,
        });
        plans.push(Plan {
            fault: slow,
            answers: 3,
            end: End::KillAtVerdict,
        });
        plans.push(Plan {
            fault: None,
            answers: 1 + round % 5,
            end: End::KillAtAnswer,
        });
        plans.push(Plan {
            fault: None,
            answers: 1 + round % 5,
            end: End::KillAtVerdict,
        });
    }
    plans.truncate(count);
    plans
}

#[test]
fn no_fault_in_the_app_loses_an_acknowledged_answer() {
    if !strace::works() {
        return;
    }
    let folder = TempDir::new().unwrap();
    course::write(folder.path());
    let plans = plans(wanted().map_or(20, |it| it / 6));
    let tally = Mutex::new(Tally::default());
    with_each(&plans, 3, |plan| {
        let one = session(folder.path(), plan);
        tally.lock().unwrap().add(one);
    });
    tally.into_inner().unwrap().report("app");
}

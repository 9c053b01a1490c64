//! Courses of strangers that want something else: files outside of the folder, time, memory, the terminal, consent.
//!
//! Each is a folder that a `case` makes out of a course without mistakes. `warpup check` has to say what is wrong and
//! where; it, its JSON and plain mode have to end in time, print no character that a terminal obeys, and nothing from
//! outside. They run in a process of its own, this executable again, so that the peak of its children's memory is theirs.

#![expect(
    clippy::format_collect,
    reason = "generators of courses read better this way, and are quick enough"
)]

mod bombs;
mod consent;
mod encodings;
mod folder;
mod large_toml;
mod names;
mod opened;
mod paths;
mod quizzes;
mod screens;
mod special;
mod wrong_types;

use crate::support::alone;
use folder::{Folder, SECRET};
use nix::sys::resource::{UsageWho, getrusage};
use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The files of the course without mistakes.
const MANIFEST: &str = "lessons/course.toml";
const ONE: &str = "lessons/one.md";
const QUIZ: &str = "quizzes/one.toml";

/// No command takes more of a CPU than this; a debug build, five times as much. What else the machine does has no say in it.
const TIME: Duration = Duration::from_secs(2);

/// The most memory of a command.
const MEMORY: u64 = 256 << 20;

/// What a learner types: the first lesson, its lab, the next page, the quiz with some answers, and the way out.
const TYPED: &str = "1\nshow\nrun\n1\nn\nnext\nquiz\n1\n1\n1\n1\nmap\nquit\nquit\n";

/// A course, and what `warpup check` makes of it.
struct Case {
    name: String,
    make: Box<dyn Fn(&Folder) + Send + Sync>,
    /// The exit status; [`ANY`] where only its end counts.
    exit: i32,
    says: Vec<&'static str>,
    /// What else opens it.
    opens: Opens,
}

/// The ways in which a course is opened.
#[derive(Clone, Copy)]
enum Opens {
    /// Its mistakes are the point, and each is a message.
    Check,
    /// Checked, and opened in plain mode.
    Plain,
    /// Also checked for programs: as JSON.
    All,
}

/// The exit status of a course whose mistakes are not the point: right or wrong, but read.
const ANY: i32 = -1;

fn case(
    name: impl Into<String>,
    exit: i32,
    says: &[&'static str],
    make: impl Fn(&Folder) + Send + Sync + 'static,
) -> Case {
    let (name, make, says) = (name.into(), Box::new(make), says.to_vec());
    Case {
        name,
        make,
        exit,
        says,
        opens: Opens::Plain,
    }
}

impl Case {
    /// It is only checked, and the message is about this place.
    fn at(mut self, place: &'static str) -> Self {
        self.says.push(place);
        self.opens = Opens::Check;
        self
    }

    /// Its text is the point, so it is looked at in every form.
    fn in_every_form(mut self) -> Self {
        self.opens = Opens::All;
        self
    }
}

/// Whether all of them are wanted; else those that are alike are represented by some.
fn is_full() -> bool {
    std::env::var_os("HOSTILE_ALL").is_some()
}

fn cases() -> Vec<Case> {
    let groups = [
        paths::cases(),
        special::cases(),
        names::cases(),
        bombs::cases(),
        large_toml::cases(),
        encodings::cases(),
        wrong_types::cases(),
        quizzes::cases(),
    ];
    groups.into_iter().flatten().collect()
}

#[test]
fn hostile_courses_are_reported_in_time_and_reach_nothing() {
    let name = "hostile_courses::hostile_courses_are_reported_in_time_and_reach_nothing";
    if let Some(said) = alone::run(name, all_of_them) {
        let figure = said.lines().find(|it| it.contains(" courses in "));
        println!("{}", figure.unwrap());
    }
}

#[expect(
    clippy::print_stdout,
    reason = "a figure for the documentation, which --nocapture shows"
)]
fn all_of_them() {
    let cases = cases();
    assert!(cases.len() >= 90, "{}", cases.len());
    let next = Mutex::new(cases.iter());
    let wrong = Mutex::new(Vec::new());
    let times = Mutex::new(Vec::new());
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let Some(case) = next.lock().unwrap().next() else {
                        return;
                    };
                    let (found, took) = open(case);
                    wrong.lock().unwrap().extend(found);
                    times.lock().unwrap().push((took, &case.name));
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    let kib = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    let most = u64::try_from(kib).unwrap() << 10;
    let mut times = times.into_inner().unwrap();
    times.sort();
    let slow: Vec<String> = times
        .iter()
        .rev()
        .take(5)
        .map(|(took, name)| format!("{name}: {} ms", took.as_millis()))
        .collect();
    println!(
        "{} courses in {:.1} s, peak {} MiB; slowest: {}",
        cases.len(),
        begin.elapsed().as_secs_f64(),
        most >> 20,
        slow.join(", ")
    );
    assert!(most < MEMORY, "{} MiB", most >> 20);
}

/// Opens one course in each way; what is wrong about that, and the time of the slowest way.
fn open(case: &Case) -> (Vec<String>, Duration) {
    let folder = Folder::new();
    (case.make)(&folder);
    let dir = folder.path();
    let dir = dir.to_str().unwrap();
    let mut wrong = Vec::new();
    let mut slowest = Duration::ZERO;
    let ways = [
        &["check", dir][..],
        &["--plain", "--course", dir],
        &["check", dir, "--json"],
    ];
    let ways = match case.opens {
        Opens::Check => &ways[..1],
        Opens::Plain => &ways[..2],
        Opens::All => &ways[..],
    };
    for &arguments in ways {
        let End {
            status,
            said,
            cpu: took,
        } = end_of(&folder, arguments);
        slowest = slowest.max(took);
        let mut complain = |what: String| {
            let said: String = said.chars().take(600).collect();
            wrong.push(format!("{} {}: {what}\n{said}", case.name, arguments[0]));
        };
        match status {
            Some(0..=2) => {}
            Some(_) | None => complain(format!("it ends with {status:?}")),
        }
        if arguments == ["check", dir] {
            if case.exit != ANY && status != Some(case.exit) {
                complain(format!("it ends with {status:?}, not {}", case.exit));
            }
            for words in &case.says {
                if !said.contains(words) {
                    complain(format!("it does not say {words:?}"));
                }
            }
        }
        for why in forbidden(&said) {
            complain(why);
        }
        let most = if is_full() { TIME } else { 5 * TIME };
        if took > most {
            complain(format!("it takes {took:?} of CPU time"));
        }
    }
    (wrong, slowest)
}

/// How a command ended.
struct End {
    status: Option<i32>,
    /// All that it printed.
    said: String,
    /// The CPU time that it took.
    cpu: Duration,
}

/// Runs a command to its end.
fn end_of(folder: &Folder, arguments: &[&str]) -> End {
    let typed = folder.0.write("typed", TYPED);
    let printed = folder.0.write("printed", "");
    let output = std::fs::File::options()
        .append(true)
        .open(&printed)
        .unwrap();
    let mut child = folder
        .0
        .warpup(arguments)
        .stdin(std::fs::File::open(typed).unwrap())
        .stdout(output.try_clone().unwrap())
        .stderr(output)
        .spawn()
        .unwrap();
    let id = i32::try_from(child.id()).unwrap();
    // Until it is waited for, /proc has the times of a process that has ended.
    let left = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let process = Pid::from_raw(id).unwrap();
    while let Err(Errno::INTR) = waitid(WaitId::Pid(process), left) {}
    let cpu = cpu_time(id);
    let status = child.wait().unwrap().code();
    let said = String::from_utf8(std::fs::read(printed).unwrap()).unwrap();
    End { status, said, cpu }
}

/// The CPU time of a process and of the children that it has waited for: fields 14 to 17 of `/proc/PID/stat`, in hundredths of a
/// second. Nothing where there is no such file.
fn cpu_time(process: i32) -> Duration {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = line.rsplit_once(") ").unwrap_or_default().1;
    let ticks = fields.split(' ').skip(11).take(4);
    let ticks: u64 = ticks.map(|it| it.parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}

/// What no command may print.
fn forbidden(said: &str) -> Vec<String> {
    let mut found = Vec::new();
    for words in [SECRET, "root:x:0", "HOME=/", "panicked"] {
        if said.contains(words) {
            found.push(format!("it prints {words}"));
        }
    }
    let is_obeyed = |it: &char| {
        let is_direction = matches!(it, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
        (it.is_control() && *it != '\n') || is_direction
    };
    if let Some(letter) = said.chars().find(is_obeyed) {
        found.push(format!("it prints {letter:?}"));
    }
    found
}

//! Turns on a card, among processes of their own: order, the death of who has the turn, and what others put into the folder.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;
use warpup_worker::turns::{self, Patience, TurnOutcome, VARIABLE};

const CARD: &str = "GPU-3f2a";

/// How many turns a process takes, and the file that it adds them to; 0 for one turn that lasts until its input ends.
const TURNS: &str = "WARPUP_TEST_TURNS";
const LOG: &str = "WARPUP_TEST_TURNS_LOG";

/// What a process does that a test here has started; as a test of its own it does nothing.
#[test]
fn a_process_takes_turns() {
    let Ok(turns) = std::env::var(TURNS) else {
        return;
    };
    let take = |mut say: Box<dyn FnMut(String)>| match turns::take(
        CARD,
        Patience::default(),
        &mut say,
        || false,
    ) {
        Ok(TurnOutcome::Turn(turn)) => Some(turn),
        Ok(other) => panic!("{other:?}"),
        Err(error) => {
            println!("\n#{error}");
            None
        }
    };
    let turns: usize = turns.parse().unwrap();
    if turns == 0 {
        let Some(_turn) = take(Box::new(|why| println!("\n#{why}"))) else {
            return;
        };
        println!("\n#turn");
        drop(std::io::stdin().read(&mut [0]));
        return;
    }
    let path = std::env::var(LOG).unwrap();
    let mut log = OpenOptions::new().append(true).open(path).unwrap();
    let own = std::process::id();
    // One write a line: several processes add to the file.
    println!("\n#ready");
    drop(std::io::stdin().read(&mut [0]));
    for _ in 0..turns {
        let mut wants = log.try_clone().unwrap();
        let mut is_new = true;
        let say = move |why: String| {
            // The first place is that of the ticket that was drawn.
            if std::mem::take(&mut is_new) {
                let place = why.trim_end_matches(|it: char| !it.is_ascii_digit());
                wants
                    .write_all(format!("place {own} {place}\n").as_bytes())
                    .unwrap();
            }
        };
        let _turn = take(Box::new(say)).unwrap();
        log.write_all(format!("begin {own}\n").as_bytes()).unwrap();
        log.write_all(format!("end {own}\n").as_bytes()).unwrap();
    }
}

/// One such process. It is killed when it is dropped.
struct Other {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Other {
    fn start(folder: &Path, turns: usize, log: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["turns::a_process_takes_turns", "--exact", "--nocapture"])
            .env(VARIABLE, folder)
            .env(TURNS, turns.to_string())
            .env(LOG, log)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        Self { child, said }
    }

    /// Waits until it says something.
    fn next(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.said.read_line(&mut line).unwrap() > 0, "it has ended");
            if let Some(said) = line.strip_prefix('#') {
                return said.trim_end().to_owned();
            }
        }
    }

    /// Waits until its turn comes.
    fn turn(&mut self) {
        while self.next() != "turn" {}
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn the_next_of_sixteen_starts_when_the_one_before_is_killed() {
    let folder = TempDir::new().unwrap();
    let mut all: Vec<Other> = Vec::new();
    for place in 0..16 {
        let mut other = Other::start(folder.path(), 0, folder.path());
        let said = other.next();
        match place {
            0 => assert_eq!(said, "turn"),
            1 => assert_eq!(said, "1st in line for the card"),
            _ => {
                let digits = said.trim_end_matches(|it: char| !it.is_ascii_digit());
                assert_eq!(digits, place.to_string(), "{said}");
            }
        }
        all.push(other);
    }
    let mut slowest = Duration::ZERO;
    while all.len() > 1 {
        let killed = Instant::now();
        drop(all.remove(0));
        all[0].turn();
        slowest = slowest.max(killed.elapsed());
    }
    println!("the next starts within {} ms", slowest.as_millis());
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    drop(all);
    // The next one removes what the dead left.
    Other::start(folder.path(), 0, folder.path()).turn();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_thousand_turns_overlap_nowhere_and_starve_nobody() {
    const PROCESSES: usize = 8;
    let folder = TempDir::new().unwrap();
    let log = tempfile::NamedTempFile::new().unwrap();
    let turns = 1_000 / PROCESSES;
    let began = Instant::now();
    let mut all: Vec<Other> = (0..PROCESSES)
        .map(|_| Other::start(folder.path(), turns, log.path()))
        .collect();
    for it in &mut all {
        assert_eq!(it.next(), "ready");
    }
    for it in &mut all {
        drop(it.child.stdin.take());
    }
    for it in &mut all {
        let mut rest = String::new();
        it.said.read_to_string(&mut rest).unwrap();
        assert!(it.child.wait().unwrap().success());
    }
    let text = fs::read_to_string(log.path()).unwrap();
    let mut waiting: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut on, mut count, mut late) = (None, 0, 0);
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["place", who, place] => {
                waiting.insert(who, (count, place.parse().unwrap()));
            }
            ["begin", who] => {
                assert_eq!(on.replace((*who).to_owned()), None, "two have the turn");
                if let Some((since, place)) = waiting.remove(who) {
                    late = late.max((count - since).saturating_sub(place));
                }
                count += 1;
            }
            ["end", who] => assert_eq!(on.take().as_deref(), Some(*who)),
            _ => panic!("{line}"),
        }
    }
    assert_eq!(count, PROCESSES * turns);
    println!(
        "{count} turns in {:?}, at most {late} of others too many",
        began.elapsed()
    );
    assert!(late <= 1, "{late} turns of others too many before a turn");
}

#[test]
fn what_somebody_puts_into_the_folder_blocks_nobody() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(format!("warpup-turn-GPU-3f2a.{name}"));
    let made = Command::new("mkfifo").arg(at("1")).status();
    assert!(made.unwrap().success());
    symlink("/dev/zero", at("2")).unwrap();
    symlink("nowhere", at("3")).unwrap();
    fs::create_dir(at("4")).unwrap();
    fs::write(at("5"), "turn").unwrap();
    fs::set_permissions(at("5"), Permissions::from_mode(0o000)).unwrap();
    // Times that are far ahead; and so many of the next ones that no other is free nearby.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let day = now.unwrap().as_millis() + 24 * 60 * 60 * 1_000;
    for number in (0..5_000).map(|it| day + it) {
        fs::write(at(&number.to_string()), "").unwrap();
    }
    fs::write(at("4611686018427387903"), "").unwrap();
    fs::write(at("18446744073709551615"), "").unwrap();
    fs::write(at("-1\n\u{1b}[2J"), "").unwrap();
    fs::write(folder.path().join("readme"), "not a ticket").unwrap();
    // Locks that anybody can take: on the folder, and on tickets, of which one that is far ahead does not count.
    let gate = fs::File::open(folder.path()).unwrap();
    gate.lock().unwrap();
    let stranger = fs::File::create(at("6")).unwrap();
    let far = fs::File::create(at("4611686018427387904")).unwrap();
    for it in [&stranger, &far] {
        it.lock().unwrap();
    }
    let mut first = Other::start(folder.path(), 0, folder.path());
    assert_eq!(first.next(), "1st in line for the card");
    drop(stranger);
    first.turn();
    let mut second = Other::start(folder.path(), 0, folder.path());
    assert_eq!(second.next(), "1st in line for the card");
    drop(first);
    second.turn();
}

#[test]
fn a_folder_that_is_not_there_or_a_link_is_not_used() {
    let folder = TempDir::new().unwrap();
    let link = folder.path().join("link");
    symlink(folder.path(), &link).unwrap();
    for path in [&link, Path::new("/nowhere")] {
        let mut other = Other::start(path, 0, folder.path());
        let mut rest = String::new();
        other.said.read_to_string(&mut rest).unwrap();
        assert!(rest.contains(&path.display().to_string()), "{rest}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

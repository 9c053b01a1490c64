//! The names of users by their numbers, as the machine knows them: in `/etc/passwd`, LDAP or elsewhere.
//!
//! A directory that does not answer costs its time limit and the names; the numbers stay.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

/// How long all names together may take.
const LIMIT: Duration = Duration::from_secs(10);

/// As many are asked for at a time.
const AT_A_TIME: usize = 1000;

/// The names of these users, as far as they are known in time and can be the name of a file.
pub(super) fn names(of: &BTreeSet<u32>) -> BTreeMap<u32, String> {
    let until = Instant::now() + LIMIT;
    let numbers: Vec<_> = of.iter().map(ToString::to_string).collect();
    let mut lines = Vec::new();
    for some in numbers.chunks(AT_A_TIME) {
        let mut command = Command::new("getent");
        command.arg("passwd").args(some);
        lines.extend(lines_of(&mut command, until));
    }
    names_in(&lines, of)
}

/// The name of a user, or the number.
pub(super) fn name(names: &BTreeMap<u32, String>, user: u32) -> String {
    names.get(&user).cloned().unwrap_or_else(|| number(user))
}

/// What a user is called whose name nobody knows.
pub(super) fn number(user: u32) -> String {
    user.to_string()
}

/// The lines that a program prints until its time is up. A program that cannot be started prints none.
fn lines_of(command: &mut Command, until: Instant) -> Vec<String> {
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.stdout(Stdio::piped()).spawn() else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    if let Some(output) = child.stdout.take() {
        let (sender, printed) = sync_channel(16);
        // It ends when the program has, or is killed.
        let reader = thread::Builder::new().name("reads names".to_owned());
        let reads = reader.spawn(move || {
            let all = BufReader::new(output).lines().map_while(Result::ok);
            for line in all {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        // Without the thread, its end of the channel is gone, and there are no lines.
        drop(reads);
        let left = || until.saturating_duration_since(Instant::now());
        while let Ok(line) = printed.recv_timeout(left()) {
            lines.push(line);
        }
    }
    // One that hangs in the system does not even end when it is killed, so nobody waits for it.
    drop(child.kill());
    drop(child.try_wait());
    lines
}

/// The names in lines of `getent passwd`. Two users of one name have none.
fn names_in(lines: &[String], of: &BTreeSet<u32>) -> BTreeMap<u32, String> {
    let mut names = BTreeMap::new();
    for line in lines {
        let mut fields = line.split(':');
        let (name, number) = (fields.next(), fields.nth(1));
        let number = number.and_then(|it| it.parse::<u32>().ok());
        if let (Some(name), Some(number)) = (name, number)
            && of.contains(&number)
            && is_plain(name)
        {
            names.entry(number).or_insert_with(|| name.to_owned());
        }
    }
    let mut times = BTreeMap::<_, usize>::new();
    for name in names.values().cloned() {
        *times.entry(name).or_default() += 1;
    }
    names.retain(|_, name| times.get(name) == Some(&1));
    names
}

/// Whether a name can be that of a file, and is no number.
fn is_plain(name: &str) -> bool {
    let fits = |it: char| it.is_alphanumeric() || "._-@+".contains(it);
    let is_number = name.chars().all(|it| it.is_ascii_digit());
    name.len() <= 100 && !name.starts_with(['.', '-']) && name.chars().all(fits) && !is_number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_plain_and_of_one_user_are_taken() {
        let lines = [
            "ada:x:1001:1001:Ada,,,:/:/bin/sh",
            "ada.alias:x:1001:1001::/:/bin/sh",
            "two:x:1002:1::/:",
            "two:x:1003:1::/:",
            "../etc:x:1004:1::/:",
            "-rf:x:1005:1::/:",
            "1007:x:1006:1::/:",
            "CORP\\eve:x:1008:1::/:",
            "jörg@corp.example:x:1009:1::/:",
            "other:x:1:1::/:",
            "\u{1b}[2J:x:1010:1::/:",
            "",
            ":::",
            "big:x:99999999999:1::/:",
        ];
        let of = (1001..=1010).collect();
        let names = names_in(&lines.map(str::to_owned), &of);
        let told: Vec<_> = names.iter().map(|(id, it)| format!("{id} {it}")).collect();
        assert_eq!(told, ["1001 ada", "1009 jörg@corp.example"]);
        assert_eq!(name(&names, 1001), "ada");
        assert_eq!(name(&names, 1002), "1002");
    }

    #[test]
    fn a_directory_that_does_not_answer_costs_only_its_limit() {
        let until = Instant::now() + Duration::from_millis(300);
        let mut slow = Command::new("sh");
        slow.args(["-c", "echo ada:x:1:1; exec sleep 60"]);
        assert_eq!(lines_of(&mut slow, until), ["ada:x:1:1"]);
        assert!(Instant::now() < until + Duration::from_secs(20));
        let mut missing = Command::new("/nowhere/getent");
        assert_eq!(lines_of(&mut missing, until), Vec::<String>::new());
    }
}

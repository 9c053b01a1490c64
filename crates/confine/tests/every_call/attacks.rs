//! Calls with arguments that lead outside: to files, descriptors, processes, sockets and the machine.

use super::names::{NAMES, OLD_NAMES};
use super::outside::{answers, is_refused};
use std::fs;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A line of `attacks.txt`: calls of which one has to be refused.
struct Attack {
    /// The calls, without the mark.
    line: &'static str,
    /// The kinds of process that may make it.
    open: &'static [&'static str],
}

/// What an attack may reach: a home folder with a file and two services, a process, a port.
struct World {
    home: TempDir,
    /// The name of a service in the abstract namespace.
    hidden: String,
    victim: Child,
    _services: (UnixListener, UnixListener, UnixDatagram),
    tcp: TcpListener,
}

pub(super) fn of_host() -> Vec<String> {
    let mut faults = reached("host");
    if attacks().len() < 100 {
        faults.push("fewer than 100 attacks".to_owned());
    }
    faults
}

pub(super) fn of_cards() -> Vec<String> {
    ["card", "driver"].into_iter().flat_map(reached).collect()
}

/// After a line of `attacks.txt`: the processes that may make the calls.
const OPEN: [(&str, &[&str]); 2] = [
    (" # open with a card", &["card", "driver"]),
    // The kernel's own limit: before Linux 7.0, what is forbidden late is not forbidden to threads that run already.
    (" # open for the driver", &["driver"]),
];

fn attacks() -> Vec<Attack> {
    let lines = include_str!("attacks.txt").lines();
    let lines = lines.filter(|it| !it.is_empty() && !it.starts_with('#'));
    let is_known = |line: &&str| {
        let mut names = line
            .split_whitespace()
            .filter_map(|it| it.strip_prefix('$'));
        names.all(|it| number(it).is_some())
    };
    lines
        .filter(is_known)
        .map(|line| {
            let marked = OPEN
                .iter()
                .find_map(|(mark, open)| Some((line.strip_suffix(mark)?, *open)));
            let (line, open) = marked.unwrap_or((line, &[]));
            Attack { line, open }
        })
        .collect()
}

/// The attacks that were not refused, and what has changed outside.
fn reached(kind: &str) -> Vec<String> {
    let mut world = World::new();
    let before = world.state();
    let mut faults = Vec::new();
    for attack in attacks().iter().filter(|it| !it.open.contains(&kind)) {
        let calls: Vec<String> = attack
            .line
            .split_whitespace()
            .map(|it| world.word(it))
            .collect();
        let answers = answers(kind, &calls, world.home.path());
        // What is closed or not on this machine leads nowhere.
        let is_nowhere = |error| match error {
            libc::EBADF => attack.line.contains("inherited"),
            libc::ENOENT => !attack.line.contains("{home}"),
            _ => false,
        };
        let is_stopped = |it: &(i64, i32)| is_refused(it.1) || is_nowhere(it.1);
        if answers.is_empty() || !answers.iter().any(is_stopped) {
            faults.push(format!("{kind}: {} gives {answers:?}", attack.line));
        }
    }
    let after = world.state();
    let changed = before.iter().zip(&after).filter(|(was, is)| was != is);
    faults.extend(changed.map(|(was, is)| format!("{kind}: outside was {was} and is {is}")));
    faults
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir_in("/var/tmp").unwrap();
        let path = |name: &str| home.path().join(name);
        let secret = path("secret");
        fs::write(&secret, "secret").unwrap();
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
        let hidden = format!("warpup-test{}", home.path().display());
        let address = SocketAddr::from_abstract_name(&hidden).unwrap();
        let services = (
            UnixListener::bind(path("service")).unwrap(),
            UnixListener::bind_addr(&address).unwrap(),
            UnixDatagram::bind(path("log")).unwrap(),
        );
        let victim = Command::new("sleep")
            .arg("600")
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            home,
            hidden,
            victim,
            _services: services,
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
        }
    }

    /// A word of an attack, with names of things outside filled in.
    fn word(&self, word: &str) -> String {
        if let Some(name) = word.strip_prefix('$') {
            return number(name).unwrap().to_string();
        }
        let home = self.home.path().display().to_string();
        let victim = self.victim.id().to_string();
        let unix = |path: &[u8]| hex(&[&1_u16.to_ne_bytes(), path].concat());
        word.replace("{home}", &home)
            .replace("{victim}", &victim)
            .replace("{service}", &unix(format!("{home}/service\0").as_bytes()))
            .replace("{log}", &unix(format!("{home}/log\0").as_bytes()))
            .replace("{hidden}", &unix(format!("\0{}", self.hidden).as_bytes()))
            .replace("{hidden_length}", &(3 + self.hidden.len()).to_string())
            .replace("{tcp}", &self.tcp_address())
    }

    fn tcp_address(&self) -> String {
        let port = self.tcp.local_addr().unwrap().port();
        hex(&[
            &2_u16.to_ne_bytes()[..],
            &port.to_be_bytes(),
            &[127, 0, 0, 1],
            &[0; 8],
        ]
        .concat())
    }

    /// All that an attack could have changed.
    fn state(&mut self) -> Vec<String> {
        let mut state = Vec::new();
        for name in ["secret", ""] {
            let about = fs::metadata(self.home.path().join(name)).unwrap();
            state.push(format!(
                "{name} {:o} {} {}",
                about.mode(),
                about.uid(),
                about.mtime()
            ));
        }
        state.push(fs::read_to_string(self.home.path().join("secret")).unwrap());
        let mut names: Vec<_> = fs::read_dir(self.home.path())
            .unwrap()
            .map(|it| it.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        state.extend(names);
        state.push(format!("{:?}", self.victim.try_wait().unwrap()));
        let about =
            |file| fs::read_to_string(format!("/proc/{}/{file}", self.victim.id())).unwrap();
        state.push(about("limits"));
        let status = about("status");
        let allowed = status.lines().filter(|it| it.starts_with("Cpus_allowed:"));
        state.extend(allowed.map(str::to_owned));
        state.push(about("stat").split_whitespace().nth(18).unwrap().to_owned());
        state.push(about("oom_score_adj"));
        state
    }
}

impl Drop for World {
    fn drop(&mut self) {
        drop(self.victim.kill());
        drop(self.victim.wait());
    }
}

fn hex(bytes: &[u8]) -> String {
    let digits = |it: &u8| [it >> 4, it & 15].map(|it| char::from_digit(it.into(), 16).unwrap());
    bytes.iter().flat_map(digits).collect()
}

/// The number of a call, where this machine has it.
fn number(name: &str) -> Option<i64> {
    NAMES
        .iter()
        .chain(&OLD_NAMES)
        .find(|it| it.0 == name)
        .map(|it| it.1)
}

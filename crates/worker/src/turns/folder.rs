//! The folder of tickets: one of the machine that has the card, for all its users.
//!
//! Everybody may write there, so nothing in it is trusted: links are not followed, and what is no plain file is passed over. All
//! names are looked up in the folder that was opened.

use super::line::{self, TicketView};
use super::live_ticket::{self, LiveTicket};
use rustix::fs::{AtFlags, Dir, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, SystemTime};

/// Names another folder, for tests.
pub const VARIABLE: &str = "WARPUP_TURNS";

/// One that an administrator has made.
const MADE: &str = "/run/lock/warpup";

/// One that everybody may make.
const USUAL: &str = "/tmp/warpup-turns";

/// Everybody may add a file and remove only their own.
const FOR_ALL: Mode = Mode::from_raw_mode(0o1777);

/// The most names that are looked at: more are no queue.
const MOST: usize = 4096;

/// How long to wait for those who look at the folder at the same time.
const GATE: Duration = Duration::from_secs(2);

const OPEN: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// An open folder.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    handle: Arc<OwnedFd>,
    path: PathBuf,
}

/// Nobody else draws a ticket or removes one while this exists.
pub(super) struct Gate {
    _locked: File,
}

impl Folder {
    /// The folder of this machine.
    pub(super) fn open() -> io::Result<Self> {
        let named = std::env::var_os(VARIABLE).map(PathBuf::from);
        if let Some(path) = named.filter(|it| !it.as_os_str().is_empty()) {
            return Self::at(&path);
        }
        Self::at(Path::new(MADE)).or_else(|_missing| {
            let usual = Path::new(USUAL);
            if rustix::fs::mkdir(usual, FOR_ALL).is_ok() {
                let made = Self::at(usual)?;
                // The umask took rights away.
                rustix::fs::fchmod(&*made.handle, FOR_ALL)?;
            }
            Self::at(usual)
        })
    }

    fn at(path: &Path) -> io::Result<Self> {
        let handle = rustix::fs::open(path, OPEN, Mode::empty());
        Ok(Self {
            handle: Arc::new(handle.map_err(|error| named(path, error))?),
            path: path.to_owned(),
        })
    }

    /// The live tickets for a card. Removes those of processes that have ended, as far as that is allowed.
    pub(super) fn look(&self, card: &str) -> io::Result<Vec<LiveTicket>> {
        let _gate = self.gate()?;
        self.live(card)
    }

    /// The same by who has the gate.
    fn live(&self, card: &str) -> io::Result<Vec<LiveTicket>> {
        let mut found = Vec::new();
        for (name, number) in self.tickets(card)? {
            let Some(file) = self.ticket(&name) else {
                continue;
            };
            if live_ticket::is_live(&file) {
                let turn = turn_of(&file);
                found.push(LiveTicket::new(TicketView { number, turn }, file));
            } else {
                self.remove(&name);
            }
        }
        Ok(found)
    }

    /// Makes a locked file for the ticket after all others; its number and its name.
    pub(super) fn draw(&self, card: &str) -> io::Result<(u64, String, File)> {
        let _gate = self.gate()?;
        let all = self.live(card)?;
        // An own file that cannot be opened is not live, and its number is taken.
        let taken = self.tickets(card)?.into_iter().map(|it| it.1);
        let last = taken.chain(all.iter().map(|it| it.as_ref().number)).max();
        let number = last.map_or(1, |it| it + 1);
        let name = line::name(card, number);
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o644);
        let handle = rustix::fs::openat(&*self.handle, name.as_str(), flags, mode);
        let file = File::from(handle.map_err(|error| named(&self.path, error))?);
        // The others look only whether it is locked, for which they have to open it, whatever the umask.
        rustix::fs::fchmod(&file, mode)?;
        file.try_lock()?;
        Ok((number, name, file))
    }

    /// Removes a ticket; those of others only where the folder lets us.
    pub(super) fn remove(&self, name: &str) {
        let _ = rustix::fs::unlinkat(&*self.handle, name, AtFlags::empty());
    }

    /// The names and numbers of what may be tickets.
    fn tickets(&self, card: &str) -> io::Result<Vec<(String, u64)>> {
        let mut found = Vec::new();
        for (at, entry) in Dir::read_from(&*self.handle)?.enumerate() {
            if at > MOST {
                return Err(io::Error::other(format!(
                    "{} has too many files",
                    self.path.display()
                )));
            }
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else {
                continue;
            };
            if let Some(number) = line::number(name, card) {
                found.push((name.to_owned(), number));
            }
        }
        Ok(found)
    }

    /// The file of a ticket. A pipe that somebody put there blocks nobody.
    fn ticket(&self, name: &str) -> Option<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = rustix::fs::openat(&*self.handle, name, flags, Mode::empty()).ok()?;
        let file = File::from(handle);
        file.metadata().is_ok_and(|it| it.is_file()).then_some(file)
    }

    /// Locks the folder itself, which every process that may read it can.
    fn gate(&self) -> io::Result<Gate> {
        let handle = rustix::fs::openat(&*self.handle, ".", OPEN, Mode::empty())?;
        if rustix::fs::flock(&handle, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return Ok(Gate {
                _locked: File::from(handle),
            });
        }
        let (sender, locked) = sync_channel(1);
        thread::Builder::new()
            .name("turns".to_owned())
            .spawn(move || {
                let file = File::from(handle);
                if file.lock().is_ok() {
                    // Nobody waits any more: dropping it unlocks it.
                    drop(sender.send(Gate { _locked: file }));
                }
            })?;
        locked.recv_timeout(GATE).map_err(|_late| {
            io::Error::other(format!("somebody keeps {} locked", self.path.display()))
        })
    }
}

/// How long a turn lasts: its ticket is empty before it begins.
fn turn_of(file: &File) -> Option<Duration> {
    let about = file.metadata().ok().filter(|it| it.len() > 0)?;
    let began = about.modified().ok()?;
    // The clock of the machine may have been set back.
    Some(SystemTime::now().duration_since(began).unwrap_or_default())
}

fn named(path: &Path, error: Errno) -> io::Error {
    let error = io::Error::from(error);
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

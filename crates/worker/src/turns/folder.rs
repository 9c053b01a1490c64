//! The folder of tickets: one of the machine that has the card, for all its users.
//!
//! Everybody may write there, so nothing in it is trusted: links are not followed, and what is no plain file is passed over. All
//! names are looked up in the folder that was opened. It belongs to root and is sticky, so that nobody removes what others put
//! there; and nothing in it or around it is locked but one's own ticket, so that nobody keeps others from drawing one.

use super::line::{self, TicketView};
use super::live_ticket::{self, LiveTicket};
use rustix::fs::{AtFlags, Dir, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Names another folder, for tests.
pub const VARIABLE: &str = "WARPUP_TURNS";

/// One that an administrator has made.
const MADE: &str = "/run/lock/warpup";

/// The one that each system has for all its users.
const USUAL: &str = "/tmp";

/// Where it may be, as far as it is named.
pub fn folders() -> Vec<PathBuf> {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    let usual = [MADE, USUAL].map(PathBuf::from);
    named.into_iter().chain(usual).collect()
}

/// The most names that are looked at: more are no queue.
const MOST: usize = 1 << 17;

/// How often a ticket is drawn again because others drew at the same time.
const TRIES: usize = 256;

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

impl Folder {
    /// The folder of this machine.
    pub(super) fn open() -> io::Result<Self> {
        let named = std::env::var_os(VARIABLE).map(PathBuf::from);
        if let Some(path) = named.filter(|it| !it.as_os_str().is_empty()) {
            return Self::at(&path);
        }
        Self::at(Path::new(MADE)).or_else(|_missing| Self::at(Path::new(USUAL)))
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
        let draft = line::draft_name(card, rand::random());
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // The others look only whether it is locked, for which they have to open it. Once a card is open, a worker changes no modes.
        let umask = rustix::process::umask(Mode::empty());
        let mode = Mode::from_raw_mode(0o644);
        let handle = rustix::fs::openat(&*self.handle, draft.as_str(), flags, mode);
        rustix::process::umask(umask);
        let file = File::from(handle.map_err(|error| named(&self.path, error))?);
        let drawn = self.name_ticket(card, &draft, &file);
        self.remove(&draft);
        let (number, name) = drawn?;
        Ok((number, name, file))
    }

    /// Locks a file and gives it a number. A ticket is locked from the moment on in which others can see it.
    fn name_ticket(&self, card: &str, draft: &str, file: &File) -> io::Result<(u64, String)> {
        file.try_lock()?;
        let mut number = self.next_number(card)?;
        let mut step = 1;
        for _ in 0..TRIES {
            let name = line::name(card, number);
            let nothing = AtFlags::empty();
            match rustix::fs::linkat(&*self.handle, draft, &*self.handle, &*name, nothing) {
                Ok(()) => {
                    // One that came later has a higher number, so who has one now has not seen this one.
                    let others = self.look(card)?;
                    let now_ms = now_ms();
                    let is_later = |it: u64| it > number && line::is_counted(it, now_ms);
                    if !others.iter().any(|it| is_later(it.number)) {
                        return Ok((number, name));
                    }
                    self.remove(&name);
                    number = self.next_number(card)?;
                }
                // Somebody drew it at the same time, or has put many files there.
                Err(Errno::EXIST) => {
                    number += step;
                    step = step.saturating_mul(2).min(1 << 20);
                }
                Err(error) => return Err(named(&self.path, error)),
            }
        }
        Err(io::Error::other(format!(
            "{} has no number for a ticket",
            self.path.display()
        )))
    }

    fn next_number(&self, card: &str) -> io::Result<u64> {
        // An own file that cannot be opened is not live, and its number is taken.
        let taken = self.tickets(card)?.into_iter().map(|it| it.1);
        Ok(line::next(taken, now_ms()))
    }

    /// Removes a ticket; those of others only where the folder lets us.
    pub(super) fn remove(&self, name: &str) {
        let _ = rustix::fs::unlinkat(&*self.handle, name, AtFlags::empty());
    }

    /// The names and numbers of what may be tickets.
    fn tickets(&self, card: &str) -> io::Result<Vec<(String, u64)>> {
        let now_ms = now_ms();
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
            if let Some(number) = line::number(name, card, now_ms) {
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
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
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

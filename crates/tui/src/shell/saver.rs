//! Saves records on a thread of its own, so that a slow disk never keeps a key waiting.
//!
//! The app hands records over and shows them as saved when the thread reports that they are on the disk. Copies stay
//! here until then: if the disk does not answer when the app has to end, they are kept elsewhere.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use super::last_save::LastSave;
use super::message::{Message, MessageSender};
use crate::app::Event;
use crate::session::{DiskState, Receipt, SaveReport};
use warpup_course::CourseId;
use warpup_progress::Record;
use warpup_store::log::{Log, keep_elsewhere};

/// Records in the queue: far more than a learner makes while a disk stalls.
const WAITING: usize = 4096;

/// How long the end of the app waits for the disk.
const LAST_MOMENT: Duration = Duration::from_millis(500);

/// How long a disk that refuses records is left alone.
const RETRY: Duration = Duration::from_secs(5);

/// How long a full queue of the app is left alone.
const SOON: Duration = Duration::from_millis(20);

/// The thread that saves, and copies of what it has not saved yet.
pub(super) struct Saver {
    asks: SyncSender<SaverCommand>,
    course: CourseId,
    /// How many records there were.
    noted: u64,
    /// How many of them were handed over; the others found the queue full.
    handed: u64,
    /// How many of them are on the disk.
    saved: Arc<AtomicU64>,
    /// Copies of the others, at least.
    waiting: VecDeque<Record>,
}

enum SaverCommand {
    Save(Box<Record>),
    Elsewhere,
    /// Save what is left, here or elsewhere, and say where.
    Finish(SyncSender<LastSave>),
}

impl Saver {
    /// Starts the thread, which writes to `log` and reports to the app.
    pub(super) fn start(
        log: Log,
        course: CourseId,
        messages: MessageSender,
    ) -> std::io::Result<Self> {
        let (sender, asks) = sync_channel(WAITING);
        let saved = Arc::new(AtomicU64::new(0));
        let mut thread = SaverThread {
            log,
            handed: 0,
            at_ms: 0,
            disk: DiskState::Fine,
            saved: Arc::clone(&saved),
            messages,
            untold: None,
        };
        let builder = thread::Builder::new().name("saver".to_owned());
        builder.spawn(move || thread.serve(&asks))?;
        Ok(Self {
            asks: sender,
            course,
            noted: 0,
            handed: 0,
            saved,
            waiting: VecDeque::new(),
        })
    }

    /// Hands a record over.
    pub(super) fn save(&mut self, record: Record) {
        self.noted += 1;
        self.waiting.push_back(record);
        self.hand_over();
        self.forget_saved();
    }

    /// Hands over what is not yet, as far as the queue has room. A thread that is gone takes nothing and reports nothing,
    /// so nothing looks saved; the copies are still here.
    fn hand_over(&mut self) {
        let left = usize::try_from(self.noted - self.handed).unwrap_or(usize::MAX);
        let done = self.waiting.len().saturating_sub(left);
        for record in self.waiting.iter().skip(done) {
            if self
                .asks
                .try_send(SaverCommand::Save(Box::new(record.clone())))
                .is_err()
            {
                return;
            }
            self.handed += 1;
        }
    }

    /// Saves everything in another folder.
    pub(super) fn save_elsewhere(&self) {
        drop(self.asks.try_send(SaverCommand::Elsewhere));
    }

    /// Saves what is left, here or elsewhere. Waits a short time for the disk, and for no disk longer than that.
    pub(super) fn finish(&mut self) -> LastSave {
        let (done, is_done) = sync_channel(1);
        self.hand_over();
        if self.handed == self.noted
            && self.asks.try_send(SaverCommand::Finish(done)).is_ok()
            && let Ok(finished) = is_done.recv_timeout(LAST_MOMENT)
        {
            return finished;
        }
        self.forget_saved();
        let count = self.waiting.len();
        if count == 0 {
            return LastSave::Saved;
        }
        match keep_elsewhere(&self.waiting, &self.course) {
            Ok(folder) => LastSave::Kept(count, folder),
            Err(error) => LastSave::Lost(count, error),
        }
    }

    fn forget_saved(&mut self) {
        let open = self.noted.saturating_sub(self.saved.load(Ordering::SeqCst));
        while self.waiting.len() as u64 > open {
            self.waiting.pop_front();
        }
    }
}

/// What the thread works with.
struct SaverThread {
    log: Log,
    handed: u64,
    /// The time of the newest record.
    at_ms: u64,
    disk: DiskState,
    saved: Arc<AtomicU64>,
    messages: MessageSender,
    /// A report that the queue of the app had no room for.
    untold: Option<SaveReport>,
}

impl SaverThread {
    fn serve(&mut self, asks: &Receiver<SaverCommand>) {
        loop {
            let first = match self.patience() {
                None => asks.recv().map_err(RecvTimeoutError::from),
                Some(time) => asks.recv_timeout(time),
            };
            let first = match first {
                Ok(ask) => Some(ask),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut elsewhere = false;
            let mut ends = None;
            let mut refused = None;
            // All that waits is written at once: a slow disk is asked once for it.
            for ask in first.into_iter().chain(asks.try_iter()) {
                match ask {
                    SaverCommand::Save(record) => {
                        self.handed += 1;
                        self.at_ms = record.at_ms;
                        refused = self.log.take(&record).err().or(refused);
                    }
                    SaverCommand::Elsewhere => elsewhere = true,
                    SaverCommand::Finish(done) => ends = Some(done),
                }
            }
            self.save(elsewhere);
            if let Some(error) = refused
                && !matches!(self.disk, DiskState::Failing(_))
            {
                self.disk = DiskState::Refused(error.to_string());
            }
            self.report();
            if let Some(done) = ends {
                // Without a receiver nobody waits any more.
                drop(done.send(self.finish()));
            }
        }
    }

    /// How long to wait for the next request; forever where nothing is left to do.
    fn patience(&self) -> Option<Duration> {
        if self.untold.is_some() {
            Some(SOON)
        } else if self.log.unsaved() > 0 {
            Some(RETRY)
        } else {
            None
        }
    }

    fn save(&mut self, elsewhere: bool) {
        let saved = if elsewhere {
            self.log.save_elsewhere(self.at_ms).map(Some)
        } else {
            self.log.commit(self.at_ms).map(|()| None)
        };
        match saved {
            Ok(Some(folder)) => self.disk = DiskState::Elsewhere(folder.display().to_string()),
            Ok(None) => match self.disk {
                DiskState::Failing(_) | DiskState::Refused(_) => self.disk = DiskState::Fine,
                DiskState::Fine | DiskState::Elsewhere(_) => {}
            },
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                self.disk = DiskState::Failing(cause.unwrap_or_else(|| error.to_string()));
            }
        }
    }

    fn report(&mut self) {
        let upto = self.handed.saturating_sub(self.log.unsaved() as u64);
        self.saved.store(upto, Ordering::SeqCst);
        let report = SaveReport {
            upto: Receipt::at(upto),
            disk: self.disk.clone(),
        };
        let message = Message::App(Box::new(Event::Saved(report.clone())));
        // Never waits: the app may have to end now, and has to get an answer.
        self.untold = match self.messages.try_send(message) {
            Err(TrySendError::Full(_)) => Some(report),
            Ok(()) | Err(TrySendError::Disconnected(_)) => None,
        };
    }

    fn finish(&mut self) -> LastSave {
        let Err(error) = self.log.flush(self.at_ms) else {
            return match &self.disk {
                DiskState::Elsewhere(folder) => LastSave::Elsewhere(PathBuf::from(folder)),
                DiskState::Fine | DiskState::Failing(_) | DiskState::Refused(_) => LastSave::Saved,
            };
        };
        let count = self.log.unsaved();
        match self.log.save_elsewhere(self.at_ms) {
            Ok(folder) => LastSave::Kept(count, folder),
            Err(_) => LastSave::Lost(count, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::inbox::Inbox;
    use super::*;
    use std::fs;
    use tempfile::TempDir;
    use warpup_progress as progress;
    use warpup_store::log::read;

    fn record(n: u64) -> Record {
        Record {
            id: format!("id-{n}"),
            at_ms: n,
            course: "warpup".to_owned(),
            event: progress::Event::Reset { lesson: None },
        }
    }

    fn course() -> CourseId {
        CourseId::new("warpup")
    }

    /// A saver whose thread never answers.
    fn stalled(queue: usize, saved: u64) -> (Saver, Receiver<SaverCommand>) {
        let (asks, taken) = sync_channel(queue);
        let without_thread = Saver {
            asks,
            course: course(),
            noted: 0,
            handed: 0,
            saved: Arc::new(AtomicU64::new(saved)),
            waiting: VecDeque::new(),
        };
        (without_thread, taken)
    }

    fn reports(mut inbox: Inbox) -> Vec<SaveReport> {
        let mut messages = Vec::new();
        inbox.take(Some(Duration::ZERO), &mut messages).unwrap();
        let mut reports = Vec::new();
        for message in messages {
            if let Message::App(event) = message
                && let Event::Saved(report) = *event
            {
                reports.push(report);
            }
        }
        reports
    }

    #[test]
    fn records_are_reported_once_they_are_on_the_disk() {
        let dir = TempDir::new().unwrap();
        let (sender, inbox) = Inbox::new().unwrap();
        let log = Log::new(Some(dir.path().to_owned()), &course());
        let mut saver = Saver::start(log, course(), sender).unwrap();
        (1..=5).for_each(|n| saver.save(record(n)));
        assert!(matches!(saver.finish(), LastSave::Saved));
        assert_eq!(read(dir.path()).records.len(), 5);
        let last = reports(inbox).pop().unwrap();
        assert_eq!((last.upto, last.disk), (Receipt::at(5), DiskState::Fine));
        saver.forget_saved();
        assert!(saver.waiting.is_empty(), "copies of saved records stay");
    }

    #[test]
    fn a_disk_that_refuses_is_reported_and_its_records_are_kept_elsewhere() {
        let dir = TempDir::new().unwrap();
        let blocked = dir.path().join("file");
        fs::write(&blocked, "").unwrap();
        let (sender, inbox) = Inbox::new().unwrap();
        let log = Log::new(Some(blocked), &course());
        let mut saver = Saver::start(log, course(), sender).unwrap();
        saver.save(record(1));
        saver.save(record(2));
        let LastSave::Kept(2, folder) = saver.finish() else {
            panic!("they are kept elsewhere");
        };
        assert_eq!(read(&folder).records, [record(1), record(2)]);
        fs::remove_dir_all(folder).unwrap();
        let first = reports(inbox).remove(0);
        assert_eq!(first.upto, Receipt::default());
        assert!(matches!(first.disk, DiskState::Failing(_)));
    }

    #[test]
    fn an_app_that_saved_elsewhere_says_where_when_it_ends() {
        let dir = TempDir::new().unwrap();
        let blocked = dir.path().join("file");
        fs::write(&blocked, "").unwrap();
        let (sender, _inbox) = Inbox::new().unwrap();
        let log = Log::new(Some(blocked), &course());
        let mut saver = Saver::start(log, course(), sender).unwrap();
        saver.save(record(1));
        saver.save_elsewhere();
        let finished = saver.finish();
        let LastSave::Elsewhere(folder) = &finished else {
            panic!("it was saved there: {finished:?}");
        };
        assert_eq!(read(folder).records, [record(1)]);
        assert_eq!(finished.warning(), None);
        assert!(finished.note().unwrap().contains(folder.to_str().unwrap()));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn records_whose_disk_does_not_answer_are_kept_elsewhere() {
        let (mut saver, nobody_answers) = stalled(64, 1);
        (1..=3).for_each(|n| saver.save(record(n)));
        let LastSave::Kept(2, folder) = saver.finish() else {
            panic!("they are kept elsewhere");
        };
        assert_eq!(read(&folder).records, [record(2), record(3)]);
        fs::remove_dir_all(folder).unwrap();
        drop(nobody_answers);
    }

    #[test]
    fn a_full_queue_loses_no_record_and_no_order() {
        let (mut saver, taken) = stalled(2, 0);
        let mut came = Vec::new();
        for n in 1..=8 {
            saver.save(record(n));
            if n > 4 {
                came.extend(taken.try_iter());
            }
        }
        saver.hand_over();
        came.extend(taken.try_iter());
        let numbers = came.iter().filter_map(|it| match it {
            SaverCommand::Save(record) => Some(record.at_ms),
            SaverCommand::Elsewhere | SaverCommand::Finish(_) => None,
        });
        let numbers: Vec<_> = numbers.collect();
        assert!(numbers.iter().copied().eq(1..=8), "{numbers:?}");
    }
}

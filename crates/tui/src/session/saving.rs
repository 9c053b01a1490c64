//! Which records are on disk, as last reported by the saver.
//!
//! Records are saved in the order in which they were made, so one number says it all: each record has a position, and
//! all up to a reported position are on disk. Nothing is acknowledged before that.

use crate::theme::Role;

/// The position of a record among those of this session; 0 is before the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Receipt(u64);

impl Receipt {
    /// The position of the record with this number, from 1.
    pub(crate) fn at(number: u64) -> Self {
        Self(number)
    }

    /// The position after this one.
    #[must_use]
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// How many records are after `earlier`, up to this one.
    fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// What the saver reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SaveReport {
    /// The last record of those that are on disk without a gap.
    pub(crate) upto: Receipt,
    pub(crate) disk: DiskState,
}

/// How saving goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum DiskState {
    #[default]
    Fine,
    /// Records reach the disk in this folder instead of the usual one.
    Elsewhere(String),
    /// They do not, with the error of the system.
    Failing(String),
    /// One record will not be saved at all, for this reason.
    Refused(String),
}

/// Which records are on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PendingSaves {
    /// The newest record.
    noted: Receipt,
    /// The newest record that the learner waits for.
    awaited: Receipt,
    report: SaveReport,
    /// The learner has left, and the app waits for the disk.
    is_leaving: bool,
}

/// Whether something that the learner did is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaveState {
    Saved,
    Waiting,
    Failing,
}

impl PendingSaves {
    /// Counts a record that is handed to the saver.
    pub(crate) fn note(&mut self, is_awaited: bool) {
        self.noted = self.noted.next();
        if is_awaited {
            self.awaited = self.noted;
        }
    }

    /// Takes a report in.
    pub(crate) fn learn(&mut self, report: SaveReport) {
        self.report = report;
    }

    /// The position of the newest record.
    pub(crate) fn newest(&self) -> Receipt {
        self.noted
    }

    /// Whether a record is on disk.
    pub(crate) fn kept(&self, receipt: Receipt) -> SaveState {
        if receipt <= self.report.upto {
            return SaveState::Saved;
        }
        match self.report.disk {
            DiskState::Failing(_) => SaveState::Failing,
            DiskState::Fine | DiskState::Elsewhere(_) | DiskState::Refused(_) => SaveState::Waiting,
        }
    }

    /// Whether the learner waits for the disk.
    pub(crate) fn is_waiting(&self) -> bool {
        self.kept(self.awaited) == SaveState::Waiting
    }

    /// How many records are in memory only.
    pub(crate) fn unsaved(&self) -> u64 {
        self.noted.since(self.report.upto)
    }

    /// Whether the disk refuses records.
    pub(crate) fn is_failing(&self) -> bool {
        matches!(self.report.disk, DiskState::Failing(_))
    }

    /// Whether the learner has left, and the app waits for the disk.
    pub(crate) fn is_leaving(&self) -> bool {
        self.is_leaving
    }

    /// Notes whether the learner has left.
    pub(crate) fn leave(&mut self, is_leaving: bool) {
        self.is_leaving = is_leaving;
    }

    /// The line above every screen, if there is something to say.
    pub(crate) fn banner(&self) -> Option<String> {
        let unsaved = self.unsaved();
        match &self.report.disk {
            DiskState::Failing(why) => {
                Some(format!("NOT SAVED ({unsaved}): {why}; S saves elsewhere"))
            }
            DiskState::Refused(why) => Some(format!("NOT SAVED (1): {why}")),
            DiskState::Fine | DiskState::Elsewhere(_) if self.is_leaving && unsaved > 0 => {
                Some(format!(
                    "still saving ({unsaved}): the disk is slow; q again leaves without waiting"
                ))
            }
            DiskState::Elsewhere(place) => {
                Some(format!("saved in {place}; later: `warpup progress import`"))
            }
            DiskState::Fine => None,
        }
    }
}

impl SaveState {
    /// What to say about something that was done. Only what is saved keeps its mark, the first word of `said`.
    pub(crate) fn say(self, said: &str, role: Role) -> (String, Role) {
        let unmarked = || said.split_once(' ').map_or(said, |it| it.1);
        match self {
            Self::Saved => (said.to_owned(), role),
            Self::Waiting => (format!("saving… {}", unmarked()), Role::Dim),
            Self::Failing => (format!("! NOT SAVED: {}", unmarked()), Role::Warn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(count: usize) -> PendingSaves {
        let mut saving = PendingSaves::default();
        for _ in 0..count {
            saving.note(true);
        }
        saving
    }

    #[test]
    fn only_what_is_reported_counts_as_saved() {
        let mut saving = noted(1);
        let first = saving.newest();
        saving.note(false);
        assert_eq!(saving.kept(Receipt::default()), SaveState::Saved);
        assert_eq!(saving.kept(first), SaveState::Waiting);
        assert!(saving.is_waiting());
        let disk = DiskState::Fine;
        saving.learn(SaveReport { upto: first, disk });
        assert_eq!(saving.kept(first), SaveState::Saved);
        assert_eq!((saving.is_waiting(), saving.unsaved()), (false, 1));
    }

    #[test]
    fn only_what_is_saved_has_a_mark() {
        let said = |kept: SaveState| kept.say("✓ right", Role::Good).0;
        let all = [SaveState::Saved, SaveState::Waiting, SaveState::Failing].map(said);
        assert_eq!(all, ["✓ right", "saving… right", "! NOT SAVED: right"]);
    }

    #[test]
    fn the_banner_says_what_is_not_as_it_should_be() {
        let mut saving = noted(2);
        assert_eq!(saving.banner(), None);
        let mut banner = |disk| {
            let upto = Receipt::default();
            saving.learn(SaveReport { upto, disk });
            saving.banner().unwrap_or_default()
        };
        let failing = DiskState::Failing("disk full".to_owned());
        let all = [failing, DiskState::Elsewhere("there".to_owned())].map(&mut banner);
        insta::assert_snapshot!(all.join("\n"), @r"
        NOT SAVED (2): disk full; S saves elsewhere
        saved in there; later: `warpup progress import`
        ");
        saving = noted(2);
        saving.leave(true);
        insta::assert_snapshot!(saving.banner().unwrap(), @"still saving (2): the disk is slow; q again leaves without waiting");
    }
}

//! What memory is held for, now, at its most, and in the course of a run.

use warpup_protocol::{Moment, Purpose, Purposes, WorkspaceBound};

/// Moments that are kept; then neighbours are joined, the lower one is forgotten.
const MOMENTS: usize = 512;

/// Counts bytes by purpose.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    held: Purposes,
    live: u64,
    peak: Moment,
    peak_live: u64,
    floor: u64,
    /// The peak of everything but the workspaces of cuBLAS.
    peak_without_blas: u64,
    workspace: Option<WorkspaceBound>,
    moments: Vec<Moment>,
    /// The peak since the last kept moment, and its bytes.
    highest: Option<(Moment, u64)>,
    changes: u64,
    /// How many changes make one kept moment; 0 keeps none.
    stride: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LedgerEntry {
    pub(super) at_ns: u64,
    pub(super) line: u32,
}

impl Ledger {
    /// Keeps memory over time, too, from now on.
    pub(super) fn follow(&mut self) {
        self.stride = 1;
    }

    /// Whether the moments of changes matter.
    pub(super) fn keeps_time(&self) -> bool {
        self.stride > 0
    }

    /// Memory was given out.
    pub(super) fn take(&mut self, purpose: Purpose, bytes: u64, when: LedgerEntry) {
        *self.held.of_mut(purpose) += bytes;
        self.live += bytes;
        let without_blas = self.live.saturating_sub(self.held.workspace);
        self.peak_without_blas = self.peak_without_blas.max(without_blas);
        if self.live > self.peak_live {
            self.peak_live = self.live;
            self.peak = self.moment(when);
        }
        self.changed(when);
    }

    /// Memory came back.
    pub(super) fn give(&mut self, purpose: Purpose, bytes: u64, when: LedgerEntry) {
        let held = self.held.of_mut(purpose);
        *held = held.saturating_sub(bytes);
        self.live = self.live.saturating_sub(bytes);
        self.changed(when);
    }

    /// Memory is held for something else from now on.
    pub(super) fn turn(&mut self, from: Purpose, to: Purpose, bytes: u64) {
        let held = self.held.of_mut(from);
        *held = held.saturating_sub(bytes);
        *self.held.of_mut(to) += bytes;
        // What the peak was made of may be known only now: nothing has been given out since.
        if self.live == self.peak_live {
            self.peak.held = self.held;
        }
        self.floor = self.floor.max(self.held.floor());
    }

    /// A convolution may work in so many bytes besides what is held. One that has no room counts more than one that has,
    /// and of these the one with which most would be held.
    pub(super) fn bound(&mut self, bytes: u64, fits: bool, line: u32) {
        let held = self.live;
        let bound = WorkspaceBound {
            line,
            bytes,
            held,
            fits,
        };
        let rank = |it: &WorkspaceBound| {
            if it.fits {
                (false, it.bytes.saturating_add(it.held))
            } else {
                (true, it.bytes)
            }
        };
        let is_more = |it: &WorkspaceBound| rank(&bound) > rank(it);
        if bytes > 0 && self.workspace.as_ref().is_none_or(is_more) {
            self.workspace = Some(bound);
        }
    }

    /// The convolution that needs most memory, of those with a workspace.
    pub(super) fn workspace(&self) -> Option<WorkspaceBound> {
        self.workspace
    }

    pub(super) fn peak_without_blas(&self) -> u64 {
        self.peak_without_blas
    }

    /// Peak snapshot and its size in bytes.
    pub(super) fn peak(&self) -> (Moment, u64) {
        (self.peak, self.peak_live)
    }

    /// What is held now, by what it is held for.
    pub(super) fn held(&self) -> Purposes {
        self.held
    }

    /// The peak is that of what follows.
    pub(super) fn begin_peak(&mut self) {
        self.peak_live = self.live;
        self.peak = self.moment(LedgerEntry { at_ns: 0, line: 0 });
    }

    /// The bytes that are held now.
    pub(super) fn live(&self) -> u64 {
        self.live
    }

    /// The most that weights, gradients and optimizer state held together.
    pub(super) fn floor(&self) -> u64 {
        self.floor
    }

    pub(super) fn over_time(&self) -> Vec<Moment> {
        let mut moments = self.moments.clone();
        moments.extend(self.highest.map(|(moment, _)| moment));
        moments
    }

    fn moment(&self, LedgerEntry { at_ns, line }: LedgerEntry) -> Moment {
        Moment {
            at_ns,
            line,
            held: self.held,
        }
    }

    fn changed(&mut self, when: LedgerEntry) {
        if self.stride == 0 {
            return;
        }
        if self.highest.is_none_or(|(_, live)| self.live >= live) {
            self.highest = Some((self.moment(when), self.live));
        }
        self.changes += 1;
        if self.changes >= self.stride {
            self.moments.extend(self.highest.take().map(|(it, _)| it));
            self.changes = 0;
            if self.moments.len() >= MOMENTS {
                self.thin();
            }
        }
    }

    fn thin(&mut self) {
        let pairs = self.moments.chunks(2);
        let higher = pairs.filter_map(|pair| pair.iter().max_by_key(|it| it.held.total()));
        self.moments = higher.copied().collect();
        self.stride *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed() -> Ledger {
        let mut ledger = Ledger::default();
        ledger.follow();
        ledger
    }

    fn at(at_ns: u64, line: u32) -> LedgerEntry {
        LedgerEntry { at_ns, line }
    }

    #[test]
    fn the_peak_knows_its_line_and_what_it_was_made_of() {
        let mut ledger = followed();
        ledger.take(Purpose::Temporaries, 100, at(1, 3));
        ledger.turn(Purpose::Temporaries, Purpose::Weights, 100);
        ledger.take(Purpose::Temporaries, 50, at(2, 4));
        ledger.turn(Purpose::Temporaries, Purpose::Activations, 50);
        ledger.give(Purpose::Activations, 50, at(3, 5));
        ledger.take(Purpose::Temporaries, 20, at(4, 6));
        let (peak, live) = ledger.peak();
        assert_eq!((peak.line, live, ledger.live()), (4, 150, 120));
        assert_eq!((peak.held.weights, peak.held.activations), (100, 50));
        assert_eq!(ledger.floor(), 100);
    }

    #[test]
    fn a_workspace_that_has_no_room_is_the_one_to_tell() {
        let mut ledger = Ledger::default();
        ledger.bound(0, true, 1);
        assert_eq!(ledger.workspace(), None);
        ledger.bound(30, true, 2);
        ledger.take(Purpose::Activations, 100, at(0, 3));
        ledger.bound(20, true, 3);
        assert_eq!(ledger.workspace().unwrap().line, 3);
        ledger.bound(10, false, 4);
        ledger.bound(500, true, 5);
        let told = ledger.workspace().unwrap();
        assert_eq!((told.line, told.bytes, told.fits), (4, 10, false));
    }

    #[test]
    fn the_workspaces_of_products_are_left_out_of_one_peak() {
        let mut ledger = Ledger::default();
        ledger.take(Purpose::Weights, 100, at(0, 1));
        ledger.take(Purpose::Workspace, 32, at(0, 2));
        ledger.give(Purpose::Workspace, 32, at(0, 2));
        ledger.take(Purpose::CudnnWorkspace, 8, at(0, 3));
        assert_eq!((ledger.peak().1, ledger.peak_without_blas()), (132, 108));
    }

    #[test]
    fn a_long_run_keeps_few_moments_and_the_highest_of_them() {
        let mut ledger = followed();
        for step in 0..100_000 {
            let bytes = if step == 77_777 { 1_000 } else { 10 };
            ledger.take(Purpose::Temporaries, bytes, at(step, 1));
            ledger.give(Purpose::Temporaries, bytes, at(step, 1));
        }
        let moments = ledger.over_time();
        assert!(moments.len() <= MOMENTS, "{}", moments.len());
        let highest = moments.iter().max_by_key(|it| it.held.total()).unwrap();
        assert_eq!((highest.at_ns, highest.held.temporaries), (77_777, 1_000));
        assert!(moments.is_sorted_by_key(|it| it.at_ns));
    }

    #[test]
    fn a_ledger_without_time_keeps_the_peak_only() {
        let mut ledger = Ledger::default();
        ledger.take(Purpose::Inputs, 8, at(0, 1));
        assert_eq!((ledger.over_time().len(), ledger.peak().1), (0, 8));
    }
}

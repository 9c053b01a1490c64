//! What is around a run on a real card: which card it gets, its turn there, and its neighbours.

use super::device::{self, Load, OpenError};
use super::turns::{self, Patience, Turn, TurnOutcome};
use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use warpup_protocol::{Contention, DeviceName, RunRequest};

/// A card that is busier than this before a run has somebody else's work on it, in percent.
const BUSY: u32 = 10;

/// A run that may begin.
#[derive(Debug)]
pub(super) struct CardRun {
    /// The device that it runs on.
    pub(super) device: DeviceName,
    turn: Option<Turn>,
    /// How loaded the card was before; only of a timed run.
    before: Option<Load>,
    is_timed: bool,
    notes: Vec<String>,
    contended: Vec<Contention>,
}

impl CardRun {
    /// Chooses the card, and waits for the turn of a timed run. It comes before the context of the card: who waits holds none
    /// of its memory. `say` hears what it waits for. A run on another device is ready at once. Nothing if the run was cancelled
    /// while it waited.
    pub(super) fn begin(
        request: &RunRequest,
        interrupt: &AtomicBool,
        say: impl Fn(String),
    ) -> Result<Option<Self>, OpenError> {
        let (device, chosen) = device::resolve(&request.device, turns::in_line)?;
        let mut run = Self {
            turn: None,
            before: None,
            is_timed: request.timed,
            notes: chosen.into_iter().collect(),
            contended: Vec::new(),
            device,
        };
        match run.turn(interrupt, say) {
            Ok(Some(TurnOutcome::Turn(turn))) => run.turn = Some(turn),
            Ok(Some(TurnOutcome::TooLong(waited))) => {
                let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
                run.contended.push(Contention::NoTurn { waited_ms });
            }
            Ok(Some(TurnOutcome::Cancelled)) => return Ok(None),
            Ok(None) => {}
            Err(error) => run.notes.extend(no_turn(&error)),
        }
        if run.is_timed {
            run.before = device::load(&run.device);
        }
        Ok(Some(run))
    }

    /// Ends the turn. Gives the notes of the run, and why others may have slowed it down.
    pub(super) fn end(mut self) -> (Vec<String>, Vec<Contention>) {
        if let Some(before) = self.before {
            let after = device::load(&self.device);
            self.contended.extend(neighbours(before, after));
        }
        if let Some(held) = self.turn.take().and_then(Turn::end) {
            let held_ms = u64::try_from(held.as_millis()).unwrap_or(u64::MAX);
            self.contended.push(Contention::LongTurn { held_ms });
        }
        (self.notes, self.contended)
    }

    /// Waits for the turn of a timed run on a real card; other runs need none.
    fn turn(
        &self,
        interrupt: &AtomicBool,
        say: impl Fn(String),
    ) -> io::Result<Option<TurnOutcome>> {
        let card = self.is_timed.then(|| device::uuid(&self.device));
        let Some(card) = card.flatten() else {
            return Ok(None);
        };
        let has_waited = Cell::new(false);
        let say_place = |why| {
            has_waited.set(true);
            say(why);
        };
        let is_cancelled = || interrupt.load(Ordering::Relaxed);
        let taken = turns::take(&card, Patience::default(), say_place, is_cancelled)?;
        if has_waited.get() {
            say("getting the card ready".to_owned());
        }
        Ok(Some(taken))
    }
}

/// What a run says that could take no turn; nothing if one before it has said it.
fn no_turn(error: &io::Error) -> Option<String> {
    static SAID: AtomicBool = AtomicBool::new(false);
    let is_first = !SAID.swap(true, Ordering::Relaxed);
    is_first.then(|| {
        format!("timed runs take no turns on this card, so others may slow them down: {error}")
    })
}

/// Whether others were on the card of a timed run. How busy the card is after the run says nothing: that was the run itself.
fn neighbours(before: Load, after: Option<Load>) -> Option<Contention> {
    let processes = before.others.max(after.map_or(0, |it| it.others));
    let busy_percent = before.busy_percent.filter(|it| *it > BUSY);
    (processes > 0 || busy_percent.is_some()).then_some(Contention::Neighbours {
        processes,
        busy_percent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(others: u32, busy: u32) -> Load {
        Load {
            others,
            busy_percent: Some(busy),
            ..Load::default()
        }
    }

    fn said(before: Load, after: Load) -> String {
        let found = neighbours(before, Some(after));
        found.map_or_else(|| "alone".to_owned(), Contention::words)
    }

    #[test]
    fn a_run_is_contended_by_processes_and_by_work_that_was_there_before() {
        let all = [
            said(load(0, 0), load(0, 100)),
            said(load(0, 3), load(2, 100)),
            said(load(1, 0), load(0, 100)),
            said(load(0, 60), load(0, 100)),
        ];
        insta::assert_snapshot!(all.join("\n"), @"
        alone
        2 other processes were on its card
        another process was on its card
        the card was 60 % busy before it began
        ");
    }

    #[test]
    fn a_run_without_a_card_is_ready_at_once() {
        let request = r#"{"run":1,"name":"lab.py","source":"","device":"cpu","limits":{"time_ms":1,"output_bytes":1,"spans":1},"trace":false,"timed":true}"#;
        let request: RunRequest = serde_json::from_str(request).unwrap();
        let begun = CardRun::begin(&request, &AtomicBool::new(false), |_| panic!("it waits"));
        let Ok(Some(run)) = begun else {
            panic!("{begun:?}");
        };
        assert_eq!(run.device, DeviceName::Cpu);
        assert_eq!(run.end(), (Vec::new(), Vec::new()));
    }
}

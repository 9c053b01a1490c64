//! Climbs the ladder: judges every rung whose needs hold, and reports the first broken one with its next step.
//!
//! One cause gives one message. Rungs above a broken one would fail, too, and five sentences about consequences
//! would hide the cause.

use super::evidence::Evidence;
use super::rung::RungState;
use super::rung::{Rung, RungId, RungSpec, RungSubject};
use super::rungs::RUNGS;
use super::rungs::card::CARD;
use super::rungs::driver::DRIVER;
use super::rungs::worker::WORKER;
use serde::Serialize;

/// The results of all rungs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// In the order of the ladder.
    pub rungs: Vec<Rung>,
}

/// The result of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LadderVerdict {
    /// Labs can run on the card.
    Ready,
    /// Nothing is broken, but there is no card, or no worker for it: labs run on the CPU and modelled cards.
    WithoutCard,
    /// Something is broken.
    Broken,
    /// The worker is still looking.
    Looking,
}

/// Judges all evidence.
pub fn climb(evidence: &Evidence) -> Report {
    let mut climbed: Vec<Rung> = Vec::with_capacity(RUNGS.len());
    for spec in RUNGS {
        let rung = match (&evidence.elsewhere, root_of(spec, &climbed)) {
            (Some(by), _) if spec.machine == RungSubject::ThisMachine => {
                let why = format!("the worker is started by {by}, elsewhere");
                Rung::not_looked_at(spec, why)
            }
            // An installed worker reports itself what it misses.
            (None, Some(root))
                if root.id == CARD.id && spec.id == WORKER.id && evidence.worker.was_started() =>
            {
                spec.judge(evidence)
            }
            (elsewhere, Some(root))
                if elsewhere.is_none() || root.machine == RungSubject::WorkersMachine =>
            {
                Rung::not_looked_at(spec, format!("needs: {}", root.title))
            }
            (_, _) => spec.judge(evidence),
        };
        climbed.push(rung);
    }
    Report { rungs: climbed }
}

/// Whether it makes sense to start the worker. A driver that does not answer would make it hang, too; without a
/// card and its driver nothing can hang, and the loader's message says what is missing.
pub(super) fn can_start_worker(evidence: &Evidence) -> bool {
    if evidence.elsewhere.is_some() {
        return true;
    }
    let report = climb(evidence);
    let holds = |spec: &RungSpec| report.rung(spec.id).is_some_and(Rung::holds);
    holds(&DRIVER) || !holds(&CARD)
}

/// The lowest rung below this one that was judged and does not hold.
fn root_of(spec: &RungSpec, climbed: &[Rung]) -> Option<&'static RungSpec> {
    let mut below = climbed.iter().filter(|it| spec.needs.contains(&it.id));
    let missing = below.find(|it| !it.holds())?;
    let missing_spec = RUNGS.iter().find(|it| it.id == missing.id)?;
    match missing.state {
        RungState::NotLookedAt => root_of(missing_spec, climbed).or(Some(missing_spec)),
        RungState::Ok | RungState::Warning | RungState::Broken | RungState::NotHere => {
            Some(missing_spec)
        }
    }
}

impl Report {
    /// The result of a rung.
    pub fn rung(&self, id: RungId) -> Option<&Rung> {
        self.rungs.iter().find(|it| it.id == id)
    }

    /// The first rung that is broken.
    pub fn first_broken(&self) -> Option<&Rung> {
        self.rungs.iter().find(|it| it.state == RungState::Broken)
    }

    /// The number of rungs in a state.
    pub fn count(&self, state: RungState) -> usize {
        self.rungs.iter().filter(|it| it.state == state).count()
    }

    /// The result of the ladder.
    pub fn verdict(&self) -> LadderVerdict {
        let is = |id, state| self.rung(id).is_some_and(|it| it.state == state);
        if self.first_broken().is_some() {
            LadderVerdict::Broken
        } else if self.rungs.iter().any(Rung::is_missing) {
            LadderVerdict::WithoutCard
        } else if is(WORKER.id, RungState::NotLookedAt) {
            LadderVerdict::Looking
        } else {
            LadderVerdict::Ready
        }
    }

    /// The result in a sentence or two.
    pub fn summary(&self) -> String {
        match self.verdict() {
            LadderVerdict::Broken => self.first_broken().map_or_else(String::new, |rung| {
                format!("Broken: {}. {}", rung.title, rung.says)
            }),
            LadderVerdict::WithoutCard => {
                let missing = self.rungs.iter().find(|it| it.is_missing());
                let says = missing.map_or("", |it| it.says.as_str());
                format!("Nothing is broken. {says} Labs run on the CPU and on modelled cards.")
            }
            LadderVerdict::Looking => "The worker is looking at the card.".to_owned(),
            LadderVerdict::Ready => match self.count(RungState::Warning) {
                0 => "All is well: labs can run on the card.".to_owned(),
                1 => "Labs can run on the card; there is one warning.".to_owned(),
                more => format!("Labs can run on the card; there are {more} warnings."),
            },
        }
    }

    /// The one next step, if there is something to do.
    pub fn next_step(&self) -> Option<&str> {
        let rung = match self.verdict() {
            LadderVerdict::Broken => self.first_broken(),
            LadderVerdict::WithoutCard => self.rungs.iter().find(|it| it.is_missing()),
            LadderVerdict::Ready => self.rungs.iter().find(|it| it.state == RungState::Warning),
            LadderVerdict::Looking => None,
        };
        rung?.try_next.first().map(String::as_str)
    }
}

//! Climbs the ladder: every rung is judged that stands on rungs that hold, and the first that does not is
//! named with its one next step.
//!
//! One fault makes one message. What stands on a broken rung would fail, too, and five sentences about
//! consequences hide the one about the cause.

use super::evidence::Evidence;
use super::rung::{Rung, RungId};
use super::rungs;
use super::state::State;
use serde::Serialize;

/// All rungs, and what they come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The rungs in order.
    pub rungs: Vec<Rung>,
}

/// What the ladder comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Labs can run on the card.
    Ready,
    /// Nothing is broken, but there is no card, or no worker for it: labs run on the CPU and modelled cards.
    WithoutCard,
    /// Something is broken.
    Broken,
    /// The worker has not answered yet.
    Looking,
}

/// Judges everything that was looked at.
pub fn climb(evidence: &Evidence) -> Report {
    let mut climbed: Vec<Rung> = Vec::with_capacity(RungId::ALL.len());
    for id in RungId::ALL {
        let rung = match (&evidence.elsewhere, root_of(id, &climbed)) {
            (Some(by), _) if id.is_of_this_machine() => {
                Rung::not_looked_at(id, format!("the worker is started by {by}, elsewhere"))
            }
            // A worker that is installed has said itself what it misses.
            (None, Some(RungId::Card)) if id == RungId::Worker && evidence.worker.was_started() => {
                rungs::judge(id, evidence)
            }
            (_, Some(root)) if evidence.elsewhere.is_none() || !root.is_of_this_machine() => {
                Rung::not_looked_at(id, format!("needs: {}", root.title()))
            }
            (_, _) => rungs::judge(id, evidence),
        };
        climbed.push(rung);
    }
    Report { rungs: climbed }
}

/// Whether it makes sense to start the worker: nothing below it is known to be broken. A driver that does not
/// answer would only make it hang, too.
pub fn bears_worker(evidence: &Evidence) -> bool {
    if evidence.elsewhere.is_some() {
        return true;
    }
    let report = climb(evidence);
    let bears = |id| report.rung(id).is_some_and(Rung::bears);
    // Without a card and its driver there is nothing to hang, and the loader's own line says what is missing.
    bears(RungId::Driver) || !bears(RungId::Card)
}

/// The lowest rung below this one that does not hold, and is judged itself.
fn root_of(id: RungId, climbed: &[Rung]) -> Option<RungId> {
    let below = id.needs().iter();
    let missing = below.filter_map(|need| climbed.iter().find(|it| it.id == *need));
    let missing = missing.filter(|it| !it.bears()).min_by_key(|it| it.id)?;
    match missing.state {
        State::NotLookedAt => root_of(missing.id, climbed).or(Some(missing.id)),
        State::Ok | State::Warning | State::Broken | State::NotHere => Some(missing.id),
    }
}

impl Report {
    /// A rung, by its id.
    pub fn rung(&self, id: RungId) -> Option<&Rung> {
        self.rungs.iter().find(|it| it.id == id)
    }

    /// The first rung that is broken.
    pub fn first_broken(&self) -> Option<&Rung> {
        self.rungs.iter().find(|it| it.state == State::Broken)
    }

    /// How many rungs stand so.
    pub fn count(&self, state: State) -> usize {
        self.rungs.iter().filter(|it| it.state == state).count()
    }

    /// What it comes to.
    pub fn verdict(&self) -> Verdict {
        let is = |id, state| self.rung(id).is_some_and(|it| it.state == state);
        if self.first_broken().is_some() {
            Verdict::Broken
        } else if self.rungs.iter().any(is_missing) {
            Verdict::WithoutCard
        } else if is(RungId::Worker, State::NotLookedAt) {
            Verdict::Looking
        } else {
            Verdict::Ready
        }
    }

    /// What it comes to, in a sentence or two.
    pub fn summary(&self) -> String {
        match self.verdict() {
            Verdict::Broken => self.first_broken().map_or_else(String::new, |rung| {
                format!("Broken: {}. {}", rung.title, rung.says)
            }),
            Verdict::WithoutCard => {
                let missing = self.rungs.iter().find(|it| is_missing(it));
                let says = missing.map_or("", |it| it.says.as_str());
                format!("Nothing is broken. {says} Labs run on the CPU and on modelled cards.")
            }
            Verdict::Looking => "The worker is looking at the card.".to_owned(),
            Verdict::Ready => match self.count(State::Warning) {
                0 => "All is well: labs can run on the card.".to_owned(),
                1 => "Labs can run on the card; there is one warning.".to_owned(),
                more => format!("Labs can run on the card; there are {more} warnings."),
            },
        }
    }

    /// The one next step, if there is something to do.
    pub fn next_step(&self) -> Option<&str> {
        let rung = match self.verdict() {
            Verdict::Broken => self.first_broken(),
            Verdict::WithoutCard => self.rungs.iter().find(|it| is_missing(it)),
            Verdict::Ready => self.rungs.iter().find(|it| it.state == State::Warning),
            Verdict::Looking => None,
        };
        rung?.try_next.first().map(String::as_str)
    }
}

/// Whether a rung on the way to the card is not here.
fn is_missing(rung: &Rung) -> bool {
    rung.state == State::NotHere && rung.id <= RungId::Memory && !rung.bears()
}

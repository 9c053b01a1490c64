//! A rung of the ladder: its description, its result, and how a result is drafted.
//!
//! Knows no particular rung: each is described in a file of `rungs/`.

use super::evidence::Evidence;
use serde::Serialize;

/// The name of a rung in reports, such as `driver-cuda`. Names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct RungId(pub(super) &'static str);

/// Everything that the ladder knows about a rung.
#[derive(Debug)]
pub struct RungSpec {
    /// Its name.
    pub id: RungId,
    /// Its title on screen.
    pub(super) title: &'static str,
    /// The id of the lesson that teaches it. A course need not have that lesson.
    pub(super) lesson: &'static str,
    /// The rungs that have to hold before it is judged.
    pub(super) needs: &'static [RungId],
    /// Which machine it is about.
    pub(super) machine: RungSubject,
    /// Its part of the ladder.
    pub(super) part: LadderPart,
    /// The sources of evidence that it always looks at.
    pub(super) looked: &'static [&'static str],
    /// Judges it; the rungs that it needs hold.
    pub(super) judge: fn(&Evidence, RungDraft) -> Rung,
}

impl RungSpec {
    /// Judges it; the rungs that it needs hold.
    pub(super) fn judge(&self, evidence: &Evidence) -> Rung {
        let mut draft = RungDraft::new(self);
        draft.0.looked_at = self.looked.iter().map(|&it| it.to_owned()).collect();
        (self.judge)(evidence, draft)
    }
}

/// Which machine a rung is about, if a launcher starts the worker on another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RungSubject {
    /// This one.
    ThisMachine,
    /// The one of the worker, or any.
    WorkersMachine,
}

/// The part of the ladder that a rung belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LadderPart {
    /// Labs on the card need it.
    Needed,
    /// Others need it only if it exists: without it, nothing is missing.
    Optional,
    /// It describes the surroundings of the card.
    Surroundings,
}

/// The result of a rung.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rung {
    /// Its name.
    pub id: RungId,
    /// Its title on screen.
    pub title: &'static str,
    /// The id of the lesson that teaches it. A course need not have that lesson.
    #[serde(skip)]
    pub lesson: &'static str,
    #[serde(skip)]
    pub(super) part: LadderPart,
    /// Its state.
    pub state: RungState,
    /// The finding, in a sentence.
    pub says: String,
    /// The sources of the evidence.
    pub looked_at: Vec<String>,
    /// What was found; messages of others are quoted word for word.
    pub evidence: Vec<String>,
    /// What to try, the first thing first.
    pub try_next: Vec<String>,
}

impl Rung {
    /// Whether the rungs that need this one can be judged.
    pub(super) fn holds(&self) -> bool {
        match (self.state, self.part) {
            // Absent MIG is not a failure.
            (RungState::Ok | RungState::Warning, _)
            | (RungState::NotHere | RungState::NotLookedAt, LadderPart::Optional) => true,
            (RungState::Broken | RungState::NotHere | RungState::NotLookedAt, _) => false,
        }
    }

    /// Whether it is missing on the way to the card.
    pub(super) fn is_missing(&self) -> bool {
        self.state == RungState::NotHere && self.part == LadderPart::Needed
    }

    /// Whether two rungs were not judged for the same reason, so that one line can report both.
    pub fn shares_reason(&self, other: &Self) -> bool {
        self.state == RungState::NotLookedAt && other.state == self.state && self.says == other.says
    }

    /// The result of a rung that is not judged.
    pub(super) fn not_looked_at(spec: &RungSpec, why: impl Into<String>) -> Self {
        RungDraft::new(spec).end(RungState::NotLookedAt, why)
    }
}

/// The state of a rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RungState {
    /// It holds.
    Ok,
    /// It holds, but something about it may surprise.
    Warning,
    /// It does not hold, although it should.
    Broken,
    /// This machine has no such thing, which is not an error.
    NotHere,
    /// It was not judged: a rung that it needs does not hold.
    NotLookedAt,
}

impl RungState {
    /// The label for it, such as `not looked at`.
    pub fn label(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Broken => "broken",
            Self::NotHere => "not here",
            Self::NotLookedAt => "not looked at",
        }
    }

    /// The sign for it.
    pub fn sign(self) -> char {
        match self {
            Self::Ok => '✓',
            Self::Warning => '!',
            Self::Broken => '✗',
            Self::NotHere => '–',
            Self::NotLookedAt => '·',
        }
    }

    /// The sign where only ASCII can be drawn.
    pub fn ascii_sign(self) -> char {
        match self {
            Self::Ok => '*',
            Self::Warning => '!',
            Self::Broken => 'x',
            Self::NotHere => '-',
            Self::NotLookedAt => '.',
        }
    }
}

/// A result in progress: first the evidence, then the state.
#[derive(Debug)]
pub(super) struct RungDraft(Rung);

impl RungDraft {
    fn new(spec: &RungSpec) -> Self {
        Self(Rung {
            id: spec.id,
            title: spec.title,
            lesson: spec.lesson,
            part: spec.part,
            state: RungState::NotLookedAt,
            says: String::new(),
            looked_at: Vec::new(),
            evidence: Vec::new(),
            try_next: Vec::new(),
        })
    }

    /// Adds a source of evidence.
    pub(super) fn looked(mut self, at: impl Into<String>) -> Self {
        self.0.looked_at.push(at.into());
        self
    }

    /// Adds a finding.
    pub(super) fn saw(mut self, line: impl Into<String>) -> Self {
        self.0.evidence.push(line.into());
        self
    }

    /// Adds findings.
    pub(super) fn saw_all(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.0.evidence.extend(lines);
        self
    }

    /// Adds a step to try.
    pub(super) fn advise(mut self, step: impl Into<String>) -> Self {
        self.0.try_next.push(step.into());
        self
    }

    pub(super) fn ok(self, says: impl Into<String>) -> Rung {
        self.end(RungState::Ok, says)
    }

    pub(super) fn warning(self, says: impl Into<String>) -> Rung {
        self.end(RungState::Warning, says)
    }

    pub(super) fn broken(self, says: impl Into<String>) -> Rung {
        self.end(RungState::Broken, says)
    }

    pub(super) fn not_here(self, says: impl Into<String>) -> Rung {
        self.end(RungState::NotHere, says)
    }

    fn end(mut self, state: RungState, says: impl Into<String>) -> Rung {
        self.0.state = state;
        self.0.says = says.into();
        self.0
    }
}

//! The records of a progress log, one a line.

use super::failure_reason::FailureReason;
use super::figures::RanOn;
use super::reading_position::ReadingPosition;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use warpup_course::{LabId, LessonId, PageId, QuestionId};
use warpup_grade::{Answer, Confidence, Score};
use warpup_protocol::Metric;

/// One event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// A ULID; the same id is the same record, wherever it is read.
    pub id: String,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// The course it happened in.
    pub course: String,
    /// What happened. Kinds that this version does not know are kept and ignored.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A page was shown; the latest one is where reading goes on.
    Read {
        /// The lesson.
        lesson: LessonId,
        /// The page.
        page: PageId,
    },
    /// A page was left; reading goes on at that place of it.
    Left {
        /// The lesson.
        lesson: LessonId,
        /// The page.
        page: PageId,
        /// The place.
        at: ReadingPosition,
    },
    /// The learner's text of a lab, kept when it was run or left.
    Edited {
        /// The lesson.
        lesson: LessonId,
        /// The lab.
        lab: LabId,
        /// The program; the starter again when `None`.
        source: Option<String>,
    },
    /// A lab was run to its end.
    Ran {
        /// The lesson.
        lesson: LessonId,
        /// The lab.
        lab: LabId,
        /// What it ran on.
        device: String,
        /// Whether it ended well and every check held.
        passed: bool,
        /// Details of the device; older versions did not record them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on: Option<RanOn>,
        /// The numbers that it gave names; older versions did not record them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        metrics: Vec<Metric>,
        /// Why it did not pass; older versions did not record it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unmet: Option<FailureReason>,
    },
    /// A prediction was committed, before the run.
    Predicted {
        /// The lesson.
        lesson: LessonId,
        /// The question.
        question: QuestionId,
        /// [`warpup_course::Question::hash`] at that time.
        hash: String,
        /// The answer.
        answer: Answer,
    },
    /// A question of a running attempt was answered; lets a quiz be resumed.
    Answered {
        /// The lesson.
        lesson: LessonId,
        /// The attempt, a ULID.
        attempt: String,
        /// The question.
        question: QuestionId,
        /// [`warpup_course::Question::hash`] at that time.
        hash: String,
        /// The answer.
        answer: Answer,
        /// What it earned; nothing where the quiz has no keys.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        score: Option<Score>,
        /// How sure the learner was, if they said so; older versions did not ask.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<Confidence>,
        /// Which questions the attempt asks; those of older versions count as asking all.
        #[serde(default, skip_serializing_if = "QuestionSelection::is_all")]
        asks: QuestionSelection,
        /// The questions that were drawn for the attempt; empty where nothing is drawn, and it asks all that count.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drawn: Vec<QuestionId>,
    },
    /// An attempt at a quiz was handed in.
    Attempted {
        /// The lesson.
        lesson: LessonId,
        /// The attempt, a ULID.
        attempt: String,
        /// Points earned and possible.
        score: Score,
        /// The threshold in force: more than this share passes.
        above_percent: u32,
        /// Whether it passed.
        passed: bool,
        /// How long the last sitting took, in milliseconds; earlier sittings of a resumed attempt are not counted.
        took_ms: u64,
        /// The questions that were not right.
        missed: Vec<QuestionId>,
        /// The questions that were drawn for it, as in [`Event::Answered`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drawn: Vec<QuestionId>,
    },
    /// An attempt at a quiz without keys was handed in; the answers are those of the records of this attempt.
    HandedIn {
        /// The lesson.
        lesson: LessonId,
        /// The attempt, a ULID.
        attempt: String,
        /// How long the last sitting took, in milliseconds, as in [`Event::Attempted`].
        took_ms: u64,
        /// The questions that were drawn for it, as in [`Event::Answered`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drawn: Vec<QuestionId>,
    },
    /// A question was answered in the learner's own words, or the learner ticked which parts it covers.
    Explained {
        /// The lesson.
        lesson: LessonId,
        /// The question.
        question: QuestionId,
        /// [`warpup_course::Question::hash`] at that time.
        hash: String,
        /// The learner's words; empty when they took them back.
        text: String,
        /// Which of the question's parts they say, from 0. Positions are safe here, since the hash is over
        /// the parts.
        said: BTreeSet<usize>,
    },
    /// The learner chose what labs run on.
    Chose {
        /// Which labs.
        labs: Labs,
        /// What they run on.
        device: String,
    },
    /// Hides everything older in this scope.
    Reset {
        /// The lesson; the whole course when `None`.
        lesson: Option<LessonId>,
    },
    /// A kind of a newer version.
    #[serde(other)]
    Unknown,
}

/// Which questions an attempt asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionSelection {
    /// All that count.
    #[default]
    All,
    /// Those that were not right in the answers that were handed in before.
    Missed,
}

impl QuestionSelection {
    /// Whether all questions are asked.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_all(&self) -> bool {
        *self == Self::All
    }
}

/// Labs that a choice of device is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Labs {
    /// Those that take any device.
    Any,
    /// Those that want a card.
    Cards,
}

impl Event {
    /// The lesson it belongs to; nothing for a reset of the whole course, for a choice of device and for unknown
    /// kinds.
    pub fn lesson(&self) -> Option<&LessonId> {
        match self {
            Self::Read { lesson, .. }
            | Self::Left { lesson, .. }
            | Self::Edited { lesson, .. }
            | Self::Ran { lesson, .. }
            | Self::Predicted { lesson, .. }
            | Self::Answered { lesson, .. }
            | Self::Attempted { lesson, .. }
            | Self::HandedIn { lesson, .. }
            | Self::Explained { lesson, .. } => Some(lesson),
            Self::Reset { lesson } => lesson.as_ref(),
            Self::Chose { .. } | Self::Unknown => None,
        }
    }

    /// Whether a learner waits for the disk to have it: where something was earned, or is awkward to do again.
    pub fn is_awaited(&self) -> bool {
        match self {
            Self::Read { .. } | Self::Left { .. } | Self::Edited { .. } | Self::Chose { .. } => {
                false
            }
            Self::Ran { .. }
            | Self::Predicted { .. }
            | Self::Answered { .. }
            | Self::Attempted { .. }
            | Self::HandedIn { .. }
            | Self::Explained { .. }
            | Self::Reset { .. }
            | Self::Unknown => true,
        }
    }
}

//! The fold: records in, [`LessonProgress`] out.
//!
//! Each fact is kept with the stamp of the record that says so, and the newest stamp wins. Taking a
//! maximum does not care for order or repetition, and neither does a reset, which is only the largest
//! stamp that is hidden. So superseded records need not be kept: a year of edits costs one program a
//! lab.

use super::{
    AttemptRecord, Event, Explanation, LabProgress, Labs, LessonProgress, OpenAttempt, Record,
    RunRecord,
};
use crate::course::{CourseId, LabId, LessonId, PageId, QuestionId};
use crate::grade::{Answer, Score};
use std::collections::BTreeMap;

/// What a learner has done in one course.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    course: CourseId,
    /// Everything up to this is hidden.
    reset: Option<Stamp>,
    chosen: BTreeMap<Labs, Latest<String>>,
    facts: BTreeMap<LessonId, Facts>,
    lessons: BTreeMap<LessonId, LessonProgress>,
}

impl Progress {
    /// Nothing done yet.
    pub fn new(course: &CourseId) -> Self {
        Self {
            course: course.clone(),
            reset: None,
            chosen: BTreeMap::new(),
            facts: BTreeMap::new(),
            lessons: BTreeMap::new(),
        }
    }

    /// Folds records in any order, with any repetition. Records of other courses do not count.
    pub fn from_records(records: impl IntoIterator<Item = Record>, course: &CourseId) -> Self {
        let mut progress = Self::new(course);
        for record in records {
            progress.take(record);
        }
        progress.refresh_all();
        progress
    }

    /// Folds one more record in.
    pub fn apply(&mut self, record: Record) {
        let lesson = record.event.lesson().cloned();
        self.take(record);
        match lesson {
            Some(lesson) => self.refresh(&lesson),
            None => self.refresh_all(),
        }
    }

    /// The course it is about.
    pub fn course(&self) -> &CourseId {
        &self.course
    }

    /// What has been done in a lesson.
    pub fn lesson(&self, lesson: &LessonId) -> &LessonProgress {
        const NOTHING: &LessonProgress = &LessonProgress::NOTHING;
        self.lessons.get(lesson).unwrap_or(NOTHING)
    }

    /// Where the learner left off: the page that was read last in the whole course.
    pub fn place(&self) -> Option<(LessonId, PageId)> {
        self.facts
            .iter()
            .filter_map(|(lesson, facts)| Some((facts.place.as_ref()?, lesson)))
            .max_by_key(|(place, _)| &place.stamp)
            .map(|(place, lesson)| (lesson.clone(), place.value.clone()))
    }

    /// The device that was chosen last for some labs.
    pub fn device(&self, labs: Labs) -> Option<&str> {
        self.chosen.get(&labs).map(|it| it.value.as_str())
    }

    fn take(&mut self, record: Record) {
        if record.course != self.course.as_str() {
            return;
        }
        let stamp = Stamp {
            at_ms: record.at_ms,
            id: record.id,
        };
        if let Event::Chose { labs, device } = record.event {
            if self.reset.as_ref() < Some(&stamp) {
                keep_latest_of(&mut self.chosen, labs, stamp, device);
            }
            return;
        }
        if record.event == (Event::Reset { lesson: None }) {
            self.chosen.retain(|_, it| it.stamp > stamp);
            self.facts.values_mut().for_each(|it| it.hide(&stamp));
            self.reset = self.reset.take().max(Some(stamp));
            return;
        }
        let Some(lesson) = record.event.lesson().cloned() else {
            return;
        };
        if self.reset.as_ref() < Some(&stamp) {
            let facts = self.facts.entry(lesson).or_default();
            facts.take(stamp, record.event);
        }
    }

    fn refresh(&mut self, lesson: &LessonId) {
        let view = self.facts.get(lesson).map(Facts::view);
        match view.filter(LessonProgress::is_begun) {
            Some(view) => self.lessons.insert(lesson.clone(), view),
            None => self.lessons.remove(lesson),
        };
    }

    fn refresh_all(&mut self) {
        self.facts.retain(|_, facts| *facts != Facts::default());
        self.lessons = self
            .facts
            .iter()
            .map(|(lesson, facts)| (lesson.clone(), facts.view()))
            .filter(|(_, view)| view.is_begun())
            .collect();
    }
}

/// What orders records: time, and the id where times are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stamp {
    at_ms: u64,
    id: String,
}

/// A value and the record that said so.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Latest<T> {
    stamp: Stamp,
    value: T,
}

/// Keeps the newer of what is known and what is said.
fn keep_latest<T>(slot: &mut Option<Latest<T>>, stamp: Stamp, value: T) {
    if slot.as_ref().map(|it| &it.stamp) < Some(&stamp) {
        *slot = Some(Latest { stamp, value });
    }
}

/// As [`keep_latest`], in a map.
fn keep_latest_of<K: Ord, T>(map: &mut BTreeMap<K, Latest<T>>, key: K, stamp: Stamp, value: T) {
    let newer = map.get(&key).is_none_or(|it| it.stamp < stamp);
    if newer {
        map.insert(key, Latest { stamp, value });
    }
}

/// The hash of the question, the answer, what it earned.
type Answered = (String, Answer, Score);

/// What is known of one lesson.
#[derive(Clone, Debug, Default, PartialEq)]
struct Facts {
    reset: Option<Stamp>,
    place: Option<Latest<PageId>>,
    sources: BTreeMap<LabId, Latest<Option<String>>>,
    ran: BTreeMap<LabId, Latest<RunRecord>>,
    passed: BTreeMap<LabId, Latest<()>>,
    /// The newest passed run for each set of metrics that a lab's runs gave.
    figures: BTreeMap<(LabId, Vec<String>), Latest<RunRecord>>,
    predictions: BTreeMap<QuestionId, Latest<(String, Answer)>>,
    answers: BTreeMap<(String, QuestionId), Latest<Answered>>,
    attempts: BTreeMap<Stamp, AttemptRecord>,
    explanations: BTreeMap<QuestionId, Latest<Explanation>>,
}

impl Facts {
    fn take(&mut self, stamp: Stamp, event: Event) {
        if self.reset.as_ref() >= Some(&stamp) {
            return;
        }
        match event {
            Event::Read { page, .. } => keep_latest(&mut self.place, stamp, page),
            Event::Edited { lab, source, .. } => {
                keep_latest_of(&mut self.sources, lab, stamp, source);
            }
            Event::Ran {
                lab,
                device,
                passed,
                on,
                metrics,
                ..
            } => {
                let run = RunRecord {
                    at_ms: stamp.at_ms,
                    device,
                    on,
                    metrics,
                };
                if passed {
                    self.passed(stamp.clone(), lab.clone(), &run);
                }
                keep_latest_of(&mut self.ran, lab, stamp, run);
            }
            Event::Predicted {
                question,
                hash,
                answer,
                ..
            } => keep_latest_of(&mut self.predictions, question, stamp, (hash, answer)),
            Event::Answered {
                attempt,
                question,
                hash,
                answer,
                score,
                ..
            } => {
                let key = (attempt, question);
                keep_latest_of(&mut self.answers, key, stamp, (hash, answer, score));
            }
            Event::Attempted {
                attempt,
                score,
                above_percent,
                passed,
                took_ms,
                missed,
                ..
            } => {
                let attempt = AttemptRecord {
                    attempt,
                    at_ms: stamp.at_ms,
                    score,
                    above_percent,
                    passed,
                    took_ms,
                    missed,
                };
                self.attempts.insert(stamp, attempt);
            }
            event @ Event::Explained { .. } => self.explained(stamp, event),
            Event::Reset { .. } => {
                self.hide(&stamp);
                self.reset = Some(stamp);
            }
            Event::Chose { .. } | Event::Unknown => {}
        }
    }

    fn passed(&mut self, stamp: Stamp, lab: LabId, run: &RunRecord) {
        if !run.metrics.is_empty() {
            let key = (lab.clone(), run.names());
            keep_latest_of(&mut self.figures, key, stamp.clone(), run.clone());
        }
        keep_latest_of(&mut self.passed, lab, stamp, ());
    }

    fn explained(&mut self, stamp: Stamp, event: Event) {
        if let Event::Explained {
            question,
            hash,
            text,
            said,
            ..
        } = event
        {
            let words = Explanation {
                at_ms: stamp.at_ms,
                hash,
                text,
                said,
            };
            keep_latest_of(&mut self.explanations, question, stamp, words);
        }
    }

    /// Forgets everything up to a stamp.
    fn hide(&mut self, upto: &Stamp) {
        self.reset.take_if(|it| *it <= *upto);
        self.place.take_if(|it| it.stamp <= *upto);
        self.sources.retain(|_, it| it.stamp > *upto);
        self.ran.retain(|_, it| it.stamp > *upto);
        self.passed.retain(|_, it| it.stamp > *upto);
        self.figures.retain(|_, it| it.stamp > *upto);
        self.predictions.retain(|_, it| it.stamp > *upto);
        self.answers.retain(|_, it| it.stamp > *upto);
        self.attempts.retain(|stamp, _| stamp > upto);
        self.explanations.retain(|_, it| it.stamp > *upto);
    }

    fn view(&self) -> LessonProgress {
        LessonProgress {
            place: self.place.as_ref().map(|it| it.value.clone()),
            labs: self.labs(),
            predictions: self
                .predictions
                .iter()
                .map(|(question, it)| (question.clone(), it.value.clone()))
                .collect(),
            attempts: self.attempts.values().cloned().collect(),
            open: self.open(),
            explanations: self
                .explanations
                .iter()
                .filter(|(_, it)| !it.value.text.is_empty())
                .map(|(question, it)| (question.clone(), it.value.clone()))
                .collect(),
        }
    }

    fn labs(&self) -> BTreeMap<LabId, LabProgress> {
        let mut labs: BTreeMap<LabId, LabProgress> = BTreeMap::new();
        for (lab, source) in &self.sources {
            let known = labs.entry(lab.clone()).or_default();
            known.source.clone_from(&source.value);
        }
        for (lab, run) in &self.ran {
            labs.entry(lab.clone()).or_default().newest = Some(run.value.clone());
        }
        for ((lab, _), run) in &self.figures {
            let known = labs.entry(lab.clone()).or_default();
            known.figures.push(run.value.clone());
        }
        for (lab, passed) in &self.passed {
            labs.entry(lab.clone()).or_default().passed_ms = Some(passed.stamp.at_ms);
        }
        labs
    }

    fn open(&self) -> Option<OpenAttempt> {
        let ((attempt, _), newest) = self.answers.iter().max_by_key(|(_, it)| &it.stamp)?;
        let handed_in = self.attempts.values().any(|it| it.attempt == *attempt);
        let followed = self
            .attempts
            .last_key_value()
            .is_some_and(|(stamp, _)| *stamp > newest.stamp);
        if handed_in || followed {
            return None;
        }
        let answers = self
            .answers
            .iter()
            .filter(|((of, _), _)| of == attempt)
            .map(|((_, question), it)| (question.clone(), it.value.clone()))
            .collect();
        Some(OpenAttempt {
            attempt: attempt.clone(),
            answers,
        })
    }
}

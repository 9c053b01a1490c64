//! What is known of one lesson: for each fact the record that says so last.

use super::event::Event;
use super::figures::RunRecord;
use super::latest::{Latest, Stamp, keep_latest, keep_latest_of};
use super::lesson::{AttemptRecord, Explanation, LabProgress, LessonProgress, OpenAttempt};
use crate::course::{LabId, PageId, QuestionId};
use crate::grade::{Answer, Score};
use std::collections::BTreeMap;

/// The hash of the question, the answer, what it earned.
type Answered = (String, Answer, Score);

/// What is known of one lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    reset: Option<Stamp>,
    /// The page that was read last.
    pub(super) place: Option<Latest<PageId>>,
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
    /// Adds a record.
    pub(super) fn take(&mut self, stamp: Stamp, event: Event) {
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

    /// Drops everything up to a stamp.
    pub(super) fn hide(&mut self, upto: &Stamp) {
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

    /// Summarises the facts.
    pub(super) fn view(&self) -> LessonProgress {
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

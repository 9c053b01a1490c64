//! What is known of one lesson: the latest record for each fact.

use super::event::{Event, Labs, QuestionSelection};
use super::figures::RunRecord;
use super::lesson::{
    AnswerRecord, AttemptRecord, Explanation, HandedInRecord, LabProgress, LessonProgress,
    OpenAttempt,
};
use std::collections::btree_map::{Entry, Range};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use warpup_course::{LabId, PageId, QuestionId};
use warpup_grade::{Answer, Confidence, Score};
use warpup_protocol::Metric;

/// What orders records: time, and the id where times are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stamp {
    pub(super) at_ms: u64,
    pub(super) id: String,
}

/// The subject of a record; the newest record wins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    Device(Labs),
    Place,
    /// That a page was read.
    Page(PageId),
    Left,
    Source(LabId),
    NewestRun(LabId),
    PassedRun(LabId),
    /// A passed run that gave metrics of these names.
    Figures(LabId, Vec<String>),
    Prediction(QuestionId),
    Answer(String, QuestionId),
    /// Attempts never replace each other.
    Attempt(Stamp),
    Explanation(QuestionId),
}

/// What is known of one lesson, or of the course as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    reset: Option<Stamp>,
    newest: BTreeMap<Fact, (Stamp, Event)>,
    /// The programs of each lab that the learner ever had, by their hashes: a run does not say which of them it ran.
    programs: BTreeMap<LabId, BTreeMap<Stamp, ProgramHash>>,
}

/// What tells programs apart; nothing for the starter.
type ProgramHash = Option<u64>;

impl Facts {
    /// Adds a record.
    pub(super) fn take(&mut self, stamp: Stamp, event: Event) {
        if self.reset.as_ref() >= Some(&stamp) {
            return;
        }
        if let Event::Reset { .. } = event {
            self.hide(&stamp);
            self.reset = Some(stamp);
            return;
        }
        if let Event::Edited { lab, source, .. } = &event {
            let programs = self.programs.entry(lab.clone()).or_default();
            programs.insert(stamp.clone(), source.as_deref().map(hash_of));
        }
        // Most records are about one fact, and are moved: a year of them is folded at every start.
        let mut facts = facts_of(&stamp, &event);
        let last = facts.pop();
        for fact in facts {
            self.learn(fact, stamp.clone(), event.clone());
        }
        if let Some(fact) = last {
            self.learn(fact, stamp, event);
        }
    }

    fn learn(&mut self, fact: Fact, stamp: Stamp, event: Event) {
        match self.newest.entry(fact) {
            Entry::Vacant(entry) => drop(entry.insert((stamp, event))),
            Entry::Occupied(mut entry) if entry.get().0 < stamp => {
                drop(entry.insert((stamp, event)));
            }
            Entry::Occupied(_) => {}
        }
    }

    /// Drops everything up to a stamp.
    pub(super) fn hide(&mut self, upto: &Stamp) {
        self.reset.take_if(|it| *it <= *upto);
        self.newest.retain(|_, (stamp, _)| *stamp > *upto);
        self.programs.retain(|_, programs| {
            programs.retain(|stamp, _| *stamp > *upto);
            !programs.is_empty()
        });
    }

    /// The page that was read last.
    pub(super) fn place(&self) -> Option<(&Stamp, &PageId)> {
        match self.newest.get(&Fact::Place) {
            Some((stamp, Event::Read { page, .. })) => Some((stamp, page)),
            Some(_) | None => None,
        }
    }

    /// Whether a question of a quiz was answered after the page that was read last.
    pub(super) fn has_answered_since(&self) -> bool {
        let answered = self.given().map(|it| it.stamp).max();
        answered.is_some_and(|it| self.place().is_none_or(|(read, _)| it > read))
    }

    /// The device that was chosen last.
    pub(super) fn device(&self, labs: Labs) -> Option<&str> {
        match self.newest.get(&Fact::Device(labs)) {
            Some((_, Event::Chose { device, .. })) => Some(device),
            Some(_) | None => None,
        }
    }

    /// Summarises the facts.
    pub(super) fn view(&self) -> LessonProgress {
        let mut view = LessonProgress {
            open: self.open(),
            answers: self.answers(),
            ..LessonProgress::default()
        };
        for (fact, (stamp, event)) in &self.newest {
            add(&mut view, fact, stamp.at_ms, event.clone());
        }
        for (lab, known) in &mut view.labs {
            known.is_edited_since_pass = self.is_edited_since_pass(lab);
        }
        view
    }

    /// Whether a lab's program is another one than the one that passed last. Who changes it and changes it back has that one.
    fn is_edited_since_pass(&self, lab: &LabId) -> bool {
        let passed = self.newest.get(&Fact::PassedRun(lab.clone()));
        let (Some((passed, _)), Some(programs)) = (passed, self.programs.get(lab)) else {
            return false;
        };
        let newest = |mut it: Range<'_, Stamp, ProgramHash>| it.next_back().and_then(|it| *it.1);
        newest(programs.range(..passed)) != newest(programs.range(..))
    }

    /// The answers in quizzes.
    fn given(&self) -> impl Iterator<Item = GivenAnswer<'_>> {
        self.newest.values().filter_map(|(stamp, event)| {
            let Event::Answered {
                attempt,
                question,
                hash,
                answer,
                score,
                confidence,
                asks,
                drawn,
                ..
            } = event
            else {
                return None;
            };
            Some(GivenAnswer {
                stamp,
                attempt,
                asks: *asks,
                drawn,
                question,
                given: (hash, answer),
                score: *score,
                confidence: *confidence,
            })
        })
    }

    fn open(&self) -> Option<OpenAttempt> {
        let newest = self.given().max_by_key(|it| it.stamp)?;
        let is_over = self.newest.values().any(|(stamp, event)| {
            matches!(event, Event::Attempted { attempt, .. } | Event::HandedIn { attempt, .. } if attempt == newest.attempt || stamp > newest.stamp)
        });
        (!is_over).then(|| OpenAttempt {
            attempt: newest.attempt.clone(),
            asks: newest.asks,
            drawn: newest.drawn.clone(),
            answers: self
                .given()
                .filter(|it| it.attempt == newest.attempt)
                .map(|it| it.entry())
                .collect(),
        })
    }

    /// Of the attempts that were handed in, the newest answer to each question.
    fn answers(&self) -> BTreeMap<QuestionId, AnswerRecord> {
        let handed_in: BTreeSet<&String> = self
            .newest
            .values()
            .filter_map(|(_, event)| match event {
                Event::Attempted { attempt, .. } | Event::HandedIn { attempt, .. } => Some(attempt),
                Event::Read { .. }
                | Event::Left { .. }
                | Event::Edited { .. }
                | Event::Ran { .. }
                | Event::Predicted { .. }
                | Event::Answered { .. }
                | Event::Explained { .. }
                | Event::Chose { .. }
                | Event::Reset { .. }
                | Event::Unknown => None,
            })
            .collect();
        let mut given: Vec<_> = self
            .given()
            .filter(|it| handed_in.contains(it.attempt))
            .collect();
        given.sort_by(|left, right| left.stamp.cmp(right.stamp));
        let newest_last = given.into_iter();
        newest_last.map(|it| it.entry()).collect()
    }
}

/// An answer in a quiz, with the attempt that it belongs to.
struct GivenAnswer<'a> {
    stamp: &'a Stamp,
    attempt: &'a String,
    asks: QuestionSelection,
    drawn: &'a Vec<QuestionId>,
    question: &'a QuestionId,
    /// The hash of the question at that time, and the answer.
    given: (&'a String, &'a Answer),
    score: Option<Score>,
    confidence: Option<Confidence>,
}

impl GivenAnswer<'_> {
    fn entry(&self) -> (QuestionId, AnswerRecord) {
        let (hash, answer) = self.given;
        let record = AnswerRecord {
            hash: hash.clone(),
            answer: answer.clone(),
            score: self.score,
            confidence: self.confidence,
        };
        (self.question.clone(), record)
    }
}

fn facts_of(stamp: &Stamp, event: &Event) -> Vec<Fact> {
    match event {
        Event::Chose { labs, .. } => vec![Fact::Device(*labs)],
        Event::Read { page, .. } => vec![Fact::Page(page.clone()), Fact::Place],
        Event::Left { .. } => vec![Fact::Left],
        Event::Edited { lab, .. } => vec![Fact::Source(lab.clone())],
        Event::Ran {
            lab,
            passed,
            metrics,
            ..
        } => {
            let mut facts = vec![Fact::NewestRun(lab.clone())];
            if *passed {
                facts.push(Fact::PassedRun(lab.clone()));
            }
            if *passed && !metrics.is_empty() {
                facts.push(Fact::Figures(lab.clone(), names(metrics)));
            }
            facts
        }
        Event::Predicted { question, .. } => vec![Fact::Prediction(question.clone())],
        Event::Answered {
            attempt, question, ..
        } => vec![Fact::Answer(attempt.clone(), question.clone())],
        Event::Attempted { .. } | Event::HandedIn { .. } => vec![Fact::Attempt(stamp.clone())],
        Event::Explained { question, .. } => vec![Fact::Explanation(question.clone())],
        Event::Reset { .. } | Event::Unknown => Vec::new(),
    }
}

/// A hash that holds as long as the program does: it is never stored.
fn hash_of(source: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    source.hash(&mut hasher);
    hasher.finish()
}

/// The names of metrics, in order.
fn names(metrics: &[Metric]) -> Vec<String> {
    let mut names: Vec<_> = metrics.iter().map(|it| it.name.clone()).collect();
    names.sort_unstable();
    names
}

/// Adds what an event says of a fact.
fn add(view: &mut LessonProgress, fact: &Fact, at_ms: u64, event: Event) {
    match event {
        Event::Read { page, .. } if *fact == Fact::Place => view.place = Some(page),
        Event::Read { page, .. } => drop(view.pages.insert(page)),
        Event::Left { page, at, .. } => view.left = Some((page, at)),
        Event::Edited { lab, source, .. } => {
            view.labs.entry(lab).or_default().source = source;
        }
        Event::Ran {
            lab,
            device,
            on,
            metrics,
            ..
        } => {
            let run = RunRecord {
                at_ms,
                device,
                on,
                metrics,
            };
            add_run(view.labs.entry(lab).or_default(), fact, run);
        }
        Event::Predicted {
            question,
            hash,
            answer,
            ..
        } => drop(view.predictions.insert(question, (hash, answer))),
        Event::Attempted {
            attempt,
            score,
            above_percent,
            passed,
            took_ms,
            missed,
            drawn,
            ..
        } => view.attempts.push(AttemptRecord {
            attempt,
            at_ms,
            score,
            above_percent,
            passed,
            took_ms,
            missed,
            drawn,
        }),
        Event::HandedIn {
            attempt,
            took_ms,
            drawn,
            ..
        } => view.handed_in.push(HandedInRecord {
            attempt,
            at_ms,
            took_ms,
            drawn,
        }),
        Event::Explained {
            question,
            hash,
            text,
            said,
            ..
        } if !text.is_empty() => {
            let words = Explanation {
                at_ms,
                hash,
                text,
                said,
            };
            view.explanations.insert(question, words);
        }
        Event::Answered { .. }
        | Event::Explained { .. }
        | Event::Chose { .. }
        | Event::Reset { .. }
        | Event::Unknown => {}
    }
}

/// Adds what a run says of a fact.
fn add_run(known: &mut LabProgress, fact: &Fact, run: RunRecord) {
    if let Fact::NewestRun(_) = fact {
        known.newest = Some(run);
    } else if let Fact::Figures(..) = fact {
        known.figures.push(run);
    } else {
        known.passed_ms = Some(run.at_ms);
    }
}

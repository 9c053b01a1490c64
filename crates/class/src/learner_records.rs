//! Of the records of one learner, what a report needs.
//!
//! Answers and attempts are kept until all are there, since they are graded in the order of their times. All others are
//! counted as they come. So a learner costs what they have done in the course, whatever else is in their file.

use super::dates::Dates;
use super::effort::Effort;
use super::fold::in_short;
use super::handed_in::with_key;
use super::pages::PageVisits;
use super::regrade::{MOST_VALUES, graded, predicted};
use std::collections::BTreeMap;
use warpup_course::{Answer, Course, LabId, Lesson, LessonId, PageId, QuestionId, Quiz};
use warpup_grade::{NoVerdict, grade};
use warpup_progress::{Event, FailureReason, Record};
use warpup_protocol::Metric;

/// So many answers and attempts of one learner are graded. Who makes 500 attempts has 4,000.
const MOST_KEPT: usize = 20_000;

/// The most bytes of the name of a question or an attempt: warpup never wrote longer ones.
const LONGEST_NAME: usize = 200;

/// An answer with more parts is kept only if the question has as many.
const MANY_PARTS: usize = 16;

/// The records of one learner, as far as a report needs them.
#[derive(Debug)]
pub struct LearnerRecords<'a> {
    pub(super) course: &'a Course,
    lessons: BTreeMap<&'a LessonId, &'a Lesson>,
    /// How many records there were.
    pub(super) all: usize,
    /// How many of them are of the course.
    pub(super) ours: usize,
    pub(super) dates: Dates,
    pub(super) effort: Effort,
    pub(super) pages: PageVisits<'a>,
    /// When something was done last in each lesson, and when each lab passed last, with the id of the record.
    newest: BTreeMap<(&'a LessonId, Option<&'a LabId>), (u64, String)>,
    /// The answers, the attempts, what they depend on, and what hides them.
    pub(super) kept: Vec<Record>,
    /// How many more of them there were.
    pub(super) not_kept: usize,
}

impl<'a> LearnerRecords<'a> {
    /// Nothing yet of what a learner has done in this course until now.
    pub fn new(course: &'a Course, now_ms: u64) -> Self {
        let lessons = course.lessons.iter().map(|it| (&it.id, it));
        Self {
            course,
            lessons: lessons.collect(),
            all: 0,
            ours: 0,
            dates: Dates::new(now_ms),
            effort: Effort::default(),
            pages: PageVisits::default(),
            newest: BTreeMap::new(),
            kept: Vec::new(),
            not_kept: 0,
        }
    }

    /// How many records of the course there were.
    pub fn count(&self) -> usize {
        self.ours
    }

    /// Takes in a record. The order of the records does not matter; each is given once.
    pub fn take(&mut self, record: Record) {
        self.all += 1;
        if record.course != self.course.id.as_str() {
            return;
        }
        self.ours += 1;
        self.dates.take(record.at_ms);
        if record.event == (Event::Reset { lesson: None }) {
            self.keep(record);
        } else if let Some(lesson) = record.event.lesson()
            && let Some(lesson) = self.lessons.get(lesson).copied()
        {
            self.take_in(lesson, record);
        }
    }

    /// Takes in a record of a lesson.
    fn take_in(&mut self, lesson: &'a Lesson, mut record: Record) {
        let at_ms = record.at_ms;
        self.effort.take(&lesson.id, at_ms);
        self.pages.take(at_ms);
        let quiz = lesson.quiz.as_ref();
        match &mut record.event {
            Event::Reset { .. } => self.keep(record),
            Event::Answered { .. } => {
                self.touch((&lesson.id, None), at_ms, &record.id);
                record.event = answer_to(quiz, with_key(self.course, record.event));
                self.keep(record);
            }
            Event::Attempted { missed, drawn, .. } => {
                *missed = Vec::new();
                cut(drawn, quiz);
                self.keep(record);
            }
            Event::HandedIn { drawn, .. } => {
                cut(drawn, quiz);
                self.keep(record);
            }
            Event::Ran {
                lab,
                device,
                passed,
                on,
                metrics,
                unmet,
                ..
            } => {
                (*device, *on) = (String::new(), None);
                self.touch((&lesson.id, None), at_ms, &record.id);
                let Some(known) = lesson.labs.iter().find(|it| it.id == *lab) else {
                    return;
                };
                let lab = &known.id;
                if *passed {
                    self.touch((&lesson.id, Some(lab)), at_ms, &record.id);
                }
                let unmet = unmet.take().map(short);
                self.effort.ran((&lesson.id, lab), at_ms, *passed, unmet);
                keep_predicted(metrics, quiz, lab);
                if !metrics.is_empty() {
                    self.keep(record);
                }
            }
            Event::Edited { lab, source, .. } => {
                let known = lesson.labs.iter().find(|it| it.id == *lab);
                if let (Some(known), Some(_)) = (known, source) {
                    self.effort.changed(&lesson.id, &known.id);
                }
                self.touch((&lesson.id, None), at_ms, &record.id);
            }
            Event::Read { page, .. } => {
                self.pages.opened(lesson, page, at_ms);
                self.touch((&lesson.id, None), at_ms, &record.id);
            }
            Event::Left { .. }
            | Event::Predicted { .. }
            | Event::Explained { .. }
            | Event::Chose { .. }
            | Event::Unknown => self.touch((&lesson.id, None), at_ms, &record.id),
        }
    }

    fn touch(&mut self, what: (&'a LessonId, Option<&'a LabId>), at_ms: u64, id: &str) {
        let newest = self.newest.entry(what).or_default();
        if (newest.0, newest.1.as_str()) < (at_ms, id) {
            *newest = (at_ms, id.to_owned());
        }
    }

    fn keep(&mut self, mut record: Record) {
        if self.kept.len() == MOST_KEPT || longest_name(&record.event) > LONGEST_NAME {
            self.not_kept += 1;
        } else {
            record.course = String::new();
            self.kept.push(record);
        }
    }

    /// What is wrong with them: strange times, more than is graded, and attempts that claim what their answers do not give.
    pub fn problems(self) -> Option<String> {
        let (dates, not_counted) = (self.dates.strange(), self.not_counted());
        let claims = in_short(graded(self.course, self.kept).reasons);
        let said: Vec<_> = [dates, not_counted, claims].into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    /// What is said where not all of it is graded.
    pub(super) fn not_counted(&self) -> Option<String> {
        let records = match self.not_kept {
            0 => return None,
            1 => "1 record of answers and attempts is".to_owned(),
            several => format!("{several} records of answers and attempts are"),
        };
        Some(format!(
            "{records} not counted: nobody who learns has more than {MOST_KEPT}, or names of more than {LONGEST_NAME} bytes in them"
        ))
    }

    /// The newest records of what is not kept, as progress needs them: a lesson with one has begun, and a lab has passed.
    pub(super) fn newest(&self) -> impl Iterator<Item = Record> {
        self.newest.iter().map(|((lesson, lab), (at_ms, id))| {
            let lesson = (*lesson).clone();
            let event = match lab {
                None => Event::Read {
                    lesson,
                    page: PageId::new(""),
                },
                Some(lab) => Event::Ran {
                    lesson,
                    lab: (*lab).clone(),
                    device: String::new(),
                    passed: true,
                    on: None,
                    metrics: Vec::new(),
                    unmet: None,
                },
            };
            Record {
                id: id.clone(),
                at_ms: *at_ms,
                course: String::new(),
                event,
            }
        })
    }
}

/// An answer without what grading does not look at. One to a question that has changed, or that cannot be one, is worth what its
/// record says, whatever it is.
fn answer_to(quiz: Option<&Quiz>, mut event: Event) -> Event {
    if let Event::Answered {
        question,
        hash,
        answer,
        drawn,
        ..
    } = &mut event
    {
        *drawn = Vec::new();
        let asked = quiz.and_then(|it| it.question(question));
        let asked = asked.filter(|it| it.hash == *hash);
        let is_one = asked.is_some_and(|it| {
            parts(answer) <= MANY_PARTS
                || matches!(
                    grade(it, answer, None),
                    Ok(_) | Err(NoVerdict::NotMeasured(_))
                )
        });
        if !is_one {
            *answer = Answer::Text(String::new());
        }
    }
    event
}

/// The bytes of the longest name that an answer or an attempt is known by.
fn longest_name(event: &Event) -> usize {
    let mut longest = 0;
    if let Event::Answered { question, hash, .. } = event {
        longest = question.as_str().len().max(hash.len());
    }
    if let Event::Answered { attempt, .. }
    | Event::Attempted { attempt, .. }
    | Event::HandedIn { attempt, .. } = event
    {
        longest = longest.max(attempt.len());
    }
    longest
}

fn parts(answer: &Answer) -> usize {
    match answer {
        Answer::Single(_) | Answer::Number(_) | Answer::Text(_) => 1,
        Answer::Multi(chosen) => chosen.len(),
        Answer::Order(items) => items.len(),
        Answer::Match(pairs) => pairs.len(),
    }
}

/// As many questions as can have been drawn, and one more, which shows that there were more.
fn cut(drawn: &mut Vec<QuestionId>, quiz: Option<&Quiz>) {
    drawn.truncate(quiz.map_or(0, |it| it.questions.len() + 1));
    drawn.shrink_to_fit();
}

/// Keeps the numbers that a prediction is about.
fn keep_predicted(metrics: &mut Vec<Metric>, quiz: Option<&Quiz>, lab: &LabId) {
    let names = predicted(quiz).filter(|it| it.0 == *lab);
    let names: Vec<_> = names.map(|it| it.1).collect();
    metrics.retain(|it| names.contains(&it.name));
    let old = metrics.len().saturating_sub(MOST_VALUES);
    metrics.drain(..old);
    metrics.shrink_to_fit();
}

/// A reason as long as warpup writes one.
fn short(reason: FailureReason) -> FailureReason {
    match reason {
        FailureReason::Check(name) => FailureReason::check(&name),
        FailureReason::Exception(kind) => FailureReason::exception(&kind),
        FailureReason::Device => FailureReason::Device,
    }
}

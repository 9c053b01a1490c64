//! What of a learner's own work goes along when records leave their machine.
//!
//! Answers in quizzes and predictions always go along, as they were typed: they are what is handed in. Programs and texts in
//! the learner's own words go along only if the learner agrees. A kind of record that this version does not know may hold
//! either, and stays.

use super::event::{Event, Record};
use super::failure_reason::FailureReason;
use warpup_course::kinds::Prediction;
use warpup_course::{Course, LabId, LessonId, QuestionKind, Solution};

/// Exceptions of Python and PyTorch: their names say nothing of a learner.
const COMMON: [&str; 18] = [
    "AssertionError",
    "AttributeError",
    "ImportError",
    "IndentationError",
    "IndexError",
    "KeyError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotImplementedError",
    "OutOfMemoryError",
    "OverflowError",
    "RecursionError",
    "RuntimeError",
    "SyntaxError",
    "TypeError",
    "ValueError",
    "ZeroDivisionError",
];

/// What the learner agrees to hand on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnWork {
    /// Programs that the learner changed, and the names that these gave to numbers.
    pub programs: bool,
    /// Texts in the learner's own words.
    pub words: bool,
}

/// How much own work there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnWorkCount {
    /// Versions of programs.
    pub programs: usize,
    /// Versions of texts.
    pub words: usize,
}

impl OwnWorkCount {
    /// Counts what is in these records.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut count = Self::default();
        for record in records {
            match &record.event {
                Event::Edited {
                    source: Some(_), ..
                } => count.programs += 1,
                Event::Explained { text, .. } if !text.is_empty() => count.words += 1,
                Event::Edited { source: None, .. }
                | Event::Explained { .. }
                | Event::Read { .. }
                | Event::Left { .. }
                | Event::Ran { .. }
                | Event::Predicted { .. }
                | Event::Answered { .. }
                | Event::Attempted { .. }
                | Event::HandedIn { .. }
                | Event::Chose { .. }
                | Event::Reset { .. }
                | Event::Unknown => {}
            }
        }
        count
    }
}

impl OwnWork {
    /// The record as it goes along; nothing if it stays.
    ///
    /// A program may call its numbers anything. Without programs, only those go along that the course names.
    pub fn along(self, mut record: Record, course: &Course) -> Option<Record> {
        let is_of_course = record.course == course.id.as_str();
        match &mut record.event {
            Event::Edited { source, .. } => (self.programs || source.is_none()).then_some(record),
            Event::Explained { .. } => self.words.then_some(record),
            Event::Unknown => None,
            Event::Ran {
                lesson,
                lab,
                metrics,
                unmet,
                ..
            } => {
                if !self.programs && (!metrics.is_empty() || unmet.is_some()) {
                    let known = if is_of_course {
                        texts_about(course, lesson, lab)
                    } else {
                        Vec::new()
                    };
                    metrics.retain(|it| {
                        let is_unit = it.unit.is_empty() || is_in(&known, &it.unit);
                        is_unit && is_in(&known, &it.name)
                    });
                    if let Some(unmet) = unmet {
                        without_own_text(unmet, &known);
                    }
                }
                Some(record)
            }
            Event::Read { .. }
            | Event::Left { .. }
            | Event::Predicted { .. }
            | Event::Answered { .. }
            | Event::Attempted { .. }
            | Event::HandedIn { .. }
            | Event::Chose { .. }
            | Event::Reset { .. } => Some(record),
        }
    }
}

/// The author's programs of a lab, and the names of what predictions ask for.
fn texts_about<'a>(course: &'a Course, lesson: &LessonId, lab: &LabId) -> Vec<&'a str> {
    let Some(lesson) = course.lessons.iter().find(|it| it.id == *lesson) else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    if let Some(lab) = lesson.labs.iter().find(|it| it.id == *lab) {
        texts.push(lab.starter.as_str());
        texts.extend(lab.check.as_deref());
        if let Some(Solution::Program(program)) = &lab.solution {
            texts.push(program);
        }
    }
    let questions = lesson.quiz.iter().flat_map(|it| &it.questions);
    texts.extend(questions.filter_map(|it| {
        let QuestionKind::Predict(Prediction {
            lab: of, metric, ..
        }) = &it.kind
        else {
            return None;
        };
        (of == lab).then_some(metric.as_str())
    }));
    texts
}

/// Whether a text names it: as a whole, or as a string of a program. A part of a word, such as one letter, is no name.
fn is_in(texts: &[&str], name: &str) -> bool {
    let quoted = ['"', '\''].map(|it| format!("{it}{name}{it}"));
    let mut texts = texts.iter();
    let names = |it: &&str| *it == name || quoted.iter().any(|quoted| it.contains(quoted.as_str()));
    !name.is_empty() && texts.any(names)
}

/// A program may call its checks and exceptions anything, too.
fn without_own_text(unmet: &mut FailureReason, known: &[&str]) {
    match unmet {
        FailureReason::Check(name) if !is_in(known, name) => name.clear(),
        FailureReason::Exception(kind)
            if !COMMON.contains(&kind.as_str()) && !is_in(known, kind) =>
        {
            kind.clear();
        }
        FailureReason::Check(_) | FailureReason::Exception(_) | FailureReason::Device => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Labs, QuestionSelection, RanOn, ReadingPosition};
    use std::collections::BTreeSet;
    use warpup_course::{PageId, QuestionId, sample};
    use warpup_grade::{Answer, Score};
    use warpup_protocol::{Clock, Metric};

    const SECRET: &str = "my-own-secret";

    fn failed(unmet: FailureReason) -> Event {
        Event::Ran {
            lesson: LessonId::new("copies"),
            lab: LabId::new("bus"),
            device: "cpu".to_owned(),
            passed: false,
            on: None,
            metrics: Vec::new(),
            unmet: Some(unmet),
        }
    }

    /// One of each kind of event in the lesson `copies`, with the learner's own text wherever a program or a text can put it.
    fn events() -> Vec<Event> {
        let lesson = LessonId::new("copies");
        let (lab, page, question) = (LabId::new("bus"), PageId::new("p"), QuestionId::new("q"));
        let metric = |name: &str, unit: &str| Metric {
            name: name.to_owned(),
            value: 1.0,
            unit: unit.to_owned(),
        };
        vec![
            Event::Read {
                lesson: lesson.clone(),
                page: page.clone(),
            },
            Event::Left {
                lesson: lesson.clone(),
                page,
                at: ReadingPosition::default(),
            },
            Event::Edited {
                lesson: lesson.clone(),
                lab: lab.clone(),
                source: Some(format!("print('{SECRET}')")),
            },
            Event::Edited {
                lesson: lesson.clone(),
                lab: lab.clone(),
                source: None,
            },
            Event::Ran {
                lesson: lesson.clone(),
                lab,
                device: "cpu".to_owned(),
                passed: true,
                on: Some(RanOn {
                    title: "CPU".to_owned(),
                    memory_bytes: None,
                    clock: Clock::Measured,
                }),
                metrics: vec![
                    metric("batch_mib", ""),
                    metric(SECRET, ""),
                    metric("batch_mib", SECRET),
                    metric("b", ""),
                ],
                unmet: None,
            },
            failed(FailureReason::check(SECRET)),
            failed(FailureReason::check("batch_mib")),
            failed(FailureReason::exception(SECRET)),
            failed(FailureReason::exception("TypeError")),
            Event::Predicted {
                lesson: lesson.clone(),
                question: question.clone(),
                hash: "0".to_owned(),
                answer: Answer::Number("24".to_owned()),
            },
            Event::Answered {
                lesson: lesson.clone(),
                attempt: "1".to_owned(),
                question: question.clone(),
                hash: "0".to_owned(),
                answer: Answer::Text("typed".to_owned()),
                score: Some(Score::default()),
                confidence: None,
                asks: QuestionSelection::All,
                drawn: Vec::new(),
            },
            Event::Explained {
                lesson,
                question,
                hash: "0".to_owned(),
                text: SECRET.to_owned(),
                said: BTreeSet::new(),
            },
            Event::Chose {
                labs: Labs::Any,
                device: "cpu".to_owned(),
            },
            Event::Reset { lesson: None },
            Event::Unknown,
        ]
    }

    fn kept(own_work: OwnWork) -> (usize, String) {
        let course = sample::course_with(
            "quizzes/copies.toml",
            "[[question]]\nid = \"q-guess\"\ntype = \"predict\"\nprompt = \"?\"\nlab = \"bus\"\n\
             metric = \"batch_mib\"\nexplain = \"!\"\nsee = \"#the-bus\"\n",
        );
        let records = events().into_iter().zip(1..).map(|(event, at_ms)| Record {
            id: at_ms.to_string(),
            at_ms,
            course: course.id.to_string(),
            event,
        });
        let kept: Vec<_> = records
            .filter_map(|it| own_work.along(it, &course))
            .collect();
        (kept.len(), serde_json::to_string(&kept).unwrap())
    }

    #[test]
    fn own_work_stays_where_the_learner_does_not_agree_and_answers_go_along() {
        let (records, text) = kept(OwnWork::default());
        assert!(!text.contains(SECRET), "{text}");
        assert!(
            text.contains("typed") && text.contains("batch_mib"),
            "{text}"
        );
        assert!(!text.contains(r#""name":"b""#), "{text}");
        assert!(text.contains(r#"{"check":""}"#), "{text}");
        assert!(text.contains(r#"{"check":"batch_mib"}"#), "{text}");
        assert!(text.contains(r#"{"exception":""}"#), "{text}");
        assert!(text.contains(r#"{"exception":"TypeError"}"#), "{text}");
        let some = |programs, words| kept(OwnWork { programs, words });
        let (with_programs, text) = some(true, false);
        assert_eq!(text.matches(SECRET).count(), 5, "{text}");
        let (with_words, text) = some(false, true);
        assert_eq!(text.matches(SECRET).count(), 1, "{text}");
        let all = some(true, true).0;
        assert_eq!((records, with_programs, with_words, all), (12, 13, 13, 14));
    }

    #[test]
    fn own_work_is_counted() {
        let records = events().into_iter().map(|event| Record {
            id: String::new(),
            at_ms: 1,
            course: String::new(),
            event,
        });
        let count = OwnWorkCount::of(&records.collect::<Vec<_>>());
        assert_eq!((count.programs, count.words), (1, 1));
    }
}

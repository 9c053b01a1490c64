//! One sitting at the graded questions of a lesson: start, resume, submit, hand in, retry.
//!
//! How answers are judged is the business of [`warpup_grade`].

use std::collections::BTreeMap;
use ulid::Ulid;
use warpup_course::kinds::Prediction;
use warpup_course::{Lesson, LessonId, QuestionId, QuestionKind};
use warpup_grade::{Answer, Attempt, Confidence, Draw, NoVerdict, Score};
use warpup_progress::{Event, LessonProgress, QuestionSelection};

/// Which questions are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Every question that counts; the attempt is stored and may finish the lesson.
    Whole,
    /// Only the questions that make sense without the lesson, for practice; nothing is stored.
    Short,
}

impl From<bool> for Round {
    /// The value of a `--short` flag.
    fn from(short: bool) -> Self {
        if short { Self::Short } else { Self::Whole }
    }
}

/// An attempt in progress.
#[derive(Debug)]
pub struct Session {
    lesson: LessonId,
    round: Round,
    /// A ULID; the records of the attempt carry it.
    id: String,
    began_ms: u64,
    attempt: Attempt,
    /// Which questions it asks.
    asks: QuestionSelection,
    /// The questions that were drawn for it; empty where nothing is drawn.
    drawn: Vec<QuestionId>,
    /// The measured values of the lesson's predictions, as far as they are known.
    truths: BTreeMap<QuestionId, f64>,
}

/// What a session begins with.
#[derive(Clone, Copy, Debug)]
pub enum SessionStart<'a> {
    /// A new attempt.
    New(Round),
    /// The whole round that was left open, or else a new one.
    ResumeOrNew,
    /// A new attempt that asks only what was missed before.
    Retry(&'a Attempt),
}

impl Session {
    /// Begins; nothing if there is nothing to ask. A new attempt gets the name `new_id`.
    pub fn begin(
        lesson: &Lesson,
        progress: &LessonProgress,
        begin: SessionStart<'_>,
        new_id: String,
        now_ms: u64,
    ) -> Option<Self> {
        let quiz = lesson.quiz.as_ref()?;
        let truths = truths(lesson, progress);
        let open = match begin {
            SessionStart::ResumeOrNew => progress.open.as_ref(),
            SessionStart::New(_) | SessionStart::Retry(_) => None,
        };
        let id = open.map_or(new_id, |it| it.attempt.clone());
        let seed = seed(&id);
        let asks = match begin {
            SessionStart::New(_) => QuestionSelection::All,
            SessionStart::ResumeOrNew => open.map_or(QuestionSelection::All, |it| it.asks),
            SessionStart::Retry(_) => QuestionSelection::Missed,
        };
        let by = match open {
            Some(open) => Draw::Again(&open.drawn),
            None => Draw::New {
                last: progress.latest_draw(),
            },
        };
        // A retry that was left goes on from the answers that it went on from.
        let handed_in =
            || handed_in(lesson, progress).filter(|_| asks == QuestionSelection::Missed);
        let (round, mut attempt) = match begin {
            SessionStart::New(Round::Short) => (Round::Short, Attempt::start_short(quiz, seed)),
            SessionStart::New(Round::Whole) => (Round::Whole, Attempt::start(quiz, seed, by)),
            SessionStart::ResumeOrNew => {
                let before = handed_in();
                let start = || Attempt::start(quiz, seed, by);
                let attempt = before.map_or_else(start, |it| it.retry(quiz, seed));
                (Round::Whole, attempt)
            }
            SessionStart::Retry(before) => (Round::Whole, before.retry(quiz, seed)),
        };
        let stored = open.iter().flat_map(|it| &it.answers);
        attempt.resume(stored.map(|(id, it)| (id, it.stored())), &truths);
        let drawn = if quiz.draws() {
            attempt.ids()
        } else {
            Vec::new()
        };
        (!attempt.asked().is_empty()).then(|| Self {
            lesson: lesson.id.clone(),
            round,
            id,
            began_ms: now_ms,
            attempt,
            asks,
            drawn,
            truths,
        })
    }

    /// Judges the answer to the question at `index`; returns the record to save.
    ///
    /// The first readable answer counts. Later answers and short rounds give no record.
    pub fn submit(&mut self, index: usize, answer: Answer) -> Result<Option<Event>, NoVerdict> {
        self.submit_with(index, answer, None)
    }

    /// As [`Session::submit`], with how sure the learner is.
    pub fn submit_with(
        &mut self,
        index: usize,
        answer: Answer,
        confidence: Option<Confidence>,
    ) -> Result<Option<Event>, NoVerdict> {
        let asked = self.attempt.asked().get(index);
        let is_open = asked.is_some_and(|it| it.given.is_none());
        let truth = asked.and_then(|it| self.truths.get(&it.question.id).copied());
        let verdict = self.attempt.submit(index, answer.clone(), truth)?;
        if is_open {
            self.attempt.note_confidence(index, confidence);
        }
        let asked = self.attempt.asked().get(index);
        let asked = asked.filter(|_| is_open && self.round == Round::Whole);
        Ok(asked.map(|asked| Event::Answered {
            lesson: self.lesson.clone(),
            attempt: self.id.clone(),
            question: asked.question.id.clone(),
            hash: asked.question.hash.clone(),
            answer,
            score: verdict.map(|it| Score {
                earned: it.earned,
                max: it.max,
            }),
            confidence,
            asks: self.asks,
            drawn: self.drawn.clone(),
        }))
    }

    /// The record to save when the attempt is handed in, if the round is stored. It changes nothing here.
    pub fn hand_in(&self, now_ms: u64) -> Option<Event> {
        if self.round == Round::Short {
            return None;
        }
        let (lesson, attempt) = (self.lesson.clone(), self.id.clone());
        let took_ms = now_ms.saturating_sub(self.began_ms);
        let drawn = self.drawn.clone();
        if self.attempt.is_graded_elsewhere() {
            return Some(Event::HandedIn {
                lesson,
                attempt,
                took_ms,
                drawn,
            });
        }
        Some(Event::Attempted {
            lesson,
            attempt,
            score: self.attempt.score(),
            above_percent: self.attempt.rule().above_percent,
            passed: self.attempt.passed(),
            took_ms,
            missed: self.attempt.missed(),
            drawn,
        })
    }

    /// The questions, the answers so far and the score.
    pub fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Which questions are asked.
    pub fn round(&self) -> Round {
        self.round
    }

    /// The name under which the attempt is stored, if it is stored.
    pub fn stored_as(&self) -> Option<&str> {
        (self.round == Round::Whole).then_some(self.id.as_str())
    }

    /// Adds measured values that are not stored with a run, such as a run's wall time.
    pub fn add_truths(&mut self, truths: impl IntoIterator<Item = (QuestionId, f64)>) {
        self.truths.extend(truths);
    }
}

/// The newest answers that were handed in, on whatever day, where some question was missed: what only its missed
/// questions are asked again of.
pub fn missed_before(lesson: &Lesson, progress: &LessonProgress) -> Option<Attempt> {
    handed_in(lesson, progress).filter(|it| !it.missed().is_empty())
}

/// The newest answers that were handed in to the questions of the latest attempt, as one attempt.
fn handed_in(lesson: &Lesson, progress: &LessonProgress) -> Option<Attempt> {
    if progress.attempts.is_empty() && progress.handed_in.is_empty() {
        return None;
    }
    let by = Draw::Again(progress.latest_draw());
    let mut attempt = Attempt::start(lesson.quiz.as_ref()?, 0, by);
    let stored = progress.answers.iter();
    let truths = truths(lesson, progress);
    attempt.resume(stored.map(|(id, it)| (id, it.stored())), &truths);
    Some(attempt)
}

/// For each prediction, the metric of the newest stored run of its lab that gave it.
fn truths(lesson: &Lesson, progress: &LessonProgress) -> BTreeMap<QuestionId, f64> {
    let questions = lesson.quiz.iter().flat_map(|it| &it.questions);
    let truths = questions.filter_map(|question| {
        let QuestionKind::Predict(Prediction { lab, metric, .. }) = &question.kind else {
            return None;
        };
        let lab = progress.lab(lab);
        let runs = lab.figures.iter().chain(&lab.newest);
        let given = runs.filter_map(|it| Some((it.at_ms, it.metric(metric)?)));
        let (_, value) = given.max_by_key(|(at_ms, _)| *at_ms)?;
        Some((question.id.clone(), value))
    });
    truths.collect()
}

/// The seed of the order of choices: the time in the attempt's name, so that an attempt that is resumed, in
/// whichever front end, shows its choices in the same order.
fn seed(id: &str) -> u64 {
    Ulid::from_string(id).map_or(0, |it| it.timestamp_ms())
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::{ChoiceId, Sources, parse};
    use warpup_progress::{Progress, Record};

    const ATTEMPT: &str = "01J000000000000000000000AA";
    const NEXT: &str = "01J0000009000000000000000B";

    fn lesson() -> Lesson {
        let lesson = "+++\nformat = 1\nid = \"a\"\ntitle = \"A\"\nsummary = \"S.\"\nminutes = 1\n\
                      objectives = [\"O.\"]\nquiz = \"a.toml\"\n+++\n\nText.\n";
        let choices = (b'a'..=b'h').map(|it| char::from(it).to_string());
        let pairs: Vec<String> = choices
            .map(|it| format!("{{ id = \"{it}\", left = \"{it}\", right = \"{it}\" }},\n"))
            .collect();
        let pairs = pairs.concat();
        let quiz = format!(
            "format = 1\nid = \"a\"\ntitle = \"A\"\n\n\
             [[question]]\nid = \"q-pairs\"\ntype = \"match\"\nprompt = \"?\"\nexplain = \"!\"\npairs = [\n{pairs}]\n\n\
             [[question]]\nid = \"q-text\"\ntype = \"text\"\nprompt = \"?\"\nexplain = \"!\"\naccept = [\"yes\"]\nshort = true\n"
        );
        let files = [("lessons/a.md", lesson), ("quizzes/a.toml", &quiz)];
        let files = files.map(|(file, text)| (file.to_owned(), text.to_owned().into()));
        let (course, _) = parse(&Sources::of(files));
        course.lessons.into_iter().next().unwrap()
    }

    fn begin(progress: &LessonProgress, begin: SessionStart<'_>, id: &str) -> Session {
        Session::begin(&lesson(), progress, begin, id.to_owned(), 5).unwrap()
    }

    fn order(session: &Session) -> &[ChoiceId] {
        &session.attempt().asked()[0].order
    }

    fn text(answer: &str) -> Answer {
        Answer::Text(answer.to_owned())
    }

    #[test]
    fn an_attempt_is_resumed_with_its_answers_and_the_same_order_of_choices() {
        let mut progress = Progress::new(&warpup_course::CourseId::new("course"));
        let id = LessonId::new("a");
        let whole = SessionStart::New(Round::Whole);
        let mut first = begin(progress.lesson(&id), whole, ATTEMPT);
        progress.apply(Record {
            id: "1".to_owned(),
            at_ms: 1,
            course: "course".to_owned(),
            event: first.submit(1, text("yes")).unwrap().unwrap(),
        });
        let second = begin(progress.lesson(&id), SessionStart::ResumeOrNew, NEXT);
        assert_eq!(second.stored_as(), Some(ATTEMPT));
        assert!(second.attempt().asked()[1].is_right());
        assert_eq!(order(&second), order(&first));
        let other = begin(progress.lesson(&id), whole, NEXT);
        assert_ne!(order(&second), order(&other));
    }

    /// Progress after events in this order.
    fn after(events: impl IntoIterator<Item = Event>) -> LessonProgress {
        let mut progress = Progress::new(&warpup_course::CourseId::new("course"));
        for (at, event) in events.into_iter().enumerate() {
            progress.apply(Record {
                id: at.to_string(),
                at_ms: at as u64,
                course: "course".to_owned(),
                event,
            });
        }
        progress.lesson(&LessonId::new("a")).clone()
    }

    fn ids(attempt: &Attempt) -> Vec<QuestionId> {
        let open = attempt.asked().iter().filter(|it| it.given.is_none());
        open.map(|it| it.question.id.clone()).collect()
    }

    /// The text answered right, the pairs missed, and handed in.
    fn missed_pairs() -> Vec<Event> {
        let mut session = begin(
            &LessonProgress::default(),
            SessionStart::New(Round::Whole),
            ATTEMPT,
        );
        let right = session.submit(1, text("yes")).unwrap().unwrap();
        vec![right, session.hand_in(1).unwrap()]
    }

    #[test]
    fn what_was_missed_on_an_earlier_day_is_asked_again_in_a_new_order() {
        assert!(missed_before(&lesson(), &LessonProgress::default()).is_none());
        let progress = after(missed_pairs());
        let before = missed_before(&lesson(), &progress).unwrap();
        assert_eq!(before.missed(), [QuestionId::new("q-pairs")]);
        let again = begin(&progress, SessionStart::Retry(&before), NEXT);
        assert_eq!(ids(again.attempt()), [QuestionId::new("q-pairs")]);
        let first = begin(&progress, SessionStart::New(Round::Whole), ATTEMPT);
        assert_ne!(order(&again), order(&first));
        let mut right = begin(&progress, SessionStart::Retry(&before), NEXT);
        let key = warpup_grade::key(&right.attempt().asked()[0].question, None);
        let answered = right.submit(0, key.unwrap()).unwrap().unwrap();
        let mut events = missed_pairs();
        events.extend([answered, right.hand_in(9).unwrap()]);
        assert!(missed_before(&lesson(), &after(events)).is_none());
    }

    #[test]
    fn a_retry_that_was_left_goes_on_with_what_was_right_before() {
        let mut events = missed_pairs();
        let progress = after(events.clone());
        let before = missed_before(&lesson(), &progress).unwrap();
        let mut retry = begin(&progress, SessionStart::Retry(&before), NEXT);
        let swapped = ["a", "b"]
            .map(ChoiceId::new)
            .into_iter()
            .zip(["b", "a"].map(ChoiceId::new));
        let others = ('c'..='h').map(|it| ChoiceId::new(it.to_string()));
        let wrong = swapped.chain(others.clone().zip(others)).collect();
        events.push(retry.submit(0, Answer::Match(wrong)).unwrap().unwrap());
        let resumed = begin(&after(events), SessionStart::ResumeOrNew, ATTEMPT);
        assert_eq!(resumed.stored_as(), Some(NEXT));
        assert_eq!(ids(resumed.attempt()), []);
        assert_eq!(resumed.attempt().score().earned, 100);
    }

    #[test]
    fn how_sure_a_learner_was_is_stored_and_changes_no_score() {
        let mut session = begin(
            &LessonProgress::default(),
            SessionStart::New(Round::Whole),
            ATTEMPT,
        );
        let event = session.submit_with(1, text("no"), Some(Confidence::Sure));
        let resumed = begin(&after(event.unwrap()), SessionStart::ResumeOrNew, NEXT);
        assert_eq!(resumed.attempt().sure_and_wrong(), [1]);
        assert_eq!(resumed.attempt().score(), session.attempt().score());
        let mut right = begin(
            &LessonProgress::default(),
            SessionStart::New(Round::Whole),
            ATTEMPT,
        );
        drop(right.submit_with(1, text("yes"), Some(Confidence::Sure)));
        assert_eq!(right.attempt().sure_and_wrong(), [0; 0]);
    }

    #[test]
    fn only_the_first_readable_answer_of_a_whole_round_gives_a_record() {
        let mut session = begin(&LessonProgress::default(), SessionStart::ResumeOrNew, NEXT);
        assert!(session.submit(1, text("")).is_err());
        assert!(session.submit(1, text("no")).unwrap().is_some());
        assert_eq!(session.submit(1, text("yes")), Ok(None));
        let Some(Event::Attempted { missed, .. }) = session.hand_in(9) else {
            panic!("a whole round is stored");
        };
        assert_eq!(missed, ["q-pairs", "q-text"].map(QuestionId::new));
    }

    #[test]
    fn a_short_round_gives_no_records() {
        let short = SessionStart::New(Round::Short);
        let mut session = begin(&LessonProgress::default(), short, ATTEMPT);
        assert_eq!(session.attempt().asked().len(), 1);
        assert_eq!(session.submit(0, text("yes")), Ok(None));
        assert_eq!((session.hand_in(1), session.stored_as()), (None, None));
    }
}

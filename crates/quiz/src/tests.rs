//! Attempts at a quiz that asks only some of its questions.

use super::*;
use warpup_course::{Course, CourseId, Lesson, LessonId, QuestionId, Sources, parse};
use warpup_grade::Answer;
use warpup_progress::{Event, LessonProgress, Progress, Record};

/// A quiz of nine questions for one point each, of which the first is always asked.
fn lesson(head: &str) -> Lesson {
    let question = |n: usize| {
        let always = if n == 0 && head.contains("ask") {
            "always = true\n"
        } else {
            ""
        };
        format!(
            "[[question]]\nid = \"q-{n}\"\ntype = \"text\"\nprompt = \"?\"\nexplain = \"!\"\naccept = [\"yes\"]\n\
             short = true\n{always}\n"
        )
    };
    let questions: String = (0..9).map(question).collect();
    lesson_of(&format!(
        "format = 1\nid = \"a\"\ntitle = \"A\"\n{head}\n\n{questions}"
    ))
}

/// A lesson with this quiz.
fn lesson_of(quiz: &str) -> Lesson {
    let lesson = "+++\nformat = 1\nid = \"a\"\ntitle = \"A\"\nsummary = \"S.\"\nminutes = 1\n\
                  objectives = [\"O.\"]\nquiz = \"a.toml\"\n+++\n\nText.\n";
    let files = [("lessons/a.md", lesson), ("quizzes/a.toml", quiz)];
    let files = files.map(|(file, text)| (file.to_owned(), text.to_owned().into()));
    let (course, _): (Course, _) = parse(&Sources::of(files));
    course.lessons.into_iter().next().unwrap()
}

/// The name of the attempt that begins at a time.
fn name(at_ms: u64) -> String {
    ulid::Ulid::from_parts(at_ms, 7).to_string()
}

/// A learner of that lesson.
struct Learner {
    lesson: Lesson,
    progress: Progress,
    at_ms: u64,
}

impl Learner {
    fn new(head: &str) -> Self {
        Self {
            lesson: lesson(head),
            progress: Progress::new(&CourseId::new("course")),
            at_ms: 0,
        }
    }

    fn known(&self) -> LessonProgress {
        self.progress.lesson(&LessonId::new("a")).clone()
    }

    fn begin(&mut self, begin: SessionStart<'_>) -> Session {
        self.at_ms += 1000;
        let id = name(self.at_ms);
        Session::begin(&self.lesson, &self.known(), begin, id, self.at_ms).unwrap()
    }

    fn note(&mut self, event: Event) {
        self.at_ms += 1;
        let record = Record {
            id: self.at_ms.to_string(),
            at_ms: self.at_ms,
            course: "course".to_owned(),
            event,
        };
        // As a log has it.
        let json = serde_json::to_string(&record).unwrap();
        self.progress.apply(serde_json::from_str(&json).unwrap());
    }

    /// Answers the open questions: so many right, the others wrong.
    fn answer(&mut self, session: &mut Session, right: usize) {
        let mut right = right;
        while let Some(at) = session.attempt().next_open(0) {
            let word = if right > 0 { "yes" } else { "no" };
            right = right.saturating_sub(1);
            let event = session.submit(at, Answer::Text(word.to_owned())).unwrap();
            self.note(event.unwrap());
        }
    }

    /// Takes a whole attempt.
    fn take(&mut self, begin: SessionStart<'_>, right: usize) -> Session {
        let mut session = self.begin(begin);
        self.answer(&mut session, right);
        self.note(session.hand_in(self.at_ms).unwrap());
        session
    }
}

fn open(session: &Session) -> Vec<QuestionId> {
    let open = session.attempt().asked().iter();
    let open = open.filter(|it| it.given.is_none());
    open.map(|it| it.question.id.clone()).collect()
}

const WHOLE: SessionStart<'_> = SessionStart::New(Round::Whole);

#[test]
fn an_attempt_asks_as_many_as_the_quiz_says_and_the_gate_is_over_these() {
    let mut learner = Learner::new("ask = 4");
    let session = learner.begin(WHOLE);
    let ids = session.attempt().ids();
    assert_eq!(ids.len(), 4);
    assert_eq!(ids[0], QuestionId::new("q-0"));
    assert_eq!(session.attempt().needed(), (4, 4));
    let quiz = learner.lesson.quiz.clone().unwrap();
    assert_eq!((quiz.asks(), quiz.points()), (4, 4));
    // Three of four points are exactly 75 %.
    assert!(!learner.take(WHOLE, 3).attempt().passed());
    assert!(learner.take(WHOLE, 4).attempt().passed());
    assert!(learner.known().is_done());
}

#[test]
fn a_resumed_attempt_asks_the_same_questions_whatever_was_handed_in_before() {
    let mut learner = Learner::new("ask = 4");
    learner.take(WHOLE, 0);
    let mut session = learner.begin(SessionStart::ResumeOrNew);
    let event = session.submit(1, Answer::Text("yes".to_owned())).unwrap();
    learner.note(event.unwrap());
    let resumed = learner.begin(SessionStart::ResumeOrNew);
    assert_eq!(resumed.stored_as(), session.stored_as());
    assert_eq!(resumed.attempt().ids(), session.attempt().ids());
    assert_eq!(open(&resumed).len(), 3);
}

#[test]
fn all_again_draws_first_what_the_last_attempt_did_not_ask() {
    let mut learner = Learner::new("ask = 4");
    let first = learner.take(SessionStart::ResumeOrNew, 0).attempt().ids();
    let second = learner.begin(SessionStart::ResumeOrNew).attempt().ids();
    let again: Vec<_> = second.iter().filter(|it| first.contains(it)).collect();
    assert_eq!(again, [&QuestionId::new("q-0")]);
}

#[test]
fn what_was_missed_is_asked_again_of_the_same_draw_also_when_the_retry_was_left() {
    let mut learner = Learner::new("ask = 4");
    let first = learner.take(WHOLE, 3);
    let before = missed_before(&learner.lesson, &learner.known()).unwrap();
    assert_eq!(before.ids(), first.attempt().ids());
    assert_eq!(before.missed(), first.attempt().missed());
    let mut retry = learner.begin(SessionStart::Retry(&before));
    assert_eq!(retry.attempt().ids(), first.attempt().ids());
    assert_eq!(open(&retry), first.attempt().missed());
    learner.answer(&mut retry, 0);
    let resumed = learner.begin(SessionStart::ResumeOrNew);
    assert_eq!(resumed.attempt().ids(), first.attempt().ids());
    assert_eq!(resumed.attempt().score().earned, 300);
    learner.note(retry.hand_in(learner.at_ms).unwrap());
    let before = missed_before(&learner.lesson, &learner.known()).unwrap();
    let again = learner.take(SessionStart::Retry(&before), 1);
    assert!(again.attempt().passed());
    assert_eq!(missed_before(&learner.lesson, &learner.known()), None);
}

#[test]
fn an_attempt_from_before_the_quiz_drew_has_all_questions() {
    let mut learner = Learner::new("");
    let mut old = learner.begin(WHOLE);
    let event = old.submit(2, Answer::Text("yes".to_owned())).unwrap();
    let event = event.unwrap();
    assert!(!serde_json::to_string(&event).unwrap().contains("drawn"));
    learner.note(event);
    learner.lesson = lesson("ask = 4");
    let resumed = learner.begin(SessionStart::ResumeOrNew);
    assert_eq!(
        (resumed.attempt().ids().len(), open(&resumed).len()),
        (9, 8)
    );
    learner.note(old.hand_in(1).unwrap());
    let before = missed_before(&learner.lesson, &learner.known()).unwrap();
    assert_eq!((before.ids().len(), before.missed().len()), (9, 8));
    assert_eq!(learner.begin(WHOLE).attempt().ids().len(), 4);
}

#[test]
fn a_draw_loses_questions_that_are_gone_and_gets_others() {
    let mut learner = Learner::new("ask = 4");
    let mut session = learner.begin(WHOLE);
    let event = session.submit(0, Answer::Text("yes".to_owned())).unwrap();
    learner.note(event.unwrap());
    let gone = session.attempt().ids()[2].clone();
    let quiz = learner.lesson.quiz.as_mut().unwrap();
    quiz.questions.retain(|it| it.id != gone);
    let ids = learner.begin(SessionStart::ResumeOrNew).attempt().ids();
    assert_eq!(ids.len(), 4);
    let kept = session.attempt().ids().into_iter().filter(|it| *it != gone);
    assert!(kept.into_iter().all(|it| ids.contains(&it)));
}

#[test]
fn a_short_round_asks_no_more_than_a_whole_one() {
    let mut learner = Learner::new("ask = 4");
    let short = learner.begin(SessionStart::New(Round::Short));
    assert_eq!(short.attempt().ids().len(), 4);
    assert_eq!(short.hand_in(1), None);
}

/// A quiz of one question in three versions, and another one.
fn in_versions() -> Learner {
    let mut learner = Learner::new("");
    let version = |n: usize| format!("[[question.version]]\nn = {n}\n\n");
    let versions: String = (1..=3).map(version).collect();
    let questions = format!(
        "[[question]]\nid = \"q-n\"\ntype = \"text\"\nprompt = \"{{n}}?\"\nexplain = \"!\"\naccept = [\"yes\"]\n\n{versions}\
         [[question]]\nid = \"q-other\"\ntype = \"text\"\nprompt = \"?\"\nexplain = \"!\"\naccept = [\"yes\"]\n"
    );
    learner.lesson = lesson_of(&format!(
        "format = 1\nid = \"a\"\ntitle = \"A\"\n\n{questions}"
    ));
    learner
}

#[test]
fn an_attempt_asks_one_version_and_the_next_one_another() {
    let mut learner = in_versions();
    let quiz = learner.lesson.quiz.clone().unwrap();
    assert_eq!(
        (quiz.asks(), quiz.points(), quiz.questions.len()),
        (2, 2, 4)
    );
    let mut last = learner.take(WHOLE, 2).attempt().ids();
    assert_eq!(last.len(), 2);
    assert!(learner.known().is_done());
    for _ in 0..9 {
        let next = learner.take(WHOLE, 2).attempt().ids();
        assert_ne!(next[0], last[0]);
        assert_eq!(next[1], last[1]);
        last = next;
    }
}

#[test]
fn a_retry_of_what_was_missed_has_new_numbers_and_keeps_what_was_right() {
    let mut learner = in_versions();
    let mut first = learner.begin(WHOLE);
    for (at, word) in ["no", "yes"].into_iter().enumerate() {
        let event = first.submit(at, Answer::Text(word.to_owned())).unwrap();
        learner.note(event.unwrap());
    }
    learner.note(first.hand_in(learner.at_ms).unwrap());
    let missed = missed_before(&learner.lesson, &learner.known()).unwrap();
    let retry = learner.begin(SessionStart::Retry(&missed));
    assert_ne!(retry.attempt().ids()[0], first.attempt().ids()[0]);
    assert_eq!(open(&retry), retry.attempt().ids()[..1]);
    // Left before it was answered, it goes on; answered, it passes.
    let mut retry = retry;
    learner.answer(&mut retry, 1);
    let resumed = learner.begin(SessionStart::ResumeOrNew);
    assert_eq!(resumed.attempt().ids(), retry.attempt().ids());
    assert!(resumed.attempt().passed());
    learner.note(retry.hand_in(learner.at_ms).unwrap());
    assert!(learner.known().is_done());
    assert_eq!(missed_before(&learner.lesson, &learner.known()), None);
}

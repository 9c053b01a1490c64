//! The way on: what a learner does next in a course. One rule, and one wording, for the screens and for plain lines.

use super::fold::Progress;
use super::lesson::LessonProgress;
use std::fmt;
use warpup_course::Lesson;

/// What a learner does next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WayOn<'a> {
    /// Begins this lesson.
    Begin(&'a Lesson),
    /// Reads on at the page with this index.
    Read(&'a Lesson, usize),
    /// Takes the quiz of this lesson, whose pages are read.
    Quiz(&'a Lesson),
    /// Goes on with the quiz of this lesson, some of whose questions are answered.
    OpenQuiz(&'a Lesson),
}

impl<'a> WayOn<'a> {
    /// The way on in a course of these lessons: the earliest lesson that is begun and has something left, or else the first one that is
    /// not begun. Nothing once every lesson is done or handed in.
    ///
    /// A lesson that was only looked at is not begun, so a look at another lesson moves nothing.
    pub fn of(
        lessons: impl Iterator<Item = &'a Lesson> + Clone,
        progress: &Progress,
    ) -> Option<Self> {
        let known = |it: &Lesson| progress.lesson(&it.id);
        let mut begun = lessons.clone().filter(|it| known(it).is_begun());
        let on = begun.find_map(|it| Self::inside(it, known(it)));
        on.or_else(|| {
            let mut new = lessons.filter(|it| !known(it).is_begun());
            new.find(|it| !known(it).is_finished()).map(Self::Begin)
        })
    }

    /// The way on in a lesson that is begun; nothing where nothing is left.
    fn inside(lesson: &'a Lesson, progress: &LessonProgress) -> Option<Self> {
        if progress.is_finished() {
            return None;
        }
        let outline = lesson.outline();
        if outline.quiz.is_some() && progress.open.is_some() {
            return Some(Self::OpenQuiz(lesson));
        }
        // The page before the first one that was never opened was not left for the next one.
        let mut pages = outline.pages.iter();
        let unread = pages.position(|it| !progress.pages.contains(&it.id));
        let at = unread.unwrap_or(outline.pages.len()).saturating_sub(1);
        let is_last = at + 1 >= outline.pages.len();
        match (is_last, outline.quiz) {
            (false, _) => Some(Self::Read(lesson, at)),
            (true, Some(_)) => Some(Self::Quiz(lesson)),
            (true, None) => None,
        }
    }

    /// The lesson.
    pub fn lesson(self) -> &'a Lesson {
        match self {
            Self::Begin(it) | Self::Read(it, _) | Self::Quiz(it) | Self::OpenQuiz(it) => it,
        }
    }
}

impl fmt::Display for WayOn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = &self.lesson().title;
        match self {
            Self::Begin(lesson) => write!(f, "{title}, {} min", lesson.minutes),
            Self::Read(lesson, at) => {
                let pages = lesson.outline().pages.len();
                write!(f, "{title}, page {} of {pages}", at + 1)
            }
            Self::Quiz(_) => write!(f, "{title}, the quiz"),
            Self::OpenQuiz(_) => write!(f, "{title}, the open quiz"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, QuestionSelection, Record};
    use warpup_course::{Course, LabId, LessonId, PageId, QuestionId, sample};
    use warpup_grade::{Answer, Score};

    fn read(lesson: &str, page: &str) -> Event {
        Event::Read {
            lesson: LessonId::new(lesson),
            page: PageId::new(page),
        }
    }

    fn ran(lesson: &str) -> Event {
        Event::Ran {
            lesson: LessonId::new(lesson),
            lab: LabId::new("any"),
            device: "cpu".to_owned(),
            passed: false,
            on: None,
            metrics: Vec::new(),
            unmet: None,
        }
    }

    fn passed(lesson: &str) -> Event {
        Event::Attempted {
            lesson: LessonId::new(lesson),
            attempt: "a".to_owned(),
            score: Score {
                earned: 500,
                max: 500,
            },
            above_percent: 75,
            passed: true,
            took_ms: 1,
            missed: Vec::new(),
            drawn: Vec::new(),
        }
    }

    fn answered(lesson: &str) -> Event {
        Event::Answered {
            lesson: LessonId::new(lesson),
            attempt: "b".to_owned(),
            question: QuestionId::new("q"),
            hash: String::new(),
            answer: Answer::Text("1".to_owned()),
            score: None,
            confidence: None,
            asks: QuestionSelection::default(),
            drawn: Vec::new(),
        }
    }

    /// A course of three lessons with two pages; the last one has no quiz.
    fn course() -> Course {
        let head = |id: &str, quiz: &str| {
            format!(
                "+++\nformat = 1\nid = \"{id}\"\ntitle = \"{id}\"\nsummary = \"S.\"\nminutes = 5\nobjectives = []\n{quiz}+++\n\n\
                 One.\n\n## Two {{#two}}\n\nTwo.\n\n## Three {{#three}}\n\nThree.\n"
            )
        };
        let manifest = "format = 1\nid = \"c\"\ntitle = \"C\"\nsummary = \"S.\"\nlessons = [\"a.md\", \"b.md\", \"c.md\"]\n";
        let mut sources = sample::sources();
        let quiz = |from: &str| sources.files.get(from).cloned().unwrap_or_default();
        let quizzes = [quiz("quizzes/places.toml"), quiz("quizzes/copies.toml")];
        let [first, second] = quizzes;
        sources.files = [
            ("lessons/course.toml", manifest.to_owned().into()),
            ("lessons/a.md", head("a", "quiz = \"a.toml\"\n").into()),
            ("lessons/b.md", head("b", "quiz = \"b.toml\"\n").into()),
            ("lessons/c.md", head("c", "").into()),
            ("quizzes/a.toml", first),
            ("quizzes/b.toml", second),
        ]
        .map(|(file, text)| (file.to_owned(), text))
        .into();
        warpup_course::open(&sources)
    }

    /// The way on after these events, in words.
    fn after(done: &[Event]) -> String {
        let course = course();
        let records = done.iter().zip(0..).map(|(event, at)| Record {
            id: format!("{at:026}"),
            at_ms: at,
            course: "c".to_owned(),
            event: event.clone(),
        });
        let progress = Progress::from_records(records, &course.id);
        let way = WayOn::of(course.lessons.iter(), &progress);
        way.map_or("nothing".to_owned(), |it| it.to_string())
    }

    #[test]
    fn reading_goes_on_at_the_page_that_was_not_left_for_the_next_one() {
        assert_eq!(after(&[]), "a, 5 min");
        assert_eq!(after(&[read("a", "start")]), "a, 5 min");
        let mut done = vec![read("a", "start"), read("a", "two")];
        assert_eq!(after(&done), "a, page 2 of 3");
        done.push(read("a", "three"));
        assert_eq!(after(&done), "a, the quiz");
        done.push(answered("a"));
        assert_eq!(after(&done), "a, the open quiz");
        done.push(passed("a"));
        assert_eq!(after(&done), "b, 5 min");
    }

    #[test]
    fn a_page_behind_a_gap_moves_nothing() {
        let done = [read("a", "start"), read("a", "three")];
        assert_eq!(after(&done), "a, page 1 of 3");
    }

    #[test]
    fn a_lesson_that_was_only_looked_at_moves_nothing() {
        let mut done = vec![read("a", "start"), read("a", "two"), read("b", "start")];
        assert_eq!(after(&done), "a, page 2 of 3");
        // Nor does one that is begun behind another: the earliest comes first.
        done.push(ran("b"));
        assert_eq!(after(&done), "a, page 2 of 3");
        assert_eq!(after(&done[2..]), "b, page 1 of 3");
    }

    #[test]
    fn nothing_is_left_of_a_lesson_without_a_quiz_once_its_pages_are_read() {
        let mut done = vec![passed("a"), passed("b")];
        assert_eq!(after(&done), "c, 5 min");
        done.extend([read("c", "start"), read("c", "two")]);
        assert_eq!(after(&done), "c, page 2 of 3");
        done.push(read("c", "three"));
        assert_eq!(after(&done), "nothing");
    }
}

//! A small course and a console of strings, for the commands' tests.

use super::console::Console;
use super::context::CommandContext;
use super::failure::{Exit, Result};
use super::learner::Learner;
use crate::course::kinds::{
    Matching, Numeric, Ordering, OwnWords, Pair, PredictForm, Prediction, SingleChoice, Tolerance,
};
use crate::course::{
    Block, BlockKind, Choice, ChoiceId, Course, CourseId, DeviceWish, Lab, LabId, Lesson, LessonId,
    Page, PageId, PassRule, Question, QuestionId, QuestionKind, Quiz, Text,
};
use crate::shown::Letters;
use std::time::Duration;
use tempfile::TempDir;

/// Runs something with a console; gives what it printed, errors last, and how it ended.
pub(super) fn console(
    input: &str,
    work: impl FnOnce(&mut Console<'_>) -> Result<Exit>,
) -> (String, Exit) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = work(&mut Console {
        input: &mut input.as_bytes(),
        out: &mut out,
        err: &mut err,
        is_terminal: false,
        width: 60,
        letters: Letters::Unicode,
    });
    let exit = exit.unwrap_or_else(|failure| failure.report(&mut err));
    out.append(&mut err);
    (String::from_utf8(out).unwrap(), exit)
}

/// The same with a learner who has done nothing yet in [`course`].
pub(super) fn seat(
    input: &str,
    work: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit>,
) -> (String, Exit) {
    let dir = TempDir::new().unwrap();
    let course = course();
    let mut learner = Learner::load(dir.path(), &course.id);
    console(input, |console| {
        work(&mut CommandContext {
            course: &course,
            learner: &mut learner,
            console,
            clock: || 951_782_400_000,
        })
    })
}

/// A course with one lesson of two pages, two labs and four questions.
pub(super) fn course() -> Course {
    Course {
        id: CourseId::new("warpup"),
        title: "CUDA, understood".to_owned(),
        summary: "What a copy costs.".to_owned(),
        pass: PassRule { above_percent: 75 },
        lessons: vec![Lesson {
            id: LessonId::new("copies"),
            file: "lessons/copies.md".to_owned(),
            title: "What a copy costs".to_owned(),
            summary: "Each copy crosses the bus.".to_owned(),
            minutes: 20,
            requires: Vec::new(),
            objectives: vec!["Say what a copy costs before you run it.".to_owned()],
            pages: vec![
                page("start", "What a copy costs", "A copy is never free."),
                page("the-bus", "The bus", "It is narrow."),
            ],
            labs: vec![lab("bus"), repair()],
            quiz: Some(quiz()),
        }],
    }
}

/// Adds a prediction about the lab `bus` that does not count.
pub(super) fn predict(course: &mut Course, metric: &str) {
    let kind = QuestionKind::Predict(Prediction {
        lab: LabId::new("bus"),
        metric: metric.to_owned(),
        form: PredictForm::Number {
            unit: None,
            within_factor: 2.0,
        },
    });
    let guess = Question {
        counts: false,
        ..question("q-guess", "How many MiB?", kind)
    };
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.push(guess.clone());
    }
}

/// Adds two questions for the learner's own words.
pub(super) fn own_words(course: &mut Course) {
    let parts = ["It waits in a queue.", "The card runs it later."].map(Text::of);
    let kind = QuestionKind::Words(OwnWords {
        parts: parts.to_vec(),
    });
    let asked = ["q-why", "q-when"].map(|id| Question {
        counts: false,
        ..question(id, "Why does it return at once?", kind.clone())
    });
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.extend(asked.clone());
    }
}

/// As [`seat`], with a course of the test's own.
pub(super) fn seat_in(
    course: &Course,
    input: &str,
    work: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit>,
) -> (String, Exit) {
    seat(input, |context| {
        work(&mut CommandContext {
            course,
            learner: &mut *context.learner,
            console: &mut *context.console,
            clock: context.clock,
        })
    })
}

fn page(id: &str, title: &str, text: &str) -> Page {
    let lab = Block {
        within: Vec::new(),
        kind: BlockKind::Lab(LabId::new("bus")),
        span: 0..0,
    };
    let lab = (id == "the-bus").then_some(lab);
    Page {
        id: PageId::new(id),
        title: title.to_owned(),
        blocks: paragraph(text).into_iter().chain(lab).collect(),
    }
}

fn paragraph(text: &str) -> Vec<Block> {
    vec![Block {
        within: Vec::new(),
        kind: BlockKind::Paragraph(Text::of(text)),
        span: 0..0,
    }]
}

fn lab(id: &str) -> Lab {
    Lab {
        id: LabId::new(id),
        title: format!("Try the {id}"),
        page: PageId::new("the-bus"),
        device: DeviceWish::Any,
        predict: None,
        time_limit: Duration::from_secs(20),
        starter: "import warpup as torch\nx = torch.ones(3).to(\"cuda\")\n".to_owned(),
        check: None,
        solution: None,
        rust: None,
        hints: Vec::new(),
        span: 0..0,
    }
}

fn repair() -> Lab {
    Lab {
        device: DeviceWish::Cuda,
        starter: "broken()\n".to_owned(),
        check: Some("lab.check('repaired', True)\n".to_owned()),
        solution: Some("repaired()\n".to_owned()),
        hints: vec![paragraph("What is `broken`?")],
        ..lab("repair")
    }
}

fn quiz() -> Quiz {
    let single = QuestionKind::Single(SingleChoice {
        options: vec![
            choice("slow", "It is slow.", Some("Not slow, narrow.")),
            Choice {
                correct: true,
                ..choice("narrow", "It is narrow.", None)
            },
        ],
        shuffle: false,
    });
    let numeric = QuestionKind::Numeric(Numeric {
        answer: 24.0,
        tolerance: Tolerance::Exact,
        unit: Some("B".to_owned()),
        accepted: Vec::new(),
        near: Vec::new(),
    });
    let order = QuestionKind::Order(Ordering {
        items: vec![choice("copy", "copy", None), choice("run", "run", None)],
        also: Vec::new(),
    });
    let pair = |id: &str, left: &str, right: &str| Pair {
        id: ChoiceId::new(id),
        left: Text::of(left),
        right: Text::of(right),
        feedback: None,
    };
    let matching = QuestionKind::Match(Matching {
        pairs: vec![
            pair("host", "host", "the CPU"),
            pair("card", "card", "the GPU"),
        ],
    });
    Quiz {
        id: "copies".to_owned(),
        title: "What a copy costs".to_owned(),
        file: "quizzes/copies.toml".to_owned(),
        pass: PassRule { above_percent: 75 },
        questions: vec![
            question("q-bus", "What is wrong with the bus?", single),
            question("q-bytes", "How many bytes?", numeric),
            question("q-order", "In which order?", order),
            question("q-words", "Which is which?", matching),
        ],
    }
}

fn choice(id: &str, text: &str, feedback: Option<&str>) -> Choice {
    Choice {
        id: ChoiceId::new(id),
        text: Text::of(text),
        correct: false,
        feedback: feedback.map(Text::of),
        pin_last: false,
    }
}

fn question(id: &str, prompt: &str, kind: QuestionKind) -> Question {
    Question {
        id: QuestionId::new(id),
        prompt: paragraph(prompt),
        points: 1,
        counts: true,
        kind,
        hints: vec![Text::of("Think of a road.")],
        explain: paragraph("Because it is so."),
        see: Some(PageId::new("the-bus")),
        short: false,
        hash: "00000000".to_owned(),
        span: 0..0,
    }
}

//! A small course with one of everything.

use std::time::Duration;

use crate::course::kinds::{
    Bin, Matching, MultipleChoice, Numeric, Ordering, OwnWords, Pair, PredictForm, Prediction,
    SingleChoice, Tolerance,
};
use crate::course::{
    Block, BlockKind, Choice, ChoiceId, Course, CourseId, DeviceWish, Lab, LabId, Lesson, LessonId,
    Page, PageId, PassRule, Piece, Question, QuestionId, QuestionKind, Quiz, Text,
};

pub(super) const PASS: PassRule = PassRule { above_percent: 75 };

/// Two lessons; the first one has two labs and a quiz.
pub(crate) fn course() -> Course {
    Course {
        id: CourseId::new("sample"),
        title: "CUDA, understood".to_owned(),
        summary: "What runs where.".to_owned(),
        pass: PASS,
        lessons: vec![first(), second()],
    }
}

/// The same course; the quiz also asks for the learner's own words.
pub(super) fn with_words() -> Course {
    let mut course = course();
    let parts = [
        "The call only puts the kernel into the stream's queue.",
        "The card runs it `later`.",
        "Reading a value waits for it.",
    ];
    let words = |id: &str, prompt: &str| Question {
        counts: false,
        explain: vec![paragraph(
            "The host only queues the kernel and goes on; the card runs it later.",
        )],
        ..question(
            id,
            prompt,
            QuestionKind::Words(OwnWords {
                parts: parts.map(Text::of).to_vec(),
            }),
        )
    };
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.push(words(
            "q-why",
            "Why does the call return before the card is done?",
        ));
        quiz.questions
            .push(words("q-wait", "When does the host wait?"));
    }
    course
}

fn first() -> Lesson {
    Lesson {
        id: LessonId::new("places"),
        file: "lessons/places.md".to_owned(),
        title: "Where a tensor lives".to_owned(),
        summary: "Every tensor has a device, and work happens there.".to_owned(),
        minutes: 20,
        requires: Vec::new(),
        objectives: Vec::new(),
        pages: vec![
            page(
                "start",
                "Where a tensor lives",
                vec![paragraph(
                    "A computer with a card has two memories, and a tensor lives in exactly one of them.",
                )],
            ),
            page(
                "labs",
                "Put it there",
                vec![
                    paragraph("Decide what it prints, then run it."),
                    lab_block("placement"),
                    lab_block("timing"),
                ],
            ),
        ],
        labs: vec![
            Lab {
                check: Some("lab.check('y is on the card', True)\n".to_owned()),
                solution: Some("print('solved')\n".to_owned()),
                hints: vec![vec![paragraph("Look at the device of x.")]],
                ..lab(
                    "placement",
                    "Put it on the device",
                    "import warpup as torch\nx = torch.ones(3).to(\"cuda\")\nprint(x.device)\n",
                )
            },
            Lab {
                predict: Some(QuestionId::new("q-sum")),
                ..lab("timing", "Time a sum", "print(1)\n")
            },
        ],
        quiz: Some(quiz()),
    }
}

fn second() -> Lesson {
    Lesson {
        id: LessonId::new("copies"),
        title: "What a copy costs".to_owned(),
        summary: "Each copy crosses the bus.".to_owned(),
        requires: vec![LessonId::new("places")],
        pages: vec![page(
            "start",
            "What a copy costs",
            vec![paragraph("It is narrow.")],
        )],
        labs: Vec::new(),
        quiz: None,
        ..first()
    }
}

fn page(id: &str, title: &str, blocks: Vec<Block>) -> Page {
    Page {
        id: PageId::new(id),
        title: title.to_owned(),
        blocks,
    }
}

pub(super) fn block(kind: BlockKind) -> Block {
    Block {
        within: Vec::new(),
        kind,
        span: 0..0,
    }
}

pub(super) fn paragraph(text: &str) -> Block {
    let mut pieces = Vec::new();
    for (at, part) in text.split('`').enumerate() {
        pieces.push(Piece {
            text: part.to_owned(),
            code: at % 2 == 1,
            ..Piece::default()
        });
    }
    block(BlockKind::Paragraph(Text { pieces }))
}

fn lab_block(id: &str) -> Block {
    block(BlockKind::Lab(LabId::new(id)))
}

fn lab(id: &str, title: &str, starter: &str) -> Lab {
    Lab {
        id: LabId::new(id),
        title: title.to_owned(),
        page: PageId::new("labs"),
        device: DeviceWish::Any,
        predict: None,
        time_limit: Duration::from_secs(20),
        starter: starter.to_owned(),
        check: None,
        solution: None,
        rust: None,
        hints: Vec::new(),
        span: 0..0,
    }
}

fn choice(id: &str, text: &str, correct: bool) -> Choice {
    Choice {
        id: ChoiceId::new(id),
        text: Text::of(text),
        correct,
        feedback: (!correct).then(|| Text::of(format!("Not {id}."))),
        pin_last: false,
    }
}

fn question(id: &str, prompt: &str, kind: QuestionKind) -> Question {
    Question {
        id: QuestionId::new(id),
        prompt: vec![paragraph(prompt)],
        points: 1,
        counts: true,
        kind,
        hints: vec![Text::of("Think of the bus.")],
        explain: vec![paragraph("Because it is so.")],
        see: Some(PageId::new("labs")),
        short: false,
        hash: "00000000".to_owned(),
        span: 0..0,
    }
}

/// One question of each kind; the prediction does not count.
fn quiz() -> Quiz {
    let single = QuestionKind::Single(SingleChoice {
        options: vec![
            choice("host", "the host", false),
            choice("card", "the card", true),
        ],
        shuffle: false,
    });
    let multi = QuestionKind::Multi(MultipleChoice {
        options: vec![
            choice("a", "a copy", true),
            choice("b", "a kernel", true),
            choice("c", "a print", false),
        ],
        shuffle: false,
        partial: false,
    });
    let numeric = QuestionKind::Numeric(Numeric {
        answer: 24.0,
        tolerance: Tolerance::Exact,
        unit: Some("B".to_owned()),
        accepted: Vec::new(),
        near: Vec::new(),
    });
    let order = QuestionKind::Order(Ordering {
        items: vec![choice("copy", "copy", false), choice("run", "run", false)],
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
    let predict = QuestionKind::Predict(Prediction {
        lab: LabId::new("timing"),
        metric: "host_ms".to_owned(),
        form: PredictForm::Bins(vec![
            bin("fast", "under 1 ms", 0.0, 1.0),
            bin("slow", "1 ms or more", 1.0, f64::INFINITY),
        ]),
    });
    Quiz {
        id: "places".to_owned(),
        title: "Where a tensor lives".to_owned(),
        file: "quizzes/places.toml".to_owned(),
        pass: PASS,
        questions: vec![
            question("q-place", "Where does `y` live?", single),
            question("q-bytes", "How many bytes are six float32?", numeric),
            question("q-which", "What uses the bus or the card?", multi),
            question("q-order", "What comes first?", order),
            question("q-pairs", "Which belongs to which?", matching),
            Question {
                counts: false,
                ..question("q-sum", "How long does the sum take?", predict)
            },
        ],
    }
}

fn bin(id: &str, text: &str, from: f64, to: f64) -> Bin {
    Bin {
        id: ChoiceId::new(id),
        text: Text::of(text),
        from,
        to,
        feedback: None,
    }
}

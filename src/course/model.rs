//! The course as data: what the parser gives and everybody else reads.
//!
//! Nothing here knows where the text came from. All strings are as the author wrote them, so they are
//! untrusted: whoever shows one goes through [`crate::shown::Shown`].

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::time::Duration;

/// Declares a newtype for a name that progress or links hang on.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the name as written.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// The name of a course.
    CourseId
}
id! {
    /// The name of a lesson, stable across releases: progress is stored under it.
    LessonId
}
id! {
    /// The name of a page inside a lesson: a heading's `{#id}` or its slug.
    PageId
}
id! {
    /// The name of a lab inside a lesson.
    LabId
}
id! {
    /// The name of a question inside a quiz: attempts are stored under it.
    QuestionId
}
id! {
    /// The name of one option, item or pair inside a question.
    ChoiceId
}

/// A whole course, as far as it could be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Stable name; progress is stored under it.
    pub id: CourseId,
    /// Title for the map.
    pub title: String,
    /// One or two sentences shown above the map.
    pub summary: String,
    /// What passing a quiz takes.
    pub pass: PassRule,
    /// The lessons in teaching order. A lesson that could not be read at all is missing here.
    pub lessons: Vec<Lesson>,
}

/// What share of a quiz's points passes. The gate is strict: more than the share, not the share itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassRule {
    /// The share, in percent: 75 means more than 75 % is needed.
    pub above_percent: u32,
}

/// One lesson: pages to read, labs to run, a quiz to pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Stable name.
    pub id: LessonId,
    /// The file it was read from, relative to the course folder.
    pub file: String,
    /// Title.
    pub title: String,
    /// One sentence for the map.
    pub summary: String,
    /// The author's estimate of reading and running time.
    pub minutes: u32,
    /// Lessons that should be done before this one.
    pub requires: Vec<LessonId>,
    /// What the learner can do afterwards.
    pub objectives: Vec<String>,
    /// The pages, in order; never empty.
    pub pages: Vec<Page>,
    /// The labs, in order of appearance. Blocks refer to them by id.
    pub labs: Vec<Lab>,
    /// The quiz, if the lesson names one and it could be read.
    pub quiz: Option<Quiz>,
}

/// The part of a lesson under one level-two heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The heading's `{#id}`, or its slug.
    pub id: PageId,
    /// The heading's text. The first page, before any heading, has the lesson's title.
    pub title: String,
    /// What stands on it, flat: nesting is in [`Block::within`].
    pub blocks: Vec<Block>,
}

/// One piece of a page that is laid out on lines of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The containers around it, outermost first; at most [`MAX_DEPTH`].
    pub within: Vec<Container>,
    /// What it is.
    pub kind: BlockKind,
    /// Bytes of the lesson file it came from.
    pub span: Range<usize>,
}

/// Containers nested deeper than this are flattened into the last one.
pub const MAX_DEPTH: usize = 16;

/// A figure may be this many columns wide, so that it fits a terminal of 80 with a margin.
pub const FIGURE_COLUMNS: usize = 76;

/// What a block is.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockKind {
    /// A heading below page level (3 to 6).
    Heading {
        /// 3 to 6.
        level: u8,
        /// Its text.
        text: Text,
    },
    /// Running text.
    Paragraph(Text),
    /// Code that is shown, not run.
    Code {
        /// First word of the fence's info string; empty if there is none.
        language: String,
        /// The code, with its line breaks, without the fences.
        code: String,
    },
    /// A drawing in text, from a fenced block marked `text figure alt="…"`.
    Figure {
        /// What it shows, in words, for screen readers and plain mode.
        alt: String,
        /// The drawing; at most 76 columns.
        art: String,
    },
    /// A table; every row has as many cells as the head.
    Table {
        /// How each column is aligned.
        align: Vec<Align>,
        /// The head's cells.
        head: Vec<Text>,
        /// The body's cells.
        rows: Vec<Vec<Text>>,
    },
    /// A lab stands here.
    Lab(LabId),
    /// A horizontal rule.
    Rule,
}

/// How a table's column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Also when the author said nothing.
    Left,
    /// Centred.
    Center,
    /// To the right.
    Right,
}

/// What a block stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Container {
    /// A quotation.
    Quote,
    /// A callout, written as a GitHub alert (`> [!NOTE]`).
    Callout(Callout),
    /// An item of a list.
    Item {
        /// What stands in front of it.
        marker: Marker,
        /// Whether this block is the item's first, which carries the marker.
        first: bool,
    },
    /// The text of a footnote, gathered at the end of its page.
    Footnote {
        /// Its label, without `[^` and `]`.
        label: String,
        /// Whether this block is the note's first, which carries the label.
        first: bool,
    },
    /// A folded part (`<details>`) that is no hint of a lab.
    Details {
        /// The text of its `<summary>`.
        summary: String,
        /// Whether this block is the first inside.
        first: bool,
    },
}

/// The kinds of callouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callout {
    /// `[!NOTE]`
    Note,
    /// `[!TIP]`
    Tip,
    /// `[!IMPORTANT]`
    Important,
    /// `[!WARNING]`
    Warning,
    /// `[!CAUTION]`
    Caution,
}

/// What stands in front of a list's item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A bullet.
    Bullet,
    /// Its number.
    Number(u64),
    /// A task box, ticked or not.
    Task(bool),
}

/// Text of one block: pieces in reading order. A hard line break is a piece `"\n"`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

impl Text {
    /// The text without its looks; links lose their address.
    pub fn plain(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| piece.text.as_str())
            .collect()
    }

    /// Plain text as one piece.
    pub fn of(text: impl Into<String>) -> Self {
        Self {
            pieces: vec![Piece {
                text: text.into(),
                ..Piece::default()
            }],
        }
    }
}

/// A run of characters with one look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "looks are independent: all combinations occur"
)]
pub struct Piece {
    /// The characters.
    pub text: String,
    /// `**strong**`
    pub strong: bool,
    /// `*emphasis*`
    pub emphasis: bool,
    /// `` `code` ``
    pub code: bool,
    /// `~~struck~~`
    pub struck: bool,
    /// Where it links to: `https://…`, `#page`, or `lesson.md#page`.
    pub link: Option<String>,
    /// The label of the footnote it refers to; `text` is then the label.
    pub footnote: bool,
}

/// A program the learner runs and edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Lab {
    /// Stable name inside the lesson.
    pub id: LabId,
    /// What to do, for titles and lists. The id in words when the author gave none.
    pub title: String,
    /// The page it stands on.
    pub page: PageId,
    /// What the lesson asks to run it on.
    pub device: DeviceWish,
    /// A question the learner answers before Run unlocks; it stands in the lesson's quiz file.
    pub predict: Option<QuestionId>,
    /// Wall time a run may take.
    pub time_limit: Duration,
    /// The program the learner starts from.
    pub starter: String,
    /// Python appended after the learner's program, which calls `lab.check`.
    pub check: Option<String>,
    /// A program that passes the check; shown after success or on giving up.
    pub solution: Option<String>,
    /// The same program in candle (Rust).
    pub rust: Option<String>,
    /// Hints, mildest first.
    pub hints: Vec<Vec<Block>>,
    /// Bytes of the lesson file that hold the fenced block.
    pub span: Range<usize>,
}

impl Lab {
    /// The metrics that it gives by name; nothing when a name is computed.
    pub(super) fn metrics(&self) -> Option<BTreeSet<&str>> {
        let mut names = BTreeSet::new();
        let programs = [
            Some(&self.starter),
            self.check.as_ref(),
            self.solution.as_ref(),
        ];
        for program in programs.into_iter().flatten() {
            for call in program.split("lab.metric(").skip(1) {
                let call = call.trim_start();
                let quote = call.chars().next().filter(|it| ['"', '\''].contains(it))?;
                names.insert(call.split(quote).nth(1)?);
            }
        }
        Some(names)
    }

    /// Whether its text says that it gives a metric.
    pub fn gives(&self, metric: &str) -> bool {
        self.metrics().is_some_and(|it| it.contains(metric))
    }
}

/// What a lab asks to run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceWish {
    /// Whatever the learner has chosen.
    Any,
    /// The CPU, measured.
    Cpu,
    /// Any device whose name starts with `cuda` in the lab: a real or a modelled card.
    Cuda,
    /// A certain modelled card, such as `t4`.
    Model(String),
}

/// The questions that decide whether a lesson is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Quiz {
    /// Stable name.
    pub id: String,
    /// Title.
    pub title: String,
    /// The file it was read from, relative to the course folder.
    pub file: String,
    /// The rule in force: the quiz's own, or the course's.
    pub pass: PassRule,
    /// All questions, in the author's order, predictions included.
    pub questions: Vec<Question>,
}

impl Quiz {
    /// The questions that count towards the gate. Predictions count only if their author says so.
    pub fn counted(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(|question| question.counts)
    }

    /// The questions of a short round: those that count and stand alone.
    pub fn short(&self) -> impl Iterator<Item = &Question> {
        self.counted().filter(|question| question.short)
    }

    /// The questions that are answered in the learner's own words, with the parts of a good answer.
    pub fn in_own_words(&self) -> impl Iterator<Item = (&Question, &[Text])> {
        self.questions
            .iter()
            .filter_map(|question| match &question.kind {
                QuestionKind::Words { parts } => Some((question, parts.as_slice())),
                QuestionKind::Single { .. }
                | QuestionKind::Multi { .. }
                | QuestionKind::Numeric(_)
                | QuestionKind::Text { .. }
                | QuestionKind::Order { .. }
                | QuestionKind::Match { .. }
                | QuestionKind::Predict { .. } => None,
            })
    }

    /// Looks a question up by its id.
    pub fn question(&self, id: &QuestionId) -> Option<&Question> {
        self.questions.iter().find(|question| &question.id == id)
    }
}

/// One question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Stable name.
    pub id: QuestionId,
    /// What is asked; markdown, flat.
    pub prompt: Vec<Block>,
    /// Points for a right answer; at least 1.
    pub points: u32,
    /// Whether it counts towards the gate. False for predictions unless the author says otherwise, and for
    /// what is answered in the learner's own words.
    pub counts: bool,
    /// Whether it stands alone, so that a short round may ask it without the others. Only what counts may.
    pub short: bool,
    /// What can be answered and what is right.
    pub kind: QuestionKind,
    /// Hints, mildest first; inline markdown.
    pub hints: Vec<Text>,
    /// Why the right answer is right, shown when it is right or given up; an explanation to compare with where the
    /// learner gave one.
    pub explain: Vec<Block>,
    /// The page to return to on a miss: `(lesson, page)`; `None` for the lesson is this lesson.
    pub see: Option<PageId>,
    /// Eight hex digits over prompt, choices and key: an answer stays valid while this does.
    pub hash: String,
    /// Bytes of the quiz file that hold it.
    pub span: Range<usize>,
}

/// What can be answered and what is right.
#[derive(Clone, Debug, PartialEq)]
pub enum QuestionKind {
    /// One of several options.
    Single {
        /// The options; exactly one is right.
        options: Vec<Choice>,
        /// Whether the order changes with each attempt.
        shuffle: bool,
    },
    /// Any number of several options.
    Multi {
        /// The options; at least one is right.
        options: Vec<Choice>,
        /// Whether the order changes with each attempt.
        shuffle: bool,
        /// Whether (right − wrong) / correct of the points are given instead of all or nothing.
        partial: bool,
    },
    /// A number, with a unit where it has one.
    Numeric(Numeric),
    /// A short text.
    Text {
        /// Accepted answers.
        accept: Vec<String>,
        /// Whether upper and lower case differ.
        case: bool,
        /// Texts that must be accepted; `check` runs them through the grader.
        samples_ok: Vec<String>,
        /// Texts that must be refused.
        samples_bad: Vec<String>,
        /// Feedback for answers that are wrong in a known way.
        near: Vec<(String, Text)>,
    },
    /// Items to bring into order; the file has them in the right order.
    Order {
        /// The items in the right order.
        items: Vec<Choice>,
        /// Other orders that are right, too.
        also: Vec<Vec<ChoiceId>>,
    },
    /// Pairs to find; the file has them paired.
    Match {
        /// Left side, right side; a right text may occur once only.
        pairs: Vec<Pair>,
    },
    /// A prediction about a lab of this lesson, asked before the lab can run.
    Predict {
        /// The lab it is about.
        lab: LabId,
        /// The metric of that run the truth is read from: one of the lab's, or `host_ms`, `device_ms`, `peak_mib`.
        metric: String,
        /// How it is asked and compared.
        form: PredictForm,
    },
    /// An explanation in the learner's own words, which nobody grades.
    Words {
        /// What a good explanation says; learners tick what theirs says.
        parts: Vec<Text>,
    },
}

/// One option or item.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Stable name inside the question.
    pub id: ChoiceId,
    /// What it says; inline markdown.
    pub text: Text,
    /// Whether it is right (options only; items of an order have false).
    pub correct: bool,
    /// What is said to somebody who chose it.
    pub feedback: Option<Text>,
    /// Whether it stays last when options are shuffled.
    pub pin_last: bool,
}

/// A pair of a match question.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Stable name inside the question.
    pub id: ChoiceId,
    /// The left side, shown in order.
    pub left: Text,
    /// The right side, shuffled.
    pub right: Text,
    /// What is said when this left side got another right side.
    pub feedback: Option<Text>,
}

/// A numeric key.
#[derive(Clone, Debug, PartialEq)]
pub struct Numeric {
    /// The right value, in `unit`.
    pub answer: f64,
    /// How far off is still right.
    pub tolerance: Tolerance,
    /// The unit of `answer`, such as `MiB`.
    pub unit: Option<String>,
    /// Units a learner may answer in; converted before comparing. Empty: only `unit`.
    pub accepted: Vec<String>,
    /// Values that are wrong in a known way, in `unit`.
    pub near: Vec<NearMiss>,
}

/// How far off is still right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// The value itself.
    Exact,
    /// At most this far off, in the answer's unit.
    Abs(f64),
    /// At most this share off, 0.02 for 2 %.
    Rel(f64),
    /// Between these, both included.
    Range(f64, f64),
}

/// A value that is wrong in a known way.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMiss {
    /// The value, in the question's unit.
    pub value: f64,
    /// How far around it the feedback is given.
    pub tolerance: Tolerance,
    /// What is said.
    pub feedback: Text,
}

/// How a prediction is asked and compared with the run.
#[derive(Clone, Debug, PartialEq)]
pub enum PredictForm {
    /// A number, compared with the metric.
    Number {
        /// The metric's unit.
        unit: Option<String>,
        /// Right when the larger is at most this many times the smaller; 1.0 asks for equality.
        within_factor: f64,
    },
    /// Options, each with the range of the metric in which it is right.
    Bins(Vec<Bin>),
}

/// One option of a binned prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    /// Stable name inside the question.
    pub id: ChoiceId,
    /// What it says.
    pub text: Text,
    /// Lower end, included.
    pub from: f64,
    /// Upper end, not included.
    pub to: f64,
    /// What is said to somebody who chose it and was wrong.
    pub feedback: Option<Text>,
}

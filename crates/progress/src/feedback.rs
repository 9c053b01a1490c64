//! What an instructor sends back to a learner who handed in: comments, and the points of quizzes that the learner's course has no
//! keys for.
//!
//! It is no part of the learner's progress: it was not the learner who did it.

use super::lesson::LessonProgress;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use warpup_course::{Block, BlockKind, LabId, Lesson, LessonId, Page, QuestionId, Text, fnv1a};
use warpup_grade::Score;

/// The most letters of what a question is called.
const MOST_LETTERS: usize = 60;

/// What was sent back for the hand-ins of one learner in one course.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// What the instructor wrote.
    #[serde(default, rename = "comment", skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// The newest attempt at each quiz without keys.
    #[serde(default, rename = "graded", skip_serializing_if = "Vec::is_empty")]
    pub graded: Vec<GradedQuiz>,
    /// The keys of the remarks that the learner has seen.
    #[serde(skip)]
    pub seen: BTreeSet<String>,
}

/// What the instructor wrote about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// The lesson.
    pub lesson: LessonId,
    /// What of the lesson; all of it when `None`.
    #[serde(flatten)]
    pub about: Option<CommentSubject>,
    /// The words.
    pub text: String,
}

/// A part of a lesson that a comment is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommentSubject {
    /// A question of its quiz.
    Question(QuestionId),
    /// A lab.
    Lab(LabId),
}

/// An attempt that the instructor's course graded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradedQuiz {
    /// The lesson.
    pub lesson: LessonId,
    /// The attempt, as the learner's records name it.
    pub attempt: String,
    /// Points earned and possible.
    pub score: Score,
    /// Whether that passes.
    pub passed: bool,
    /// The points of the questions that were answered.
    pub questions: BTreeMap<QuestionId, Score>,
}

/// One thing that was sent back, as a learner reads it. Its texts may hold anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The lesson.
    pub lesson: LessonId,
    /// Where it is shown first.
    pub place: RemarkPlace,
    /// Who says it, and about what.
    pub heading: String,
    /// What is said.
    pub text: String,
}

/// Where a remark is shown first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkPlace {
    /// On any page of the lesson.
    Lesson,
    /// At a lab, and on the page that has it.
    Lab(LabId),
    /// At the quiz.
    Quiz,
}

impl Feedback {
    /// Adds what was sent back later. About one thing it takes the place of what was said before.
    pub fn add(&mut self, later: Self) {
        // A file may have thousands of comments.
        let comments = later.comments.iter();
        let newer: BTreeSet<_> = comments.map(Comment::subject).collect();
        self.comments.retain(|it| !newer.contains(&it.subject()));
        let newer: BTreeSet<_> = later.graded.iter().map(|it| &it.lesson).collect();
        self.graded.retain(|it| !newer.contains(&it.lesson));
        self.comments.extend(later.comments);
        self.graded.extend(later.graded);
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.comments.is_empty() && self.graded.is_empty()
    }

    /// What was sent back about a lesson, points first.
    pub fn remarks(&self, lesson: &Lesson) -> Vec<Remark> {
        let graded = self.graded.iter().filter(|it| it.lesson == lesson.id);
        let comments = self.comments.iter().filter(|it| it.lesson == lesson.id);
        let graded = graded.map(|it| it.remark(lesson));
        graded.chain(comments.map(|it| it.remark(lesson))).collect()
    }

    /// The remarks about a lesson that belong here and were not seen; they count as seen then.
    pub fn take_new(&mut self, lesson: &Lesson, is_here: impl Fn(&Remark) -> bool) -> Vec<Remark> {
        let mut new = self.remarks(lesson);
        new.retain(|it| is_here(it) && self.seen.insert(it.key()));
        new
    }

    /// The points of what was handed in last of the quiz of a lesson.
    pub fn graded(&self, lesson: &LessonId, progress: &LessonProgress) -> Option<&GradedQuiz> {
        let newest = &progress.handed_in.last()?.attempt;
        let mut graded = self.graded.iter();
        graded.find(|it| it.lesson == *lesson && it.attempt == *newest)
    }
}

impl Comment {
    /// What it is about.
    pub fn subject(&self) -> (&LessonId, Option<&CommentSubject>) {
        (&self.lesson, self.about.as_ref())
    }

    fn remark(&self, lesson: &Lesson) -> Remark {
        let (place, about) = match &self.about {
            None => (RemarkPlace::Lesson, String::new()),
            Some(CommentSubject::Question(id)) => {
                let about = format!(" about the question {}", question_name(lesson, id));
                (RemarkPlace::Quiz, about)
            }
            Some(CommentSubject::Lab(id)) => {
                let lab = lesson.outline().labs.iter().find(|it| it.id == *id);
                let title = lab.map_or(id.as_str(), |it| it.title.as_str());
                let about = format!(" about the lab “{title}”");
                (RemarkPlace::Lab(id.clone()), about)
            }
        };
        Remark {
            lesson: self.lesson.clone(),
            place,
            heading: format!("Your instructor wrote{about}"),
            text: self.text.clone(),
        }
    }
}

impl GradedQuiz {
    /// Whether it passes, and the points, in a few words.
    pub fn words(&self) -> String {
        let passed = if self.passed { "passed" } else { "not passed" };
        format!("{passed}, {} points", self.score)
    }

    fn remark(&self, lesson: &Lesson) -> Remark {
        let questions = self.questions.iter();
        let questions =
            questions.map(|(id, score)| format!("\n{}: {score}", question_name(lesson, id)));
        Remark {
            lesson: self.lesson.clone(),
            place: RemarkPlace::Quiz,
            heading: "Your instructor graded the quiz".to_owned(),
            text: format!("{}{}", self.words(), questions.collect::<String>()),
        }
    }
}

/// How a question begins: learners do not know its id, and numbers are those of an attempt.
fn question_name(lesson: &Lesson, id: &QuestionId) -> String {
    let mut questions = lesson.quiz.iter().flat_map(|it| &it.questions);
    let prompt = questions.find(|it| it.id == *id).map(|it| &it.prompt);
    let text = prompt.into_iter().flatten().find_map(|it| {
        if let BlockKind::Paragraph(text) = &it.kind {
            Some(text)
        } else {
            None
        }
    });
    let text = text.map(Text::plain).unwrap_or_default().replace('\n', " ");
    match text.char_indices().nth(MOST_LETTERS) {
        None if text.is_empty() => id.to_string(),
        None => format!("“{text}”"),
        Some((end, _)) => format!("“{}…”", text.get(..end).unwrap_or_default().trim_end()),
    }
}

impl Remark {
    /// What a remark is remembered by once it was shown. Another text is another remark.
    pub fn key(&self) -> String {
        let all = format!("{}\n{}\n{}", self.lesson, self.heading, self.text);
        format!("{:016x}", fnv1a(0, &all))
    }

    /// Whether it belongs to a page.
    pub fn is_of_page(&self, lesson: &Lesson, page: &Page) -> bool {
        self.lesson == lesson.id
            && match &self.place {
                RemarkPlace::Lesson => true,
                RemarkPlace::Lab(lab) => {
                    let is_it = |it: &Block| matches!(&it.kind, BlockKind::Lab(id) if id == lab);
                    page.blocks.iter().any(is_it)
                }
                RemarkPlace::Quiz => false,
            }
    }
}

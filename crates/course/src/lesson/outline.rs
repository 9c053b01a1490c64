//! The names of what is in a lesson: all that a list of lessons says of its pages, labs and quiz.

use super::content::Content;
use crate::model::{LabId, PageId};
use serde::{Deserialize, Serialize};

/// What is in a lesson, without its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// The pages, in order.
    pub pages: Vec<PageOutline>,
    /// The labs, in order of appearance.
    pub labs: Vec<LabOutline>,
    /// The quiz, if there is one.
    pub quiz: Option<QuizOutline>,
}

/// A page without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageOutline {
    /// Its name in links and progress.
    pub id: PageId,
    /// Its heading.
    pub title: String,
}

/// A lab without its program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabOutline {
    /// Its name in progress.
    pub id: LabId,
    /// What to do.
    pub title: String,
}

/// A quiz without its questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuizOutline {
    /// How many questions a whole attempt asks.
    pub asks: usize,
    /// Whether some question is answered in the learner's own words.
    pub has_own_words: bool,
}

impl Outline {
    /// The names of what is there.
    pub(super) fn of(content: &Content) -> Self {
        let pages = content.pages.iter().map(|it| PageOutline {
            id: it.id.clone(),
            title: it.title.clone(),
        });
        let labs = content.labs.iter().map(|it| LabOutline {
            id: it.id.clone(),
            title: it.title.clone(),
        });
        Self {
            pages: pages.collect(),
            labs: labs.collect(),
            quiz: content.quiz.as_ref().map(|it| QuizOutline {
                asks: it.asks(),
                has_own_words: it.in_own_words().next().is_some(),
            }),
        }
    }
}

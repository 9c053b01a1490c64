//! Finds out which question of a quiz is on a screen: an attempt asks some of them, and one version of each.

use warpup_course::{BlockKind, Question, QuestionId, Quiz};

/// The question whose whole prompt is shown, without those that were asked; of several, the one with the longest prompt.
pub(crate) fn shown_question<'q>(
    quiz: &'q Quiz,
    screen: &str,
    asked: &[&QuestionId],
) -> Option<&'q Question> {
    let screen = letters(screen);
    let is_shown = |it: &&Question| {
        let is_whole = texts(it).all(|text| screen.contains(&letters(&text)));
        is_whole && !asked.contains(&&it.id)
    };
    let shown = quiz.counted().filter(is_shown);
    shown.max_by_key(|it| texts(it).map(|text| text.len()).sum::<usize>())
}

fn texts(question: &Question) -> impl Iterator<Item = String> {
    question.prompt.iter().filter_map(|it| match &it.kind {
        BlockKind::Paragraph(text) => Some(text.plain()),
        BlockKind::Code { code, .. } => Some(code.clone()),
        BlockKind::Heading { .. }
        | BlockKind::Figure { .. }
        | BlockKind::Table { .. }
        | BlockKind::Lab(_)
        | BlockKind::Rule => None,
    })
}

/// The text without what differs between screens: line breaks, and the marks of code and emphasis.
fn letters(text: &str) -> String {
    let is_mark = |it: &char| it.is_whitespace() || matches!(it, '`' | '*' | '|' | '│');
    text.chars().filter(|it| !is_mark(it)).collect()
}

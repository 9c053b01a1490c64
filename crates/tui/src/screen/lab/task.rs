//! The pane of a lab's task: the words of the lesson around it, and what its checks look for.

use ratatui::style::Style;
use ratatui::text::Line;

use super::state::Lab;
use crate::keymap::{Action, Context, LabAction};
use crate::page::{self, MAX_WIDTH};
use crate::session::{Session, lab_blocks};
use crate::theme::Role;
use warpup_course::{Block, BlockKind, LabId};
use warpup_lab::check_names::{PLACEHOLDER, check_names};

impl Lab {
    /// When it counts as passed, and what to do here, as the page of the lesson says it.
    pub(super) fn task(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let width = width.min(MAX_WIDTH);
        let blocks = self.blocks(session);
        let (above, below) = around(blocks, &self.definition.id);
        let (earlier, nearest) = nearest(above);
        let mut lines = self.goal(session, width);
        let predicts_first = self.must_predict(session).is_some();
        // What follows a lab explains what it shows.
        let below = if predicts_first { &[] } else { below };
        if predicts_first {
            let run = session.keys.name(Context::LAB, Action::Lab(LabAction::Run));
            let said = format!("Before it runs, you predict: {run} asks you.");
            lines.extend(page::paragraph(&said, theme.style(Role::Key), width));
        }
        let parts = [
            ("", nearest),
            ("earlier on the page:", earlier),
            ("on the page, below the lab:", below),
        ];
        for (title, blocks) in parts.into_iter().filter(|it| !it.1.is_empty()) {
            lines.push(Line::default());
            if !title.is_empty() {
                lines.push(theme.line(title, Role::Dim));
            }
            let prose = page::folded_prose(blocks, width, theme).into_iter();
            lines.extend(prose.skip_while(|it| it.width() == 0));
        }
        lines
    }

    /// The blocks of its page, to the pause behind the lab at least.
    fn blocks(&self, session: &Session) -> &[Block] {
        let mut pages = self.lesson.pages.iter();
        let Some(at) = pages.position(|it| it.id == self.definition.page) else {
            return &[];
        };
        let Some(page) = self.lesson.pages.get(at) else {
            return &[];
        };
        let labs = lab_blocks(&self.lesson, at);
        let lab = labs.iter().find(|it| *it.0 == self.definition.id);
        let shown = session.shown_blocks(&self.lesson, at);
        let mut pauses = page.pauses.iter().map(|it| it.before);
        let behind = lab.and_then(|lab| pauses.find(|it| *it > lab.1));
        let shown = shown.max(behind.unwrap_or(page.blocks.len()));
        page.blocks.get(..shown).unwrap_or_default()
    }

    /// The names of the checks, marked as the last run left them, or else a pass before this session.
    fn goal(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let python = self.definition.check.as_deref().unwrap_or_default();
        let mut names = check_names(python);
        if names.is_empty() {
            let said = "It passes when it runs to its end.";
            return page::paragraph(said, theme.style(Role::Strong), width);
        }
        let known = session.learner.progress.lesson(&self.lesson.id);
        let known = known.lab(&self.definition.id);
        let is_as_passed = known.has_passed() && !known.is_edited_since_pass && self.is_saved();
        let has_passed = self.runs.last.is_none() && is_as_passed;
        let made = self.runs.last.as_ref().map(|it| it.run.checks.as_slice());
        let made = made.unwrap_or_default();
        if !made.is_empty() {
            // A run says each name as it is, where the text of the check computes it.
            let is_made = |name: &str| made.iter().any(|it| it.name == name);
            names.retain(|it| !it.contains(PLACEHOLDER) && !is_made(it));
        }
        let made = made.iter().map(|it| (it.name.as_str(), Some(it.ok)));
        let unmade = names.iter().map(|it| match it.strip_prefix(PLACEHOLDER) {
            Some("") => "… and what the run names itself",
            Some(_) | None => it.as_str(),
        });
        let unmade = unmade.map(|it| (it, has_passed.then_some(true)));
        let mut lines = vec![theme.line("It passes when", Role::Strong)];
        for (name, ok) in made.chain(unmade) {
            let (mark, role) = match ok {
                Some(true) => ("✓ ", Role::Good),
                Some(false) => ("✗ ", Role::Bad),
                None => ("○ ", Role::Dim),
            };
            let wrapped = page::coded(name, Style::new(), width.saturating_sub(2).max(1), theme);
            let rest = theme.span("  ", role);
            lines.extend(page::prefixed(wrapped, &[theme.span(mark, role)], &[rest]));
        }
        lines
    }
}

/// The blocks above a lab, divided before its own words: the last paragraph, and what comes with it, such as a list.
fn nearest(above: &[Block]) -> (&[Block], &[Block]) {
    let is_paragraph =
        |it: &Block| it.within.is_empty() && matches!(it.kind, BlockKind::Paragraph(_));
    let at = above.iter().rposition(is_paragraph).unwrap_or(0);
    above.split_at_checked(at).unwrap_or((&[], above))
}

/// The blocks of a page from the lab before this one to this one, and from this one to the lab after it.
fn around<'a>(blocks: &'a [Block], lab: &LabId) -> (&'a [Block], &'a [Block]) {
    let is_lab = |it: &Block| matches!(it.kind, BlockKind::Lab(_));
    let is_this = |it: &Block| matches!(&it.kind, BlockKind::Lab(id) if id == lab);
    let Some(at) = blocks.iter().position(is_this) else {
        return (blocks, &[]);
    };
    let (above, below) = blocks.split_at_checked(at).unwrap_or((blocks, &[]));
    let above = above.rsplit(is_lab).next().unwrap_or_default();
    let below = below.get(1..).unwrap_or_default();
    (above, below.split(is_lab).next().unwrap_or_default())
}

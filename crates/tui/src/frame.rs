//! What is around every screen: the title line, the footer with keys, and the banner above when saving fails or an author
//! previews a course.

use ratatui::Frame;
use ratatui::layout::{Margin, Position, Rect, Size};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Clear;
use unicode_width::UnicodeWidthStr;

use super::keymap::FooterKey;
use super::page::MAX_WIDTH;
use super::scroll::Scroll;
use super::session::{PendingSaves, Session};
use super::styled;
use super::theme::{Role, Theme};
use warpup_course::Severity;

/// A smaller terminal shows only that it is too small.
const SMALLEST: Size = Size::new(40, 12);

/// From this height on, empty lines separate the parts, and nothing but keys is in the footer.
pub(crate) const ROOMY: u16 = 20;

/// The most rows of a banner: the screen below it is what people work with.
const MOST_OF_BANNER: usize = 3;

/// Columns between two keys of the footer.
const GAP: usize = 3;

/// The areas of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Areas {
    /// The lines above the screen; empty without any.
    pub(crate) banner: Rect,
    pub(crate) title: Rect,
    /// The area of the screen itself.
    pub(crate) body: Rect,
    pub(crate) footer: Rect,
}

/// The texts of the title line.
#[derive(Debug)]
pub(crate) struct Title {
    /// The name before `left`, cut where the row has no room for both.
    pub(crate) name: String,
    pub(crate) left: String,
    /// The position in it, at the right end.
    pub(crate) right: String,
    /// The same as a bar, left out where there is no room.
    pub(crate) bar: String,
}

impl Title {
    /// A title without a bar.
    pub(crate) fn new(left: impl Into<String>, right: impl Into<String>) -> Self {
        Self {
            name: String::new(),
            left: Into::into(left),
            right: Into::into(right),
            bar: String::new(),
        }
    }

    /// The same after a name.
    pub(crate) fn after(self, name: impl Into<String>) -> Self {
        let name = Into::into(name);
        Self { name, ..self }
    }

    /// The same, with a word at the right end while the learner waits for the disk: what is on screen counts then, and
    /// is not saved yet.
    pub(crate) fn saying(mut self, saving: &PendingSaves) -> Self {
        if saving.is_waiting() {
            let between = if self.right.is_empty() { "" } else { " · " };
            self.right = format!("saving…{between}{}", self.right);
        }
        self
    }
}

/// One line or a few above the screen, on which they stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Banner {
    said: String,
    role: Role,
}

impl Banner {
    /// That saving fails, or else what the tour says, or what is wrong in the course that an author is writing; nothing for most
    /// people.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        if let Some(said) = session.learner.saving.banner() {
            return Some(Self {
                said,
                role: Role::Warn,
            });
        }
        if let Some(tour) = &session.view.tour {
            return Some(Self {
                said: tour.said.clone(),
                role: Role::Key,
            });
        }
        let preview = session.course.preview.as_ref()?;
        Some(Self {
            said: preview.said.clone(),
            role: match preview.worst {
                None => Role::Good,
                Some(Severity::Warning) => Role::Warn,
                Some(Severity::Error) => Role::Bad,
            },
        })
    }

    /// What is drawn of it: the rows that its words need, as far as there is room for them; more to say is `…`.
    fn lines(&self, width: u16, style: Style) -> Vec<Line<'static>> {
        let room = usize::from(width).saturating_sub(2).max(1);
        let mut lines = super::page::paragraph(&self.said, style, room);
        let is_cut = lines.len() > MOST_OF_BANNER;
        lines.truncate(MOST_OF_BANNER);
        if let Some(last) = lines.last_mut().filter(|_| is_cut) {
            last.spans.push(styled::span("…", style));
        }
        let margin = [styled::span(" ", style)];
        super::page::prefixed(lines, &margin, &margin).collect()
    }

    fn rows(&self, width: u16) -> u16 {
        let lines = self.lines(width, Style::new());
        u16::try_from(lines.len()).unwrap_or(u16::MAX)
    }
}

/// Divides a terminal; `None` if it is too small.
pub(crate) fn areas(size: Size, banner: Option<&Banner>) -> Option<Areas> {
    if size.width < SMALLEST.width || size.height < SMALLEST.height {
        return None;
    }
    let row = |y, height| Rect::new(0, y, size.width, height);
    let banner = banner.map_or(0, |it| it.rows(size.width));
    let gap = u16::from(size.height >= ROOMY);
    let top = banner + 1 + gap;
    Some(Areas {
        banner: row(0, banner),
        title: row(banner, 1),
        body: row(top, size.height - top - 1 - gap),
        footer: row(size.height - 1, 1),
    })
}

/// The centered column for prose, with a margin where there is room.
pub(crate) fn column(area: Rect) -> Rect {
    let width = full_width(area).width.min(MAX_WIDTH);
    Rect {
        x: area.x + (area.width - width) / 2,
        width,
        ..area
    }
}

/// The whole width for programs, with a margin where there is room.
pub(crate) fn full_width(area: Rect) -> Rect {
    area.inner(Margin::new(if area.width >= 44 { 2 } else { 0 }, 0))
}

/// Draws the banner.
pub(crate) fn banner(frame: &mut Frame<'_>, area: Rect, banner: &Banner, theme: Theme) {
    let style = theme.style(banner.role).patch(theme.style(Role::Selected));
    frame.buffer_mut().set_style(area, style);
    styled::put_all(frame, area, &banner.lines(area.width, style));
}

/// Draws the title line.
pub(crate) fn head(frame: &mut Frame<'_>, area: Rect, title: &Title, theme: Theme) {
    let width = usize::from(area.width);
    let left = format!("{}{}", title.name, title.left);
    let left = theme.span(&left, Role::Title);
    let dim = theme.style(Role::Dim);
    let full = styled::line(&format!("{} {}", title.right, title.bar), dim);
    let right = if left.width() + 2 + full.width() <= width && !title.bar.is_empty() {
        full
    } else {
        styled::line(&title.right, dim)
    };
    let room = width.saturating_sub(right.width() + 2);
    let left = if left.width() <= room {
        Line::from(left)
    } else {
        let rest = theme.span(&title.left, Role::Title);
        let for_name = room.saturating_sub(rest.width() + 1);
        let is_named = !title.name.is_empty() && for_name > 0;
        let cut = if is_named { &title.name } else { &title.left };
        let cut_to = if is_named {
            for_name
        } else {
            room.saturating_sub(1)
        };
        let (head, _) = styled::split_str(cut, cut_to);
        let mut spans = vec![
            theme.span(head.trim_end(), Role::Title),
            styled::span("…", dim),
        ];
        spans.extend(is_named.then_some(rest));
        Line::from(spans)
    };
    styled::put(frame, area, 0, &left);
    styled::put_right(frame, area, 0, &right);
}

/// Draws the keys with their words. On a small terminal the screen may already have drawn how much is below at the right
/// end; the keys leave that alone.
pub(crate) fn foot(frame: &mut Frame<'_>, area: Rect, keys: &[FooterKey], theme: Theme) {
    let area = free(frame, area);
    for it in fitting(keys, area) {
        let line = Line::from(vec![
            theme.span(&it.key.key, Role::Key),
            theme.span(&format!(" {}", it.key.word), Role::Dim),
        ]);
        styled::put(frame, it.area, 0, &line);
    }
}

/// The key whose place in the footer was clicked.
pub(crate) fn clicked(keys: &[FooterKey], area: Rect, at: Position) -> Option<&FooterKey> {
    let mut all = fitting(keys, area).into_iter();
    all.find(|it| it.area.contains(at)).map(|it| it.key)
}

/// A key with its place in the footer.
struct PlacedKey<'a> {
    key: &'a FooterKey,
    area: Rect,
}

/// The keys that fit. Where not all do, the important ones and those that are always shown remain.
fn fitting(keys: &[FooterKey], area: Rect) -> Vec<PlacedKey<'_>> {
    let room = usize::from(area.width);
    let wide = |it: &FooterKey, gap: usize| it.key.width() + 1 + it.word.width() + gap;
    let all: usize = keys.iter().map(|it| wide(it, GAP)).sum();
    let is_narrow = all > room + GAP;
    let gap = if is_narrow { GAP - 1 } else { GAP };
    let kept: usize = keys
        .iter()
        .filter(|it| it.is_always_shown)
        .map(|it| wide(it, gap))
        .sum();
    let mut left = (room + gap).saturating_sub(kept);
    let mut placed = Vec::new();
    let mut column = area.x;
    for it in keys {
        if !it.is_always_shown {
            let Some(rest) = left.checked_sub(wide(it, gap)) else {
                continue;
            };
            left = rest;
        }
        let width = it.key.width() + 1 + it.word.width();
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        let end = area.right().saturating_sub(column);
        placed.push(PlacedKey {
            key: it,
            area: Rect {
                x: column,
                width: width.min(end),
                ..area
            },
        });
        let gap = u16::try_from(gap).unwrap_or(u16::MAX);
        column = column
            .saturating_add(width)
            .saturating_add(gap)
            .min(area.right());
    }
    placed
}

/// Draws something to say in the place of the keys. What is longer than the row also takes rows above it, until the next key.
pub(crate) fn notice(frame: &mut Frame<'_>, row: Rect, said: &str, theme: Theme) {
    let area = free(frame, row);
    let whole = theme.span(said, Role::Warn);
    if whole.width() <= usize::from(area.width) {
        return styled::put(frame, area, 0, &Line::from(whole));
    }
    let lines = super::page::paragraph(said, theme.style(Role::Warn), row.width);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let height = height.min(row.bottom());
    let area = Rect {
        y: row.bottom() - height,
        height,
        ..row
    };
    frame.render_widget(Clear, area);
    styled::put_all(frame, area, &lines);
}

/// The columns of a row in front of what is drawn at its right end.
fn free(frame: &mut Frame<'_>, row: Rect) -> Rect {
    let buffer = frame.buffer_mut();
    let is_blank = |x: &u16| buffer.cell((*x, row.y)).is_none_or(|it| it.symbol() == " ");
    let blank = (row.x..row.right()).take_while(is_blank).count();
    let blank = u16::try_from(blank).unwrap_or(row.width);
    // A column between the two.
    let width = blank - u16::from(blank > 0 && blank < row.width);
    Rect { width, ..row }
}

/// Draws a scrolled column with how much is below it.
pub(crate) fn scrolled(frame: &mut Frame<'_>, body: Rect, scroll: &Scroll, theme: Theme) {
    scrolled_in(frame, column(body), scroll, theme);
}

/// The same for a column of any width.
pub(crate) fn scrolled_in(frame: &mut Frame<'_>, column: Rect, scroll: &Scroll, theme: Theme) {
    scroll.view(frame, column);
    more_below(frame, column, &scroll.below(), theme);
}

/// Draws how much is below the visible lines, in the row under them: the empty one above the footer, or on a small
/// terminal the footer itself. So it covers no text.
pub(crate) fn more_below(frame: &mut Frame<'_>, column: Rect, more: &str, theme: Theme) {
    if more.is_empty() {
        return;
    }
    let row = Rect {
        y: column.bottom(),
        height: 1,
        ..column
    };
    let said = theme.line(&format!(" ↓ {more}"), Role::Dim);
    styled::put_right(frame, row, 0, &said);
}

/// Says that the terminal is too small.
pub(crate) fn too_small(frame: &mut Frame<'_>, theme: Theme) {
    let area = frame.area();
    let said = format!(
        "enlarge: {}×{} is too small, {}×{} is needed",
        area.width, area.height, SMALLEST.width, SMALLEST.height
    );
    let lines = super::page::paragraph(&said, theme.style(Role::Warn), area.width);
    styled::put_all(frame, area, &lines);
}

/// Columns of a horizontal rule before its title.
pub(crate) const BEFORE_TITLE: usize = 2;

/// Draws a horizontal rule with a title.
pub(crate) fn rule(frame: &mut Frame<'_>, area: Rect, title: &Line<'_>, theme: Theme) {
    let line = "─".repeat(usize::from(area.width));
    styled::put(frame, area, 0, &theme.line(&line, Role::Border));
    styled::put(frame, area.inner(Margin::new(2, 0)), 0, title);
}

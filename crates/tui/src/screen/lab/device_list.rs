//! The list of devices to choose from, in the place of the pane.

use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

use super::state::{DeviceList, Lab, Mode};
use crate::keymap::{Action, Motion};
use crate::page;
use crate::scroll::VisibleLines;
use crate::session::{Session, UpdateContext};
use crate::theme::{Role, Theme};
use warpup_lab::device_table::DeviceRow;

/// Columns of each figure.
const FIGURES: [usize; 4] = [10, 11, 13, 8];

/// Columns of the pointer and the sign of a row.
const SIGNS: usize = 4;

impl Lab {
    /// Opens the list at the device in use.
    pub(super) fn list_devices(&mut self, session: &Session) {
        let rows = session.machine.devices.rows();
        let mut rows = rows.iter();
        let at = rows.position(|it| it.device.as_ref() == Some(&self.device));
        let asked = match std::mem::replace(&mut self.mode, Mode::Reading) {
            Mode::Predicting(asked) => Some(asked),
            Mode::Reading | Mode::Editing | Mode::ChoosingDevice(_) => None,
        };
        let at = at.unwrap_or(0);
        self.mode = Mode::ChoosingDevice(DeviceList { at, asked });
        self.scroll.go_to_top();
    }

    /// Performs the action of a key while the list is open.
    pub(super) fn choose_device(&mut self, action: Action, ctx: &mut UpdateContext<'_>) {
        let Mode::ChoosingDevice(open) = &mut self.mode else {
            return;
        };
        let at = open.at;
        let rows = ctx.session.machine.devices.rows();
        let last = rows.len().saturating_sub(1);
        match action {
            Action::Scroll(motion) => {
                open.at = match motion {
                    Motion::Up => at.checked_sub(1).unwrap_or(last),
                    Motion::Down if at >= last => 0,
                    Motion::Down => at + 1,
                    Motion::PageUp | Motion::Top => 0,
                    Motion::PageDown | Motion::Bottom => last,
                };
            }
            Action::Open => {
                // A device that is not there cannot be taken; its row says why.
                if let Some(device) = rows.get(at).and_then(|it| it.device.clone()) {
                    self.close_list();
                    self.change_device(device, ctx);
                }
            }
            Action::Back => self.close_list(),
            Action::App(_)
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
    }

    /// Goes back to what the list was opened from.
    fn close_list(&mut self) {
        if let Mode::ChoosingDevice(list) = &mut self.mode {
            let asked = list.asked.take();
            self.mode = asked.map_or(Mode::Reading, Mode::Predicting);
        }
        self.scroll.go_to_top();
    }

    /// The list, its chosen row with what there is to say of it.
    pub(super) fn draw_devices(&self, session: &Session, at: usize, width: u16) -> VisibleLines {
        let theme = session.theme;
        let rows = session.machine.devices.rows();
        let titles = rows.iter().map(|it| it.title.width());
        let titles = titles.max().unwrap_or(0);
        let needed = SIGNS + titles + FIGURES.iter().sum::<usize>();
        let titles = (needed <= usize::from(width)).then_some(titles);
        let mut drawn = VisibleLines::default();
        if let Some(titles) = titles {
            let head = DeviceRow::HEAD.map(str::to_owned);
            let head = format!("{:1$}{2}", "", SIGNS + titles, columns(&head));
            drawn.lines.push(theme.line(&head, Role::Dim));
        }
        for (row, it) in rows.iter().enumerate() {
            let start = drawn.lines.len();
            let place = (row == at, it.device.as_ref() == Some(&self.device));
            drawn.lines.extend(device(it, place, titles, theme));
            drawn.rows.push(start..drawn.lines.len());
            // Why a device does not work is beside it, whichever is marked.
            if row == at || it.is_doubtful {
                let wish = it.device.as_ref().and_then(|it| self.wish_missed(it));
                let wish = wish.map_or_else(String::new, |it| format!(" This lab asks for {it}."));
                let note = page::paragraph(
                    &format!("{}{wish}", it.note),
                    theme.style(Role::Dim),
                    width.saturating_sub(4).max(1),
                );
                let indent = [theme.span("    ", Role::Dim)];
                drawn.lines.extend(page::prefixed(note, &indent, &indent));
            }
            if row == at {
                drawn.focus = start..drawn.lines.len();
            }
        }
        drawn
    }

    /// Whether the row at this place can be taken.
    pub(super) fn can_take(at: usize, session: &Session) -> bool {
        let rows = session.machine.devices.rows();
        rows.get(at)
            .is_some_and(|it: &DeviceRow| it.device.is_some())
    }
}

/// One device: on one line where the names have so many columns, else on two.
fn device(
    row: &DeviceRow,
    (is_marked, is_current): (bool, bool),
    titles: Option<usize>,
    theme: Theme,
) -> Vec<Line<'static>> {
    let sign = match (&row.device, is_current) {
        (None, _) => "– ",
        (Some(_), _) if row.is_doubtful => "! ",
        (Some(_), true) => "● ",
        (Some(_), false) => "○ ",
    };
    let role = match (&row.device, is_marked) {
        (None, _) => Role::Dim,
        (Some(_), true) => Role::Strong,
        (Some(_), false) => Role::Text,
    };
    let pointer = if is_marked { "▸ " } else { "  " };
    let mut spans = vec![theme.span(pointer, Role::Key), theme.span(sign, Role::Key)];
    let Some(titles) = titles else {
        spans.push(theme.span(&row.title, role));
        let figures = row.in_words().into_iter();
        let figures = figures.map(|it| theme.line(&format!("    {it}"), Role::Dim));
        return std::iter::once(Line::from(spans)).chain(figures).collect();
    };
    let gap = titles.saturating_sub(row.title.width());
    let said = format!("{}{:gap$}{}", row.title, "", columns(&row.figures));
    spans.push(theme.span(&said, role));
    vec![Line::from(spans)]
}

fn columns(cells: &[String; 4]) -> String {
    let cells = cells.iter().zip(FIGURES);
    cells
        .map(|(it, width)| format!("{it:>width$}"))
        .collect::<Vec<_>>()
        .concat()
}

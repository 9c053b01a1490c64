//! The gutter of the editor: line numbers, the times of each line, and where an error happened.

use std::collections::BTreeMap;

use ratatui::text::Line;

use crate::lab::units::duration;
use crate::protocol::{Clock, LineTime};
use crate::tui::theme::{Role, Theme};

/// Columns of a line number and the space after it.
const NUMBER: u16 = 4;

/// Columns of one clock in the gutter.
const CLOCK: u16 = 8;

/// What is drawn to the left of the source lines.
#[derive(Debug, Default)]
pub(crate) struct Gutter {
    /// Times by line; no clocks are drawn when nothing ran.
    pub(crate) clocks: Option<Clocks>,
    /// The line an error came from, from 1.
    pub(crate) error: Option<u32>,
}

/// Host time of each line, and device time where the device is not the CPU.
#[derive(Debug)]
pub(crate) struct Clocks {
    pub(crate) clock: Clock,
    /// Times by line, from 1.
    pub(crate) lines: BTreeMap<u32, LineTime>,
}

impl Gutter {
    /// Its columns in an area that has `width`.
    pub(super) fn width(&self, width: u16) -> u16 {
        match &self.clocks {
            Some(Clocks { lines, .. }) => {
                // A run on the CPU has no device times.
                let has_device = lines.values().any(|it| it.device_ns.is_some());
                let clocks = 1 + u16::from(has_device && width >= 2 * (NUMBER + 2 * CLOCK));
                NUMBER + clocks * CLOCK + 3
            }
            None => NUMBER + 2,
        }
    }

    /// The headings of its columns.
    pub(crate) fn header(&self, width: u16, theme: Theme) -> Line<'static> {
        let Some(Clocks { clock, .. }) = &self.clocks else {
            return Line::default();
        };
        let narrow = self.width(width) < NUMBER + 2 * CLOCK;
        let device = if narrow { "" } else { "  device" };
        let (word, role) = match clock {
            Clock::Measured => ("measured", Role::Dim),
            Clock::Modelled => ("MODELLED", Role::Warn),
        };
        Line::from(vec![
            theme.span("        host", Role::Host),
            theme.span(device, Role::Device),
            theme.span("   ", Role::Dim),
            theme.span(word, role),
        ])
    }

    /// The gutter of one line.
    pub(super) fn line(&self, number: u32, width: u16, theme: Theme) -> Line<'static> {
        let failed = self.error == Some(number);
        let role = if failed { Role::Bad } else { Role::Dim };
        let mut spans = vec![theme.span(&format!("{number:>3} "), role)];
        if let Some(Clocks { lines, .. }) = &self.clocks {
            let times = lines.get(&number);
            let host = times.map_or(String::new(), |it| duration(it.host_ns));
            let device = times.and_then(|it| it.device_ns).filter(|it| *it > 0);
            let device = device.map_or(String::new(), duration);
            spans.push(theme.span(&format!("{host:>8}"), Role::Host));
            if self.width(width) > NUMBER + CLOCK + 3 {
                spans.push(theme.span(&format!("{device:>8}"), Role::Device));
            }
        }
        let bar = match (failed, &self.clocks) {
            (true, None) => "✗ ",
            (true, Some(_)) => " ✗ ",
            (false, None) => "│ ",
            (false, Some(_)) => " │ ",
        };
        let role = if failed { Role::Bad } else { Role::Border };
        spans.push(theme.span(bar, role));
        Line::from(spans)
    }
}

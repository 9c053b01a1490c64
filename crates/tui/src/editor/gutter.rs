//! The gutter of the editor: line numbers, the times of each line, and where an error happened.

use std::collections::BTreeMap;

use ratatui::style::Style;
use ratatui::text::Line;

use crate::theme::{Role, Theme};
use warpup_lab::line_weight::Weight;
use warpup_lab::units::duration;
use warpup_protocol::{Clock, LineTime};

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
    /// Whether the screen has room for the time that each line waited.
    pub(crate) is_wide: bool,
}

/// Host time of each line and, where the device is not the CPU, how much of it the line waited, and device time.
#[derive(Debug)]
pub(crate) struct Clocks {
    pub(crate) clock: Clock,
    /// Times by line, from 1.
    pub(crate) lines: BTreeMap<u32, LineTime>,
    /// Which lines took most, and which next to nothing.
    pub(crate) weights: BTreeMap<u32, Weight>,
}

impl Gutter {
    /// Its columns in an area that has `width`.
    pub(super) fn width(&self, width: u16) -> u16 {
        match &self.clocks {
            Some(clocks) => NUMBER + self.columns(clocks, width) * CLOCK + 3,
            None => NUMBER + 2,
        }
    }

    /// How many times of a line are drawn: the host's, the device's, and of the host's how much was waiting.
    fn columns(&self, clocks: &Clocks, width: u16) -> u16 {
        // A run on the CPU has no device times, and waits for nothing.
        let has_device = clocks.lines.values().any(|it| it.device_ns.is_some());
        match (
            has_device && width >= 2 * (NUMBER + 2 * CLOCK),
            self.is_wide,
        ) {
            (true, true) => 3,
            (true, false) => 2,
            (false, _) => 1,
        }
    }

    /// The headings of its columns.
    pub(crate) fn header(&self, width: u16, theme: Theme) -> Line<'static> {
        let Some(clocks) = &self.clocks else {
            return Line::default();
        };
        let columns = self.columns(clocks, width);
        let waited = if columns > 2 { "  waited" } else { "" };
        let device = if columns > 1 { "  device" } else { "" };
        let role = match clocks.clock {
            Clock::Measured => Role::Dim,
            Clock::Modelled => Role::Modelled,
        };
        Line::from(vec![
            theme.span("        host", Role::Host),
            theme.span(waited, Role::Dim),
            theme.span(device, Role::Device),
            theme.span("   ", Role::Dim),
            theme.span(clocks.clock.label(), role),
        ])
    }

    /// The gutter of one line.
    pub(super) fn line(&self, number: u32, width: u16, theme: Theme) -> Line<'static> {
        let failed = self.error == Some(number);
        let role = if failed { Role::Bad } else { Role::Dim };
        let mut spans = vec![theme.span(&format!("{number:>3} "), role)];
        if let Some(clocks) = &self.clocks {
            let columns = self.columns(clocks, width);
            let times = clocks.lines.get(&number);
            let some = |ns: Option<u64>| ns.filter(|it| *it > 0).map_or(String::new(), duration);
            let host = times.map_or(String::new(), |it| match (it.host_ns, it.worker_ns) {
                // Its time is beside the host's.
                (0, 1..) => "workers".to_owned(),
                (host_ns, _) => duration(host_ns),
            });
            let of_weight = match clocks.weights.get(&number) {
                Some(Weight::Slow) => theme.style(Role::Strong),
                Some(Weight::Little) => theme.style(Role::Dim),
                Some(Weight::Usual) | None => Style::new(),
            };
            let span = |text: &str, role| theme.span(text, role).patch_style(of_weight);
            spans.push(span(&format!("{host:>8}"), Role::Host));
            if columns > 2 {
                let waited = some(times.map(|it| it.wait_ns));
                spans.push(theme.span(&format!("{waited:>8}"), Role::Dim));
            }
            if columns > 1 {
                let device = some(times.and_then(|it| it.device_ns));
                spans.push(span(&format!("{device:>8}"), Role::Device));
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

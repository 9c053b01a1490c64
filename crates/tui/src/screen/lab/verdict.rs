//! The result of a run, in one sentence.
//!
//! A learner's mistake, a limit and a bug in warpup read differently, so that nobody looks for the
//! mistake in the wrong place.

use super::origin::ProgramOrigin;
use super::state::{Lab, Mode};
use crate::keymap::{Action, Context, LabAction};
use crate::page;
use crate::session::{LastRun, Session};
use crate::styled;
use crate::theme::Role;
use warpup_course::DeviceWish;
use warpup_lab::changes::{self, Pace};
use warpup_lab::device_choice::counts;
use warpup_lab::ending::{Ending, EndingKind};
use warpup_lab::first_use;
use warpup_lab::interruptions;
use warpup_lab::units::{bytes, duration};
use warpup_protocol::{Clock, DeviceName, Report};
use warpup_text::utc;

use ratatui::layout::Size;
use ratatui::text::Line;

impl Lab {
    /// The status lines, at most as wide as `size`. A sentence that has no room ends with an ellipsis.
    pub(super) fn status(&self, session: &Session, size: Size) -> Vec<Line<'static>> {
        let (text, role) = self.sentence(session);
        let theme = session.theme;
        // Below the sentence are figures.
        let (width, rows) = (size.width, usize::from(size.height.min(2)));
        let mut lines = page::coded(&text, theme.style(role), width, theme);
        if lines.len() > rows {
            lines.truncate(rows);
            if let Some(last) = lines.last_mut() {
                let whole = last.to_string();
                let (begin, cut) = styled::split_str(&whole, usize::from(width).saturating_sub(1));
                let begin = match begin.rsplit_once(' ') {
                    Some((words, _)) if !cut.is_empty() => words,
                    Some(_) | None => begin,
                };
                *last = theme.line(&format!("{}…", begin.trim_end()), role);
            }
        }
        let report = self
            .runs
            .last
            .as_ref()
            .and_then(|it| it.run.report.as_ref());
        if let Some(figures) = report.and_then(|it| figures(it, width)) {
            let said = [Some((figures, Role::Dim)), self.compared()];
            lines.extend(
                said.into_iter()
                    .flatten()
                    .flat_map(|(it, role)| page::clauses(&it, theme.style(role), width)),
            );
        }
        if let Some((finding, role)) = self.first_finding(width) {
            let coded = page::coded(&finding, theme.style(role), width, theme);
            lines.extend(coded.into_iter().take(1));
        }
        lines
    }

    /// The key that cancels a run: while the program is edited, c is a letter.
    fn cancel_key(&self) -> &'static str {
        match self.mode {
            Mode::Editing => "Ctrl-C",
            Mode::Reading | Mode::Predicting(_) | Mode::ChoosingDevice(_) => "c",
        }
    }

    /// The totals of the run before, beside a run that has its own; nothing where one was measured and the other modelled, which do
    /// not compare.
    pub(super) fn compared(&self) -> Option<(String, Role)> {
        let (last, before) = (self.runs.last.as_ref()?, self.runs.before.as_ref()?);
        if last.run.raised().is_some() {
            // It did not do what the one before did.
            return None;
        }
        let (now, then) = (last.run.report.as_ref()?, before.run.report.as_ref()?);
        if now.lines.is_empty() || then.clock != now.clock {
            return None;
        }
        let device = [then, now].map(|it| it.device_ns.map(duration));
        let said = if changes::has_first_use(then, now) {
            // What is once in a run would hide what was changed.
            let [was, is] = [then, now].map(|it| duration(first_use::rest_of(it)));
            let device = match &device {
                [Some(was), Some(is)] => format!(" · device {was} → {is}"),
                [..] => String::new(),
            };
            format!("without first use: host {was} → {is}{device}")
        } else {
            let [device, _] =
                device.map(|it| it.map_or_else(String::new, |it| format!(" · device {it}")));
            let host = duration(then.host_ns);
            format!("before: host {host}{device} · {}", then.clock.label())
        };
        let ran_on = |it: &LastRun| it.run.device.as_ref().map(|it| it.title.clone());
        let [was_on, is_on] = [before, last].map(|it| ran_on(it).unwrap_or_default());
        if was_on != is_on {
            let devices = format!("{was_on} → {is_on}");
            let devices = if was_on.is_empty() { is_on } else { devices };
            return Some((format!("{said} · {devices}"), Role::Dim));
        }
        let change = changes::in_words(then, now);
        let role = match &change {
            Some((_, Pace::Slower)) => Role::Warn,
            Some((_, Pace::Faster)) | None => Role::Dim,
        };
        let change = change.map_or_else(String::new, |(words, _)| format!(" · {words}"));
        Some((format!("{said}{change}"), role))
    }

    fn sentence(&self, session: &Session) -> (String, Role) {
        if let Some(notice) = &self.notice {
            return notice.clone();
        }
        let device = session.machine.devices.title(&self.device);
        let (run, devices) = (run_key(session), devices_key(session));
        if let Mode::Predicting(predicting) = &self.mode {
            let said = predicting.how_to_run().to_owned();
            return (said, Role::Dim);
        }
        let Some(ran) = &self.runs.last else {
            let known = session.learner.progress.lesson(&self.lesson.id);
            let known = known.lab(&self.definition.id);
            let asked = self.asked_device(session);
            let is_edited = known.is_edited_since_pass || !self.is_saved();
            return match (
                self.wish_missed(&self.device),
                known.passed_ms.map(utc::day),
            ) {
                (Some(wish), _) => (
                    format!("This lab asks for {wish}: {devices} switches the device"),
                    Role::Warn,
                ),
                (None, Some(_)) if is_edited => (
                    format!("● passed before the last change; {run} runs this on {device}"),
                    Role::Dim,
                ),
                (None, Some(day)) => (
                    format!("● passed on {day}; {run} runs it again, on {device}"),
                    Role::Good,
                ),
                (None, None) if self.must_predict(session).is_some() => {
                    let said = match asked {
                        Some(asked) => format!("{asked}. Predict before you run: {run} asks you"),
                        None => format!("predict before you run: {run} asks you"),
                    };
                    (said, Role::Key)
                }
                (None, None) => match asked {
                    Some(asked) => (format!("{asked}. {run} runs this on {device}"), Role::Key),
                    None => (format!("{run} runs this on {device}"), Role::Dim),
                },
            };
        };
        match &ran.run.report {
            None if ran.run.waits_for.is_some() => {
                let why = ran.run.waits_for.as_deref().unwrap_or_default();
                (format!("… {why}: {} cancels", self.cancel_key()), Role::Key)
            }
            None if ran.run.device.is_none() && matches!(self.device, DeviceName::Cuda(_)) => (
                format!(
                    "… getting the card ready: the first run takes longest, and a launcher may wait in a queue: {} cancels",
                    self.cancel_key()
                ),
                Role::Key,
            ),
            None => {
                let limit_s = self.definition.time_limit.as_secs();
                let seconds = ran.clock.map_or(0, |it| it.seconds);
                (
                    running(&device, seconds, limit_s, self.cancel_key()),
                    Role::Key,
                )
            }
            Some(_) => self.end(ran, session),
        }
    }

    /// Whether the last run passed, so that what is left is to read on.
    pub(super) fn has_passed_now(&self) -> bool {
        let last = self.runs.last.as_ref();
        matches!(self.origin, ProgramOrigin::Lesson)
            && last.is_some_and(|it| it.run.passed() == Some(true))
    }

    /// How a run ended, and whether that is good.
    fn end(&self, ran: &LastRun, session: &Session) -> (String, Role) {
        let Some(mut ending) = self.origin.ending(ran, &self.definition) else {
            return (String::new(), Role::Dim);
        };
        let again = run_key(session);
        let role = match ending.kind {
            EndingKind::Passed => {
                // A prediction has a verdict of its own.
                if self.question().is_some() {
                    ending.verdict = Some("the program passed");
                }
                Role::Good
            }
            EndingKind::Failed | EndingKind::Raised => Role::Bad,
            EndingKind::Cancelled => {
                // Only a no to the question for consent ends a run that has not begun and that nobody cancelled.
                if !ran.is_cancelled && ran.run.device.is_none() {
                    ending.what = format!(
                        "not run: you have not agreed to run the labs of this course; {again} asks again"
                    );
                }
                Role::Warn
            }
            EndingKind::Limit => Role::Warn,
            EndingKind::Broken => {
                let kept = format!(". Your program is kept; {again} tries again");
                ending.what.push_str(&kept);
                Role::Bad
            }
            // The reason and the hint are too long for here: the output pane shows them.
            EndingKind::Unavailable | EndingKind::Busy => {
                ending.what.push_str(": the output says why");
                Role::Warn
            }
        };
        if let Some(before) = self.before(ran, &ending, session) {
            return (before, Role::Dim);
        }
        match self.misplaced(session) {
            Some(misplaced) => (misplaced, Role::Warn),
            None => {
                let kept = session.learner.saving.kept(ran.receipt);
                kept.say(&ending.sentence(), role)
            }
        }
    }

    /// That the lab's wish, and not the learner's choice, made its device.
    fn asked_device(&self, session: &Session) -> Option<String> {
        let choice = &session.machine.devices.choice;
        let is_chosen =
            self.device == choice.any || self.device != choice.device(&self.definition.device);
        let wish = wish_in_words(&self.definition.device)?;
        let devices = devices_key(session);
        (!is_chosen).then(|| format!("This lab asks for {wish}; {devices} chooses another"))
    }

    /// A result with what it belongs to, where the learner has changed the program or the device since.
    fn before(&self, ran: &LastRun, ending: &Ending<'_>, session: &Session) -> Option<String> {
        if !self.is_current() {
            return Some(format!("Before your edit: {}", ending.sentence()));
        }
        let title = match &ran.run.device {
            Some(ran_on) => (!self.device.includes(&ran_on.name)).then(|| ran_on.title.clone())?,
            // Who has not agreed to it has not done so on any device.
            None if ending.kind == EndingKind::Cancelled => return None,
            None => {
                (ran.device != self.device).then(|| session.machine.devices.title(&ran.device))?
            }
        };
        let on_it = Ending {
            device: Some(title),
            ..ending.clone()
        };
        let said = on_it.sentence();
        let device = session.machine.devices.title(&self.device);
        let run = run_key(session);
        Some(format!("{said}; {run} runs it on {device}"))
    }

    /// A warning about a run that failed, or that does not count, on a device other than the lab wants: its checks look for mistakes in the
    /// program, and there may be none.
    fn misplaced(&self, session: &Session) -> Option<String> {
        let run = &self.runs.last.as_ref()?.run;
        let ran_on = run.device.as_ref()?;
        let has_passed = run.passed()? && counts(&self.definition.device, &ran_on.name);
        if has_passed || !run.report.as_ref()?.outcome.is_own() {
            return None;
        }
        let wish = self.wish_missed(&ran_on.name)?;
        let title = &ran_on.title;
        let devices = devices_key(session);
        Some(format!(
            "{}: this lab needs {wish}, and ran on {title}: {devices} switches to another one, such as a modelled card",
            EndingKind::Failed
        ))
    }

    /// The device that the lab wants, if `device` is another one.
    pub(super) fn wish_missed(&self, device: &DeviceName) -> Option<String> {
        match (&self.definition.device, device) {
            (DeviceWish::Any, _)
            | (DeviceWish::Cpu, DeviceName::Cpu)
            | (DeviceWish::Cuda, DeviceName::Cuda(_) | DeviceName::Model(_)) => None,
            (DeviceWish::Model(wish), DeviceName::Model(card)) if wish == card => None,
            (wish @ (DeviceWish::Cpu | DeviceWish::Cuda | DeviceWish::Model(_)), _) => {
                wish_in_words(wish)
            }
        }
    }
}

/// The key that runs a lab.
fn run_key(session: &Session) -> String {
    session.keys.name(Context::LAB, Action::Lab(LabAction::Run))
}

/// The key that lists the devices.
fn devices_key(session: &Session) -> String {
    session
        .keys
        .name(Context::LAB, Action::Lab(LabAction::Devices))
}

/// The device that a lab wants; nothing where it takes any.
fn wish_in_words(wish: &DeviceWish) -> Option<String> {
    match wish {
        DeviceWish::Any => None,
        DeviceWish::Cpu => Some("the CPU".to_owned()),
        DeviceWish::Cuda => Some("a card".to_owned()),
        DeviceWish::Model(wish) => Some(format!("model:{wish}")),
    }
}

/// A run that goes on. Its limit counts the time of the CPU, of which a busy machine gives it less.
fn running(device: &str, seconds: u64, limit_s: u64, cancel: &str) -> String {
    match seconds {
        0 => format!("… running on {device}: {cancel} cancels"),
        _ if seconds <= limit_s => {
            format!("… running on {device}, {seconds} s of {limit_s} s: {cancel} cancels")
        }
        _ => format!("… running on {device}, {seconds} s: the machine is busy; {cancel} cancels"),
    }
}

/// The run's times and memory, with the clock that they come from. What explains most of the host's time is beside it: the
/// first use of the card, or waiting.
pub(super) fn figures(report: &Report, width: u16) -> Option<String> {
    if report.host_ns == 0 {
        return None;
    }
    let host = format!("host {}", duration(report.host_ns));
    let after = |line: bool| figures_after_host(report, line);
    let first_use = report.gaps.as_ref().and_then(|it| it.first_use);
    let first_use = first_use.map_or(0, |it| it.ns);
    let waited = report.waited_ns();
    let first = format!("first use {}", duration(first_use));
    let fits = |it: &String| it.chars().count() <= usize::from(width);
    let outside = report.outside_lines_ns().map(duration);
    let outside = outside.map(|it| format!("{it} outside of lines"));
    let mut long = match report.clock {
        // On a real card it was over when the program's clock began.
        Clock::Measured if first_use > 0 => {
            vec![
                format!("{host} · {} · before: {first}", after(true)),
                format!("{host} · {} · before: {first}", after(false)),
            ]
        }
        Clock::Modelled if first_use > waited => {
            vec![
                format!("{host} ({first}) · {}", after(true)),
                format!("{host} ({first}) · {}", after(false)),
            ]
        }
        Clock::Measured | Clock::Modelled if waited > 0 => {
            let waited = duration(waited);
            vec![format!("{host} (waited {waited}) · {}", after(true))]
        }
        Clock::Measured | Clock::Modelled => Vec::new(),
    };
    if let Some(lost) = interruptions::of_run(report).map(duration) {
        let said =
            [true, false].map(|line| format!("{host} (interrupted {lost}) · {}", after(line)));
        long.splice(0..0, said);
    }
    if let Some(outside) = outside {
        let both = long.first().map(|it| format!("{it} · {outside}"));
        let alone = [true, false].map(|line| format!("{host} ({outside}) · {}", after(line)));
        long.splice(0..0, both);
        long.extend(alone);
    }
    let long = long.into_iter().find(fits);
    Some(long.unwrap_or_else(|| format!("{host} · {}", after(true))))
}

/// The figures behind the host's time; the line of the peak only where it is asked for.
fn figures_after_host(report: &Report, has_line: bool) -> String {
    let mut parts = Vec::new();
    let device = report.device_ns.map(duration);
    parts.extend(device.map(|it| format!("device {it}")));
    parts.push(report.clock.label().to_owned());
    if let Some(memory) = &report.memory {
        let place = match memory.peak_line {
            line if has_line && line > 0 => format!(" (line {line})"),
            _ => String::new(),
        };
        parts.push(format!("peak {}{place}", bytes(memory.peak_live)));
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{FirstUse, Gaps, Outcome};

    #[test]
    fn the_figures_name_the_first_use_of_a_card_where_it_is_most_of_the_time() {
        let said = |clock: Clock, ns: u64| {
            let report = Report {
                clock,
                host_ns: 251_000_000,
                device_ns: Some(310_000),
                gaps: Some(Box::new(Gaps {
                    first_use: Some(FirstUse {
                        line: 2,
                        ns,
                        ..FirstUse::default()
                    }),
                    ..Gaps::default()
                })),
                ..Report::without_times(Outcome::Done)
            };
            figures(&report, 80).unwrap_or_default()
        };
        let said = [
            said(Clock::Modelled, 250_000_000),
            said(Clock::Modelled, 0),
            said(Clock::Measured, 400_000_000),
        ];
        insta::assert_snapshot!(said.join("\n"), @"
        host 251 ms (first use 250 ms) · device 310 µs · MODELLED
        host 251 ms · device 310 µs · MODELLED
        host 251 ms · device 310 µs · measured · before: first use 400 ms
        ");
    }
}

//! The checklist as markdown that reads as plain text, too: at most 80 columns, nothing but letters and signs.
//!
//! Pure: it fills in no blanks and judges nothing.

use super::model::{
    Checklist, ChecklistItem, ExplainedQuestion, FirstLimit, MeasuredIn, Measurement,
    MemoryFigures, MemoryIn, RunSource, TracedRun, UsedDevice,
};
use warpup_course::wrap::wrap_str;
use warpup_lab::units::{count, number};
use warpup_protocol::Clock;
use warpup_text::shown::Shown;
use warpup_text::utc;

/// Columns of the whole.
const WIDTH: usize = 80;

/// The whole text. `now_ms` is the time in milliseconds since 1970 UTC.
pub fn of(checklist: &Checklist<'_>, now_ms: u64) -> String {
    let mut text = Markdown(String::new());
    text.wrapped("# ", &format!("Handoff: {}", checklist.title));
    let made = format!(
        "Made by warpup {} on {} UTC from my own runs and words.",
        env!("CARGO_PKG_VERSION"),
        utc::minute(now_ms)
    );
    text.paragraph(&made);
    text.summary(checklist);
    text.devices(checklist);
    match &checklist.measurement {
        Some(MeasuredIn::Lab(measurement)) => text.measurement(measurement),
        Some(MeasuredIn::Trace(traced)) => text.traced(traced),
        None => {}
    }
    if let Some(memory) = &checklist.memory {
        text.memory(memory);
    }
    if !checklist.explanations.is_empty() {
        text.heading("In my own words");
        checklist
            .explanations
            .iter()
            .for_each(|it| text.explained(it));
    }
    if !checklist.missing.is_empty() {
        text.heading("Still missing");
        text.line("");
        for missing in &checklist.missing {
            text.wrapped("- ", &format!("{}:", missing.what));
            // A command is copied whole, so it is never broken.
            text.line(&format!("  `{}`", missing.todo));
        }
    }
    text.0
}

/// Lines so far.
struct Markdown(String);

impl Markdown {
    fn heading(&mut self, text: &str) {
        self.0.push('\n');
        self.wrapped("## ", text);
    }

    fn paragraph(&mut self, text: &str) {
        self.0.push('\n');
        self.wrapped("", text);
    }

    /// Text behind a mark, its further lines under its beginning.
    fn wrapped(&mut self, mark: &str, text: &str) {
        let text = Shown::one_line(text);
        let room = WIDTH.saturating_sub(mark.len());
        let under = " ".repeat(mark.len());
        for (at, line) in wrap_str(text.as_str(), room).iter().enumerate() {
            let mark = if at == 0 { mark } else { &under };
            self.line(&format!("{mark}{line}"));
        }
    }

    fn line(&mut self, line: &str) {
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }

    /// What is done and what is missing; what the course does not ask for is neither.
    fn summary(&mut self, checklist: &Checklist<'_>) {
        self.line("");
        for (item, is_done, what) in [
            (
                ChecklistItem::Device,
                !checklist.devices.is_empty(),
                "device check",
            ),
            (
                ChecklistItem::Measurement,
                checklist.measurement.is_some(),
                "one synchronized measurement",
            ),
            (
                ChecklistItem::Memory,
                checklist.memory.is_some(),
                "the memory of a step",
            ),
            (
                ChecklistItem::Explanations,
                !checklist.explanations.is_empty(),
                "explanations in my own words",
            ),
        ] {
            if checklist.missing.iter().any(|it| it.item == item) {
                self.line(&format!("- [ ] {what}"));
            } else if is_done {
                self.line(&format!("- [x] {what}"));
            }
        }
    }

    fn devices(&mut self, checklist: &Checklist<'_>) {
        self.heading("Device check");
        if checklist.devices.is_empty() {
            self.paragraph("No lab was run yet.");
        } else {
            self.paragraph("Each lab's newest run ran on:");
            self.0.push('\n');
        }
        for device in &checklist.devices {
            self.wrapped("- ", &in_words(device));
        }
        let machine = &checklist.machine;
        self.paragraph(&format!("This machine now: {}", machine.says));
        if let Some(step) = &machine.next_step {
            self.paragraph(&format!("Next: {step}"));
        }
    }

    fn measurement(&mut self, it: &Measurement<'_>) {
        self.heading("One synchronized measurement");
        self.paragraph(&from(&it.from));
        self.0.push('\n');
        let time = |ms: f64| format!("{} ms {}", number(ms), source_of_times(it.from.clock));
        let with = time(it.synchronized_ms);
        self.wrapped(
            "- ",
            &format!("with a synchronize before the clock is read: {with}"),
        );
        if let Some(ms) = it.unsynchronized_ms {
            self.wrapped("- ", &format!("without it: {}", time(ms)));
        }
    }

    fn traced(&mut self, it: &TracedRun) {
        self.heading("One synchronized measurement");
        let by = match (it.synthetic, &it.title) {
            (true, _) => "which is SYNTHETIC: computed by a script, not measured".to_owned(),
            (false, Some(title)) => format!("measured by PyTorch's profiler on {title}"),
            (false, None) => "measured by PyTorch's profiler".to_owned(),
        };
        self.paragraph(&format!("From the trace {}, {by}:", it.trace));
        self.0.push('\n');
        let ms = number(it.step_ms);
        let step = match it.steps {
            Some(steps) => format!(
                "a step with the work that it launched: {ms} ms, the mean of {}",
                count(steps, "step", "steps")
            ),
            None => format!("the whole trace, which marks no steps: {ms} ms"),
        };
        self.wrapped("- ", &step);
        let busy = match it.device_busy_percent {
            Some(share) => format!("the device works in {share:.0} % of that time"),
            None => "no device was recorded".to_owned(),
        };
        self.wrapped("- ", &busy);
        let found = match &it.finding {
            Some(finding) => {
                let place = finding.place.as_ref();
                let place = place.map_or(String::new(), |it| format!(", at {it}"));
                format!("found first{place}: {}", finding.sentence)
            }
            None => "nothing found that costs a step much time".to_owned(),
        };
        self.wrapped("- ", &found);
        if let Some(top) = &it.top_operator {
            let said = format!(
                "most {} time of an operator: {}, {} ms in the whole trace",
                top.side,
                top.name,
                number(top.own_ms)
            );
            self.wrapped("- ", &said);
        }
        for peak in &it.peaks {
            let said = format!(
                "peak memory on {}: live tensors hold {} MiB",
                peak.device,
                number(peak.mib)
            );
            self.wrapped("- ", &said);
        }
    }

    fn memory(&mut self, it: &MemoryIn<'_>) {
        self.heading("The memory of a step");
        let figures = match it {
            MemoryIn::Lab(lab) => {
                self.paragraph(&from(&lab.from));
                &lab.figures
            }
            MemoryIn::Plan(plan) => {
                self.paragraph(&format!(
                    "From a plan of {} on a MODELLED {}:",
                    plan.program, plan.title
                ));
                &plan.figures
            }
        };
        self.0.push('\n');
        for line in memory_lines(figures) {
            self.wrapped("- ", &line);
        }
        if let MemoryIn::Plan(plan) = it {
            let held = plan.held.iter();
            let held: Vec<_> = held
                .map(|it| format!("{} {} MiB", it.name, number(it.mib)))
                .collect();
            let at = match plan.peak_line {
                Some(line) => format!("at the peak, line {line}"),
                None => "at the peak".to_owned(),
            };
            self.wrapped("- ", &format!("{at}: {}", held.join(", ")));
        }
    }

    fn explained(&mut self, it: &ExplainedQuestion<'_>) {
        self.0.push('\n');
        self.wrapped("### ", &it.prompt);
        self.0.push('\n');
        for line in Shown::new(it.text).as_str().lines() {
            for line in wrap_str(line, WIDTH - 2) {
                self.line(&format!("> {line}"));
            }
        }
        self.0.push('\n');
        for part in &it.parts {
            let mark = if part.said { "- [x] " } else { "- [ ] " };
            self.wrapped(mark, &part.part);
        }
    }
}

/// Floor, peak, growth, and what runs out first.
fn memory_lines(it: &MemoryFigures) -> Vec<String> {
    let rows = match it.rows {
        Some(rows) => format!(", with {} rows in the batch", number(rows)),
        None => String::new(),
    };
    let mut lines = vec![
        format!(
            "floor (weights, gradients, optimizer state), whatever the batch: {} MiB",
            number(it.floor_mib)
        ),
        format!("counted peak{rows}: {} MiB", number(it.peak_mib)),
    ];
    if let Some(row_kib) = it.row_kib {
        let size = if row_kib < 1024.0 {
            format!("{} KiB", number(row_kib))
        } else {
            format!("{} MiB", number(row_kib / 1024.0))
        };
        lines.push(format!("each further row: {size}"));
    }
    let card = it.card_mib.map_or_else(String::new, number);
    lines.push(match it.first_limit() {
        Some(FirstLimit::Floor) => format!(
            "runs out first: the floor does NOT fit into the card's {card} MiB, whatever the batch"
        ),
        Some(FirstLimit::Peak) => format!(
            "runs out first: the floor fits into the card's {card} MiB, what the batch adds does NOT"
        ),
        Some(FirstLimit::Rows(rows)) => format!(
            "runs out first: what grows with the batch, beyond about {} rows on the card's {card} MiB",
            count_of(rows)
        ),
        None if it.card_mib.is_none() => {
            "this device has no memory of its own to compare with".to_owned()
        }
        None => format!(
            "the peak is {} % of the card's {card} MiB; how it grows with the batch was not measured",
            number(100.0 * it.peak_mib / it.card_mib.unwrap_or(1.0))
        ),
    });
    lines
}

/// A number of rows, which is whole.
fn count_of(rows: f64) -> String {
    format!("{rows:.0}")
}

/// The word for where times come from, behind each of them.
fn source_of_times(clock: Option<Clock>) -> String {
    clock.map_or_else(String::new, |it| format!("({})", it.label()))
}

/// The same for all times of a run.
fn times(clock: Option<Clock>) -> String {
    clock.map_or_else(String::new, |it| format!("; its times are {}", it.label()))
}

fn in_words(it: &UsedDevice<'_>) -> String {
    let labs = count(it.labs, "lab", "labs");
    let (name, day) = (named(it.device, it.title), utc::day(it.at_ms));
    format!("{name}: {labs}, last on {day}{}", times(it.clock))
}

fn from(it: &RunSource<'_>) -> String {
    let (name, minute) = (named(it.device, it.title), utc::minute(it.at_ms));
    let times = times(it.clock);
    format!(
        "From {}/{} on {name}, passed on {minute} UTC{times}:",
        it.lesson, it.lab
    )
}

fn named(device: &str, title: Option<&str>) -> String {
    title.map_or_else(|| device.to_owned(), |title| format!("{device}, {title}"))
}

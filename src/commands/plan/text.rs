//! Plans for people: all that is known of one card, a table of many.

use super::card_plan::CardPlan;
use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::commands::found;
use crate::commands::waited;
use warpup_grade::capitalized;
use warpup_lab::findings::{self, ProgramKind};
use warpup_lab::own_program::OwnProgram;
use warpup_lab::plan::{self, Limit, Verdict, dominant, is_fragmentation, total_ns, verdict};
use warpup_lab::run::Run;
use warpup_lab::units::{bytes, count, duration};
use warpup_lab::{host_range, line_times, memory};
use warpup_protocol::{Busy, Memory, Overflow, Report, Span};

/// Lines of the program that are shown, those that take most time.
const LINES: usize = 12;

/// Lines of the program's output that are shown.
const PRINTED: usize = 12;

/// Prints the plan.
pub(super) fn print(
    program: &OwnProgram,
    plan: &CardPlan,
    console: &mut Console<'_>,
) -> Result<()> {
    let title = format!(
        "{} on a modelled {}: no card was used, and every number is MODELLED.",
        program.name, plan.card.title
    );
    console.wrapped("", "", &title)?;
    let verdict = verdict(&plan.run);
    console.line(&format!("\n{}", in_words(&verdict, plan)))?;
    let Some(report) = &plan.run.report else {
        return Ok(());
    };
    // Without a line that ran there is nothing to tell.
    let did_nothing = matches!(verdict, Verdict::Stopped(_)) && total_ns(&plan.run) == 0;
    if did_nothing || matches!(verdict, Verdict::NotPlanned(_)) {
        return Ok(());
    }
    let found = findings::of_run(report, &program.source, ProgramKind::Own);
    found::print("Found in the program, MODELLED:", &found, console)?;
    output(plan, report, console)?;
    if let Some(busy) = &report.busy {
        times(busy, &plan.run, console)?;
    }
    if let Some(said) = host_range::sentence(report) {
        let said = format!("{}.", capitalized(&said));
        console.wrapped("", "", &said)?;
    }
    waited::print(report, console)?;
    if let Some(held) = &report.memory {
        memory_by_purpose(held, &plan.run.spans, console)?;
    }
    lines(program, report, console)?;
    if !report.notes.is_empty() {
        console.line("")?;
    }
    for note in &report.notes {
        console.wrapped("note: ", "  ", note)?;
    }
    Ok(())
}

/// Prints a table.
pub(super) fn print_table(
    program: &OwnProgram,
    plans: &[CardPlan],
    console: &mut Console<'_>,
) -> Result<()> {
    console.line(&format!(
        "{} on modelled cards: no card was used, and every number is MODELLED.\n",
        program.name
    ))?;
    console.line(&row(["card", "fits", "needs", "of", "time", "most of it"]))?;
    console.lines(plans.iter().map(row_of))?;
    for plan in plans {
        match verdict(&plan.run) {
            Verdict::Stopped(raised) => {
                return console.line(&format!("\n{}", raised.traceback.trim_end()));
            }
            Verdict::NotPlanned(why) => {
                return console.line(&format!("\n{} was not planned: {why}", plan.card.title));
            }
            Verdict::Fits { .. }
            | Verdict::FitsWithoutWorkspaces { .. }
            | Verdict::TooLarge { .. } => {}
        }
    }
    Ok(())
}

/// Whether the program gets through, in words.
pub(in crate::commands) fn in_words(verdict: &Verdict, plan: &CardPlan) -> String {
    match verdict {
        Verdict::Fits { spare } => format!("✓ It fits, with {} to spare.", bytes(*spare)),
        Verdict::FitsWithoutWorkspaces { bound, spare } => format!(
            "✓ It fits without cuDNN's workspaces, which are up to {} on top at line {}.\n  With {} to spare, cuDNN takes algorithms that need less, and may be slower.",
            bytes(bound.bytes),
            bound.line,
            bytes(*spare)
        ),
        Verdict::TooLarge { first, needed } => format!(
            "✗ It does not fit: line {} asks for {} while tensors hold {}.{}\n  The whole program would need {} on this card.",
            first.line,
            bytes(first.asked),
            bytes(first.live),
            pieces(first, plan),
            bytes(*needed)
        ),
        Verdict::Stopped(raised) => format!(
            "✗ It stops at line {}, and what follows is not planned:\n\n{}",
            raised.line,
            raised.traceback.trim_end()
        ),
        Verdict::NotPlanned(why) => format!("✗ Not planned on {}: {why}", plan.card.title),
    }
}

/// Why an allocation fails for which there would be room.
fn pieces(first: &Overflow, plan: &CardPlan) -> String {
    let report = plan.run.report.as_ref();
    let memory = report.and_then(|it| it.memory.as_deref());
    if !memory.is_some_and(|it| is_fragmentation(first, it)) {
        return String::new();
    }
    format!(
        "\n  There would be room, were it in one piece: {} of the allocator's memory lies\n  between tensors, in pieces too small for it (fragmentation). On a real card,\n  PYTORCH_ALLOC_CONF=expandable_segments:True avoids most of it.",
        bytes(first.in_pieces)
    )
}

/// What the program printed, as far as it is short, and what the reader must know about values.
fn output(plan: &CardPlan, report: &Report, console: &mut Console<'_>) -> Result<()> {
    let printed = if report.unknown_read.is_empty() {
        plan.run.output.clone()
    } else {
        without_nan(&plan.run.output)
    };
    show_output(&printed, console)?;
    unknown(report, console)
}

/// A text with words for `nan`, which is what a plan gives a program in place of a value.
fn without_nan(text: &str) -> String {
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_';
    let parts: Vec<&str> = text.split("nan").collect();
    let mut written = String::new();
    for (at, part) in parts.iter().enumerate() {
        written.push_str(part);
        let Some(next) = parts.get(at + 1) else {
            break;
        };
        let is_inside = part.ends_with(is_of_word) || next.starts_with(is_of_word);
        written.push_str(match part.chars().next_back() {
            _ if is_inside => "nan",
            // As in `tensor(nan)`.
            Some('(') => "not computed",
            Some(_) | None => "(not computed)",
        });
    }
    written
}

fn show_output(printed: &str, console: &mut Console<'_>) -> Result<()> {
    let printed: Vec<&str> = printed.lines().collect();
    let Some(shown) = printed.get(..printed.len().min(PRINTED)) else {
        return Ok(());
    };
    if shown.is_empty() {
        return Ok(());
    }
    console.line("\nIt prints:")?;
    console.lines(shown.iter().map(|it| format!("  {it}")))?;
    match printed.len() - shown.len() {
        0 => Ok(()),
        more => console.line(&format!(
            "  … and {}",
            count(more, "more line", "more lines")
        )),
    }
}

fn times(busy: &Busy, run: &Run, console: &mut Console<'_>) -> Result<()> {
    console.line(&format!("\nTime: {} in all.", duration(total_ns(run))))?;
    let Some((most, percent)) = dominant(busy) else {
        if let Verdict::Stopped(_) = verdict(run) {
            return Ok(());
        }
        return console.line("The card is not used: nothing was moved to it.");
    };
    let most = format!(
        "Since the card's first work, {percent} % {}. {}.",
        match most {
            Limit::Host => "is waiting for the host",
            Limit::Compute => "is arithmetic",
            Limit::Bandwidth => "is memory bandwidth",
            Limit::Smallest => "goes to tiny kernels",
            Limit::Copies => "goes to copies",
        },
        capitalized(most.meaning())
    );
    console.wrapped("", "", &most)?;
    for (limit, spent) in plan::times(busy) {
        if spent > 0 {
            console.line(&format!("  {:<22} {:>9}", limit.word(), duration(spent)))?;
        }
    }
    Ok(())
}

fn memory_by_purpose(held: &Memory, spans: &[Span], console: &mut Console<'_>) -> Result<()> {
    let at = match held.peak_line {
        0 => String::new(),
        line => format!(", line {line}"),
    };
    console.line(&format!("\nMemory at its peak{at}:"))?;
    console.lines(memory::at_peak(held, console.width))?;
    let of = format!(
        "The allocator holds up to {}, the CUDA context {}, of {}.",
        bytes(held.peak_reserved),
        bytes(held.workspace),
        bytes(held.capacity)
    );
    console.wrapped("", "", &of)?;
    for said in memory::of_allocator(held)
        .into_iter()
        .chain(memory::of_libraries(held))
    {
        console.wrapped("", "", &said)?;
    }
    if held.floor > 0 {
        let floor = format!(
            "The floor is {}: weights, gradients and optimizer state, whatever the batch.",
            bytes(held.floor)
        );
        console.wrapped("", "", &floor)?;
    }
    let course = memory::over_time(held, spans, console.width);
    if !course.is_empty() {
        console.line("\nMemory in the course of the program:")?;
    }
    console.lines(course)
}

fn lines(program: &OwnProgram, report: &Report, console: &mut Console<'_>) -> Result<()> {
    let took = |it: &warpup_protocol::LineTime| it.host_ns.max(it.device_ns.unwrap_or(0));
    let mut longest = report.lines.clone();
    longest.sort_by_key(|it| std::cmp::Reverse(took(it)));
    longest.truncate(LINES);
    if longest.is_empty() {
        return Ok(());
    }
    let left_out = report.lines.len() - longest.len();
    let shown = Report {
        lines: longest,
        ..Report::broken("")
    };
    let more = match left_out {
        0 => String::new(),
        more => format!("; {more} more take less"),
    };
    console.line(&format!("\nTime by line, the longest{more}:"))?;
    console.lines(line_times::table(&shown, &program.source, console.width))
}

/// What the reader must know about values.
fn unknown(report: &Report, console: &mut Console<'_>) -> Result<()> {
    let lines: Vec<String> = report.unknown_read.iter().map(u32::to_string).collect();
    if lines.is_empty() {
        return Ok(());
    }
    let (plural, reads) = if lines.len() == 1 {
        ("", "reads")
    } else {
        ("s", "read")
    };
    console.line("")?;
    let said = format!(
        "Line{plural} {} {reads} values, which a plan does not compute; the program got nan, or 0 for whole numbers. If it branches on them, a real run may differ.",
        lines.join(", ")
    );
    console.wrapped("", "", &said)
}

fn row_of(plan: &CardPlan) -> String {
    let report = plan.run.report.as_ref();
    let fits = match verdict(&plan.run) {
        Verdict::Fits { .. } => "✓ yes".to_owned(),
        Verdict::FitsWithoutWorkspaces { .. } => "✓ no workspaces".to_owned(),
        Verdict::TooLarge { first, .. } => format!("✗ no: line {}", first.line),
        Verdict::Stopped(raised) => format!("✗ stops: line {}", raised.line),
        Verdict::NotPlanned(_) => "✗ not planned".to_owned(),
    };
    let memory = report.and_then(|it| it.memory.as_deref());
    let needs = memory.map(|it| bytes(it.peak_reserved + it.workspace));
    let of = memory.map(|it| bytes(it.capacity));
    let most = report.and_then(|it| dominant(it.busy.as_deref()?));
    row([
        &plan.card.title,
        &fits,
        &needs.unwrap_or_default(),
        &of.unwrap_or_default(),
        &duration(total_ns(&plan.run)),
        &most.map_or_else(String::new, |(it, percent)| {
            format!("{} {percent} %", it.word())
        }),
    ])
}

fn row([card, fits, needs, of, time, most]: [&str; 6]) -> String {
    format!("{card:<18} {fits:<16} {needs:>9} {of:>9} {time:>9}  {most}")
        .trim_end()
        .to_owned()
}

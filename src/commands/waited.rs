//! Who waited for whom in a run or a plan, for people: the first use of the card, hosts and cards that waited, and what the host
//! computed for a card.

use super::console::Console;
use super::failure::Result;
use warpup_lab::{first_use, host_work, waits};
use warpup_protocol::Report;

/// Prints what is worth a sentence, if anything is.
pub(super) fn print(report: &Report, console: &mut Console<'_>) -> Result<()> {
    let said: Vec<String> = first_use::sentence(report)
        .into_iter()
        .chain(waits::sentences(report))
        .chain(host_work::sentences(report))
        .collect();
    if said.is_empty() {
        return Ok(());
    }
    let word = report.clock.label();
    console.line(&format!("\nWho waited for whom, {word}:"))?;
    for it in &said {
        console.wrapped("  ", "    ", it)?;
    }
    Ok(())
}

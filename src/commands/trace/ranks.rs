//! Ranks of one run for people: who waits for whom, then the findings of each.

use super::analysed::TraceFigures;
use super::cells::{cut, cut_path, duration, percent, room};
use super::text::{findings, if_synthetic};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use warpup_kineto::Rank;

/// Prints a row for each rank, and the findings of those that have any.
pub(super) fn print(all: &[TraceFigures], ranks: &[Rank], console: &mut Console<'_>) -> Result<()> {
    let columns = room(14, console);
    console.line(&format!(
        "rank  {:<columns$}{:>9}{:>10}{:>6}{:>10}{:>10}{:>9}{:>5}",
        "file", "step", "busy", "idle", "exchange", "alone", "waits", "last"
    ))?;
    for it in ranks {
        let number = it.rank.map_or_else(|| "?".to_owned(), |it| it.to_string());
        let file = cut_path(&it.file, columns - 1);
        let waits = it.waits_for_others_ns.map_or(String::new(), duration);
        let last = it.last_in.map_or(String::new(), |it| it.to_string());
        let [step, busy, exchange, alone] = [
            it.step_ns,
            it.device_busy_ns,
            it.communication_ns,
            it.communication_alone_ns,
        ]
        .map(duration);
        let idle = percent(it.device_idle_ns, it.device_busy_ns + it.device_idle_ns);
        let row = format!(
            "{number:>4}  {file:<columns$}{step:>9}{busy:>10}{idle:>6}{exchange:>10}{alone:>10}{waits:>9}{last:>5}"
        );
        console.line(row.trim_end())?;
    }
    console.line("")?;
    for said in Rank::remarks(ranks) {
        console.wrapped("", "", &said)?;
    }
    for (analysis, _) in all {
        if_synthetic(analysis, console)?;
    }
    let of = |rank: &Rank| {
        all.iter()
            .find(|it| it.0.file == rank.file && it.0.about.rank == rank.rank)
    };
    for it in ranks.iter().filter_map(of) {
        if it.1.findings.is_empty() {
            continue;
        }
        console.line(&format!("\n{}:", cut(&it.0.file, 78)))?;
        findings(it, console)?;
    }
    Ok(())
}

//! Findings for people, of a run or of a trace: each with where it is, what to try, and the page.

use super::console::Console;
use super::failure::Result;
use warpup_lab::findings::Finding;
use warpup_lab::text::cut_path;

/// Columns before a place.
const BEFORE: usize = 11;

/// Prints findings in their order, if there are any.
pub(super) fn print(heading: &str, found: &[Finding], console: &mut Console<'_>) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    console.line(&format!("\n{heading}"))?;
    for (number, it) in (1..).zip(found) {
        finding(number, it, console)?;
    }
    Ok(())
}

fn finding(number: usize, it: &Finding, console: &mut Console<'_>) -> Result<()> {
    let said = format!("{}: {}.", it.id, it.sentence);
    console.wrapped(&format!("{number:>2}  "), "    ", &said)?;
    if let Some(place) = it.place_in_words() {
        let room = console.prose_width().saturating_sub(BEFORE);
        console.line(&format!("    where: {}", cut_path(&place, room)))?;
    }
    console.wrapped("    try:   ", "           ", it.try_first)?;
    let warpup = console.built_in.clone();
    console.line(&format!(
        "    page:  {warpup} read {} --page {}",
        it.page.lesson, it.page.page
    ))
}

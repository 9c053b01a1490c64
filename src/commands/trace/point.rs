//! `warpup trace FILE --at TIME`: what a trace has at one moment.

use super::analysed;
use crate::cli::TraceArgs;
use crate::commands::console::{Console, Format};
use crate::commands::failure::{Exit, Failure, Result};
use warpup_kineto::TimelinePoint;
use warpup_kineto::analysis::Analysis;
use warpup_lab::units::duration;

/// Prints what is there.
pub(super) fn execute(args: &TraceArgs, at_ns: i64, console: &mut Console<'_>) -> Result<Exit> {
    let trace = analysed::only(args, "`--at` is a moment of one trace: name one")?;
    let analysis = Analysis::of(&trace);
    if at_ns > analysis.span_ns {
        let span = duration(u64::try_from(analysis.span_ns).unwrap_or(0));
        return Err(Failure::arguments(format!(
            "the trace ends after {span}: `--at` is a moment before"
        )));
    }
    let point = TimelinePoint::of(&trace, &analysis, at_ns);
    match Format::from(args.json) {
        Format::Json => console.json(&point)?,
        Format::Text => {
            let mut said = point.sentences().into_iter();
            for it in said.by_ref().take(1) {
                console.wrapped("", "", &it)?;
            }
            for it in said {
                console.wrapped("  ", "    ", &it)?;
            }
        }
    }
    Ok(Exit::Fine)
}

//! `warpup handoff`: the checklist that a learner hands on, from their own runs and words.
//!
//! It starts no worker and makes no CUDA context: it is about what was done.

#[cfg(test)]
mod tests;

use super::console::{Console, Format, json};
use super::context::{CommandContext, with_learner};
use super::course_argument::CourseArgument;
use super::failure::{Exit, Failure, Result};
use super::file_failure::unwritable;
use super::program_file;
use super::{plan, trace, workers};
use crate::cli::HandoffArgs;
use std::path::Path;
use warpup_doctor::look::Machine;
use warpup_doctor::{Report, climb};
use warpup_handoff::planned::LargerBatch;
use warpup_handoff::{OwnRun, PlannedRun, checklist, markdown, planned, traced};
use warpup_lab::plan::verdict;
use warpup_text::shown::Shown;

/// Examines the machine without its card, and prints the checklist or writes it to a file.
pub(super) fn execute(
    args: &HandoffArgs,
    asked: CourseArgument<'_>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let traced = match &args.trace {
        Some(path) => {
            let (analysis, report) = trace::read(path)?;
            Some(traced::of(&analysis, &report))
        }
        None => None,
    };
    let planned = match &args.plan {
        Some(path) => Some(planned_run(args, path)?),
        None => None,
    };
    let own = OwnRun { traced, planned };
    let workers = workers::as_set(console)?;
    with_learner(asked, console, |context| {
        let evidence = Machine::this(&workers.cards)?.look_around();
        print(
            context,
            &climb(&evidence),
            own,
            args.out.as_deref(),
            args.json.into(),
        )
    })
}

/// Plans the learner's program, with a second batch if there is one.
fn planned_run(args: &HandoffArgs, path: &Path) -> Result<PlannedRun> {
    let program = program_file::read(path)?;
    let named = args.arguments.iter().any(|it| it.contains("{rows}"));
    if args.rows.is_some() && !named {
        return Err(Failure::arguments_but(
            "the program does not get the number of rows",
            "name the argument after `--`, as in `--rows 32,64 -- --batch-size {rows}`",
        ));
    }
    let on_card = |rows: Option<u64>| {
        let rows = rows.map_or_else(|| "{rows}".to_owned(), |it| it.to_string());
        let arguments = args.arguments.iter();
        let arguments: Vec<String> = arguments.map(|it| it.replace("{rows}", &rows)).collect();
        plan::on_card(&program, &arguments, &args.card, &mut plan::run_all)
    };
    let first = on_card(args.rows.map(|it| it.0))?;
    let second = match args.rows {
        Some((few, many)) => Some((on_card(Some(many))?, few, many)),
        None => None,
    };
    let larger = second.as_ref().map(|(it, few, many)| LargerBatch {
        run: &it.run,
        few: *few,
        many: *many,
    });
    let planned = planned::of(
        &program.name,
        &first.card.title,
        &first.run,
        larger.as_ref(),
    );
    planned.ok_or_else(|| {
        let said = plan::in_words(&verdict(&first.run), &first);
        Failure::arguments_but(format!("{} has no plan to hand over", program.name), said)
    })
}

fn print(
    context: &mut CommandContext<'_, '_>,
    report: &Report,
    own: OwnRun,
    out: Option<&Path>,
    format: Format,
) -> Result<Exit> {
    let list = checklist::of(context.course, &context.learner.progress, report, own);
    let text = match format {
        Format::Text => Shown::new(&markdown::of(&list, (context.clock)())),
        Format::Json => json(&list)?,
    };
    match out {
        None => context.console.text(&text)?,
        Some(path) => {
            std::fs::write(path, text.as_str()).map_err(|error| unwritable(path, &error))?;
            context
                .console
                .remark(&format!("written to {}", path.display()))?;
            for missing in &list.missing {
                let said = format!("still missing: {} ({})", missing.what, missing.todo);
                context.console.remark(&said)?;
            }
        }
    }
    Ok(Exit::of(Some(list.complete)))
}

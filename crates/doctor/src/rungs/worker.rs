//! warpup's worker for real cards: whether it is there, starts, and belongs to this app.
//!
//! If the worker does not start, the loader's message names the library.

use crate::evidence::{Evidence, Worker};
use crate::rung::RungState;
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::card::CARD;
use crate::rungs::cause::{numbers, seconds};
use crate::rungs::driver_cuda::DRIVER_CUDA;
use crate::rungs::libcuda::LIBCUDA;

pub(crate) const WORKER: RungSpec = RungSpec {
    id: RungId("worker"),
    title: "warpup's CUDA worker",
    lesson: "the-stack-under-your-framework",
    needs: &[DRIVER_CUDA.id, LIBCUDA.id],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Needed,
    looked: &[],
    judge: worker,
};

fn worker(evidence: &Evidence, draft: RungDraft) -> Rung {
    match &evidence.worker {
        Worker::NotAsked => Rung::not_looked_at(&WORKER, "it has not answered yet"),
        Worker::Missing { why } => draft
            .looked("what settings and WARPUP_WORKER_CUDA name, else beside warpup, in its Python environment and on PATH")
            .saw(why.clone())
            .advise(install(evidence))
            .not_here("The worker for real cards is not installed."),
        Worker::NotStarted { program, why } => draft
            .looked(format!("{program} probe"))
            .saw(why.clone())
            .advise(install(evidence))
            .broken("The system does not start the worker."),
        Worker::Hung { program, after_ms } => draft
            .looked(format!("{program} probe"))
            .saw(format!("no answer within {}, so it was ended", seconds(*after_ms)))
            .advise("look once more: the driver compiles the worker's kernels when they are first used, and keeps them")
            .advise("read what the kernel says of the card: `sudo dmesg | grep -i xid`")
            .broken("The worker started and did not answer."),
        Worker::Ended { program, how, said } => {
            let draft = draft
                .looked(format!("{program} probe"))
                .saw_all(said.lines().map(str::to_owned))
                .saw(format!("it ended with {how}"));
            ended(evidence, said, draft)
        }
        Worker::Probed { program, probe } => {
            let built = &probe.built;
            let of = |what: Option<&str>| what.unwrap_or("not noted").to_owned();
            let draft = draft.looked(format!("{program} probe")).saw(format!(
                "warpup {}, built with CUDA {} for compute capability {}",
                built.warpup,
                of(evidence.built_cuda()),
                of(evidence.built_capability())
            ));
            if built.warpup == evidence.warpup {
                draft.ok("It starts.")
            } else {
                draft.advise(install(evidence)).warning(format!(
                    "It is of warpup {}, the app of {}.",
                    built.warpup, evidence.warpup
                ))
            }
        }
    }
}

/// How to install the worker.
pub(super) fn install(evidence: &Evidence) -> String {
    let what = if evidence.installed_by.has_wheels() {
        "install it"
    } else {
        "build it on this machine, from the source of warpup"
    };
    format!("{what}: `{}`", evidence.installed_by.command())
}

/// Why the worker ended before its probe.
fn ended(evidence: &Evidence, said: &str, draft: RungDraft) -> Rung {
    let line = |with: &str| said.lines().find(|it| it.contains(with));
    if let Some(library) = line("cannot open shared object file").and_then(missing_library) {
        return missing(evidence, library, draft);
    }
    if let Some(version) = newest_wanted(said) {
        return draft
            .advise(install(evidence))
            .advise("or bring one that was built on a system as old as this")
            .broken(format!(
                "The worker was built on a newer system: it needs {version}."
            ));
    }
    if let Some(symbol) = line("undefined symbol: ").and_then(|it| after(it, "undefined symbol: "))
    {
        return undefined(evidence, symbol, draft);
    }
    draft
        .advise("read its words above")
        .advise(install(evidence))
        .broken("The worker ended before it could look around.")
}

fn missing(evidence: &Evidence, library: &str, draft: RungDraft) -> Rung {
    if CARD.judge(evidence).state == RungState::NotHere {
        let whose = if library.starts_with("libcuda.so") {
            "the driver's "
        } else {
            ""
        };
        return draft
            .advise("carry it to a machine with a card, or run on cpu and modelled cards")
            .not_here(format!(
                "The worker is installed and does not start here: {whose}{library} is missing."
            ));
    }
    if library.starts_with("libcuda.so") {
        return draft
            .advise("`ldconfig -p | grep libcuda` shows what the loader knows; install the driver's library for programs")
            .broken("The loader does not find libcuda.so.1, the driver for programs.");
    }
    let cuda = evidence.worker_notes.cuda.as_deref();
    let of = cuda.map_or_else(String::new, |it| format!(" of CUDA {it}"));
    let command = evidence.installed_by.command();
    let again = if evidence.installed_by.has_wheels() {
        format!("install it again, with NVIDIA's libraries{of}: `{command}`")
    } else {
        format!("rebuild it: `{command}` brings the libraries{of} along, and notes where they are")
    };
    draft
        .advise(again)
        .advise(format!(
            "or install the toolkit{of} and put the folder with {library} into LD_LIBRARY_PATH"
        ))
        .broken(format!(
            "The loader does not find {library}, which the worker needs."
        ))
}

fn undefined(evidence: &Evidence, symbol: &str, draft: RungDraft) -> Rung {
    let name = symbol.split([',', ' ']).next().unwrap_or(symbol);
    let is_driver = name.starts_with("cu") && name.chars().nth(2).is_some_and(char::is_uppercase);
    if is_driver {
        return draft
            .advise("update the driver")
            .advise("or build the worker with an older toolkit: `scripts/build-cuda-worker`")
            .broken(format!(
                "The driver is older than the worker: its libcuda has no {name}."
            ));
    }
    let first = evidence.libraries.cudart.first();
    let draft =
        draft.saw_all(first.map(|it| format!("first of its kind: {} ({})", it.path, it.file)));
    draft
        .advise("run it without LD_LIBRARY_PATH: `env -u LD_LIBRARY_PATH warpup doctor`")
        .advise(install(evidence))
        .broken(format!(
            "An older library is found before the worker's own: it has no {name}."
        ))
}

/// The newest version of a system library that the loader misses.
fn newest_wanted(said: &str) -> Option<&str> {
    let lines = said
        .lines()
        .filter(|it| it.contains("not found (required by"));
    let wanted = lines.filter_map(|it| quoted(it, "version `"));
    wanted.max_by_key(|it| numbers(it.rsplit('_').next().unwrap_or_default()))
}

/// The library in a loader's message.
fn missing_library(line: &str) -> Option<&str> {
    let rest = after(line, "error while loading shared libraries: ")?;
    rest.split(':').next()
}

fn after<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    line.split_once(mark).map(|it| it.1)
}

/// The text from a mark to the next quote.
fn quoted<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    after(line, mark)?.split('\'').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loaders_lines_name_what_is_missing() {
        let line = "w: error while loading shared libraries: libcublas.so.13: cannot open shared object file: No such file or directory";
        assert_eq!(missing_library(line), Some("libcublas.so.13"));
        let lines = "w: /lib/libc.so.6: version `GLIBC_2.39' not found (required by w)\n\
                     w: /lib/libc.so.6: version `GLIBC_2.4' not found (required by w)";
        assert_eq!(newest_wanted(lines), Some("GLIBC_2.39"));
    }
}

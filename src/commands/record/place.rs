//! Where the trace goes. That it can be written there is known before the program runs.

use crate::commands::failure::{Failure, Result};
use crate::commands::file_failure::unwritable;
use std::path::{Path, PathBuf};

/// The file that was named, or the next in the current folder that has no trace yet.
pub(super) fn of(named: Option<&Path>) -> Result<PathBuf> {
    let out = match named {
        Some(named) => named.to_owned(),
        None => next(&names(Path::new("."))),
    };
    if !is_of_trace(&out) {
        return Err(Failure::arguments_but(
            format!("{} is not the name of a trace", out.display()),
            "it ends in .json or .json.gz: for example `--out trace.json.gz`",
        ));
    }
    let out = std::path::absolute(&out)?;
    let folder = out.parent().unwrap_or(&out);
    tempfile::tempfile_in(folder).map_err(|error| unwritable(&out, &error))?;
    Ok(out)
}

fn is_of_trace(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    [".json", ".json.gz"].iter().any(|it| name.ends_with(it))
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|it| it.file_name().to_string_lossy().into_owned());
    names.collect()
}

/// The first name that is neither there nor a part of one that is: `trace-1.rank0.json.gz` is of the first recording.
pub(super) fn next(there: &[String]) -> PathBuf {
    let mut number = 1_u64;
    while there
        .iter()
        .any(|it| it.starts_with(&format!("trace-{number}.")))
    {
        number += 1;
    }
    format!("trace-{number}.json.gz").into()
}

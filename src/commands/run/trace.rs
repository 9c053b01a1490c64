//! The file of `--trace`.
//!
//! A temporary file beside it is created before the program runs, so that a folder that cannot be written to is
//! reported at once. The complete file replaces the old one after the run.

use super::program::Program;
use crate::commands::console::Console;
use crate::commands::failure::{Failure, Result};
use crate::commands::file_failure::unwritable;
use std::fs::Permissions;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use warpup_lab::chrome_trace;
use warpup_lab::ending::EndingKind;
use warpup_lab::run::Run;

/// A trace file that is not yet in its place.
pub(super) struct TraceFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl TraceFile {
    /// Creates the temporary file.
    pub(super) fn begin(path: &Path) -> Result<Self> {
        // What a link leads to is replaced, not the link.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match path.metadata().map(|it| it.file_type()) {
            Ok(it) if it.is_dir() => {
                return Err(unwritable(path, &ErrorKind::IsADirectory.into()));
            }
            Ok(it) if !it.is_file() => {
                let what = format!("cannot write {}", path.display());
                let why =
                    Failure::arguments_because(what, "it is a device or a pipe, and not a file");
                return Err(why.with_hint("name a file after --trace"));
            }
            Ok(_) | Err(_) => {}
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            Some(_) | None => Path::new("."),
        };
        let file = tempfile::Builder::new()
            .prefix(".warpup-trace-")
            // As for any other file that a program writes; the umask takes its part away.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .map_err(|error| failed(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            file,
        })
    }

    /// Writes what a run did and puts the file into its place. A run that broke leaves what was there.
    pub(super) fn finish(
        self,
        program: &Program,
        run: &Run,
        console: &mut Console<'_>,
    ) -> Result<()> {
        let shown = self.path.display().to_string();
        let is_whole = EndingKind::of(run).is_some_and(EndingKind::has_results);
        let report = run.report.as_ref().filter(|_| is_whole);
        let (Some(report), Some(trace)) = (report, chrome_trace::of(&program.request.name, run))
        else {
            return console.remark(&format!("no trace: {shown} is left as it was"));
        };
        let path = self.path.clone();
        self.write(&trace).map_err(|error| failed(&path, &error))?;
        let missing = match report.spans_dropped {
            0 => String::new(),
            dropped => {
                let it = if dropped == 1 { "piece" } else { "pieces" };
                format!(", without the last {dropped} {it} of work, for which it had no room")
            }
        };
        console.remark(&format!(
            "trace, {}: {shown}{missing}; https://ui.perfetto.dev opens it",
            report.clock.word()
        ))
    }

    fn write(mut self, trace: &chrome_trace::Trace<'_>) -> io::Result<()> {
        let mut out = BufWriter::new(self.file.as_file_mut());
        serde_json::to_writer(&mut out, trace)?;
        out.write_all(b"\n")?;
        out.flush()?;
        drop(out);
        self.file.persist(&self.path)?;
        Ok(())
    }
}

/// That the trace cannot be written. The words of the error itself would name the temporary file.
fn failed(path: &Path, error: &io::Error) -> Failure {
    unwritable(path, &error.kind().into())
}

//! Programs of labs that are in files of their own, so that authors can lint and run them.

use super::lab::FILE;
use crate::diagnostics::{Report, Rule};
use crate::markdown::Info;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The folder of the programs in a course, with its separator.
pub(crate) const FOLDER: &str = "labs/";

/// The programs of a course by file, such as `labs/placement.py`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Programs(Arc<BTreeMap<String, Cow<'static, str>>>);

impl Programs {
    /// Those among the files of a course.
    pub(crate) fn of(files: &BTreeMap<String, Cow<'static, str>>) -> Self {
        let all = files.iter().filter(|it| it.0.starts_with(FOLDER));
        Self(Arc::new(
            all.map(|(file, text)| (file.clone(), text.clone()))
                .collect(),
        ))
    }

    /// The program in a file.
    fn get(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(AsRef::as_ref)
    }

    /// The files.
    fn files(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The program of a block: that of the file which it names, or what is written in it.
    pub(crate) fn program(&self, info: &Info<'_>, code: String, report: &mut Report) -> String {
        let Some(file) = info.attribute(FILE) else {
            return code;
        };
        if info.language.value != "python" {
            return code;
        }
        if !code.trim().is_empty() {
            report
                .error(
                    Rule::TwoPrograms,
                    file.span.clone(),
                    "this block names a file and has a program, too",
                )
                .hint("leave the block empty, or leave out `file=`");
            return code;
        }
        if let Some(program) = self.get(file.value) {
            return program.to_owned();
        }
        let message = format!("there is no file `{}` in the course", file.value);
        let said = report.error(Rule::MissingFile, file.span.clone(), message);
        let name = file.value.rsplit(['/', '\\']).next().unwrap_or_default();
        let same = |it: &&str| it.strip_prefix(FOLDER) == Some(name);
        if let Some(meant) = self.files().find(same) {
            said.fixed_by(file.value, meant)
                .hint(format!("write `file={meant}`"));
        } else {
            let is_path = file.value.starts_with(FOLDER) && name.strip_suffix(".py").is_some();
            said.did_you_mean_or(
                file.value,
                self.files().filter(|it| !is_part_of(it, file.value)),
                if file.value.matches('/').count() > 1 && file.value.starts_with(FOLDER) {
                    format!("the programs are in `labs` itself, in no folder of it: move it to `labs/{name}`, and write that here")
                } else if is_path {
                    format!("put the file `{name}` into the folder `labs` beside `lessons`, or correct the name")
                } else {
                    "write it as `file=labs/NAME.py`, and put the file into the folder `labs` beside `lessons`".to_owned()
                },
            );
        }
        // So that it does not count as empty as well.
        "...\n".to_owned()
    }
}

/// Whether a file has the name of another one with a word more, such as `copy_check.py`: it is meant to be another program.
fn is_part_of(known: &str, written: &str) -> bool {
    let (known, written) = (stem(known), stem(written));
    let more = written.strip_prefix(known);
    more.is_some_and(|it| it.starts_with(['_', '-']))
}

fn stem(file: &str) -> &str {
    file.strip_suffix(".py").unwrap_or(file)
}

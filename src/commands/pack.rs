//! `warpup pack`: a course as one file.

use super::console::Console;
use super::courses::{self, OpenCourse};
use super::failure::{Exit, Failure, Result};
use super::file::{self, Contents};
use crate::cli::PackArgs;
use anyhow::Context;
use std::borrow::Cow;
use std::path::Path;
use warpup_course::Severity;
use warpup_exchange::{Remarks, pack};
use warpup_lab::units::count;

/// Packs the course of the arguments, else the one of `--course`, else the one in the current folder.
pub(super) fn execute(
    args: &PackArgs,
    dir: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let dir = args.dir.as_deref().or(dir).unwrap_or(Path::new("."));
    write(&courses::open(Some(dir))?, args, console)
}

fn write(opened: &OpenCourse, args: &PackArgs, console: &mut Console<'_>) -> Result<Exit> {
    let found = opened.diagnostics.iter();
    let errors = found.filter(|it| it.severity == Severity::Error).count();
    if errors > 0 {
        return Err(Failure::arguments_but(
            format!(
                "the course has {}, and nothing was written",
                count(errors, "error", "errors")
            ),
            "`warpup check` lists them",
        ));
    }
    let mut remarks = Remarks::default();
    let sources = if args.no_keys {
        let without = pack::without_keys(&opened.course, &opened.sources, &mut remarks);
        Cow::Owned(without.map_err(|why| {
            Failure::arguments_but(
                format!("the course cannot be packed without its keys: {why}"),
                "write `<details>` with its summary, and `</details>`, on lines of their own, and the block of a solution outside of lists",
            )
        })?)
    } else {
        Cow::Borrowed(&opened.sources)
    };
    let bytes = pack::write(&opened.course, &sources).context("cannot pack the course")?;
    let size = bytes.len();
    let contents = Contents::Bytes(bytes);
    file::put(&contents, Some(&args.out), args.force.into(), console)?;
    let out = args.out.display();
    console.line(&format!(
        "wrote {out}: {}, {size} bytes",
        count(sources.files.len(), "file", "files")
    ))?;
    console.line(&format!("Open it with: warpup --course {out}"))?;
    if args.no_keys {
        console.line(
            "It has no keys: learners hand in with `warpup --course PACK class submit`, you grade it with\n\
             `warpup --course DIR class report FOLDER`, where DIR is the whole course, and `class return` sends them the points.",
        )?;
    }
    for remark in remarks.into_vec() {
        console.remark(&format!("{}: {}", remark.place, remark.what))?;
    }
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::NewCommand;
    use crate::commands::{new, sample};
    use std::fs;
    use tempfile::TempDir;

    #[test]
    fn a_packed_course_opens_like_its_folder_and_is_not_changed() {
        let dir = TempDir::new().unwrap();
        let (course, file) = (dir.path().join("talk"), dir.path().join("talk.warpup"));
        let at = |text: String| text.replace(dir.path().to_str().unwrap(), "DIR");
        let what = NewCommand::Course {
            dir: course.clone(),
            lesson: "first-steps".to_owned(),
        };
        sample::console("", |console| new::execute(&what, None, console));
        let args = PackArgs {
            dir: Some(course.clone()),
            out: file.clone(),
            no_keys: false,
            force: false,
        };
        let (text, exit) = sample::console("", |console| execute(&args, None, console));
        assert_eq!(exit, Exit::Fine);
        assert_eq!(text.lines().count(), 2, "{text}");
        let (of_folder, of_file) = (
            courses::open(Some(course.as_path())).unwrap(),
            courses::open(Some(file.as_path())).unwrap(),
        );
        assert_eq!(of_folder.sources, of_file.sources);
        assert_eq!(of_folder.course, of_file.course);
        let (text, _) = sample::console("", |console| execute(&args, None, console));
        insta::assert_snapshot!(at(text), @"
        error: DIR/talk.warpup exists already, and nothing was written
        hint: choose another name, or replace it with `--force`
        ");
        let into_folder = PackArgs {
            dir: Some(course.clone()),
            out: dir.path().to_owned(),
            no_keys: false,
            force: false,
        };
        let (text, _) = sample::console("", |console| execute(&into_folder, None, console));
        insta::assert_snapshot!(at(text), @r"
        error: cannot write DIR
        cause: it is a folder
        hint: name a file in it
        ");
        let lesson = NewCommand::Lesson {
            name: "more".to_owned(),
        };
        let (text, _) = sample::console("", |console| new::execute(&lesson, Some(&file), console));
        insta::assert_snapshot!(at(text), @"
        error: DIR/talk.warpup is a packed course, which is not changed
        hint: give the folder that it was packed from; `unzip` makes one of the file
        ");
        fs::write(&file, "PK").unwrap();
        let failure = courses::open(Some(file.as_path())).unwrap_err();
        let (text, exit) = sample::console("", |_| Err(failure));
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(at(text), @"
        error: DIR/talk.warpup is not a packed course that can be opened
        cause: the file: it is not as `warpup pack` writes a file: it may be cut off, or have other bytes in it
        hint: give a course folder, or a file that `warpup pack` wrote
        ");
        fs::write(course.join("quizzes/first-steps.toml"), "broken").unwrap();
        let (text, _) = sample::console("", |console| execute(&args, None, console));
        insta::assert_snapshot!(at(text), @"
        error: the course has 1 error, and nothing was written
        hint: `warpup check` lists them
        ");
    }
}

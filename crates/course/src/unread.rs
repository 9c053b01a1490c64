//! What is beside the files of a course and is not read, and was probably meant to be.

use super::diagnostics::{Report, Rule};
use super::language::Language;
use super::manifest::{MANIFEST, Manifest};
use super::sources::{Sources, is_translated};
use std::collections::{BTreeMap, BTreeSet};

/// Endings of files in each folder that are meant to be lessons or quizzes, in lower case, and the one that is read.
const ENDINGS: [(&str, &[&str], &str); 3] = [
    ("lessons", &["markdown", "mdown", "mkd", "mdx", "md"], "md"),
    ("quizzes", &["yaml", "yml", "json", "toml"], "toml"),
    ("repairs", &["py", "markdown", "md"], "md"),
];

/// Endings that editors put behind the right one, in lower case.
const BEHIND: [&str; 3] = ["txt", "text", "docx"];

/// A warning for each of them. A file that the manifest lists is told there.
pub(super) fn unread(sources: &Sources, manifest: &Manifest) -> Vec<Report> {
    let mut reports = Vec::new();
    let mut folders = BTreeMap::new();
    let mut folders_of_programs = BTreeSet::new();
    for path in &sources.unread {
        let (part, name) = path.split_once('/').unwrap_or_default();
        if is_translated(name) {
            reports.push(turned_round(part, name));
            continue;
        }
        if part == "labs" {
            let folder = name.split('/').next().unwrap_or_default();
            folders_of_programs.insert(folder);
            continue;
        }
        let Some((folder, file)) = name.split_once('/') else {
            let mut listed = manifest.lessons.iter().flatten();
            if part == "quizzes" || listed.all(|it| it.value != name) {
                reports.extend(other_ending(path));
            }
            continue;
        };
        let is_meant =
            file == "course.toml" || sources.files.contains_key(&format!("{part}/{file}"));
        if is_meant && Language::new(folder).is_none() {
            folders.entry(format!("{part}/{folder}")).or_insert(folder);
        }
    }
    reports.extend(
        folders
            .iter()
            .map(|(path, folder)| no_language(path, folder)),
    );
    reports.extend(folders_of_programs.into_iter().map(programs_of_language));
    reports
}

/// What to do about a file that is not there, where it was saved under another name or in another folder.
pub(super) fn misplaced(file: &str, sources: &Sources) -> Option<String> {
    let name = file.rsplit('/').next()?;
    let is_renamed = |it: &&String| {
        let ending = it.strip_prefix(file).and_then(|it| it.strip_prefix('.'));
        ending.is_some_and(|it| BEHIND.contains(&it.to_lowercase().as_str()))
            || *it != file && it.eq_ignore_ascii_case(file)
    };
    if let Some(other) = sources.unread.iter().find(is_renamed) {
        return Some(format!("`{other}` is there: rename it to `{name}`"));
    }
    let stem = file.strip_suffix("toml")?;
    let in_yaml = ["yml", "yaml", "json"].map(|it| format!("{stem}{it}"));
    if let Some(other) = in_yaml.iter().find(|it| sources.unread.contains(*it)) {
        return Some(format!(
            "`{other}` is there: write it as TOML into `{name}`"
        ));
    }
    let is_in_folder = file == MANIFEST && sources.unread.contains(name);
    is_in_folder.then(|| format!("`{name}` is in the folder of the course: move it to `{file}`"))
}

/// What to do about a listed file that is there and cannot be a lesson: one in a folder, or one of another tool.
pub(super) fn not_a_lesson(listed: &str) -> Option<String> {
    let (folder, name) = listed.rsplit_once('/').unwrap_or(("", listed));
    let (stem, ending) = name.rsplit_once('.')?;
    if !folder.is_empty() && ending == "md" {
        return Some(format!(
            "the lessons are in `lessons` itself, in no folder of it: move it to `lessons/{name}`, and write `{name}` here"
        ));
    }
    let how = match ending.to_lowercase().as_str() {
        "ipynb" => format!(
            ": `jupyter nbconvert --to markdown {name}` writes one, to be changed; `warpup new lesson {stem}` shows the form"
        ),
        "docx" | "odt" | "rst" | "html" | "tex" | "qmd" | "rmd" => {
            format!("; `warpup new lesson {stem}` creates one to fill")
        }
        _ => return None,
    };
    Some(format!("a lesson is a file of Markdown, `{stem}.md`{how}"))
}

/// What to do with a lesson or a quiz of another ending; nothing for any other file.
pub(super) fn right_name(path: &str) -> Option<(String, &'static str)> {
    let (part, name) = path.split_once('/')?;
    let (stem, ending) = name.rsplit_once('.')?;
    let (_, endings, right) = ENDINGS.iter().find(|it| it.0 == part)?;
    let lower = ending.to_lowercase();
    let is_other = ending != *right && endings.contains(&lower.as_str());
    is_other.then(|| (format!("{stem}.{right}"), *right))
}

fn other_ending(path: &str) -> Option<Report> {
    let (right, ending) = right_name(path)?;
    let is_program = path.starts_with("repairs/");
    let what = match ending {
        _ if is_program => "file of repairs",
        "md" => "lesson",
        _ => "quiz",
    };
    let mut report = Report::new(path);
    report
        .warning(
            Rule::FileLeftOut,
            0..0,
            format!("this file is not read: the name of a {what} ends with `.{ending}`"),
        )
        .hint(if is_program {
            format!("write each program as a block into `{right}`: ```python right=LAB title=\"…\"")
        } else if ending == "md" || path.to_lowercase().ends_with("toml") {
            format!("rename it to `{right}`")
        } else {
            format!("write it as TOML into `{right}`; `warpup new quiz LESSON` shows how")
        });
    Some(report)
}

/// A folder of lessons in that of a language, where those of languages are in that of the lessons.
fn turned_round(folder: &str, part: &str) -> Report {
    let code = Language::meant(folder).map_or_else(|| folder.to_owned(), |it| it.to_string());
    let mut report = Report::new(&format!("{folder}/{part}"));
    report
        .warning(
            Rule::LanguageCode,
            0..0,
            format!("this folder is not read: translated {part} are in `{part}/{code}`"),
        )
        .hint(format!("move its files into `{part}/{code}`"));
    report
}

/// Programs of labs have no translations, and this folder has the name of a language.
fn programs_of_language(folder: &str) -> Report {
    let mut report = Report::new(&format!("labs/{folder}"));
    report
        .warning(
            Rule::FileLeftOut,
            0..0,
            "this folder is not read: a program in `labs` is the same in all languages",
        )
        .hint(format!(
            "remove it; write a lab with words to translate into the lesson, and its translation into `lessons/{folder}`"
        ));
    report
}

fn no_language(path: &str, folder: &str) -> Report {
    let code = Language::meant(folder);
    let mut report = Report::new(path);
    report
        .warning(
            Rule::LanguageCode,
            0..0,
            format!("this folder is not read: `{folder}` is not the code of a language"),
        )
        .hint(match code {
            Some(code) => format!("rename the folder to `{code}`"),
            None => "name the folder of a translation by the code of its language, such as `de` or `pt-BR`; if it has no translation, move it out of the course".to_owned(),
        });
    report
}

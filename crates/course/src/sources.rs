//! The texts of a course, and which files a course has.

use super::language::Language;
use super::model::FrontEnd;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A file of the course may have this many bytes.
pub const MAX_FILE: usize = 1 << 20;

/// The folders of a course, and the endings of the files in them that are read.
pub const PARTS: [(&str, &[&str]); 4] = [
    ("lessons", &["md", "toml"]),
    ("quizzes", &["toml"]),
    ("labs", &["py"]),
    ("repairs", &["md"]),
];

/// The texts of a course folder, by path relative to it (`lessons/course.toml`, `quizzes/….toml`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Path to text.
    pub files: BTreeMap<String, Cow<'static, str>>,
    /// The translation that is read; `None` for the course as it was written.
    pub language: Option<Language>,
    /// Where it is read: text for another front end is left out. `None` for all of it.
    pub front_end: Option<FrontEnd>,
    /// Paths of what is in the folders of lessons and quizzes and is no file of a course, such as `lessons/german/a.md`, and
    /// `course.toml` if it is beside them, as far as somebody has looked.
    pub unread: BTreeSet<String>,
}

impl Sources {
    /// A course of these files, by path, in the language that it was written in.
    pub fn of(files: impl IntoIterator<Item = (String, Cow<'static, str>)>) -> Self {
        Self {
            files: files.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The languages that there are translations into: those with a folder in `lessons` or `quizzes`.
    pub fn languages(&self) -> BTreeSet<Language> {
        let files = self.files.keys();
        files.filter_map(|it| Language::of_path(it)).collect()
    }

    /// Where a file of one of the parts is: in a translation, if that has it.
    pub(crate) fn path(&self, part: &str, name: &str, language: Option<&Language>) -> String {
        let translated = language.map(|it| format!("{part}/{it}/{name}"));
        translated
            .filter(|it| self.files.contains_key(it))
            .unwrap_or_else(|| format!("{part}/{name}"))
    }
}

/// Whether a folder of a course may have folders of translations: a program is the same in all languages.
pub fn is_translated(folder: &str) -> bool {
    matches!(folder, "lessons" | "quizzes")
}

/// Whether a course can have a file of this path.
pub fn is_of_course(path: &str) -> bool {
    let Some((part, rest)) = path.split_once('/') else {
        return false;
    };
    let Some((_, endings)) = PARTS.iter().find(|it| it.0 == part) else {
        return false;
    };
    let name = match rest.split_once('/') {
        Some((folder, name)) if is_translated(part) && Language::new(folder).is_some() => name,
        Some(_) => return false,
        None => rest,
    };
    let is_plain = !name.starts_with('.') && !name.contains('/');
    let ending = name.rsplit_once('.').map(|it| it.1);
    is_plain && ending.is_some_and(|it| endings.contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_a_course_are_its_files() {
        for path in [
            "lessons/course.toml",
            "lessons/a.md",
            "lessons/de/a.md",
            "lessons/pt-BR/course.toml",
            "quizzes/de/a.toml",
            "labs/a.py",
            "repairs/a.md",
        ] {
            assert!(is_of_course(path), "{path}");
        }
        for path in [
            "a.md",
            "/etc/passwd",
            "../lessons/a.md",
            "lessons/../a.md",
            "lessons/old/a.md",
            "lessons/de/fr/a.md",
            "lessons/.a.md",
            "lessons/de/.a.md",
            "lessons/de/..",
            "lessons/a.py",
            "quizzes/a.md",
            "labs/de/a.py",
            "repairs/de/a.md",
            "repairs/a.py",
            "lessons/de",
        ] {
            assert!(!is_of_course(path), "{path}");
        }
    }
}

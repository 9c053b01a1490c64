//! The course that a command line asks for, and in which language: as it says, else as the environment does.

use super::failure::{Failure, Result};
use std::path::Path;
use warpup_course::{FrontEnd, Language, Sources};

/// The course that a command line asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct CourseArgument<'a> {
    /// Its folder or packed file; `None` for the course that is built in.
    pub(super) dir: Option<&'a Path>,
    /// In which language.
    pub(super) language: &'a LanguageChoice,
    /// Where it is read: what the lessons say to another front end is left out. `None` for all that they say.
    pub(super) front_end: Option<FrontEnd>,
}

impl CourseArgument<'_> {
    /// The same, read there.
    pub(super) fn in_front_end(self, front_end: FrontEnd) -> Self {
        Self {
            front_end: Some(front_end),
            ..self
        }
    }
}

impl<'a> From<Option<&'a Path>> for CourseArgument<'a> {
    /// The course as it was written, which is what its author works on.
    fn from(dir: Option<&'a Path>) -> Self {
        let language = &LanguageChoice::Original;
        Self {
            dir,
            language,
            front_end: None,
        }
    }
}

/// The language that somebody wants to read a course in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LanguageChoice {
    /// That in which it was written.
    Original,
    /// This one, and no other.
    Named(Language),
    /// The first of these that there is.
    FirstOf(Vec<Language>),
}

impl LanguageChoice {
    /// The wish of a command line, else that of the environment: as for other programs, `LANGUAGE` is a list, and else the first
    /// of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set decides.
    pub(super) fn of(named: Option<Language>, variable: impl Fn(&str) -> Option<String>) -> Self {
        if let Some(named) = named {
            return Self::Named(named);
        }
        let set = |name| variable(name).filter(|it| !it.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        let list = match (set("LANGUAGE"), &locale) {
            // In the locale `C`, no list counts.
            (Some(list), Some(it)) if Language::of_locale(it).is_some() => list,
            (_, Some(locale)) => locale.clone(),
            (_, None) => return Self::Original,
        };
        Self::FirstOf(list.split(':').filter_map(Language::of_locale).collect())
    }

    /// Which translation to read, if any, of a course that was written in a language.
    pub(super) fn choose(
        &self,
        sources: &Sources,
        written_in: Option<&Language>,
    ) -> Result<Option<Language>> {
        let there = sources.languages();
        let all = || there.iter().chain(written_in);
        let chosen = match self {
            Self::Original => None,
            Self::FirstOf(wanted) => wanted.iter().find_map(|it| it.nearest(all())),
            Self::Named(wanted) => {
                let found = wanted.nearest(all());
                Some(found.ok_or_else(|| not_there(wanted, all()))?)
            }
        };
        let chosen = chosen.filter(|it| Some(*it) != written_in && there.contains(*it));
        Ok(chosen.cloned())
    }
}

/// That a course cannot be read in a language.
fn not_there<'a>(wanted: &Language, all: impl Iterator<Item = &'a Language>) -> Failure {
    let all: Vec<_> = all.map(|it| format!("`{it}`")).collect();
    let hint = if all.is_empty() {
        "leave `--language` out to read it as it was written".to_owned()
    } else {
        format!("choose one of {}", all.join(", "))
    };
    Failure::arguments_but(format!("this course cannot be read in `{wanted}`"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(code: &str) -> Language {
        Language::new(code).unwrap()
    }

    /// What is read of a course in English with German and Brazilian translations, with these variables.
    fn read(variables: &[(&str, &str)]) -> String {
        let value = |name: &str| {
            let found = variables.iter().find(|it| it.0 == name);
            found.map(|it| it.1.to_owned())
        };
        chosen(&LanguageChoice::of(None, value)).unwrap()
    }

    fn chosen(wish: &LanguageChoice) -> Result<String> {
        let files = ["lessons/a.md", "lessons/de/a.md", "quizzes/pt-BR/a.toml"];
        let files = files.map(|it| (it.to_owned(), "".into()));
        let chosen = wish.choose(&Sources::of(files), Some(&language("en")))?;
        Ok(chosen.map_or("original".to_owned(), |it| it.to_string()))
    }

    #[test]
    fn the_locale_chooses_as_for_other_programs() {
        assert_eq!(read(&[]), "original");
        assert_eq!(read(&[("LANG", "de_AT.UTF-8")]), "de");
        assert_eq!(
            read(&[("LANG", "de_AT.UTF-8"), ("LC_ALL", "C")]),
            "original"
        );
        assert_eq!(
            read(&[("LANG", "fr_FR"), ("LANGUAGE", "fr:pt:de")]),
            "pt-BR"
        );
        assert_eq!(read(&[("LANG", "C.UTF-8"), ("LANGUAGE", "de")]), "original");
        assert_eq!(
            read(&[("LANG", "en_GB"), ("LANGUAGE", "en:de")]),
            "original"
        );
        assert_eq!(
            read(&[("LC_MESSAGES", ""), ("LANG", "ja_JP.UTF-8")]),
            "original"
        );
    }

    #[test]
    fn a_named_language_is_there_or_an_error() {
        let named = |code| chosen(&LanguageChoice::Named(language(code)));
        assert_eq!(named("de").unwrap(), "de");
        assert_eq!(named("pt").unwrap(), "pt-BR");
        assert_eq!(named("en").unwrap(), "original");
        let mut said = Vec::new();
        named("fr").unwrap_err().report(&mut said, Some(100));
        insta::assert_snapshot!(String::from_utf8(said).unwrap(), @"
        error: this course cannot be read in `fr`
        hint: choose one of `de`, `pt-BR`, `en`
        ");
    }
}

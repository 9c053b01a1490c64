//! The course around a file that an author is writing.

use crate::commands::course_argument::{CourseArgument, LanguageChoice};
use crate::commands::courses::{self, MANIFEST, OpenCourse};
use crate::commands::failure::{Failure, Result};
use crate::commands::file_failure::unreadable;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use warpup_course::{
    Diagnostic, FrontEnd, Language, LessonId, MAX_FILE, Sources, is_of_course, template,
};
use warpup_store::{course_edit, text_file};

/// A file of a course, or a lesson without one.
#[derive(Clone, Debug)]
pub(super) struct EditedFile {
    /// The folder of the course, or that of a lesson without one.
    pub(super) root: PathBuf,
    /// The file in its course, such as `lessons/intro.md` or `lessons/de/intro.md`; nothing for a whole course.
    pub(super) file: Option<String>,
    /// Whether there is no course around it.
    is_alone: bool,
    /// Where it is previewed.
    front_end: FrontEnd,
}

impl EditedFile {
    /// Finds the course of a file.
    pub(super) fn of(path: &Path, front_end: FrontEnd) -> Result<Self> {
        let shown = path.display();
        let cannot = |it: std::io::Error| unreadable(path, &it);
        let is_dir = path.metadata().map_err(cannot)?.is_dir();
        let path = std::path::absolute(path).map_err(cannot)?;
        if is_dir {
            return Ok(Self {
                root: path,
                file: None,
                is_alone: false,
                front_end,
            });
        }
        let folder = path.parent().unwrap_or(Path::new("/"));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let around = path.ancestors().skip(2).take(2).find_map(|root| {
            let file = path.strip_prefix(root).ok()?.to_str()?;
            let is_there = is_of_course(file) && root.join("lessons").is_dir();
            is_there.then(|| (root.to_owned(), file.to_owned()))
        });
        match around {
            Some((root, file)) => Ok(Self {
                root,
                file: Some(file),
                is_alone: false,
                front_end,
            }),
            None if path.extension().is_some_and(|it| it == "md") => Ok(Self {
                root: folder.to_owned(),
                file: Some(format!("lessons/{name}")),
                is_alone: true,
                front_end,
            }),
            None => Err(Failure::arguments_but(
                format!("{shown} is neither a lesson nor a quiz of a course"),
                "give a lesson (lessons/*.md), a quiz (quizzes/*.toml), or the folder of a course",
            )),
        }
    }

    /// Reads the course as it is now. A lesson that the course does not list yet is at its end.
    pub(super) fn read(&self) -> Result<OpenCourse> {
        if self.is_alone {
            return self.read_alone();
        }
        let language = self.file.as_deref().and_then(Language::of_path);
        let mut opened = courses::open(CourseArgument {
            dir: Some(&self.root),
            language: &language.map_or(LanguageChoice::Original, LanguageChoice::Named),
            front_end: Some(self.front_end),
        })?;
        let Some(file) = self.unlisted(&opened) else {
            return Ok(opened);
        };
        let manifest = opened.sources.files.get(MANIFEST);
        if let Some(name) = file.strip_prefix("lessons/")
            && !name.contains('/')
            && let Some(listed) = manifest.and_then(|it| course_edit::with_lesson(it, name).ok())
        {
            let mut sources = opened.sources.clone();
            let manifest = MANIFEST.to_owned();
            sources.files.insert(manifest, Cow::Owned(listed));
            // That it is not listed stays a warning.
            let before = std::mem::take(&mut opened.diagnostics);
            let is_about = |it: &Diagnostic| it.file == file;
            opened = courses::of(sources);
            opened
                .diagnostics
                .extend(before.into_iter().filter(is_about));
        }
        Ok(opened)
    }

    /// A course of one lesson.
    fn read_alone(&self) -> Result<OpenCourse> {
        let file = self.file.clone().unwrap_or_default();
        let name = file.strip_prefix("lessons/").unwrap_or(&file);
        let path = self.root.join(name);
        let text = text_file::read(&path, MAX_FILE as u64);
        let text = text.map_err(|it| unreadable(&path, &it))?;
        let stem = name.strip_suffix(".md").unwrap_or(name);
        let manifest = template::course("preview", stem);
        let files = [(MANIFEST.to_owned(), manifest), (file, text)];
        let files = files.map(|(file, text)| (file, Cow::Owned(text)));
        Ok(courses::of(Sources {
            front_end: Some(self.front_end),
            ..Sources::of(files)
        }))
    }

    /// The lesson, if the course has it as a file and does not list it.
    fn unlisted(&self, opened: &OpenCourse) -> Option<&str> {
        let file = self.file.as_deref()?;
        let is_listed = opened.course.lessons.iter().any(|it| it.file == file);
        let is_there = opened.sources.files.contains_key(file);
        (file.starts_with("lessons/") && is_there && !is_listed).then_some(file)
    }

    /// The lesson to open, and whether its quiz is to be opened; nothing for a whole course, and for a lesson whose head
    /// cannot be read.
    pub(super) fn start(&self, opened: &OpenCourse) -> Option<(LessonId, bool)> {
        let file = self.file.as_deref()?;
        let mut lessons = opened.course.lessons.iter();
        lessons.find_map(|it| {
            let is_quiz = it.quiz.as_ref().is_some_and(|it| it.file == file);
            let is_lesson = it.file == file || it.labs.iter().any(|lab| lab.is_in(file));
            (is_quiz || is_lesson).then(|| (it.id.clone(), is_quiz))
        })
    }
}

//! A course, or a lesson of it, as one page of HTML that needs nothing else: no network, no script.
//!
//! Its own policy forbids both, so that a text which is not escaped could do nothing.

mod lab;
mod quiz;

use super::markup::{Dialect, Html, escaped, html_of_text, is_outside, with_code};
use super::shows::{Keys, Outputs};
use std::fmt::Write as _;
use warpup_course::{Course, LabId, Language, Lesson, Page};

const STYLE: &str = include_str!("style.css");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The page of these lessons.
pub fn write(course: &Course, lessons: &[&Lesson], keys: Keys, outputs: &Outputs) -> String {
    let writer = Writer {
        lessons,
        keys,
        outputs,
    };
    let (title, body) = match lessons {
        [lesson] => (&lesson.title, writer.lesson(lesson, 1)),
        lessons => {
            let mut body = format!(
                "<h1>{}</h1>\n<p>{}</p>\n<nav>\n<ol>\n",
                escaped(&course.title),
                escaped(&course.summary)
            );
            for lesson in lessons {
                let (id, title) = (escaped(lesson.id.as_str()), of_head(&lesson.title));
                let summary = of_head(&lesson.summary);
                let _ = writeln!(
                    body,
                    "<li><a href=\"#{id}\">{title}</a> <span class=\"soft\">{summary}</span></li>"
                );
            }
            body.push_str("</ol>\n</nav>\n");
            for lesson in lessons {
                body.push_str(&writer.lesson(lesson, 2));
            }
            (&course.title, body)
        }
    };
    let language = course.language.as_ref().map_or("en", Language::as_str);
    document(title, language, "", &body)
}

/// A page that needs nothing else, with rules of style for more than lessons need.
pub(super) fn document(title: &str, language: &str, style: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\"/>\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
<meta name=\"generator\" content=\"warpup {}\"/>\n<title>{}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(title),
    )
}

struct Writer<'a> {
    /// The lessons that are on the page.
    lessons: &'a [&'a Lesson],
    keys: Keys,
    outputs: &'a Outputs,
}

impl Writer<'_> {
    /// A lesson under a heading of this level.
    fn lesson(&self, lesson: &Lesson, level: u8) -> String {
        let id = escaped(lesson.id.as_str());
        let mut out = format!(
            "<article id=\"{id}\">\n<h{level}>{}</h{level}>\n<p>{}</p>\n",
            of_head(&lesson.title),
            of_head(&lesson.summary)
        );
        if !lesson.objectives.is_empty() {
            out.push_str("<p>Afterwards you can:</p>\n<ul>\n");
            for objective in &lesson.objectives {
                let _ = writeln!(out, "<li>{}</li>", of_head(objective));
            }
            out.push_str("</ul>\n");
        }
        for page in &lesson.pages {
            out.push_str(&self.page(lesson, page, level + 1));
        }
        if let Some(quiz) = &lesson.quiz {
            out.push_str(&self.quiz(lesson, quiz, level + 1));
        }
        out.push_str("</article>\n");
        out
    }

    fn page(&self, lesson: &Lesson, page: &Page, level: u8) -> String {
        let mut out = format!("<section id=\"{}\">\n", anchor(lesson, page.id.as_str()));
        // The first page is called as the lesson, which has just been said.
        if page.title != lesson.title {
            let _ = writeln!(out, "<h{level}>{}</h{level}>", of_head(&page.title));
        }
        let name = page.id.as_str();
        out.push_str(&self.with_html(lesson, name, level, |it| it.blocks(&page.blocks)));
        out.push_str("</section>\n");
        out
    }

    /// Gives blocks of a lesson to `write`.
    fn with_html<T>(
        &self,
        lesson: &Lesson,
        page: &str,
        level: u8,
        write: impl FnOnce(&Html<'_>) -> T,
    ) -> T {
        let link = |to: &str| self.link(lesson, to);
        let lab = |id: &LabId| self.lab(lesson, id, level + 1);
        write(&Html {
            lab: &lab,
            link: &link,
            page,
            dialect: Dialect::Web,
            deeper: level.saturating_sub(2),
        })
    }

    /// Where a link leads: outside, or to a place on this page. A lesson that is not here is no place.
    fn link(&self, lesson: &Lesson, to: &str) -> Option<String> {
        if is_outside(to) {
            return Some(to.to_owned());
        }
        let (file, page) = to.split_once('#').unwrap_or((to, ""));
        let of = if to.starts_with('#') {
            lesson
        } else {
            self.lessons.iter().find(|it| it.name() == file)?
        };
        if page.is_empty() {
            return Some(format!("#{}", of.id));
        }
        Some(format!("#{}", anchor(of, page)))
    }
}

/// The HTML of a text of a lesson's head.
fn of_head(text: &str) -> String {
    html_of_text(&with_code(text), Dialect::Web)
}

/// The id of a part of a lesson, which other lessons may have, too.
fn anchor(lesson: &Lesson, part: &str) -> String {
    escaped(&format!("{}--{part}", lesson.id))
}

#[cfg(test)]
mod tests;

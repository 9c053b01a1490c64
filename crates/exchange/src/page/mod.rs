//! A course, or a lesson of it, as one page of HTML that needs nothing else: no network, no script.
//!
//! Its own policy forbids both, so that a text which is not escaped could do nothing. The line feeds are
//! for who compares two pages.

mod lab;
mod quiz;

use super::markup::{Dialect, Html, escaped, html_of_text, is_outside, visible, with_code};
use super::options::{Keys, Outputs};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use warpup_course::{Block, Course, LabId, Language, Lesson, Page};

const STYLE: &str = include_str!("style.css");

/// What browsers are told. maud writes `<meta>`, which is no XML.
const META: PreEscaped<&str> = PreEscaped(concat!(
    "<meta charset=\"utf-8\"/>\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
    "<meta name=\"generator\" content=\"warpup ",
    env!("CARGO_PKG_VERSION"),
    "\"/>\n",
));

/// The page of these lessons.
pub fn write(course: &Course, lessons: &[&Lesson], keys: Keys, outputs: &Outputs) -> String {
    let writer = PageWriter {
        lessons,
        keys,
        outputs,
    };
    let (title, body) = match lessons {
        [lesson] => (&lesson.title, writer.lesson(lesson, 1)),
        _ => (&course.title, writer.course(course)),
    };
    let language = course.language.as_ref().map_or("en", Language::as_str);
    document(title, language, "", &body)
}

/// A page that needs nothing else, with rules of style for more than lessons need.
pub(super) fn document(title: &str, language: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang=(language) { "\n"
            head { "\n"
                (META)
                title { (title) } "\n"
                style { "\n" (PreEscaped(STYLE)) (PreEscaped(style)) } "\n"
            } "\n"
            body { "\n" main { "\n" (body) } "\n" } "\n"
        } "\n"
    };
    visible(&page.into_string())
}

struct PageWriter<'a> {
    /// The lessons that are on the page.
    lessons: &'a [&'a Lesson],
    keys: Keys,
    outputs: &'a Outputs,
}

impl PageWriter<'_> {
    /// The lessons below a table of contents.
    fn course(&self, course: &Course) -> Markup {
        html! {
            h1 { (course.title) } "\n"
            p { (course.summary) } "\n"
            nav { "\n"
                ol { "\n"
                    @for lesson in self.lessons {
                        li {
                            a href={ "#" (lesson.id.as_str()) } { (of_head(&lesson.title)) } " "
                            span.soft { (of_head(&lesson.summary)) }
                        } "\n"
                    }
                } "\n"
            } "\n"
            @for lesson in self.lessons { (self.lesson(lesson, 2)) }
        }
    }

    /// A lesson under a heading of this level.
    fn lesson(&self, lesson: &Lesson, level: u8) -> Markup {
        html! {
            article id=(lesson.id.as_str()) { "\n"
                (heading(level, &of_head(&lesson.title)))
                p { (of_head(&lesson.summary)) } "\n"
                @if !lesson.objectives.is_empty() {
                    p { "Afterwards you can:" } "\n"
                    ul { "\n"
                        @for objective in &lesson.objectives { li { (of_head(objective)) } "\n" }
                    } "\n"
                }
                @for page in &lesson.pages { (self.page(lesson, page, level + 1)) }
                @if let Some(quiz) = &lesson.quiz { (PreEscaped(self.quiz(lesson, quiz, level + 1))) }
            } "\n"
        }
    }

    fn page(&self, lesson: &Lesson, page: &Page, level: u8) -> Markup {
        let name = page.id.as_str();
        html! {
            section id=(PreEscaped(anchor(lesson, name))) { "\n"
                // The first page is called as the lesson, which has just been said.
                @if page.title != lesson.title { (heading(level, &of_head(&page.title))) }
                (self.blocks(lesson, name, level, &page.blocks))
            } "\n"
        }
    }

    /// Blocks of a lesson, and after them a line feed.
    fn blocks(&self, lesson: &Lesson, page: &str, level: u8, blocks: &[Block]) -> Markup {
        PreEscaped(self.with_html(lesson, page, level, |it| it.blocks(blocks)))
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
        let lab = |id: &LabId| self.lab(lesson, id, level + 1).into_string();
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
fn of_head(text: &str) -> Markup {
    PreEscaped(html_of_text(&with_code(text), Dialect::Web))
}

/// A heading of a level from 1 on.
fn heading(level: u8, inside: &Markup) -> Markup {
    html! {
        @match level {
            1 => h1 { (inside) },
            2 => h2 { (inside) },
            3 => h3 { (inside) },
            4 => h4 { (inside) },
            5 => h5 { (inside) },
            _ => h6 { (inside) },
        } "\n"
    }
}

/// The id of a part of a lesson, which other lessons may have, too; it is escaped.
fn anchor(lesson: &Lesson, part: &str) -> String {
    escaped(&format!("{}--{part}", lesson.id))
}

#[cfg(test)]
mod tests;

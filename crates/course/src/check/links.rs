//! Links: pages and lessons that they name exist, and addresses outside are whole.
//!
//! No address is asked whether it is there: a course is checked without a network.

use crate::diagnostics::{Report, Rule};
use crate::markdown::Link;
use crate::quiz::PageNames;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The pages of each lesson, by its file's name.
pub(crate) type Pages = BTreeMap<String, PageNames>;

/// Where a link may go.
pub(crate) struct Targets<'a> {
    name: &'a str,
    all: &'a Pages,
    /// The lessons of which the pages are not known.
    unclear: &'a BTreeSet<String>,
    files: &'a BTreeMap<String, Cow<'static, str>>,
}

impl<'a> Targets<'a> {
    /// The targets of links in the lesson of this file, or in its quiz.
    pub(crate) fn from(
        name: &'a str,
        all: &'a Pages,
        unclear: &'a BTreeSet<String>,
        files: &'a BTreeMap<String, Cow<'static, str>>,
    ) -> Self {
        Self {
            name,
            all,
            unclear,
            files,
        }
    }

    /// Checks that a link goes somewhere.
    pub(crate) fn check(&self, link: &Link, report: &mut Report) {
        let to = link.to.as_str();
        if to.starts_with("mailto:") {
            return;
        }
        if to.starts_with("www.") {
            report
                .error(
                    Rule::LinkWithoutTarget,
                    link.span.clone(),
                    format!("there is no lesson file `{to}`"),
                )
                .fixed_by(to, format!("https://{to}"))
                .hint(format!("write `https://{to}`"));
            return;
        }
        if let Some((scheme, rest)) = to.split_once("://") {
            return outside(scheme, rest, link, report);
        }
        let (file, page) = to
            .split_once('#')
            .map_or((to, None), |(file, page)| (file, Some(page)));
        if file.is_empty() {
            if let (true, Some(page)) = (self.all.contains_key(self.name), page) {
                self.check_page(self.name, page, link, report);
            } else {
                report.error(
                    Rule::LinkWithoutTarget,
                    link.span.clone(),
                    "this link goes nowhere",
                ).hint("write `#page`, `other-lesson.md`, `other-lesson.md#page` or `https://…` between the parentheses");
            }
        } else if self.all.contains_key(file) {
            if let Some(page) = page {
                self.check_page(file, page, link, report);
            }
        } else if !self.files.contains_key(&format!("lessons/{file}")) {
            let known = self.all.keys().map(String::as_str);
            let message = format!("there is no lesson file `{file}`");
            let said = report.error(Rule::LinkWithoutTarget, link.span.clone(), message);
            match instead_of_file(file) {
                Some(help) => said.hint(help),
                None => said.file_or(
                    file,
                    known,
                    "a link goes to `https://…`, `#page` or `lesson.md#page`",
                ),
            }
        }
    }

    /// Checks that the lesson of a file has a page.
    fn check_page(&self, file: &str, page: &str, link: &Link, report: &mut Report) {
        let Some(pages) = self.all.get(file) else {
            return;
        };
        if self.unclear.contains(file) || pages.has(page) {
            return;
        }
        let message = format!("there is no page `#{page}`");
        let said = report.error(Rule::LinkWithoutTarget, link.span.clone(), message);
        pages.suggest(page, said);
    }
}

/// What to write in place of a link to a file of the course that is no lesson.
fn instead_of_file(file: &str) -> Option<&'static str> {
    match file.rsplit_once('.')?.1 {
        "toml" => Some(
            "learners come to a quiz at the end of its lesson: link to the lesson, `lesson.md`, or leave the link out",
        ),
        "py" => Some(
            "learners read a program in its lab: link to the page of the lab, `#page` or `lesson.md#page`",
        ),
        _ => None,
    }
}

/// Checks an address outside of the course: `scheme://rest`.
fn outside(scheme: &str, rest: &str, link: &Link, report: &mut Report) {
    if scheme == "http" {
        report
            .warning(
                Rule::LinkNotEncrypted,
                link.span.clone(),
                "this address is not encrypted",
            )
            .hint("write `https://`");
    } else if scheme != "https" {
        report
            .error(
                Rule::LinkKind,
                link.span.clone(),
                format!("`{scheme}` is not a kind of address that a link may have"),
            )
            .hint("a link goes to `https://…`, `#page` or `lesson.md#page`");
        return;
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.split_once(':').unwrap_or((host, "443"));
    let is_label = |it: &str| {
        let inside = it.chars().all(|it| it.is_alphanumeric() || it == '-');
        inside && !it.is_empty() && !it.starts_with('-') && !it.ends_with('-')
    };
    let is_host = name.contains('.') && name.split('.').all(is_label);
    let is_port = !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit());
    if !is_host || !is_port {
        report
            .error(
                Rule::LinkAddress,
                link.span.clone(),
                format!("`{scheme}://{host}` names no computer"),
            )
            .hint("write the whole name, such as `https://pytorch.org/docs`");
    } else if let Some(wrong) = rest.chars().find(|it| !may_be_in_address(*it)) {
        report
            .error(
                Rule::LinkAddress,
                link.span.clone(),
                format!("an address has no `{}`", wrong.escape_default()),
            )
            .hint("write it as `%` and two digits for each of its bytes");
    }
}

/// Whether a character may be in an address as it is.
fn may_be_in_address(letter: char) -> bool {
    letter.is_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(letter)
}

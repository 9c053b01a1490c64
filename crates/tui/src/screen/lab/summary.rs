//! What a lab has shown, as a page of Markdown: the summary beside the picture of its screen.

use super::origin::ProgramOrigin;
use super::state::Lab;
use super::verdict::figures;
use crate::effect::{Effect, SavedScreen};
use crate::picture::Paper;
use crate::session::{LastRun, Session, UpdateContext};
use crate::theme::Colours;
use warpup_lab::findings::Finding;
use warpup_lab::first_use;
use warpup_lab::own_program::OwnProgram;
use warpup_lab::units::duration;
use warpup_protocol::{Clock, LineTime, Report};
use warpup_store::course::BUILT_IN_ID;

/// Columns of the table that compares two runs.
const BESIDE: usize = 100;

impl Lab {
    /// Asks for the files that keep the screen.
    pub(crate) fn save_screen(&mut self, ctx: &mut UpdateContext<'_>) {
        self.notice = None;
        // The command in the summary runs the program as it is in the records.
        self.save_changes(ctx);
        let paper = match ctx.session.theme.colours {
            Colours::Light => Paper::Light,
            Colours::Any
            | Colours::Dark
            | Colours::HighContrast
            | Colours::ColourBlind
            | Colours::Sixteen
            | Colours::None => Paper::Dark,
        };
        let saved = SavedScreen {
            name: self.file_name(),
            title: match &self.origin {
                ProgramOrigin::File(program) => program.name.clone(),
                ProgramOrigin::Lesson => {
                    format!("{}: {}", self.lesson.title, self.definition.title)
                }
            },
            paper,
            summary: self.summary(ctx.session),
        };
        ctx.effects.push(Effect::SaveScreen(saved));
    }

    /// The page without the picture.
    fn summary(&self, session: &Session) -> String {
        let ran = self.runs.last.as_ref();
        let source = ran.map_or_else(|| self.editor.text(), |it| it.source.clone());
        let mut page = format!("# {}\n\n", self.definition.title);
        for (name, text) in self.facts(ran, session) {
            page.extend([format!("- {name}: {text}\n")]);
        }
        if source != self.editor.text() {
            page.push_str("\nThe program was changed after this run; below it is as it ran.\n");
        }
        if let Some(report) = ran.and_then(|it| it.run.report.as_ref()) {
            page.push_str(&lines(report, &source));
        }
        if let Some(rows) = self.rows_beside(BESIDE) {
            page.push_str("\n## The run before → this run\n\n```text\n");
            page.extend(rows.iter().map(|it| format!("{}\n", it.text)));
            page.push_str("```\n");
        }
        page.push_str(&found(ran.map_or(&[], |it| &it.found)));
        let fence = fence(&source);
        let program = source.trim_end();
        page.extend([format!(
            "\n## Program\n\n{fence}python\n{program}\n{fence}\n"
        )]);
        page.retain(|it| it == '\n' || !it.is_control());
        page
    }

    /// What ran where, and how it ended.
    fn facts(&self, ran: Option<&LastRun>, session: &Session) -> Vec<(&'static str, String)> {
        let (lesson, lab) = (&self.lesson, &self.definition);
        let device = ran.map_or(&self.device, |it| &it.device);
        let title = ran.and_then(|it| it.run.device.as_ref());
        let title = title.map(|it| it.title.clone());
        let title = title.unwrap_or_else(|| session.machine.devices.title(device));
        let course = if session.course.about.id.as_str() == BUILT_IN_ID {
            ""
        } else {
            " --course COURSE"
        };
        let (mut facts, command) = match &self.origin {
            ProgramOrigin::File(OwnProgram { name, .. }) => (
                vec![("program", format!("`{name}`"))],
                format!("`warpup lab {name} --device {device}`"),
            ),
            ProgramOrigin::Lesson => (
                vec![
                    ("lesson", format!("{} (`{}`)", lesson.title, lesson.id)),
                    ("lab", format!("`{}`", lab.id)),
                ],
                format!(
                    "`warpup{course} run {}/{} --device {device}`",
                    lesson.id, lab.id
                ),
            ),
        };
        facts.push(("device", title));
        let ending = ran.and_then(|it| self.origin.ending(it, lab));
        let result = ending.map_or_else(|| "not run yet".to_owned(), |it| it.sentence());
        facts.push(("result", result));
        if let Some(report) = ran.and_then(|it| it.run.report.as_ref())
            && let Some(figures) = figures(report, u16::MAX)
        {
            facts.push(("times", clock(report.clock).to_owned()));
            facts.push(("in all", figures));
        }
        facts.push(("again", command));
        facts
    }
}

impl Lab {
    /// The names of the files begin like this.
    fn file_name(&self) -> String {
        let lab = self.definition.id.as_str();
        match self.origin {
            ProgramOrigin::File(_) => plain(lab),
            ProgramOrigin::Lesson => plain(&format!("{}-{lab}", self.lesson.id)),
        }
    }
}

/// Where the times come from.
fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Measured => "measured on this device",
        Clock::Modelled => "MODELLED: computed from the figures of the card, not measured",
    }
}

/// Letters that every file system takes: a file may have any name, and so may an id of a course that has mistakes.
fn plain(name: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '-';
    let mut name = name.replace(|it| !is_plain(it), "-");
    name.truncate(100);
    name
}

/// The lines of the program with their times, as a table.
fn lines(report: &Report, source: &str) -> String {
    if report.lines.is_empty() {
        return String::new();
    }
    let mut table = format!(
        "\n## Time by line, {}\n\n| line | times | host | waited | device | program |\n| --: | --: | --: | --: | --: | :-- |\n",
        report.clock.label()
    );
    let source: Vec<&str> = source.lines().collect();
    let mut lines: Vec<&LineTime> = report.lines.iter().collect();
    lines.sort_by_key(|it| it.line);
    let some = |ns: u64| {
        Some(ns)
            .filter(|it| *it > 0)
            .map_or(String::new(), duration)
    };
    let is_first_use = |it: &LineTime| first_use::most_of(report, it).is_some();
    let has_first_use = lines.iter().any(|it| is_first_use(it));
    let host = |it: &LineTime| {
        let sign = if is_first_use(it) { r"\*" } else { "" };
        format!("{sign}{}", duration(it.host_ns))
    };
    for it in lines {
        let at = usize::try_from(it.line).unwrap_or(0).checked_sub(1);
        let text = at
            .and_then(|at| source.get(at))
            .copied()
            .unwrap_or_default();
        table.extend([format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            it.line,
            it.hits,
            host(it),
            some(it.wait_ns),
            some(it.device_ns.unwrap_or(0)),
            code(text)
        )]);
    }
    if has_first_use {
        table.push_str(
            "\n\\* mostly the first use of the card or of a library, which a program pays once\n",
        );
    }
    table
}

/// What was found in the program.
fn found(found: &[Finding]) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut list = "\n## Found\n\n".to_owned();
    for it in found {
        let place = it.place.as_deref().unwrap_or("the program");
        list.extend([format!(
            "- {} ({}): {}. Try: {}\n",
            it.id,
            code(place),
            it.sentence,
            it.try_first
        )]);
    }
    list
}

/// A line as code in a table, where a bar ends the cell.
fn code(line: &str) -> String {
    let line = line.trim_end().replace('\t', "    ").replace('|', "\\|");
    let words = line.trim_start();
    if words.is_empty() {
        return String::new();
    }
    let ticks = ticks(words, 1);
    let pad = if words.starts_with('`') || words.ends_with('`') {
        " "
    } else {
        ""
    };
    // Of spaces at the start of code, Markdown drops one and a browser the others.
    let indent = "&nbsp;".repeat(line.len() - words.len());
    format!("{indent}{ticks}{pad}{words}{pad}{ticks}")
}

/// The fence of a block with this program.
fn fence(program: &str) -> String {
    ticks(program, 3)
}

/// More back-ticks than a text has in a row.
fn ticks(text: &str, least: usize) -> String {
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_a_table_keeps_its_bars_ticks_and_indent() {
        let all = ["x = 1", "    y |= 2", "print(`a`)", "`", ""].map(code);
        insta::assert_snapshot!(all.join("\n"), @r"
        `x = 1`
        &nbsp;&nbsp;&nbsp;&nbsp;`y \|= 2`
        ``print(`a`)``
        `` ` ``
        ");
    }

    #[test]
    fn a_program_with_a_fence_in_it_has_a_longer_one() {
        assert_eq!(fence("print(1)"), "```");
        assert_eq!(fence("\"\"\"\n```\n\"\"\""), "````");
    }

    #[test]
    fn the_name_of_a_file_leads_into_no_other_folder() {
        assert_eq!(plain("two-workers-first-run"), "two-workers-first-run");
        assert_eq!(plain("../x-a/b"), "---x-a-b");
    }
}

//! The order of `warpup --help`: commands in groups, and examples.

use super::Command;
use clap::Subcommand;
use clap::builder::Styles;
use std::fmt::Write as _;

/// What warpup is, with the full stops that a doc comment would lose.
pub(super) const ABOUT: &str = "Learn what runs where, what a copy costs, why a timer lies and what fills the memory.\n\
    Without a command the course opens where you left off.";

/// The commands below their headings. A test finds one that is missing.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Learn", &["read", "run", "quiz", "progress", "handoff"]),
    (
        "Your own programs",
        &["lab", "plan", "record", "trace", "floor"],
    ),
    ("Hand in and teach", &["class"]),
    (
        "Write a course",
        &[
            "new", "preview", "check", "export", "import", "pack", "schema",
        ],
    ),
    ("This machine", &["doctor", "completions", "man"]),
];

/// Columns of the names of commands.
const NAMES: usize = 11;

/// A command line, and what it is for.
type Example = (&'static str, &'static str);

/// What `warpup --help` consists of.
pub(super) fn template() -> String {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let commands = Command::augment_subcommands(clap::Command::new("warpup"));
    let style = Styles::styled();
    let name_style = style.get_literal();
    for (heading, names) in GROUPS {
        text.extend(["\n", &headed(heading)]);
        for name in names {
            let about = commands.find_subcommand(name).and_then(|it| it.get_about());
            let about = about.map_or(String::new(), ToString::to_string);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {name_style}{name:<NAMES$}{name_style:#}  {about}");
        }
    }
    text.extend(["\n", &headed("Options"), "{options}{after-help}"]);
    text
}

/// A heading in the style of the others.
fn headed(heading: &str) -> String {
    let style = Styles::styled();
    let style = style.get_header();
    format!("{style}{heading}:{style:#}\n")
}

/// Examples below the options of a command.
fn examples(all: &[Example]) -> String {
    let widest = all.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let lines = all.iter().map(|(line, what)| {
        let row = format!("  {line:<widest$}  {what}");
        row.trim_end().to_owned()
    });
    let lines: Vec<String> = lines.collect();
    headed("Examples") + &lines.join("\n")
}

/// Of `warpup` itself.
pub(super) fn of_all() -> String {
    examples(&[
        ("warpup", "the course, where you left off"),
        ("warpup run two-workers/first-run", "a lab"),
        (
            "warpup plan train.py --card t4",
            "what your program would cost on a T4",
        ),
        ("warpup help run", "all about a command"),
    ])
}

/// Of `warpup read`.
pub(super) fn of_read() -> String {
    examples(&[
        ("warpup read", "the list of lessons"),
        ("warpup read two-workers", "a lesson"),
    ])
}

/// Of `warpup lab`.
pub(super) fn of_lab() -> String {
    examples(&[
        ("warpup train.py", "on the CPU; d takes a card"),
        ("warpup lab train.py --device t4", "on a T4"),
    ])
}

/// Of `warpup run`.
pub(super) fn of_run() -> String {
    examples(&[
        ("warpup run two-workers/first-run", "a lab"),
        (
            "warpup run two-workers/first-run --device t4",
            "on a modelled card",
        ),
        (
            "warpup run train.py -- --epochs 3",
            "your program, with its arguments",
        ),
    ])
}

/// Of `warpup plan`.
pub(super) fn of_plan() -> String {
    examples(&[
        ("warpup plan train.py", "on a T4"),
        ("warpup plan train.py --all", "on each card"),
        (
            "warpup plan train.py --card h100 -- --batch-size 64",
            "with its arguments",
        ),
    ])
}

/// Of `warpup floor`.
pub(super) fn of_floor() -> String {
    examples(&[
        ("warpup floor 7b", "a model of 7 billion parameters"),
        (
            "warpup floor 1e9 --batch 32 --length 2048",
            "and what a batch adds",
        ),
    ])
}

/// Of `warpup record`.
pub(super) fn of_record() -> String {
    examples(&[
        (
            "warpup record python train.py --epochs 3",
            "three steps of it",
        ),
        (
            "warpup record --stop --out slow.json.gz -- python train.py",
            "and then end it",
        ),
        (
            "warpup record torchrun --nproc-per-node 2 train.py",
            "each rank",
        ),
        ("warpup record --watch -- python train.py", "follows it"),
    ])
}

/// Of `warpup trace`.
pub(super) fn of_trace() -> String {
    examples(&[
        ("warpup trace trace-1.json.gz", "what it shows"),
        ("warpup trace --how", "the lines that record a trace"),
        (
            "warpup trace before.json after.json",
            "what a change brought",
        ),
    ])
}

/// Of `warpup quiz`.
pub(super) fn of_quiz() -> String {
    examples(&[
        ("warpup quiz two-workers", ""),
        ("warpup quiz two-workers --short", "for practice"),
        (
            "warpup quiz two-workers --answers answers.toml --json",
            "for scripts",
        ),
    ])
}

/// Of `warpup handoff`.
pub(super) fn of_handoff() -> String {
    examples(&[
        ("warpup handoff --out handoff.md", "from your labs"),
        (
            "warpup handoff --trace trace.json.gz --plan train.py",
            "from your own run",
        ),
    ])
}

/// Of `warpup progress`.
pub(super) fn of_progress() -> String {
    examples(&[
        ("warpup progress", "a line for each lesson"),
        ("warpup progress show two-workers", "all about one"),
        ("warpup progress export mine.jsonl", "to take it along"),
    ])
}

/// Of `warpup class`.
pub(super) fn of_class() -> String {
    examples(&[
        ("warpup class submit --drop /srv/drop", "learners hand in"),
        (
            "warpup class collect /srv/drop --into hand-ins",
            "teachers take the newest files",
        ),
        (
            "warpup class report hand-ins --html class.html",
            "and look at them",
        ),
        ("warpup class return comments.toml", "and write to them"),
    ])
}

/// Of `warpup check`.
pub(super) fn of_check() -> String {
    examples(&[
        ("warpup check my-course", ""),
        ("warpup check my-course --run-labs --strict", "all of it"),
        ("warpup check --explain unknown-lab", "about a rule"),
    ])
}

/// Of `warpup preview`.
pub(super) fn of_preview() -> String {
    examples(&[("warpup preview my-course/lessons/first-steps.md", "")])
}

/// Of `warpup new`.
pub(super) fn of_new() -> String {
    examples(&[
        ("warpup new course my-course", ""),
        (
            "warpup --course my-course new lesson more",
            "a lesson in it",
        ),
    ])
}

/// Of `warpup export`.
pub(super) fn of_export() -> String {
    examples(&[
        ("warpup export html -o course.html", "the course as a page"),
        (
            "warpup export moodle two-workers -o quiz.xml",
            "a quiz for Moodle",
        ),
    ])
}

/// Of `warpup import`.
pub(super) fn of_import() -> String {
    examples(&[(
        "warpup import gift questions.gift -o quizzes/first.toml",
        "",
    )])
}

/// Of `warpup pack`.
pub(super) fn of_pack() -> String {
    examples(&[("warpup pack my-course -o my-course.warpup", "")])
}

/// Of `warpup completions`.
pub(super) fn of_completions() -> String {
    examples(&[(
        "warpup completions bash > ~/.local/share/bash-completion/completions/warpup",
        "",
    )])
}

#[cfg(test)]
mod tests {
    use super::super::{Cli, arguments};
    use super::*;
    use clap::{CommandFactory, Parser};
    use std::collections::BTreeSet;
    use std::ffi::OsString;

    #[test]
    fn each_command_that_is_shown_is_in_one_group() {
        let command = Cli::command();
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        let shown: BTreeSet<&str> = shown.map(clap::Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, it)| it.iter().copied())
            .collect();
        assert_eq!(grouped.len(), shown.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), shown);
    }

    #[test]
    fn the_help_is_in_groups_and_fits_80_columns() {
        let help = Cli::command().term_width(80).render_help().to_string();
        let wide: Vec<&str> = help.lines().filter(|it| it.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{wide:?}");
        insta::assert_snapshot!(help, @"
        Learn what runs where, what a copy costs, why a timer lies and what fills the
        memory.
        Without a command the course opens where you left off.

        Usage: warpup [OPTIONS] [COMMAND]

        Learn:
          read         Print a lesson, or list all of them
          run          Run a lab or a program of yours, and show where the time went
          quiz         Take the quiz of a lesson
          progress     Show, export, import, repair or forget what you have done
          handoff      Print a page for the next person, from your runs and words

        Your own programs:
          lab          Open a program of yours in a lab: edit, run, compare cards
          plan         Estimate time, memory and mistakes of a program, without a card
          record       Record some steps of your training run, without changing it
          trace        Show where the time of a training run went, from a trace
          floor        Print the least memory that training a model needs

        Hand in and teach:
          class        Hand in what you have done; for teachers, collect and report

        Write a course:
          new          Create a course or a part of one, for you to fill in
          preview      Show a lesson as learners see it, again whenever you save it
          check        Check a course: its files, the keys of its quizzes, its labs
          export       Write a course, or a lesson of it, for another tool
          import       Make a quiz of the questions of another tool
          pack         Pack a course into one file, which `--course` opens
          schema       Print the JSON Schema of a course file, for editors

        This machine:
          doctor       Check everything between a program and the card
          completions  Print a completion script for a shell
          man          Print the manual page (for `man -l`)

        Options:
              --course <DIR|FILE|URL>  Read the course from this folder, from a file of
                                       `warpup pack`, or from a git repository
                                       (URL#TAG:FOLDER), instead of warpup's own, which
                                       is called `built-in`
              --language <CODE>        Read a translation of the course, such as `de` or
                                       `pt-BR`. Without it, that of your locale
              --plain                  Take the course line by line: for screen readers,
                                       terminals that can only print, and scripts
              --guest                  Keep nothing: what you do is forgotten when
                                       warpup ends, and what is kept on this account is
                                       neither shown nor changed
              --instructor             Show what lessons say to instructors, too: in the
                                       app, with --plain and with read
          -h, --help                   Print help
          -V, --version                Print version

        Examples:
          warpup                            the course, where you left off
          warpup run two-workers/first-run  a lab
          warpup plan train.py --card t4    what your program would cost on a T4
          warpup help run                   all about a command
        ");
    }

    #[test]
    fn every_example_is_a_command_line() {
        let command = Cli::command();
        let all = command.get_subcommands().chain([&command]);
        let helps = all
            .filter_map(|it| it.get_after_help())
            .map(ToString::to_string);
        let lines: Vec<String> = helps
            .flat_map(|it| {
                let lines = it.lines().map(str::trim_start).map(str::to_owned);
                lines
                    .filter(|it| it.starts_with("warpup"))
                    .collect::<Vec<_>>()
            })
            .collect();
        assert!(lines.len() > 25, "{lines:?}");
        for line in &lines {
            let typed = line.split("  ").next().unwrap_or_default();
            let typed = typed.split(" > ").next().unwrap_or_default();
            let words = typed.split_whitespace().map(OsString::from);
            let parsed = Cli::try_parse_from(arguments(words));
            let is_help = |it: &clap::Error| it.kind() == clap::error::ErrorKind::DisplayHelp;
            let refused = parsed.err().filter(|it| !is_help(it));
            assert!(refused.is_none(), "{typed}: {refused:?}");
            assert!(line.len() <= 78, "{line}");
        }
    }
}

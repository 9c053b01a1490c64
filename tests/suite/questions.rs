//! The programs of `tests/fixtures/questions`: what people have asked about training in public, each with its cause. A plan shows it,
//! and so does the screen of a lab.
//!
//! A program begins with its cause, the words that are shown of it (`# says:`), and the question.

use crate::course_walk::press_until;
use crate::support::programs::{assert_none, fixtures};
use crate::support::pty::Start;
use crate::support::temp_home::TempHome;
use std::collections::BTreeMap;
use std::thread;

/// So many programs are run at a time.
const AT_A_TIME: usize = 4;

/// The words that have to be shown.
fn said(program: &str) -> Vec<&str> {
    let lines = program.lines();
    lines.filter_map(|it| it.strip_prefix("# says: ")).collect()
}

/// A text without its line breaks: it may be wrapped anywhere between two words.
fn in_one_line(text: &str) -> String {
    // The screen marks a line that goes on.
    let words = text.split_whitespace().filter(|it| *it != "↪");
    words.collect::<Vec<_>>().join(" ")
}

/// What is not shown of the causes, where `shown` gives what a learner sees.
fn not_shown(shown: impl Fn(&str, &str) -> String + Sync) -> Vec<String> {
    let all: Vec<(String, String)> = fixtures("questions").into_iter().collect();
    let part = all.len().div_ceil(AT_A_TIME);
    let missing = |(file, program): &(String, String)| {
        let seen = shown(file, program);
        let seen = in_one_line(&seen);
        let words = said(program).into_iter();
        let words: Vec<_> = words.filter(|it| !seen.contains(it)).collect();
        (!words.is_empty()).then(|| format!("{file} does not show {words:?}:\n{seen}"))
    };
    thread::scope(|scope| {
        let parts = all.chunks(part).map(|part| {
            let missing = &missing;
            scope.spawn(move || part.iter().filter_map(missing).collect::<Vec<_>>())
        });
        let parts: Vec<_> = parts.collect();
        let ended = parts.into_iter().map(|it| it.join().unwrap());
        ended.flatten().collect()
    })
}

#[test]
fn a_plan_shows_the_cause_of_each_question() {
    let home = TempHome::new();
    let paths: BTreeMap<String, String> = fixtures("questions")
        .into_iter()
        .map(|(file, program)| {
            let path = home.write(&file, &program);
            (file, path.to_str().unwrap().to_owned())
        })
        .collect();
    assert_none(&not_shown(|file, _| {
        let output = home.run(&["plan", "--card", "t4", &paths[file]]);
        String::from_utf8(output.stdout).unwrap()
    }));
}

#[test]
fn the_screen_of_a_lab_shows_the_cause_of_each_question() {
    assert_none(&not_shown(|_, program| {
        let lesson = format!(
            "+++\nformat = 1\nid = \"asked\"\ntitle = \"Asked\"\nsummary = \"A question.\"\nminutes = 5\nobjectives = []\n+++\n\n\
             ## The program {{#program}}\n\nRun it.\n\n```python lab id=asked title=\"Asked\"\n{program}```\n"
        );
        let author = TempHome::new();
        let file = author.write("asked.md", &lesson);
        let arguments = [
            "preview",
            file.to_str().unwrap(),
            "--trust",
            "--device",
            "model:t4",
        ];
        // Less wide than for two columns, and so high that nothing is below the screen.
        let mut terminal = Start::warpup().size(100, 150).args(arguments).spawn();
        terminal.wait_for(|it| it.contains("page 1 of 1"), "the page");
        press_until(&mut terminal, "<Enter>", "asked.py");
        // The figures of the run.
        let output = press_until(&mut terminal, "r", "MODELLED");
        let timeline = press_until(&mut terminal, "oo", "[timeline]");
        terminal.press("Q");
        assert!(terminal.wait_exit().success());
        format!("{output} {timeline}")
    }));
}

/// Otherwise a plan shows them anyway: it prints lines of the program.
#[test]
fn the_words_of_a_cause_are_not_in_its_program() {
    let programs = fixtures("questions");
    assert_eq!(programs.len(), 31);
    let echoed = programs.iter().filter(|(_, program)| {
        let lines = program.lines().filter(|it| !it.starts_with('#'));
        let code: Vec<&str> = lines.collect();
        let code = in_one_line(&code.join(" "));
        let words = said(program);
        words.is_empty() || words.iter().any(|it| code.contains(it))
    });
    let echoed: Vec<&String> = echoed.map(|it| it.0).collect();
    assert!(echoed.is_empty(), "{echoed:?}");
}

//! The whole course through `warpup --plain`: a script reads every page, predicts, repairs, fails each quiz with
//! wrong answers and passes it with its key.
//!
//! An attempt asks some of the questions, and choices are printed in a random order, so both are read from the output.

use crate::course_walk::{self, choices};
use crate::support::lab_runner::shipped_course;
use crate::support::temp_home::TempHome;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;
use warpup_course::{ChoiceId, Lesson, Question, Quiz, plain};
use warpup_grade::Answer;

/// How long the test waits for output; only a failure waits that long.
const TIMEOUT: Duration = Duration::from_mins(2);
/// The prompts. After one of them the program waits for a line.
const PROMPTS: [&str; 5] = [
    "\n> ",
    "\nprediction> ",
    "[y/N] ",
    ", or quit: ",
    "; Enter for none) ",
];

/// A running `warpup --plain`.
struct Session {
    child: Child,
    input: ChildStdin,
    output: Receiver<Vec<u8>>,
    home: TempHome,
}

impl Session {
    fn open() -> Self {
        Self::open_in(TempHome::new())
    }

    fn open_in(home: TempHome) -> Self {
        let mut child = home
            .warpup(&["--plain"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (sender, output) = sync_channel(1024);
        let reader = thread::Builder::new().name("output of --plain".to_owned());
        let read = move || {
            let mut part = vec![0; 1 << 16];
            while let Ok(length @ 1..) = stdout.read(&mut part) {
                if sender.send(part[..length].to_vec()).is_err() {
                    break;
                }
            }
        };
        reader.spawn(read).unwrap();
        let input = child.stdin.take().unwrap();
        Self {
            child,
            input,
            output,
            home,
        }
    }

    /// The output up to the next prompt.
    fn read_to_prompt(&self) -> String {
        let mut bytes = Vec::new();
        loop {
            let part = self.output.recv_timeout(TIMEOUT);
            let so_far = String::from_utf8_lossy(&bytes).into_owned();
            bytes.extend(part.unwrap_or_else(|why| panic!("{why} after:\n{so_far}")));
            let text = String::from_utf8_lossy(&bytes);
            // The typed line ended with a line break, which is not part of the output.
            let after_break = format!("\n{text}");
            if PROMPTS.iter().any(|it| after_break.ends_with(it)) {
                assert!(!text.contains('\u{1b}'), "an escape sequence in:\n{text}");
                return text.into_owned();
            }
        }
    }

    /// Types a line, and returns the output up to the next prompt.
    fn enter(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").unwrap();
        self.read_to_prompt()
    }

    /// Ends the input and the program, and returns its home.
    fn leave(mut self) -> TempHome {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
        self.home
    }

    /// Goes through a lesson's pages, runs labs with a prediction, and repairs labs with a solution.
    fn read_lesson(&mut self, lesson: &Lesson) {
        for (at, page) in lesson.pages.iter().enumerate() {
            let output = self.enter(&format!("page {}", at + 1));
            assert!(output.contains(&page.title), "{output}");
            for lab in lesson.labs.iter().filter(|it| it.page == page.id) {
                let id = &lab.id;
                if lab.predict.is_some() {
                    let asked = self.enter(&format!("run {id}"));
                    assert!(asked.contains("Predict before you run."), "{asked}");
                    let output = self.enter("1");
                    assert!(output.contains("You predicted: "), "{output}");
                    assert!(output.contains("This run: "), "{output}");
                }
                if let Some(solution) = lab.solution_program() {
                    let file = self.home.write(&format!("{id}.py"), solution);
                    let taken = self.enter(&format!("take {} {id}", file.display()));
                    assert!(taken.contains("Taken."), "{taken}");
                    let output = self.enter(&format!("run {id}"));
                    assert!(output.contains("✓ ok"), "{output}");
                    assert!(!output.contains("FAILED"), "{output}");
                }
            }
        }
    }

    /// Answers each question, all wrongly, then the missed ones by the key.
    fn fail_then_pass(&mut self, lesson: &Lesson) {
        let quiz = lesson.quiz.as_ref().unwrap();
        let mut output = self.enter("quiz");
        for _ in 0..quiz.asks() {
            let question = asked(quiz, &output);
            let wrong = typed(question, course_walk::wrong(question), &output);
            output = self.enter(&wrong);
            let verdict = output.lines().next().unwrap_or_default();
            assert!(!verdict.contains("✓"), "{}: {wrong}: {output}", question.id);
        }
        assert!(output.contains("Not passed yet."), "{output}");
        output = self.enter("y");
        for _ in 0..quiz.asks() {
            let question = asked(quiz, &output);
            let right = typed(question, course_walk::right(question), &output);
            output = self.enter(&right);
            assert!(
                output.contains("✓ right"),
                "{}: {right}: {output}",
                question.id
            );
        }
        assert!(output.contains("Passed. The lesson"), "{output}");
        let (words, mut kept) = (quiz.in_own_words().count(), 0);
        while output.contains("own words") && kept < words {
            self.enter("What I would tell a friend about it.");
            output = self.enter("");
            assert!(output.contains("One way to say it:"), "{output}");
            output = self.enter("1");
            kept += 1;
        }
        assert_eq!(kept, words);
        assert!(
            words == 0 || output.contains(&format!("Explained {words} of {words}")),
            "{output}"
        );
    }
}

/// The question that the output ends with.
fn asked<'q>(quiz: &'q Quiz, output: &str) -> &'q Question {
    let (_, last) = output.rsplit_once("Question ").unwrap_or(("", output));
    let shown = course_walk::shown_question(quiz, last, &[]);
    shown.unwrap_or_else(|| panic!("{}: no question is in:\n{output}", quiz.id))
}

/// The line to type for an answer, with the numbers from the output.
fn typed(question: &Question, answer: Answer, output: &str) -> String {
    let texts = printed_choices(question);
    let number = |id: &ChoiceId| number(&texts, id, output);
    match answer {
        Answer::Single(id) => number(&id),
        Answer::Multi(ids) => joined(ids.iter().map(number)),
        Answer::Number(typed) | Answer::Text(typed) => typed,
        Answer::Order(ids) => joined(ids.iter().map(number)),
        // The left sides are printed in the order of the file.
        Answer::Match(pairs) => joined(texts.iter().map(|it| number(&pairs[&it.0]))),
    }
}

fn joined(numbers: impl Iterator<Item = String>) -> String {
    numbers.collect::<Vec<_>>().join(" ")
}

/// The texts of the choices, as they are printed.
fn printed_choices(question: &Question) -> Vec<(ChoiceId, String)> {
    let choices = choices(question).into_iter();
    choices
        .map(|(id, text)| (id.clone(), plain::inline(text).to_string()))
        .collect()
}

/// The number that a choice was printed with; a long text goes on in the lines below, under itself.
fn number(texts: &[(ChoiceId, String)], id: &ChoiceId, output: &str) -> String {
    let text = &texts.iter().find(|it| it.0 == *id).unwrap().1;
    let mut printed: Vec<(&str, String)> = Vec::new();
    for line in output.lines() {
        let numbered = line.trim_start().split_once("  ");
        let numbered = numbered.filter(|it| it.0.parse::<u32>().is_ok());
        if let Some((number, rest)) = numbered {
            printed.push((number, rest.to_owned()));
        } else if let Some((_, above)) = printed.last_mut()
            && line.starts_with("     ")
        {
            above.push(' ');
            above.push_str(line.trim_start());
        }
    }
    let same = printed.iter().rev().find(|it| it.1 == *text);
    let (number, _) = same.unwrap_or_else(|| panic!("{text:?} is not in:\n{output}"));
    (*number).to_owned()
}

#[test]
fn the_whole_course_is_taken_line_by_line() {
    let shipped = shipped_course();
    let mut session = Session::open();
    let all = shipped.lessons.len();
    assert!(
        session
            .read_to_prompt()
            .contains(&format!("0 of {all} lessons done."))
    );
    for (at, lesson) in shipped.lessons.iter().enumerate() {
        session.enter(&(at + 1).to_string());
        session.read_lesson(lesson);
        session.fail_then_pass(lesson);
    }
    // What was done is there the next time.
    let again = Session::open_in(session.leave());
    let map = again.read_to_prompt();
    assert!(
        map.contains(&format!("{all} of {all} lessons done.")),
        "{map}"
    );
    again.leave();
}

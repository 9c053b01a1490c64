//! The whole course through `warpup --plain`, as a script takes it: every page read, predictions made, repairs
//! repaired, each quiz failed by wrong answers and passed by its key.
//!
//! Nothing is known beforehand of the order in which choices are shown: the numbers are read from what is said.

use crate::labs::shipped_course;
use crate::way;
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use warpup::course::{ChoiceId, Lesson, Question, plain};
use warpup::grade::{Answer, input};

/// Much longer than any run of a lab takes: who waits that long waits for ever.
const PATIENCE: Duration = Duration::from_mins(2);
/// What the course asks with. It says nothing more until it has an answer.
const PROMPTS: [&str; 5] = [
    "\n> ",
    "\nprediction> ",
    "[y/N] ",
    ", or quit: ",
    "; Enter for none) ",
];

/// The course, and somebody who types.
struct Course {
    child: Child,
    input: ChildStdin,
    said: Receiver<Vec<u8>>,
    home: TempDir,
}

impl Course {
    fn open() -> Self {
        Self::open_in(TempDir::new().unwrap())
    }

    fn open_in(home: TempDir) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_warpup"))
            .arg("--plain")
            .env("WARPUP_DATA", home.path().join("data"))
            .env("XDG_CONFIG_HOME", home.path().join("config"))
            .env("WARPUP_WORKER_CUDA", "/nowhere/worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut output = child.stdout.take().unwrap();
        let (sender, said) = sync_channel(1024);
        let reader = thread::Builder::new().name("what is said".to_owned());
        let read = move || {
            let mut part = vec![0; 1 << 16];
            while let Ok(length @ 1..) = output.read(&mut part) {
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
            said,
            home,
        }
    }

    /// What is said up to the next prompt.
    fn listen(&self) -> String {
        let mut bytes = Vec::new();
        loop {
            let part = self.said.recv_timeout(PATIENCE);
            let so_far = String::from_utf8_lossy(&bytes).into_owned();
            bytes.extend(part.unwrap_or_else(|why| panic!("{why} after:\n{so_far}")));
            let text = String::from_utf8_lossy(&bytes);
            // What was typed ended a line, which is not heard here.
            let heard = format!("\n{text}");
            if PROMPTS.iter().any(|it| heard.ends_with(it)) {
                assert!(!text.contains('\u{1b}'), "an escape sequence in:\n{text}");
                return text.into_owned();
            }
        }
    }

    /// Types a line, and listens.
    fn say(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").unwrap();
        self.listen()
    }

    /// Ends the input, and gives back what was done.
    fn leave(mut self) -> TempDir {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
        self.home
    }

    /// Goes through a lesson's pages; runs what asks for a prediction, and repairs what is to be repaired.
    fn read(&mut self, lesson: &Lesson) {
        for (at, page) in lesson.pages.iter().enumerate() {
            let said = self.say(&format!("page {}", at + 1));
            assert!(said.contains(&page.title), "{said}");
            for lab in lesson.labs.iter().filter(|it| it.page == page.id) {
                let id = &lab.id;
                if lab.predict.is_some() {
                    let asked = self.say(&format!("run {id}"));
                    assert!(asked.contains("Predict before you run."), "{asked}");
                    let said = self.say("1");
                    assert!(said.contains("You predicted: "), "{said}");
                    assert!(said.contains("This run: "), "{said}");
                }
                if let Some(solution) = &lab.solution {
                    let file = self.home.path().join(format!("{id}.py"));
                    fs::write(&file, solution).unwrap();
                    let taken = self.say(&format!("take {} {id}", file.display()));
                    assert!(taken.contains("Taken."), "{taken}");
                    let said = self.say(&format!("run {id}"));
                    assert!(said.contains("✓ ok"), "{said}");
                    assert!(!said.contains("FAILED"), "{said}");
                }
            }
        }
    }

    /// Answers each question, all wrongly, then the missed ones by the key.
    fn fail_then_pass(&mut self, lesson: &Lesson) {
        let quiz = lesson.quiz.as_ref().unwrap();
        let questions: Vec<&Question> = quiz.counted().collect();
        let mut said = self.say("quiz");
        for question in &questions {
            let wrong = typed(question, way::wrong(question), &said);
            said = self.say(&wrong);
            let verdict = said.lines().next().unwrap_or_default();
            assert!(!verdict.contains("✓"), "{}: {wrong}: {said}", question.id);
        }
        assert!(said.contains("Not passed yet."), "{said}");
        said = self.say("y");
        for question in &questions {
            let right = typed(question, way::right(question), &said);
            said = self.say(&right);
            assert!(said.contains("✓ right"), "{}: {right}: {said}", question.id);
        }
        assert!(said.contains("Passed. The lesson"), "{said}");
        let (words, mut kept) = (quiz.in_own_words().count(), 0);
        while said.contains("own words") && kept < words {
            self.say("What I would tell a friend about it.");
            said = self.say("");
            assert!(said.contains("One way to say it:"), "{said}");
            said = self.say("1");
            kept += 1;
        }
        assert_eq!(kept, words);
        assert!(
            words == 0 || said.contains(&format!("Explained {words} of {words}")),
            "{said}"
        );
    }
}

/// What to type for an answer, with the numbers that were said.
fn typed(question: &Question, answer: Answer, said: &str) -> String {
    let texts = texts(question);
    let number = |id: &ChoiceId| number(&texts, id, said);
    match answer {
        Answer::Single(id) => number(&id),
        Answer::Multi(ids) => joined(ids.iter().map(number)),
        Answer::Number(typed) | Answer::Text(typed) => typed,
        Answer::Order(ids) => joined(ids.iter().map(number)),
        // The left sides are said in the order of the file.
        Answer::Match(pairs) => joined(texts.iter().map(|it| number(&pairs[&it.0]))),
    }
}

fn joined(numbers: impl Iterator<Item = String>) -> String {
    numbers.collect::<Vec<_>>().join(" ")
}

/// What can be chosen, as it is said.
fn texts(question: &Question) -> Vec<(ChoiceId, String)> {
    let input = input(question);
    let rows = input.rows().iter();
    rows.map(|it| (it.id.clone(), plain::inline(it.text).to_string()))
        .collect()
}

/// The number that a choice was said with.
fn number(texts: &[(ChoiceId, String)], id: &ChoiceId, said: &str) -> String {
    let text = &texts.iter().find(|it| it.0 == *id).unwrap().1;
    let numbers = said.lines().filter_map(|line| {
        let (number, rest) = line.trim_start().split_once("  ")?;
        (rest == text && number.parse::<u32>().is_ok()).then(|| number.to_owned())
    });
    let mut numbers = numbers.collect::<Vec<_>>();
    numbers
        .pop()
        .unwrap_or_else(|| panic!("{text:?} was not said:\n{said}"))
}

#[test]
fn the_whole_course_is_taken_line_by_line() {
    let shipped = shipped_course();
    let mut course = Course::open();
    let all = shipped.lessons.len();
    assert!(
        course
            .listen()
            .contains(&format!("0 of {all} lessons done."))
    );
    for (at, lesson) in shipped.lessons.iter().enumerate() {
        course.say(&(at + 1).to_string());
        course.read(lesson);
        course.fail_then_pass(lesson);
    }
    // What was done is there the next time.
    let again = Course::open_in(course.leave());
    let map = again.listen();
    assert!(
        map.contains(&format!("{all} of {all} lessons done.")),
        "{map}"
    );
    again.leave();
}

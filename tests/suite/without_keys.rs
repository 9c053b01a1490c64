//! A course without keys, as a class uses it: packed, taken line by line, exported, and graded with the whole course.

use crate::support::temp_home::TempHome;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

/// What `warpup` prints for what is typed, and its exit status.
fn typed(home: &TempHome, arguments: &[&str], input: &str) -> (String, Option<i32>) {
    let mut command = home.warpup(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code())
}

/// What a learner hands in who types this in the quiz of `copies`.
fn handed_in(course: &str, input: &str) -> (String, Vec<u8>) {
    let home = TempHome::new();
    let (said, _) = typed(&home, &["--course", course, "quiz", "copies"], input);
    let export = home.run(&["--course", course, "progress", "export"]);
    (said, export.stdout)
}

#[test]
fn what_is_handed_in_without_keys_gets_the_points_that_it_gets_with_them() {
    let home = TempHome::new();
    let whole = home.sample_course();
    let packed = home.path().join("copies.warpup");
    let packed = packed.to_str().unwrap();
    let (said, exit) = typed(&home, &["pack", &whole, "-o", packed, "--no-keys"], "");
    assert_eq!(exit, Some(0), "{said}");
    assert_eq!(home.exit(&["check", packed]), Some(0));

    // The right option, the right number, the wrong order, the right pairs.
    let (said, export) = handed_in(&whole, "narrow\n24\nrun copy\nhost card\n");
    assert!(said.contains("3 of 4 points"), "{said}");
    home.write("class/ada.jsonl", &String::from_utf8(export).unwrap());
    let (said, export) = handed_in(packed, "c2\n24\nc2 c1\nc1 c2\n");
    assert!(
        said.contains("Handed in. Answered 4 of 4. Your instructor grades it."),
        "{said}"
    );
    assert!(!said.contains('✓') && !said.contains("Because"), "{said}");
    home.write("class/bob.jsonl", &String::from_utf8(export).unwrap());

    let class = home.path().join("class");
    let report = [
        "--course",
        &whole,
        "class",
        "report",
        class.to_str().unwrap(),
    ];
    let (report, exit) = typed(&home, &report, "");
    assert_eq!(exit, Some(0), "{report}");
    let of_copies = report.lines().filter(|it| it.contains(" of 4 "));
    let points: Vec<_> = of_copies
        .map(|it| it.chars().take(48).collect::<String>())
        .collect();
    assert_eq!(points.len(), 2, "{report}");
    assert_eq!(points[0], points[1]);
    assert!(
        report.contains("    graded here: 1 attempt from a course without keys\n"),
        "{report}"
    );
    let packed = [
        "--course",
        packed,
        "class",
        "report",
        class.to_str().unwrap(),
    ];
    let (said, exit) = typed(&home, &packed, "");
    assert_eq!(exit, Some(2));
    assert!(said.contains("this course has no keys"), "{said}");
    // First answers of both learners, each question graded alike.
    for (question, right) in [
        ("q-bus", 100),
        ("q-bytes", 100),
        ("q-order", 0),
        ("q-words", 100),
    ] {
        let rows = report.lines().filter(|it| it.contains(question));
        let is_so = |it: &str| it.contains(" 2 ") && it.contains(&format!("{right} %"));
        assert!(rows.clone().any(is_so), "{question}: {report}");
    }
}

#[test]
fn a_lesson_that_is_handed_in_says_so_wherever_it_is_listed() {
    let home = TempHome::new();
    let whole = home.sample_course();
    let packed = home.path().join("copies.warpup");
    let packed = packed.to_str().unwrap();
    typed(&home, &["pack", &whole, "-o", packed, "--no-keys"], "");
    let answers = home.write("answers.toml", "q-bus = \"c2\"\nq-bytes = 24\n");
    let answers = answers.to_str().unwrap();
    let quiz = ["--course", packed, "quiz", "copies", "--answers", answers];
    let (said, exit) = typed(&home, &quiz, "");
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("Answered 2 of 4."), "{said}");
    let (said, _) = typed(&home, &["--course", packed], "");
    assert!(said.contains("handed in What a copy costs"), "{said}");
    let progress = home.run(&["--course", packed, "progress", "show", "--json"]);
    let progress: serde_json::Value = serde_json::from_slice(&progress.stdout).unwrap();
    assert_eq!(progress["lessons"][1]["done"], false);
    let handed_in = progress["lessons"][1]["handed_in"].as_array().unwrap();
    assert_eq!(handed_in.len(), 1);
}

#[test]
fn an_answer_to_a_question_that_has_changed_is_not_graded_and_the_report_says_so() {
    let home = TempHome::new();
    let whole = home.sample_course();
    let packed = home.path().join("copies.warpup");
    let packed = packed.to_str().unwrap();
    typed(&home, &["pack", &whole, "-o", packed, "--no-keys"], "");
    let (_, export) = handed_in(packed, "c2\n24\nc1 c2\nc1 c2\n");
    home.write("class/bob.jsonl", &String::from_utf8(export).unwrap());
    let quiz = home.path().join("course/quizzes/copies.toml");
    let text = fs::read_to_string(&quiz).unwrap();
    // A corrected key is graded with; a changed prompt is another question.
    let text = text.replace("answer = 24", "answer = 25");
    let text = text.replace("In which order?", "In which order now?");
    fs::write(&quiz, text).unwrap();
    let class = home.path().join("class");
    let report = [
        "--course",
        &whole,
        "class",
        "report",
        class.to_str().unwrap(),
    ];
    let (report, _) = typed(&home, &report, "");
    assert!(report.contains("2 of 4"), "{report}");
    assert!(
        report.contains("    not graded: 1 answer, since the question has changed or is gone, or the\n      answer does not belong to it\n"),
        "{report}"
    );
}

/// A learner who handed the quiz of `copies` in, taken without keys, and the instructor of the same home.
struct Class {
    home: TempHome,
    whole: String,
    packed: String,
    inbox: PathBuf,
    user: String,
}

impl Class {
    fn new() -> Self {
        let home = TempHome::new();
        let whole = home.sample_course();
        let manifest = home.path().join("course/lessons/course.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        fs::write(&manifest, text.replace("\"warpup\"", "\"class\"")).unwrap();
        let packed = home.path().join("copies.warpup");
        let packed = packed.to_str().unwrap().to_owned();
        typed(&home, &["pack", &whole, "-o", &packed, "--no-keys"], "");
        let inbox = home.path().join("inbox");
        fs::create_dir(&inbox).unwrap();
        let quiz = ["--course", &packed, "quiz", "copies"];
        typed(&home, &quiz, "c2\n24\nc2 c1\nc1 c2\n");
        let drop = ["--drop", inbox.to_str().unwrap()];
        let submit = ["--course", &packed, "class", "submit"];
        let (said, _) = typed(&home, &[&submit[..], &drop].concat(), "");
        let user = said.split("Handed in as ").nth(1).unwrap();
        let user = user.split(':').next().unwrap().to_owned();
        Self {
            home,
            whole,
            packed,
            inbox,
            user,
        }
    }

    /// What is said where two comments are sent to this learner.
    fn send(&self, learner: &str, more: &[&str]) -> (String, Option<i32>) {
        let about = format!("[[comment]]\nlearner = \"{learner}\"\nlesson = \"copies\"\n");
        let text = format!(
            "{about}question = \"q-order\"\ntext = \"What waits for what?\"\n{about}text = \"\"\"\nWell begun.\nGo on.\"\"\"\n"
        );
        let comments = self.home.write("comments.toml", &text);
        let comments = comments.to_str().unwrap();
        let first = ["--course", &self.whole, "class", "return", comments];
        let from = ["--from", self.inbox.to_str().unwrap()];
        let (said, exit) = typed(&self.home, &[&first[..], &from, more].concat(), "");
        let said = self.home.normalised(&said);
        (said.replace(&self.user, "USER"), exit)
    }

    fn close_inbox(&self) {
        fs::set_permissions(&self.inbox, fs::Permissions::from_mode(0o1733)).unwrap();
    }

    fn files(&self) -> usize {
        fs::read_dir(&self.inbox).unwrap().count()
    }
}

#[test]
fn an_instructor_sends_comments_and_points_back_and_nothing_twice() {
    let class = Class::new();
    // Everybody can list it.
    let (said, exit) = class.send(&class.user, &[]);
    assert_eq!(exit, Some(2));
    assert!(
        said.contains("hint: close it first: `chmod o-r DIR/inbox`"),
        "{said}"
    );
    class.close_inbox();
    let (said, exit) = class.send("nobody-of-that-name", &[]);
    assert_eq!(exit, Some(2));
    let why = "`nobody-of-that-name` has handed nothing in there\n --> DIR/comments.toml:2:11";
    assert!(said.contains(why), "{said}");
    insta::assert_snapshot!(class.send(&class.user, &["--dry-run"]).0, @"
    CUDA, understood: 1 learner handed in
    USER: 2 comments; copies not passed, 3 of 4 points
    Nothing was written. It would be sent to 1 learner.
    ");
    assert_eq!(class.files(), 1);
    insta::assert_snapshot!(class.send(&class.user, &[]).0, @"
    CUDA, understood: 1 learner handed in
    USER: 2 comments; copies not passed, 3 of 4 points
    Sent to 1 learner, who see it when they start warpup.
    ");
    insta::assert_snapshot!(class.send(&class.user, &[]).0, @"
    CUDA, understood: 1 learner handed in
    USER: 2 comments; copies not passed, 3 of 4 points: has it already
    There is nothing new to send.
    ");
    assert_eq!(class.files(), 2);
    let (into, inbox) = (class.home.path().join("all"), class.inbox.to_str().unwrap());
    let bare = ["--course", &class.whole, "class", "return", "--from", inbox];
    let (said, _) = typed(&class.home, &bare, "");
    assert!(
        said.contains("Points go to those whose course has no keys;"),
        "{said}"
    );
    // What is sent back is nobody's hand-in.
    let collect = [
        "--course",
        &class.whole,
        "class",
        "collect",
        inbox,
        "--into",
    ];
    let collect = [&collect[..], &[into.to_str().unwrap()]].concat();
    let (said, exit) = typed(&class.home, &collect, "");
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains(": 1 file of 1 learner"), "{said}");
}

#[test]
fn what_cannot_be_sent_is_said_and_what_to_do() {
    let class = Class::new();
    class.close_inbox();
    let mut files = fs::read_dir(&class.inbox).unwrap();
    let handed_in = files.next().unwrap().unwrap().path();
    for number in 1..=100 {
        fs::write(
            handed_in.with_extension(format!("return-{number}.toml")),
            "",
        )
        .unwrap();
    }
    let (said, exit) = class.send(&class.user, &[]);
    assert_eq!(exit, Some(1));
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("NOT WRITTEN: 100 files"), "{said}");
    assert!(said.contains("ask for a new hand-in"), "{said}");
    assert!(said.ends_with(" Not sent to 1 learner."), "{said}");
}

#[test]
fn a_damaged_line_of_what_was_handed_in_hides_no_other_and_is_said() {
    let class = Class::new();
    class.close_inbox();
    class.send(&class.user, &[]);
    let kept = class.home.data().join("handed-in.jsonl");
    let whole = fs::read(&kept).unwrap();
    let feedback = || {
        let feedback = ["--course", &class.packed, "class", "feedback"];
        typed(&class.home, &feedback, "").0
    };
    fs::write(&kept, [&whole[..], b"\"\xff\"\n"].concat()).unwrap();
    let said = feedback();
    assert!(said.contains("Well begun."), "{said}");
    assert!(said.contains("1 line of "), "{said}");
    fs::write(&kept, whole.repeat(101)).unwrap();
    assert!(
        feedback().contains("the newest 100 of 101 hand-ins"),
        "{}",
        feedback()
    );
}

#[test]
fn what_is_sent_back_is_shown_at_its_place_once_and_kept() {
    let class = Class::new();
    class.close_inbox();
    class.send(&class.user, &[]);
    let plain = || {
        let plain = ["--course", &class.packed, "--plain"];
        typed(&class.home, &plain, "copies\nquiz\nquit\n").0
    };
    let first = plain();
    for said in [
        "What a copy costs (graded, 20 min, something from your instructor)",
        "Your instructor wrote:\n  Well begun.\n  Go on.\n",
        "Your instructor graded the quiz:\n  not passed, 3 of 4 points\n",
        "Your instructor wrote about the question “In which order?”:\n  What waits for what?\n",
    ] {
        assert_eq!(first.matches(said).count(), 1, "{said}: {first}");
    }
    let second = plain();
    assert!(!second.contains("Your instructor"), "{second}");
    for (arguments, row) in [
        (&["progress"][..], "copies  graded     0 of 2    3 of 4\n"),
        (
            &["progress", "show", "copies"],
            "UTC; graded: not passed, 3 of 4 points\n",
        ),
        (&["read"], "2. graded What a copy costs"),
    ] {
        let all = [&["--course", class.packed.as_str()], arguments].concat();
        let (said, _) = typed(&class.home, &all, "");
        assert!(said.contains(row), "{said}");
    }
    let feedback = ["--course", &class.packed, "class", "feedback"];
    insta::assert_snapshot!(typed(&class.home, &feedback, "").0, @"
    What a copy costs
    Your instructor graded the quiz:
      not passed, 3 of 4 points
      “What is wrong with the bus?”: 1 of 1
      “How many bytes?”: 1 of 1
      “In which order?”: 0 of 1
      “Which is which?”: 1 of 1
    Your instructor wrote about the question “In which order?”:
      What waits for what?
    Your instructor wrote:
      Well begun.
      Go on.
    ");
}

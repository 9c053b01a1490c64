//! Answers in, text out.

mod own_words;
mod short;

use super::*;
use crate::commands::console::Format;
use crate::commands::context::CommandContext;
use crate::commands::learner::Learner;
use crate::commands::sample;
use crate::course::{Course, LabId, LessonId, QuestionId, sample as course_sample};
use crate::grade::input;
use crate::progress::Event;
use crate::protocol::Metric;
use crate::quiz::Round;

/// Takes a quiz; its exit.
fn ask(context: &mut CommandContext<'_, '_>, lesson: &str) -> Result<Exit, Failure> {
    super::ask(context, lesson).map(Exit::from)
}

/// Asks for the learner's own words; a good exit, however they are left.
fn ask_for_words(context: &mut CommandContext<'_, '_>, lesson: &str) -> Result<Exit, Failure> {
    super::ask_for_words(context, lesson).map(|_| Exit::Fine)
}

/// Answers a quiz by what is typed.
fn typed(input: &str) -> (String, Exit) {
    sample::with_context(input, |context| ask(context, "copies"))
}

/// Grades a file.
fn graded(answers: &str, format: Format) -> (String, Exit) {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, answers).unwrap();
    let (text, exit) = sample::with_context("", |context| {
        from_file(context, "copies", &path, (Round::Whole, format))
    });
    (text.replace(path.to_str().unwrap(), "answers.toml"), exit)
}

const ALL_RIGHT: &str = r#"
q-bus = "narrow"
q-bytes = "24 B"
q-order = ["copy", "run"]
q-words = { host = "host", card = "card" }
"#;

#[test]
fn a_wrong_answer_is_told_why_and_what_is_needed_is_said() {
    let (text, exit) = typed("x\n1\n?\n24 B\n2 1\n1 2\nn\n");
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r"
    What a copy costs: 4 points, you need 4

    Question 1 of 4 (1 point)

    What is wrong with the bus?

      1  It is slow.
      2  It is narrow.

    Type its number (or hint, back, quit, help).
    > `x` is not one of the numbers from 1 to 2.
    > ✗ not right: 0 of 1 point
      ✗ yours  1  It is slow.
                  Not slow, narrow.
      ✓ right  2  It is narrow.
      Because it is so.
      Look again: warpup read copies --page the-bus

    Question 2 of 4 (1 point)

    How many bytes?

    Type a number, with its unit where it has one (or hint,
    back, quit, help).
    > Hint: Think of a road.
    > ✓ right: 1 of 1 point
      Because it is so.

    Question 3 of 4 (1 point)

    In which order?

      1  run
      2  copy

    Type all numbers in the right order, such as 2 1 3 (or hint,
    back, quit, help).
    > ✓ right: 1 of 1 point
      Because it is so.

    Question 4 of 4 (1 point)

    Which is which?

      a  host
      b  card

      1  the GPU
      2  the CPU

    Type for each in turn the number that fits, such as 2 1 3
    (or hint, back, quit, help).
    > ✗ not right: 0 of 1 point
      host
      ✗ yours  the GPU
      ✓ right  the CPU
      card
      ✗ yours  the CPU
      ✓ right  the GPU
      Because it is so.
      Look again: warpup read copies --page the-bus

    Score: 2 of 4 points. You need 4: two more.
    Not passed yet. Missed: question 1, question 4.
    Ask the missed ones again? [y/N]
    ");
}

#[test]
fn a_quiz_that_is_left_goes_on_where_it_was() {
    let (text, exit) = sample::with_context("2\n24 B\n", |context| {
        ask(context, "copies")?;
        ask(context, "copies")
    });
    assert_eq!(exit, Exit::Wrong);
    assert!(text.contains("Quiz paused. Your answers are kept."));
    assert!(text.contains("Continuing where you stopped: 2 of 4 answered."));
}

#[test]
fn a_quiz_that_is_left_does_not_call_kept_what_is_not() {
    let (text, _) = sample::with_context("2\n", |context| {
        *context.learner = Learner::load(None, &context.course.id);
        ask(context, "copies")
    });
    assert!(text.contains("NOT SAVED"), "{text}");
    assert!(text.ends_with("\nQuiz paused.\n"), "{text}");
}

#[test]
fn only_what_was_missed_is_asked_again() {
    let (text, _) = typed("1\n24 B\n2 1\n1 2\ny\n");
    let again = text.split("[y/N]").nth(1).unwrap();
    assert!(again.contains("Question 1 of 4"), "{again}");
    assert!(!again.contains("Question 2 of 4"), "{again}");
}

#[test]
fn what_was_missed_is_asked_again_another_day() {
    let again = |context: &mut CommandContext<'_, '_>| {
        let lesson = &context.course.lessons[0];
        ask_missed(context, lesson).map(Exit::from)
    };
    let (text, exit) = sample::with_context("1\n24 B\n2 1\n2 1\nn\n2\n", |context| {
        again(context)?;
        ask(context, "copies")?;
        let exit = again(context)?;
        again(context)?;
        Ok(exit)
    });
    assert_eq!(exit, Exit::Fine);
    assert!(
        text.starts_with("You have not handed this quiz in yet: `quiz` takes it.\n"),
        "{text}"
    );
    let after = text.split("[y/N]").nth(1).unwrap();
    insta::assert_snapshot!(after, @r"
     
    Asking again what you missed: 1 of 4.
    What a copy costs: 4 points, you need 4

    Question 1 of 4 (1 point)

    What is wrong with the bus?

      1  It is slow.
      2  It is narrow.

    Type its number (or hint, back, quit, help).
    > ✓ right: 1 of 1 point
      Because it is so.

    Score: 4 of 4 points. You needed 4.
    Passed. The lesson `copies` is done.
    There is nothing that you missed in this quiz.
    ");
}

#[test]
fn right_answers_in_a_file_pass_and_are_stored() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("answers.toml");
    std::fs::write(&path, ALL_RIGHT).unwrap();
    let (text, exit) = sample::with_context("", |context| {
        from_file(context, "copies", &path, (Round::Whole, Format::Text))?;
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        assert_eq!(lesson.open, None);
        Ok(Exit::of(Some(lesson.is_done())))
    });
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r"
    ✓ right     q-bus: 1 of 1 point
      Because it is so.
    ✓ right     q-bytes: 1 of 1 point
      Because it is so.
    ✓ right     q-order: 1 of 1 point
      Because it is so.
    ✓ right     q-words: 1 of 1 point
      Because it is so.

    Score: 4 of 4 points. You needed 4.
    Passed. The lesson `copies` is done.
    ");
}

#[test]
fn three_of_four_are_not_enough_and_open_questions_are_named() {
    let answers = ALL_RIGHT.replace("q-bytes = \"24 B\"", "");
    let (text, exit) = graded(&answers, Format::Text);
    assert_eq!(exit, Exit::Wrong);
    assert!(
        text.contains("- open       q-bytes: not answered"),
        "{text}"
    );
    assert!(
        text.contains("Score: 3 of 4 points is exactly 75 %, and does not pass. You need 4."),
        "{text}"
    );
    assert!(text.contains("Not passed yet. Missed: q-bytes."), "{text}");
}

#[test]
fn an_answer_that_cannot_be_read_is_refused_and_nothing_is_handed_in() {
    let answers = ALL_RIGHT
        .replace("24 B", "24 B per row")
        .replace("narrow", "narow");
    let (text, exit) = graded(&answers, Format::Text);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @r#"
    answers.toml:2:9: error: `q-bus`: the answer does not belong to this question: there is no option `narow`
       | q-bus = "narow"
       |         ^^^^^^^
       = hint: there are `slow`, `narrow`
    answers.toml:3:11: error: `q-bytes`: `B per row` does not fit: answer in B
       | q-bytes = "24 B per row"
       |           ^^^^^^^^^^^^^^
    error: answers.toml cannot be graded: nothing is stored
    "#);
}

#[test]
fn programs_get_the_same_as_json() {
    let answers = ALL_RIGHT.replace("24 B", "23 B");
    let (text, exit) = graded(&answers, Format::Json);
    assert_eq!(exit, Exit::Wrong);
    let mut shown: serde_json::Value = serde_json::from_str(&text).unwrap();
    shown["attempt"] = "ID".into();
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap(), @r#"
    {
      "above_percent": 75,
      "attempt": "ID",
      "earned": 3.0,
      "lesson": "copies",
      "max": 4.0,
      "needed": 4,
      "own_words": [],
      "passed": false,
      "questions": [
        {
          "answered": true,
          "earned": 1.0,
          "feedback": [],
          "max": 1.0,
          "question": "q-bus",
          "right": true,
          "unread": null
        },
        {
          "answered": true,
          "earned": 0.0,
          "feedback": [],
          "max": 1.0,
          "question": "q-bytes",
          "right": false,
          "unread": null
        },
        {
          "answered": true,
          "earned": 1.0,
          "feedback": [],
          "max": 1.0,
          "question": "q-order",
          "right": true,
          "unread": null
        },
        {
          "answered": true,
          "earned": 1.0,
          "feedback": [],
          "max": 1.0,
          "question": "q-words",
          "right": true,
          "unread": null
        }
      ],
      "quiz": "copies",
      "saved": true,
      "short": false
    }
    "#);
}

#[test]
fn a_file_with_a_mistake_is_refused_and_nothing_is_stored() {
    let (text, exit) = graded("q-buss = \"narrow\"\n", Format::Text);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @r#"
    answers.toml:1:1: error: the quiz has no question `q-buss`
       | q-buss = "narrow"
       | ^^^^^^
       = hint: did you mean `q-bus`?
    error: answers.toml cannot be graded: nothing is stored
    "#);
}

#[test]
fn a_counted_prediction_without_a_run_stays_open_and_the_quiz_goes_on() {
    let mut course = sample::course_with(sample::PREDICTION);
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.iter_mut().for_each(|it| it.counts = true);
    }
    let input = "2\n24 B\n2 1\n2 1\n12\ny\n";
    let (text, exit) = sample::with_context_in(&course, input, |context| ask(context, "copies"));
    assert_eq!(exit, Exit::Fine, "{text}");
    assert!(text.contains("Score: 4 of 5 points."), "{text}");
    let end = text.split("How many MiB?").nth(1).unwrap();
    insta::assert_snapshot!(end, @r"
    Type a number, with its unit where it has one (or hint,
    back, quit, help).
    > Your answer is compared with a run of the lab, which did not run yet. Run it, then answer here:
      warpup run copies/bus
      warpup quiz copies

    1 question waits for a run, and would earn nothing now. Hand in? [y/N] 
    Score: 4 of 5 points. You needed 4.
    Passed. The lesson `copies` is done.
    ");
}

#[test]
fn a_counted_prediction_waits_for_its_run_and_is_then_asked_again() {
    let mut course = sample::course_with(sample::PREDICTION);
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.iter_mut().for_each(|it| it.counts = true);
    }
    let input = "2\n24 B\n2 1\n2 1\n12\nn\n12\n";
    let (text, exit) = sample::with_context_in(&course, input, |context| {
        ask(context, "copies")?;
        let now = (context.clock)();
        context.learner.note(ran(12.0), now);
        ask(context, "copies")
    });
    assert_eq!(exit, Exit::Fine, "{text}");
    assert!(text.contains("Quiz paused."), "{text}");
    assert!(text.contains("Score: 5 of 5 points."), "{text}");
}

#[test]
fn words_that_ask_for_something_else_are_heard_at_every_question() {
    let (text, exit) = typed("help\nhint\nhint\nback\n");
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r"
    What a copy costs: 4 points, you need 4

    Question 1 of 4 (1 point)

    What is wrong with the bus?

      1  It is slow.
      2  It is narrow.

    Type its number (or hint, back, quit, help).
    > hint, ?   a hint, milder ones first
    back      back to where you came from
    quit      leave warpup
    help      these words
    Your answers are kept as you give them; the quiz goes on where you left it.
    > Hint: Think of a road.
    > There is no other hint.
    > Quiz paused. Your answers are kept.
    ");
    let (text, _) = typed("2\nquit\n");
    assert!(
        text.ends_with("> Quiz paused. Your answers are kept.\n"),
        "{text}"
    );
    let (text, _) = typed("1\n24 B\n2 1\n1 2\nhelp\nquit\n");
    assert!(text.contains("[y/N] hint, ?"), "{text}");
}

#[test]
fn a_letter_is_an_answer_where_a_text_is_typed_and_a_word_elsewhere() {
    let (text, _) = typed("b\n");
    assert!(
        text.ends_with("> Quiz paused. Your answers are kept.\n"),
        "{text}"
    );
    let (text, _) = typed("2\nq\n");
    assert!(
        text.ends_with("> Quiz paused. Your answers are kept.\n"),
        "{text}"
    );
    let text = course_sample::question("id = \"q-letter\"\ntype = \"text\"\naccept = [\"b\"]");
    let short = typed::Short::beside(&input(&text));
    assert_eq!(short, typed::Short::Text);
}

/// A run of the lab `bus` that gave one number.
fn ran(value: f64) -> Event {
    Event::Ran {
        lesson: LessonId::new("copies"),
        lab: LabId::new("bus"),
        device: "cpu".to_owned(),
        passed: true,
        on: None,
        metrics: vec![Metric {
            name: "batch_mib".to_owned(),
            value,
            unit: "MiB".to_owned(),
        }],
    }
}

#[test]
fn a_counted_prediction_is_judged_by_the_newest_run_that_is_stored() {
    let mut course = sample::course_with(sample::PREDICTION);
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        quiz.questions.iter_mut().for_each(|it| it.counts = true);
    }
    let (text, exit) = sample::with_context_in(&course, "2\n24 B\n2 1\n2 1\n12\n", |context| {
        context.learner.note(ran(100.0), 1);
        context.learner.note(ran(10.0), 2);
        ask(context, "copies")
    });
    assert_eq!(exit, Exit::Fine, "{text}");
    assert!(text.contains("✓ right: 1 of 1 point\n"), "{text}");
    assert!(text.contains("Score: 5 of 5 points."), "{text}");
}

#[test]
fn a_quiz_that_goes_on_later_shows_its_choices_in_the_same_order() {
    const LATER: [fn() -> u64; 4] = [
        || 951_782_400_001,
        || 951_782_400_002,
        || 951_782_400_003,
        || 951_782_400_004,
    ];
    let (text, _) = sample::with_context("2\n24 B\n2 1\n", |context| {
        ask(context, "copies")?;
        for clock in LATER {
            context.clock = clock;
            ask(context, "copies")?;
        }
        Ok(Exit::Fine)
    });
    assert_eq!(
        text.matches("1  the GPU\n  2  the CPU").count(),
        5,
        "{text}"
    );
}

/// The sample course with questions for the learner's own words.
fn with_words() -> Course {
    sample::course_with(sample::OWN_WORDS)
}

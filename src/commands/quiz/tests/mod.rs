//! Answers in, text out.

mod file;
mod own_words;
mod pools;
mod predictions;
mod short;

use super::*;
use crate::commands::console::Format;
use crate::commands::context::CommandContext;
use crate::commands::learner::Learner;
use crate::commands::sample;
use warpup_course::{Course, LabId, LessonId, QuestionId, sample as course_sample};
use warpup_grade::input;
use warpup_progress::Event;
use warpup_protocol::Metric;
use warpup_quiz::Round;

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
    insta::assert_snapshot!(text, @"
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

    Type a number in B, or with another unit (or hint, back,
    quit, help).
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
    > You left the quiz before your first answer; it starts again next time.
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
        text.ends_with(
            "> You left the quiz before your first answer; it starts again next time.\n"
        ),
        "{text}"
    );
    let (text, _) = typed("2\nq\n");
    assert!(
        text.ends_with("> Quiz paused. Your answers are kept.\n"),
        "{text}"
    );
    let text = course_sample::question("id = \"q-letter\"\ntype = \"text\"\naccept = [\"b\"]");
    let short = prompt_line::ShortForms::beside(&input(&text));
    assert_eq!(short, prompt_line::ShortForms::Text);
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

#[test]
fn a_yes_or_no_question_asks_again_for_anything_else() {
    let wrong = "1\n1 B\n2 1\n2 1\n";
    let (text, _) = typed(&format!("{wrong}retry\nno\n"));
    insta::assert_snapshot!(text.lines().rev().take(3).collect::<Vec<_>>().join("\n"), @"
    Ask the missed ones again? [y/N] 
    Ask the missed ones again? [y/N] Type y for yes, or n for no.
    Not passed yet. Missed: question 1, question 2.
    ");
}

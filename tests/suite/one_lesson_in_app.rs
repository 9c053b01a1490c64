//! One lesson in the app with everything that a learner does there: read, predict, run, edit, run again, fail the
//! quiz, at exactly the gate where its points allow that, retry, pass, quit, come back and find the lesson done.
//!
//! `whole_course_in_app` goes through all lessons.

use crate::course_walk;
use crate::support::lab_runner::shipped_course;
use crate::support::pty::Start;

const LESSON: &str = "where-a-tensor-lives";
/// Asks which of three sums is printed.
const LAB: &str = "placement";

#[test]
fn a_learner_reads_predicts_runs_edits_fails_passes_and_finds_the_lesson_done() {
    let course = shipped_course();
    let lesson = course_walk::lesson(course, LESSON);
    let mut terminal = Start::warpup().spawn();
    course_walk::wait_for_map(&terminal, course, 0);

    // Read up to the lab that asks for a prediction.
    course_walk::open_lesson(&mut terminal, course, lesson);
    let page = course_walk::open_lab(&mut terminal, lesson, 1, LAB);
    let after = terminal.wait_for(|it| it.contains("predict before you run"), "the lab");
    assert!(after.contains("placement.py"), "{after}");

    // A run needs a prediction first; then the two are compared.
    course_walk::press_until(&mut terminal, "r", "add up to now");
    course_walk::press_until(&mut terminal, "2<Enter>", "You predicted: ");
    let after = terminal.wait_for(
        |it| it.contains("✓ the program passed"),
        "the mark, once it is saved",
    );
    assert!(after.contains("measured"), "{after}");

    // Edit, run again, and find the output of the edit.
    course_walk::press_until(&mut terminal, "e", "Esc stop editing");
    course_walk::press_until(
        &mut terminal,
        "print(\"the edit ran\")<Enter>",
        "the edit ran",
    );
    terminal.press("<C-r><Esc>");
    let ran = |it: &str| it.contains("✓ the program passed") && it.contains("o pane");
    let mut screen = terminal.wait_for(ran, "the second run");
    // Alone on its line: the line of the program has more text.
    let shows_output = |it: &str| it.lines().any(|line| line.trim() == "the edit ran");
    for _pane in 0..9 {
        if shows_output(&screen) {
            break;
        }
        let before = screen.clone();
        terminal.press("o");
        screen = terminal.wait_for(|it| it != before, "another pane");
    }
    assert!(shows_output(&screen), "{screen}");

    // On a modelled card the same program has two clocks, with labels.
    course_walk::press_until(&mut terminal, "d", "▸ ● CPU");
    course_walk::press_until(&mut terminal, "d", "▸ ○ Tesla T4 (modelled)");
    course_walk::press_until(&mut terminal, "<Enter>", "on Tesla T4 (modelled)");
    course_walk::press_until(&mut terminal, "r", "MODELLED");

    // The quiz: 75 % is not enough.
    terminal.press("<Esc>");
    let heading = format!("page {page} of {}", lesson.pages.len());
    terminal.wait_for(|it| it.contains(&heading), "the lesson again");
    terminal.resize(80, course_walk::TALL);
    // The new size is drawn, down to the lab's end, before the next key.
    terminal.wait_for(|it| it.contains("└ r run"), "the tall page");
    terminal.press("z");
    let short = course_walk::just_not_passing(course_walk::quiz(lesson));
    course_walk::take_quiz(&mut terminal, lesson, &short.is_right);
    course_walk::wait_for_not_passed(&terminal, lesson, &short);

    // Only the missed ones again.
    terminal.press("r");
    course_walk::take_quiz(&mut terminal, lesson, &short.missed());
    let score = format!("{0} of {0} points", short.max);
    terminal.wait_for(|it| it.contains(&score), &score);
    terminal.wait_for(|it| it.contains("passed: this lesson is done"), "passed");

    // Quit, come back: the lesson is done, and the edit is still there.
    terminal.press("Q");
    assert!(terminal.wait_exit().success());
    let again = Start::warpup()
        .size(80, 2 * course_walk::TALL)
        .home_of(&terminal)
        .args(["progress", "show"])
        .spawn();
    again.wait_exit();
    assert!(again.text().contains("done"), "{}", again.text());
    let mut back = Start::warpup().home_of(&terminal).spawn();
    let map = course_walk::wait_for_map(&back, course, 1);
    assert!(map.contains("● done"), "{map}");
    back.press("Q");
    assert!(back.wait_exit().success());
}

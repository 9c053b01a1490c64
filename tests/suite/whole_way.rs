//! The main job from end to end, in a pseudo-terminal: read, predict, run, edit, run again, fail the quiz,
//! at exactly the threshold where its points allow that, retry, pass, quit, come back and find the lesson done.
//!
//! One lesson with everything that can be done in it; `scripted_learner` goes through all of them.

use crate::labs::shipped_course;
use crate::pty::Start;
use crate::way;

const LESSON: &str = "where-a-tensor-lives";
/// Asks for a prediction of 12 MiB.
const LAB: &str = "model-and-batch";

#[test]
fn a_learner_reads_predicts_runs_edits_fails_passes_and_finds_the_lesson_done() {
    let course = shipped_course();
    let lesson = way::lesson(&course, LESSON);
    let mut terminal = Start::warpup().spawn();
    way::to_map(&terminal, &course, 0);

    // Read up to the lab that asks for a prediction.
    way::to_lesson(&mut terminal, &course, lesson);
    let page = way::to_lab(&mut terminal, lesson, 1, LAB);
    let after = terminal.wait_for(|it| it.contains("predict before you run"), "the lab");
    assert!(after.contains("model-and-batch.py"), "{after}");

    // Run is locked until a prediction stands; then it is compared with this very run.
    way::to(&mut terminal, "r", "How many MiB");
    let after = way::to(&mut terminal, "12<Enter>", "you predicted: 12 MiB");
    assert!(after.contains("✓ passed"), "{after}");
    assert!(after.contains("measured"), "{after}");

    // Edit, run again, and see the edit's output.
    way::to(&mut terminal, "e", "Esc stop editing");
    way::to(
        &mut terminal,
        "print(\"the edit ran\")<Enter>",
        "the edit ran",
    );
    terminal.press("<C-r>");
    let ran = |it: &str| it.contains("✓ passed") && it.contains("o pane");
    let mut screen = terminal.wait_for(ran, "the second run");
    // Alone on its line: the program's own line has more on it.
    let shows_output = |it: &str| it.lines().any(|line| line.trim() == "the edit ran");
    for _pane in 0..5 {
        if shows_output(&screen) {
            break;
        }
        let before = screen.clone();
        terminal.press("o");
        screen = terminal.wait_for(|it| it != before, "another pane");
    }
    assert!(shows_output(&screen), "{screen}");

    // On a modelled card the same program has two clocks, and they are labelled.
    way::to(&mut terminal, "d", "Tesla T4 (modelled)");
    way::to(&mut terminal, "r", "MODELLED");

    // The quiz: 75 % is not enough.
    terminal.press("<Esc>");
    let heading = format!("page {page} of {}", lesson.pages.len());
    terminal.wait_for(|it| it.contains(&heading), "the lesson again");
    terminal.resize(80, way::TALL);
    // Drawn anew, down to the lab's end, before the next key.
    terminal.wait_for(|it| it.contains("└ r run"), "the tall page");
    terminal.press("z");
    let short = way::short_of_passing(way::quiz(lesson));
    let everything = vec![true; short.is_right.len()];
    way::take(&mut terminal, lesson, &short, &everything);
    way::told_to_be_short(&terminal, lesson, &short);

    // Only the missed ones again.
    terminal.press("r");
    let missed: Vec<bool> = short.is_right.iter().map(|it| !it).collect();
    let all = way::passing(way::quiz(lesson));
    way::take(&mut terminal, lesson, &all, &missed);
    let score = format!("{0} of {0} points", all.max);
    terminal.wait_for(|it| it.contains(&score), &score);
    terminal.wait_for(|it| it.contains("passed: this lesson is done"), "passed");

    // Quit, come back: the lesson is done, and the edit is still there.
    terminal.press("Q");
    assert!(terminal.wait_exit().success());
    let again = Start::warpup()
        .size(80, way::TALL)
        .home_of(&terminal)
        .args(["progress", "show"])
        .spawn();
    again.wait_exit();
    assert!(again.text().contains("done"), "{}", again.text());
    let mut back = Start::warpup().home_of(&terminal).spawn();
    back.wait_for(|it| it.contains(&lesson.title), "the app again");
    back.press("q");
    let map = way::to_map(&back, &course, 1);
    assert!(map.contains("● done"), "{map}");
    back.press("Q");
    assert!(back.wait_exit().success());
}

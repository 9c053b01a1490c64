//! A course in a folder, whose files are changed while the app shows them.

use crate::support::pty::Start;
use crate::support::temp_home::TempHome;
use std::fs;

#[cfg(target_os = "linux")]
#[test]
fn the_app_shows_a_lesson_as_soon_as_it_is_saved() {
    let author = TempHome::new();
    let course = author.sample_course();
    let mut terminal = Start::warpup().args(["--course", &course]).spawn();
    terminal.wait_for(|it| it.contains("Where a tensor lives"), "the map");
    terminal.press("<Enter>");
    terminal.wait_for(|it| it.contains("page 1 of 2"), "the lesson");
    let file = author.path().join("course/lessons/places.md");
    let text = fs::read_to_string(&file).unwrap();
    // As editors save: written beside, then renamed over it.
    let save = |text: &str| {
        let beside = file.with_extension("md.new");
        fs::write(&beside, text).unwrap();
        fs::rename(&beside, &file).unwrap();
    };
    save(&text.replace("A computer with a card", "My machine"));
    terminal.wait_for(
        |it| it.contains("My machine has two memories"),
        "the new text",
    );
    save(&text.replace("minutes = 20", "minutes = "));
    let has_problems = |it: &str| it.contains("read again") && !it.contains("no problems");
    let screen = terminal.wait_for(has_problems, "the problems");
    assert!(screen.contains("My machine has two memories"), "{screen}");
    fs::remove_file(&file).unwrap();
    let screen = terminal.wait_for(|it| it.contains("no longer in the course"), "the map");
    assert!(screen.contains("What a copy costs"), "{screen}");
}

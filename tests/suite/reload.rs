//! A course in a folder, whose files are changed while the app shows them.

use crate::support::fifo;
use crate::support::pty::Start;
use crate::support::temp_home::TempHome;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// A way to spoil the file at a path.
type Spoil = (&'static str, fn(&Path));

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

#[cfg(target_os = "linux")]
#[test]
fn a_preview_goes_to_the_page_that_was_saved_and_keeps_nothing() {
    let author = TempHome::new();
    let course = author.sample_course();
    let file = format!("{course}/lessons/places.md");
    let mut terminal = Start::warpup()
        .size(100, 30)
        .args(["preview", &file, "--size", "60x20", "--device", "model:t4"])
        .spawn();
    let is_open = |it: &str| it.contains("places.md: no problems") && it.contains("page 1 of 2");
    let screen = terminal.wait_for(is_open, "the lesson");
    let columns = screen.lines().map(|it| it.trim_end().chars().count()).max();
    assert!(columns <= Some(60), "{screen}");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("print(x.device)", "print(x.device, 2)")).unwrap();
    terminal.wait_for(
        |it| it.contains("print(x.device, 2)"),
        "the page that changed",
    );
    fs::write(&file, text.replace("minutes = 20", "minutes = ")).unwrap();
    terminal.wait_for(|it| it.contains("places.md, line "), "the problem");
    fs::write(&file, &text).unwrap();
    terminal.wait_for(|it| it.contains("no problems"), "the corrected lesson");
    terminal.press("Q");
    assert!(terminal.wait_exit().success());
    let kept = terminal.home().join(".local/share/warpup");
    assert!(!kept.exists(), "a preview keeps nothing");
}

#[cfg(target_os = "linux")]
#[test]
fn a_preview_outlives_whatever_takes_the_place_of_its_file_and_its_folder() {
    let author = TempHome::new();
    author.sample_course();
    let lessons = author.path().join("course/lessons");
    let file = lessons.join("places.md");
    let text = fs::read_to_string(&file).unwrap();
    let mut terminal = Start::warpup()
        .size(100, 30)
        .args(["preview", file.to_str().unwrap()])
        .spawn();
    let is_whole = |it: &str| it.contains("places.md: no problems here; 1 in");
    terminal.wait_for(is_whole, "the lesson");
    let spoils: [Spoil; 7] = [
        ("nothing", |_| {}),
        ("an empty file", |it| fs::write(it, "").unwrap()),
        ("bytes", |it| fs::write(it, b"\xff\0\x1b[31m").unwrap()),
        ("too much", |it| {
            fs::write(it, "#\n".repeat(1 << 20)).unwrap();
        }),
        ("a folder", |it| fs::create_dir(it).unwrap()),
        ("a pipe", fifo::make),
        ("a device", |it| symlink("/dev/zero", it).unwrap()),
    ];
    for (name, spoil) in spoils {
        fs::remove_file(&file).unwrap();
        spoil(&file);
        terminal.wait_for(|it| it.contains("preview") && !is_whole(it), name);
        if file.is_dir() {
            fs::remove_dir(&file).unwrap();
        } else {
            let _gone = fs::remove_file(&file);
        }
        fs::write(&file, &text).unwrap();
        terminal.wait_for(is_whole, &format!("the lesson after {name}"));
    }
    // As a checkout of another branch, which takes the folder away for a moment.
    let aside = author.path().join("aside");
    fs::rename(&lessons, &aside).unwrap();
    fs::rename(&aside, &lessons).unwrap();
    // The last of many saves is shown, however they fall together.
    for number in 0..300 {
        let title = format!("Save {number}.");
        fs::write(&file, text.replace("Where a tensor lives", &title)).unwrap();
    }
    terminal.wait_for(|it| it.contains("Save 299."), "the last save");
    terminal.press("Q");
    assert!(terminal.wait_exit().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_of_ones_own_is_written_when_it_runs_and_read_when_another_editor_saves_it() {
    let home = TempHome::new();
    let file = home.path().join("train.py");
    fs::write(&file, "import torch\nprint(torch.ones(2).sum())\n").unwrap();
    let mut terminal = Start::warpup().args([file.to_str().unwrap()]).spawn();
    terminal.wait_for(|it| it.contains("import torch"), "the program");
    terminal.press("r");
    terminal.wait_for(|it| it.contains("✓ done"), "the end of the run");
    terminal.press("e# mine <C-r>");
    terminal.wait_for(|it| it.contains("# mine"), "the edited program");
    terminal.press("<Esc>");
    terminal.wait_for(|it| it.contains("d device"), "the keys of who reads");
    let saved = fs::read_to_string(&file).unwrap();
    assert!(saved.contains("# mine"), "{saved}");
    let beside = file.with_extension("py.new");
    fs::write(&beside, "print('from outside')\n").unwrap();
    fs::rename(&beside, &file).unwrap();
    let screen = terminal.wait_for(|it| it.contains("read again"), "the file's text");
    assert!(screen.contains("print('from outside')"), "{screen}");
}

//! Commands as a shell sees them: exit statuses, pipes, files. What they print is tested in `src/commands`.

use crate::support::temp_home::TempHome;
use std::fs::File;
use std::process::{Command, Stdio};
use warpup_worker::device::cards;

/// Right answers to the quiz of the sample course's lesson `copies`.
const RIGHT: &str = r#"
q-bus = "narrow"
q-bytes = "24 B"
q-order = ["copy", "run"]
q-words = { host = "host", card = "card" }
"#;

#[test]
fn what_a_guest_does_is_kept_nowhere() {
    let home = TempHome::new();
    let course = home.sample_course();
    let answers = home.write("answers.toml", RIGHT);
    let guests = home.write("guests/.here", "");
    let guests = guests.parent().unwrap();
    let quiz = [
        "--course",
        &course,
        "quiz",
        "copies",
        "--answers",
        answers.to_str().unwrap(),
    ];
    let said = home
        .warpup(&[&quiz[..], &["--guest"]].concat())
        .env("XDG_RUNTIME_DIR", guests)
        .output()
        .unwrap();
    let remarks = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(0), "{remarks}");
    assert!(remarks.contains("forgotten when warpup ends"), "{remarks}");
    assert_eq!(std::fs::read_dir(guests).unwrap().count(), 1);
    let done = |more: &[&str]| {
        let args = [&["--course", &course, "progress", "show", "copies"], more].concat();
        let told = home.warpup(&args).output().unwrap().stdout;
        String::from_utf8(told).unwrap().contains("attempts: 1")
    };
    assert!(!done(&[]));
    assert_eq!(home.exit(&quiz), Some(0));
    assert!(done(&[]) && !done(&["--guest"]));
}

#[test]
fn the_exit_status_says_whose_mistake_it_is() {
    let home = TempHome::new();
    let course = home.sample_course();
    let course = course.as_str();
    let answers = |text: &str| {
        let path = home.write("answers.toml", text);
        let path = path.to_str().unwrap();
        home.exit(&["--course", course, "quiz", "copies", "--answers", path])
    };
    assert_eq!(answers(RIGHT), Some(0));
    assert_eq!(answers("q-bytes = \"2\""), Some(1));
    assert_eq!(answers("x = \"2\""), Some(2));
    assert_eq!(home.exit(&["check", course]), Some(0));
    home.write("course/lessons/copies.md", "no head");
    assert_eq!(home.exit(&["check", course]), Some(1));
    assert_eq!(home.exit(&["read", "nothing"]), Some(2));
    assert_eq!(home.exit(&["sing"]), Some(2));
    assert_eq!(home.exit(&["--plain", "progress"]), Some(2));
    assert_eq!(home.exit(&["--plain"]), Some(0));
    for words in [&["progress"][..], &["--help"], &["man"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let status = home.warpup(words).stdout(full).status();
        assert_eq!(status.unwrap().code(), Some(3), "{words:?}");
    }
}

#[test]
fn the_doctor_reports_on_any_machine() {
    let home = TempHome::new();
    let output = home.run(&["doctor", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let is_broken = report["verdict"] == "broken";
    assert_eq!(output.status.code(), Some(i32::from(is_broken)), "{report}");
    assert_eq!(report["rungs"][0]["id"], "card");
    let figures = home.run(&["nvml"]).stdout;
    let figures: serde_json::Value = serde_json::from_slice(&figures).unwrap();
    assert!(figures["came"].is_string(), "{figures}");
}

#[test]
fn the_next_process_finds_a_passed_lesson() {
    let home = TempHome::new();
    let course = home.sample_course();
    let course = course.as_str();
    let answers = home.write("answers.toml", RIGHT);
    let quiz = ["--course", course, "quiz", "copies", "--answers"];
    home.run(&[&quiz[..], &[answers.to_str().unwrap()]].concat());
    let shown = home.run(&["--course", course, "progress"]).stdout;
    let shown = String::from_utf8(shown).unwrap();
    let begin = "CUDA, understood: 1 of 2 lessons done";
    assert!(shown.starts_with(begin), "{shown}");
}

#[test]
fn commands_that_only_show_write_nothing() {
    let home = TempHome::new();
    for words in [
        &["progress"][..],
        &["check"],
        &["completions", "bash"],
        &["man"],
        &[],
    ] {
        assert_eq!(home.exit(words), Some(0), "{words:?}");
    }
    assert!(!home.data().exists());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let home = TempHome::new();
    let mut command = home.warpup(&["completions", "bash"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn without_a_terminal_the_map_is_printed() {
    let output = TempHome::new().run(&[]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("warpup quiz "), "{shown}");
}

#[test]
fn a_lab_runs_on_a_modelled_card_and_counts() {
    let home = TempHome::new();
    let lab = "where-a-tensor-lives/model-and-batch";
    let output = home.run(&["run", lab, "--device", "model:t4", "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["passed"], true);
    assert_eq!(shown["clock"], "modelled");
    assert!(shown["lines"].as_array().is_some_and(|it| !it.is_empty()));
    let progress = home.run(&["progress", "show", "--json"]).stdout;
    let progress: serde_json::Value = serde_json::from_slice(&progress).unwrap();
    let lessons = progress["lessons"].as_array().unwrap();
    let lesson = lessons
        .iter()
        .find(|it| it["lesson"] == "where-a-tensor-lives");
    assert_eq!(lesson.unwrap()["labs_passed"][0], "model-and-batch");
}

#[test]
fn a_program_runs_on_the_card_that_was_asked_for_and_an_unknown_one_is_refused() {
    let home = TempHome::new();
    let source = "import torch\nprint(torch.ones(2).to('cuda').sum().item())\n";
    let path = home.write("mine.py", source);
    let on = |device| home.run(&["run", path.to_str().unwrap(), "--device", device]);
    let output = on("model:h100");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert_eq!(shown, "2.0\n");
    let notes = String::from_utf8(output.stderr).unwrap();
    let expected = "mine.py on H100 80GB SXM (modelled)\n";
    assert!(notes.starts_with(expected), "{notes}");
    let output = on("model:v100");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let cards = cards::shipped().in_order().into_iter();
    let ids: Vec<&str> = cards.map(|(id, _)| id.as_str()).collect();
    let errors = errors.replace(&ids.join(", "), "IDS");
    insta::assert_snapshot!(errors, @r"
    error: there is no modelled card `v100`
    hint: there are IDS
    ");
}

#[test]
fn a_real_card_without_a_worker_is_refused_before_anything_runs() {
    let home = TempHome::new();
    let refusal = |command: &mut Command| {
        let output = command.output().unwrap();
        assert_eq!((output.status.code(), output.stdout), (Some(2), Vec::new()));
        String::from_utf8(output.stderr).unwrap()
    };
    let words = [
        "run",
        "where-a-tensor-lives/model-and-batch",
        "--device",
        "cuda",
    ];
    insta::assert_snapshot!(refusal(&mut home.warpup(&words)), @r"
    error: there is no worker for real cards at /nowhere/worker, which WARPUP_WORKER_CUDA names
    hint: correct WARPUP_WORKER_CUDA, or run on cpu or a modelled card such as model:t4
    ");
    home.write_settings("[cuda]\nworker = '/set/worker'\n");
    let by_settings = refusal(home.warpup(&words).env_remove("WARPUP_WORKER_CUDA"));
    insta::assert_snapshot!(home.normalised(&by_settings), @r"
    error: there is no worker for real cards at /set/worker, which cuda.worker in DIR/config/warpup/settings.toml names
    hint: correct cuda.worker in DIR/config/warpup/settings.toml, or run on cpu or a modelled card such as model:t4
    ");
}

#[test]
fn a_mistake_in_the_settings_is_a_warning() {
    let home = TempHome::new();
    home.write_settings("[cuda]\nlinger = \"\u{1b}[31m\"\n");
    let path = home.write("mine.py", "print(6 * 7)\n");
    let output = home.run(&["run", path.to_str().unwrap(), "--quiet"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    insta::assert_snapshot!(home.normalised(&errors), @r#"
    warning[setting]: invalid basic string, expected non-double-quote visible characters, `\`
     --> DIR/config/warpup/settings.toml:2:11
      |
    2 | linger = "␛[31m"
      |           ^
      |
      = help: nothing in this file counts until this is corrected
    "#);
}

#[test]
fn without_a_home_everything_but_saving_works() {
    let home = TempHome::new();
    let course = home.sample_course();
    let without_home = |arguments: &[&str]| {
        let mut command = home.warpup(&[&["--course", &course], arguments].concat());
        for name in ["HOME", "WARPUP_DATA", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        command.env("TMPDIR", home.path()).output().unwrap()
    };
    let shown = without_home(&["progress"]);
    assert_eq!(shown.status.code(), Some(0));
    let warnings = String::from_utf8(shown.stderr).unwrap();
    insta::assert_snapshot!(warnings.lines().last().unwrap(), @"warning: nothing will be saved: no folder to keep progress in: neither WARPUP_DATA nor HOME is set, and XDG_DATA_HOME is not set to an absolute path; set WARPUP_DATA to a folder that you may write to");
    assert_eq!(without_home(&["read", "copies"]).status.code(), Some(0));
    let program = home.write("a.py", "print(1)");
    let run = without_home(&["run", program.to_str().unwrap(), "--quiet"]);
    assert_eq!((run.status.code(), run.stdout), (Some(0), b"1\n".to_vec()));
    let answers = home.write("answers.toml", RIGHT);
    let quiz = without_home(&["quiz", "copies", "--answers", answers.to_str().unwrap()]);
    assert_eq!(quiz.status.code(), Some(3));
    let shown = String::from_utf8(quiz.stdout).unwrap();
    assert!(
        shown.contains("Passed, but the lesson `copies` is not saved as done."),
        "{shown}"
    );
    let said = String::from_utf8(quiz.stderr).unwrap();
    let kept = said.lines().find(|it| it.starts_with("error: ")).unwrap();
    assert!(
        kept.starts_with(
            "error: 5 records are not saved where progress belongs: they are kept in "
        ),
        "{kept}"
    );
    let told = shown.matches("kept in").count() + said.matches("kept in").count();
    assert_eq!(told, 1, "{shown}{said}");
    assert_eq!(
        home.exit(&["--course", &course, "progress", "import"]),
        Some(0)
    );
    let folder = kept
        .split("they are kept in ")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    let imported = home.run(&["--course", &course, "progress", "import", folder]);
    let imported = String::from_utf8(imported.stdout).unwrap();
    assert!(
        imported.ends_with(": 5 records imported, 0 here already.\n"),
        "{imported}"
    );
    let done = home.run(&["--course", &course, "progress", "show", "copies"]);
    let done = String::from_utf8(done.stdout).unwrap();
    assert!(
        done.starts_with("What a copy costs (copies): done\n"),
        "{done}"
    );
}

#[test]
fn a_copy_of_the_built_in_course_does_not_finish_its_lessons() {
    let home = TempHome::new();
    // The sample course has the id of the one that is built in.
    let course = home.sample_course();
    let course = course.as_str();
    let checked = home.run(&["check", course]);
    let checked = String::from_utf8(checked.stdout).unwrap();
    assert!(
        checked.contains("the id `warpup` belongs to the course that is built in"),
        "{checked}"
    );
    let reset = home.run(&["--course", course, "progress", "reset", "--yes"]);
    let warned = String::from_utf8(reset.stderr).unwrap();
    assert!(
        warned.contains("progress in this folder is kept apart"),
        "{warned}"
    );
    let exported = home.run(&["progress", "export"]).stdout;
    let exported = String::from_utf8(exported).unwrap();
    assert!(
        exported.contains(r#""course":"folder:warpup","kind":"reset""#),
        "{exported}"
    );
}

#[test]
fn the_shipped_course_passes_its_own_check() {
    let home = TempHome::new();
    let mut check = home.warpup(&["check", "--run-labs"]);
    // The course that is built in: where the tests run, a folder is a course.
    let output = check.current_dir(home.path()).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains(" 0 errors, 0 warnings"), "{shown}");
}

#[test]
fn a_wrong_argument_is_quoted_without_its_control_characters() {
    let home = TempHome::new();
    for words in [
        ["sing\x1b]0;x\x07", ""],
        ["--\u{9b}31m", ""],
        ["run", "a\u{202e}b"],
    ] {
        let output = home.run(&words);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        let bad = said
            .chars()
            .find(|it| (*it != '\n' && it.is_control()) || *it == '\u{202e}');
        assert_eq!(bad, None, "{said:?}");
    }
    let help = home.run(&["--help"]);
    assert_eq!(help.status.code(), Some(0));
    assert!(
        String::from_utf8(help.stdout)
            .unwrap()
            .contains("Usage: warpup")
    );
}

#[test]
fn labs_of_a_stranger_s_course_run_only_with_consent_and_until_they_change() {
    let home = TempHome::new();
    let course = home.sample_course();
    let course = course.as_str();
    let run = |more: &[&str]| {
        let words = [
            &["--course", course, "run", "copies/bus", "--starter"][..],
            more,
        ]
        .concat();
        let output = home.run(&words);
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, said) = run(&[]);
    assert_eq!(status, Some(2));
    assert!(said.contains("you have not agreed"), "{said}");
    let trusted = TempHome::new();
    let said = trusted
        .run(&["check", course, "--run-labs", "--trust"])
        .stderr;
    let said = String::from_utf8(said).unwrap();
    let (agreed, _) = said.split_once("ran 1 of").unwrap();
    insta::assert_snapshot!(agreed, @r"
    This course is not part of warpup; you agreed to run what its author wrote:
        places/placement: program, check, solution
        places/timing: program
        copies/bus: program, check
        copies/repair: program, check, solution
    ");
    let (_, said) = run(&["--trust"]);
    assert!(!said.contains("agreed"), "{said}");
    let (_, said) = run(&[]);
    assert!(!said.contains("agreed"), "{said}");
    let check = home.run(&["check", course, "--run-labs"]);
    let said = String::from_utf8(check.stderr).unwrap();
    assert!(!said.contains("agreed"), "{said}");
    let file = home.path().join("course/lessons/copies.md");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("torch.ones(3)", "torch.ones(4)")).unwrap();
    assert!(run(&[]).1.contains("you have not agreed"));
    let check = home.run(&["check", course, "--run-labs"]);
    assert_eq!(check.status.code(), Some(2));
}

#[test]
fn a_class_names_its_course_once() {
    let home = TempHome::new();
    let course = home.sample_course();
    let said = |output: std::process::Output| {
        let text = [output.stdout, output.stderr].concat();
        home.normalised(&String::from_utf8(text).unwrap())
    };
    let read = |variable: &str| {
        let mut command = home.warpup(&["read", "copies"]);
        said(command.env("WARPUP_COURSE", variable).output().unwrap())
    };
    assert!(
        read("").contains("there is no lesson `copies`"),
        "{}",
        read("")
    );
    let by_variable = read(&course);
    assert!(
        by_variable.starts_with("What a copy costs"),
        "{by_variable}"
    );
    home.write_settings(&format!("course = '{course}'\n"));
    assert_eq!(read(""), by_variable);
    // A course that is gone is named with what names it.
    insta::assert_snapshot!(read("/nowhere/course"), @"
    error: there is no course at /nowhere/course
    hint: WARPUP_COURSE names it; --course opens another one
    ");
    home.write_settings("course = 'mine'\n");
    insta::assert_snapshot!(read(""), @"
    error: the settings name a course, and cannot be read: DIR/config/warpup/settings.toml:1:10: warning[setting]: give the whole path of the course, from /, or the address of a repository
    hint: correct the file; --course and WARPUP_COURSE come before it
    ");
}

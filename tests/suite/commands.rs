//! The commands as a shell sees them: exit statuses, pipes, files. What they print is tested beside them.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A learner with nothing done, as a folder for progress.
struct Learner(TempDir);

impl Learner {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// `warpup` with these words, which nobody can answer.
    fn warpup(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpup"));
        command.args(words).stdin(Stdio::null());
        command.env("WARPUP_DATA", self.data());
        // Whatever is set and built on this machine.
        command.env("XDG_CONFIG_HOME", self.0.path().join("config"));
        command.env("WARPUP_WORKER_CUDA", "/nowhere/worker");
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.warpup(words).output().unwrap()
    }

    fn exit(&self, words: &[&str]) -> Option<i32> {
        self.run(words).status.code()
    }

    fn data(&self) -> std::path::PathBuf {
        self.0.path().join("data")
    }
}

/// A course with one lesson and one question, in a folder.
fn small_course(dir: &Path) {
    let lesson = "+++\nformat = 1\nid = \"one\"\ntitle = \"One\"\nsummary = \"One.\"\nminutes = 1\n\
                  objectives = [\"Know one.\"]\nquiz = \"one.toml\"\n+++\n\nOne.\n";
    let quiz = "format = 1\nid = \"one\"\ntitle = \"One\"\n\n[[question]]\nid = \"q\"\ntype = \"numeric\"\n\
                prompt = \"One?\"\nanswer = 1\nexplain = \"It is.\"\n";
    let course = "format = 1\nid = \"small\"\ntitle = \"Small\"\nsummary = \"Small.\"\nlessons = [\"one.md\"]\n";
    fs::create_dir_all(dir.join("lessons")).unwrap();
    fs::create_dir_all(dir.join("quizzes")).unwrap();
    fs::write(dir.join("lessons/course.toml"), course).unwrap();
    fs::write(dir.join("lessons/one.md"), lesson).unwrap();
    fs::write(dir.join("quizzes/one.toml"), quiz).unwrap();
}

#[test]
fn the_exit_status_says_whose_mistake_it_is() {
    let learner = Learner::new();
    let dir = TempDir::new().unwrap();
    small_course(dir.path());
    let course = dir.path().to_str().unwrap();
    let answers = |text: &str| {
        let path = dir.path().join("answers.toml");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        learner.exit(&["--course", course, "quiz", "one", "--answers", path])
    };
    assert_eq!(answers("q = \"1\""), Some(0));
    assert_eq!(answers("q = \"2\""), Some(1));
    assert_eq!(answers("x = \"2\""), Some(2));
    assert_eq!(learner.exit(&["check", course]), Some(0));
    fs::write(dir.path().join("lessons/one.md"), "no head").unwrap();
    assert_eq!(learner.exit(&["check", course]), Some(1));
    assert_eq!(learner.exit(&["read", "nothing"]), Some(2));
    assert_eq!(learner.exit(&["sing"]), Some(2));
    assert_eq!(learner.exit(&["--plain", "progress"]), Some(2));
    assert_eq!(learner.exit(&["--plain"]), Some(0));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let status = learner.warpup(&["progress"]).stdout(full).status();
    assert_eq!(status.unwrap().code(), Some(3));
}

#[test]
fn the_doctor_says_how_this_machine_stands_whatever_it_is() {
    let learner = Learner::new();
    // A worker that is named and not there: what this machine has is not started by a test.
    let mut command = learner.warpup(&["doctor", "--json"]);
    let output = command
        .env("WARPUP_WORKER_CUDA", "/nowhere")
        .output()
        .unwrap();
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let is_broken = told["verdict"] == "broken";
    assert_eq!(output.status.code(), Some(i32::from(is_broken)), "{told}");
    assert_eq!(told["rungs"][0]["id"], "card");
    let figures = learner.run(&["nvml"]).stdout;
    let figures: serde_json::Value = serde_json::from_slice(&figures).unwrap();
    assert!(figures["came"].is_string(), "{figures}");
}

#[test]
fn a_pass_is_found_by_the_next_process() {
    let learner = Learner::new();
    let dir = TempDir::new().unwrap();
    small_course(dir.path());
    let course = dir.path().to_str().unwrap();
    let answers = dir.path().join("answers.toml");
    fs::write(&answers, "q = \"1\"").unwrap();
    let quiz = ["--course", course, "quiz", "one", "--answers"];
    learner.run(&[&quiz[..], &[answers.to_str().unwrap()]].concat());
    let shown = learner.run(&["--course", course, "progress"]).stdout;
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.starts_with("Small: 1 of 1 lessons done"), "{shown}");
}

#[test]
fn looking_leaves_no_trace() {
    let learner = Learner::new();
    for words in [&["progress"][..], &["check"], &["completions", "bash"], &[]] {
        assert_eq!(learner.exit(words), Some(0), "{words:?}");
    }
    assert!(!learner.data().exists());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let learner = Learner::new();
    let mut command = learner.warpup(&["completions", "bash"]);
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
    let output = Learner::new().run(&[]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("warpup quiz "), "{shown}");
}

#[test]
fn a_lab_runs_on_a_modelled_card_and_counts() {
    let learner = Learner::new();
    let lab = "where-a-tensor-lives/placement";
    let output = learner.run(&["run", lab, "--device", "model:t4", "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["passed"], true);
    assert_eq!(shown["clock"], "modelled");
    assert!(shown["lines"].as_array().is_some_and(|it| !it.is_empty()));
    let progress = learner.run(&["progress", "show", "--json"]).stdout;
    let progress: serde_json::Value = serde_json::from_slice(&progress).unwrap();
    let lessons = progress["lessons"].as_array().unwrap();
    let lesson = lessons
        .iter()
        .find(|it| it["lesson"] == "where-a-tensor-lives");
    assert_eq!(lesson.unwrap()["labs_passed"][0], "placement");
}

#[test]
fn a_program_runs_on_the_card_that_was_asked_for_and_an_unknown_one_is_refused() {
    let learner = Learner::new();
    let path = learner.0.path().join("mine.py");
    let source = "import warpup as torch\nprint(torch.ones(2).to('cuda').sum().item())\n";
    fs::write(&path, source).unwrap();
    let on = |device| learner.run(&["run", path.to_str().unwrap(), "--device", device]);
    let output = on("model:h100");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{shown}");
    let expected = "mine.py on H100 80GB SXM (modelled)\n\n2.0\n";
    assert!(shown.starts_with(expected), "{shown}");
    let output = on("model:v100");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    insta::assert_snapshot!(said, @"error: there is no modelled card `v100`; there are: t4, l4, rtx4090, a100, h100, h200");
}

#[test]
fn a_real_card_without_a_worker_for_it_is_refused_before_anything_runs() {
    let learner = Learner::new();
    let said = |command: &mut Command| {
        let output = command.output().unwrap();
        assert_eq!((output.status.code(), output.stdout), (Some(2), Vec::new()));
        String::from_utf8(output.stderr).unwrap()
    };
    let words = ["run", "where-a-tensor-lives/placement", "--device", "cuda"];
    insta::assert_snapshot!(said(&mut learner.warpup(&words)), @r"
    error: there is no worker for real cards at /nowhere/worker, which WARPUP_WORKER_CUDA names
    hint: mend WARPUP_WORKER_CUDA, or run on cpu or a modelled card such as model:t4; scripts/build-cuda-worker builds a worker
    ");
    let settings = learner.0.path().join("config/warpup/settings.toml");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, "[cuda]\nworker = '/set/worker'\n").unwrap();
    let by_settings = said(learner.warpup(&words).env_remove("WARPUP_WORKER_CUDA"));
    let by_settings = by_settings.replace(learner.0.path().to_str().unwrap(), "DIR");
    insta::assert_snapshot!(by_settings, @r"
    error: there is no worker for real cards at /set/worker, which cuda.worker in DIR/config/warpup/settings.toml names
    hint: mend cuda.worker in DIR/config/warpup/settings.toml, or run on cpu or a modelled card such as model:t4; scripts/build-cuda-worker builds a worker
    ");
}

#[test]
fn a_mistake_in_the_settings_is_told_and_ends_nothing() {
    let learner = Learner::new();
    let settings = learner.0.path().join("config/warpup/settings.toml");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, "[cuda]\nlinger = \"\u{1b}[31m\"\n").unwrap();
    let path = learner.0.path().join("mine.py");
    fs::write(&path, "print(6 * 7)\n").unwrap();
    let output = learner.run(&["run", path.to_str().unwrap()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let said = said.replace(learner.0.path().to_str().unwrap(), "DIR");
    insta::assert_snapshot!(said, @r#"
    DIR/config/warpup/settings.toml:2:11: warning: invalid basic string, expected non-double-quote visible characters, `\`
       | linger = "␛[31m"
       |           ^
       = hint: nothing in this file counts until this is mended
    "#);
}

#[test]
fn a_program_of_the_learners_own_runs_and_its_errors_are_the_learners() {
    let learner = Learner::new();
    let path = learner.0.path().join("mine.py");
    fs::write(&path, "print('hello')\nnothing\n").unwrap();
    let output = learner.run(&["run", path.to_str().unwrap()]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(shown.contains("hello"), "{shown}");
    assert!(shown.contains("File \"mine.py\", line 2"), "{shown}");
}

#[test]
fn the_shipped_course_proves_itself() {
    let output = Learner::new().run(&["check", "--run-labs"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains(" 0 errors, 0 warnings"), "{shown}");
}

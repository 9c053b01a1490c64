//! Settings files as people write them, and what is said about mistakes in them.

use super::*;

fn warning(text: &str) -> String {
    let loaded = parse(text, "/c/settings.toml");
    assert_eq!(loaded.settings, Settings::default());
    loaded.warning.unwrap_or_default()
}

#[test]
fn what_the_administrator_sets_comes_before_what_the_user_has_set() {
    let text = r#"
        course = "/srv/course"
        [cuda]
        launcher = ["srun", "--gres=gpu:1"]
        linger_seconds = 5
        memory_cap = "2 GiB"
        [run]
        seconds = 30
        memory = "4 GiB"
    "#;
    let policy = Policy::parse(text, POLICY_FILE).unwrap();
    let mut settings = Settings {
        course: Some("/mine".into()),
        ..Settings::default()
    };
    settings.cuda.worker = Some("/opt/w".into());
    settings.cuda.launcher = vec!["ssh".to_owned()];
    settings.cuda.memory_cap = Some(1 << 30);
    settings.govern(&policy);
    assert_eq!(settings.course.as_deref(), Some(Path::new("/srv/course")));
    assert_eq!(settings.cuda.launcher, ["srun", "--gres=gpu:1"]);
    assert_eq!(settings.cuda.worker.as_deref(), Some(Path::new("/opt/w")));
    assert_eq!(settings.cuda.memory_cap, Some(1 << 30));
    assert_eq!(settings.cuda.linger, Duration::from_secs(5));
    assert!(settings.cuda.may_linger_launched);
    assert_eq!(settings.run.memory, Some(4 << 30));
    // What it leaves out stays as it was.
    let before = settings.clone();
    settings.govern(&Policy::default());
    assert_eq!(settings.cuda.launcher, before.cuda.launcher);
    assert_eq!(settings.course, before.course);
}

#[test]
fn everything_can_be_set() {
    let text = r#"
        course = "/srv/course"

        [cuda]
        worker = "/opt/warpup/warpup-worker-cuda"
        launcher = ["ssh", "gpubox"]
        linger_seconds = 0
        library_path = ["/opt/cuda/lib64"]
        memory_cap = "1.5 GiB"

        [screen]
        theme = "color-blind"
        mouse = false
    "#;
    let loaded = parse(text, "settings.toml");
    assert_eq!(loaded.warning, None);
    let set = CudaSettings {
        worker: Some("/opt/warpup/warpup-worker-cuda".into()),
        launcher: vec!["ssh".to_owned(), "gpubox".to_owned()],
        linger: Duration::ZERO,
        may_linger_launched: false,
        library_path: vec!["/opt/cuda/lib64".into()],
        memory_cap: Some(3 << 29),
        cards: Vec::new(),
    };
    assert_eq!(loaded.settings.cuda, set);
    let course = loaded.settings.course.as_deref();
    assert_eq!(course, Some(Path::new("/srv/course")));
    let screen = ScreenSettings {
        theme: ThemeSetting::ColourBlind,
        mouse: false,
    };
    assert_eq!(loaded.settings.screen, screen);
}

#[test]
fn keys_are_read_in_the_order_of_the_file_and_judged_elsewhere() {
    let text = "[keys]\nrun = \"ctrl-r\"\nback = [\"b\", \"x\"]\nnonsense = 5\n";
    let loaded = parse(text, "/c/settings.toml");
    assert_eq!(loaded.warning, None);
    let said = loaded.settings.keys.iter().map(|it| {
        let source = text.get(it.keys_at.clone()).unwrap();
        format!("{}: {:?} from {source}", it.action, it.keys)
    });
    insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"), @r#"
    run: Some(["ctrl-r"]) from "ctrl-r"
    back: Some(["b", "x"]) from ["b", "x"]
    nonsense: None from 5
    "#);
    let third = loaded.settings.keys[2].clone();
    let warning = loaded.warning_at(third.action_at, "no action".to_owned(), "try".to_owned());
    insta::assert_snapshot!(warning, @"
    warning[setting]: no action
     --> /c/settings.toml:4:1
      |
    4 | nonsense = 5
      | ^^^^^^^^
      |
      = help: try
    ");
}

#[test]
fn nothing_has_to_be_set() {
    for text in ["", "[cuda]", "# nothing\n"] {
        let loaded = parse(text, "settings.toml");
        assert_eq!(loaded.settings, Settings::default(), "{text}");
        assert_eq!(loaded.warning, None);
    }
    assert_eq!(Settings::default().cuda.linger, LINGER);
}

#[test]
fn a_mistake_is_told_with_its_place_and_sets_nothing() {
    let text = "[cuda]\nlinger_seconds = 30\nworkr = \"/opt/w\"\n";
    insta::assert_snapshot!(warning(text), @r#"
    warning[setting]: unknown field `workr`, expected one of `worker`, `launcher`, `linger_seconds`, `library_path`, `memory_cap`
     --> /c/settings.toml:3:1
      |
    3 | workr = "/opt/w"
      | ^^^^^
      |
      = help: nothing in this file counts until this is corrected
    "#);
    let text = "[cuda]\nlinger_seconds = 3600\n";
    insta::assert_snapshot!(warning(text), @"
    warning[setting]: at most 600 seconds: the worker holds memory of the card
     --> /c/settings.toml:2:18
      |
    2 | linger_seconds = 3600
      |                  ^^^^
      |
      = help: nothing in this file counts until this is corrected
    ");
    let text = "[cuda]\nmemory_cap = \"8 gigs\"\n";
    insta::assert_snapshot!(warning(text), @r#"
    warning[setting]: give bytes as in 8589934592, or words as in "8 GiB"
     --> /c/settings.toml:2:14
      |
    2 | memory_cap = "8 gigs"
      |              ^^^^^^^^
      |
      = help: nothing in this file counts until this is corrected
    "#);
    let text = "[cuda\n";
    insta::assert_snapshot!(warning(text), @"
    warning[setting]: unclosed table, expected `]`
     --> /c/settings.toml:1:6
      |
    1 | [cuda
      |      ^
      |
      = help: nothing in this file counts until this is corrected
    ");
}

#[test]
fn a_list_written_as_a_text_is_shown_as_a_list() {
    insta::assert_snapshot!(warning("[cuda]\nlauncher = \"ssh gpubox\"\n"), @r#"
    warning[setting]: invalid type: string "ssh gpubox", expected a sequence
     --> /c/settings.toml:2:12
      |
    2 | launcher = "ssh gpubox"
      |            ^^^^^^^^^^^^
      |
      = help: write a list, each entry in quotes: `["ssh", "gpubox"]`; nothing in this file counts until this is corrected
    "#);
}

#[test]
fn a_value_of_the_wrong_kind_is_told_with_its_line_whatever_the_key() {
    let keys = [
        "course",
        "cuda",
        "cuda.worker",
        "cuda.launcher",
        "cuda.linger_seconds",
        "cuda.library_path",
        "cuda.memory_cap",
        "screen",
        "screen.theme",
        "screen.mouse",
        "keys",
    ];
    let values = [
        "true",
        "-1",
        "0",
        "601",
        "9223372036854775807",
        "99999999999999999999",
        "1.5",
        "nan",
        "1979-05-27",
        "''",
        "'x'",
        r#""\u001b[31m""#,
        "[]",
        "['']",
        "[1]",
        "[[]]",
        "{}",
        "{ x = 1 }",
    ];
    let mut taken = Vec::new();
    for (key, value) in keys.iter().flat_map(|key| values.map(|value| (key, value))) {
        let line = format!("{key} = {value}");
        match parse(&line, "/c/settings.toml").warning {
            Some(warning) => assert!(warning.contains("/c/settings.toml:1:"), "{warning}"),
            None => taken.push(line),
        }
    }
    insta::assert_snapshot!(taken.join("\n"), @r#"
    cuda = []
    cuda = ['']
    cuda = {}
    cuda.worker = ''
    cuda.worker = 'x'
    cuda.worker = "\u001b[31m"
    cuda.launcher = []
    cuda.launcher = ['']
    cuda.linger_seconds = 0
    cuda.library_path = []
    cuda.library_path = ['']
    cuda.memory_cap = 601
    cuda.memory_cap = 9223372036854775807
    screen = []
    screen = {}
    screen.mouse = true
    keys = {}
    keys = { x = 1 }
    "#);
}

#[test]
fn a_course_that_a_mistake_hides_is_noticed_however_it_is_written() {
    for text in [
        "course = 5",
        "\u{feff}course = 5",
        "\t\"course\" = 5",
        "'course' = 5",
    ] {
        assert!(parse(text, "").hides_a_course(), "{text}");
    }
    assert!(!parse("course = '/srv/course'", "").hides_a_course());
    assert!(!parse("[screen]\nmouse = 5", "").hides_a_course());
}

#[test]
fn the_file_is_where_configuration_belongs() {
    let file = |variables: &[(&str, &str)]| {
        file_from(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        })
    };
    let both = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")];
    assert_eq!(file(&both), Some("/x/warpup/settings.toml".into()));
    let home = Some("/h/.config/warpup/settings.toml".into());
    assert_eq!(file(&both[..1]), home);
    assert_eq!(file(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "x")]), home);
    assert_eq!(file(&[]), None);
}

#[test]
fn a_named_pipe_in_the_place_of_the_file_is_not_waited_for() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("settings.toml");
    rustix::fs::mkfifoat(rustix::fs::CWD, &file, rustix::fs::Mode::RUSR).unwrap();
    let warning = read(&file).warning.unwrap();
    assert!(
        warning.contains(": it is not a regular file; "),
        "{warning}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_a_missing_one_is_not() {
    let folder = tempfile::TempDir::new().unwrap();
    assert_eq!(
        read(&folder.path().join("settings.toml")),
        LoadedSettings::default()
    );
    let loaded = read(folder.path());
    let warning = loaded.warning.unwrap();
    assert!(
        warning.contains(folder.path().to_str().unwrap()),
        "{warning}"
    );
    assert_eq!(loaded.settings, Settings::default());
}

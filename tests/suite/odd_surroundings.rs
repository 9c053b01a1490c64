//! Settings, keys, launchers, temporary folders and limits that are not as they should be: each is said in words, and waits for
//! nobody.

use crate::support::fifo;
use crate::support::pty::Start;
use crate::support::temp_home::TempHome;
use rustix::process::geteuid;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

/// How long a command may take; only a failure takes that long.
const DEADLINE: Duration = Duration::from_mins(1);

/// How a command ends and what it says: its exit status, and all that it prints, with the path of this home as `DIR`.
fn said(home: &TempHome, mut command: Command) -> (i32, String) {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.unwrap();
    let (sender, ended) = sync_channel::<Output>(1);
    let wait = move || drop(sender.send(child.wait_with_output().unwrap()));
    drop(thread::Builder::new().spawn(wait).unwrap());
    let ended = ended.recv_timeout(DEADLINE).expect("the command waits");
    let text = String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap();
    let is_plain = |it: char| it == '\n' || !it.is_control();
    assert!(text.chars().all(is_plain), "{text:?}");
    assert!(!text.contains("panicked"), "{text}");
    let status = ended.status.code();
    (status.expect("no signal ends it"), home.normalised(&text))
}

/// A way to spoil the file at a path.
type Spoil = (&'static str, fn(&Path));

/// What is no text file that can be read.
const SPOILED_FILES: [Spoil; 8] = [
    ("binary", |it| {
        fs::write(it, b"\x7fELF\x02\xff\0\x1b[31m").unwrap();
    }),
    ("10 MB", |it| {
        fs::write(it, "#\n".repeat(5_000_000)).unwrap();
    }),
    ("pipe", fifo::make),
    ("device", |it| symlink("/dev/zero", it).unwrap()),
    ("folder", |it| fs::create_dir(it).unwrap()),
    ("dangling link", |it| symlink("nowhere", it).unwrap()),
    ("link to itself", |it| symlink(it, it).unwrap()),
    ("not a folder", |it| {
        let folder = it.parent().unwrap();
        fs::remove_dir(folder).unwrap();
        fs::write(folder, "").unwrap();
    }),
];

/// What `warpup run` says with such settings. It runs the program as without them.
fn run_with(spoil: impl Fn(&Path)) -> String {
    let home = TempHome::new();
    home.write_settings("");
    let file = home.path().join("config/warpup/settings.toml");
    fs::remove_file(&file).unwrap();
    spoil(&file);
    let program = home.write("mine.py", "print(6 * 7)\n");
    let (status, text) = said(
        &home,
        home.warpup(&["run", program.to_str().unwrap(), "--quiet"]),
    );
    assert_eq!(status, 0, "{text}");
    text.strip_prefix("42\n")
        .expect("the program runs")
        .to_owned()
}

#[test]
fn settings_that_are_no_text_file_are_named_with_what_to_do() {
    let why = |said: &str| {
        let begin =
            "warning: DIR/config/warpup/settings.toml cannot be read, so nothing in it counts: ";
        let why = said.strip_prefix(begin).expect(said);
        let end = "; make it a text file that you may read, or remove it\n";
        why.strip_suffix(end).expect(said).to_owned()
    };
    let all = SPOILED_FILES.map(|(name, spoil)| format!("{name}: {}", why(&run_with(spoil))));
    insta::assert_snapshot!(all.join("\n"), @"
    binary: stream did not contain valid UTF-8
    10 MB: it has more than 1048576 bytes
    pipe: it is not a regular file
    device: it is not a regular file
    folder: is a directory
    dangling link: No such file or directory (os error 2)
    link to itself: Too many levels of symbolic links (os error 40)
    not a folder: Not a directory (os error 20)
    ");
    let closed = run_with(|it| {
        fs::write(it, "").unwrap();
        fs::set_permissions(it, fs::Permissions::from_mode(0o000)).unwrap();
    });
    if geteuid().is_root() {
        assert_eq!(closed, "", "root reads it");
    } else {
        assert_eq!(why(&closed), "Permission denied (os error 13)");
    }
}

#[test]
fn keys_that_are_no_keys_are_said_when_the_app_has_ended() {
    let start = Start::warpup().size(120, 60);
    let file = start.home().join("config/warpup/settings.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let keys = [
        "run = 5",
        "next = []",
        "back = ['']",
        "help = \"\\u001b\"",
        "page-up = 'ctrl-'",
        "page-down = 'q'",
        "\"\\u001b]0;x\" = 'x'",
    ];
    fs::write(&file, format!("[keys]\n{}\n", keys.join("\n"))).unwrap();
    let mut terminal = start.spawn();
    terminal.wait_for(|it| it.contains("lessons done"), "the map");
    terminal.press("q");
    terminal.wait_for(|it| it.contains("Quit warpup?"), "the question");
    terminal.press("q");
    assert!(terminal.wait_exit().success());
    let shown = terminal.text();
    let said = shown
        .lines()
        .filter(|it| it.starts_with("warning") || it.contains("= help"));
    insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"), @r#"
    warning[setting]: `run` has no keys here
      = help: write one key, such as "ctrl-r", or several, such as ["space", "f"]
    warning[setting]: there is no action `next`
      = help: `,` opens the settings, which list all actions with their keys
    warning[setting]: `` is not a key
      = help: keys are letters and signs, space, enter, tab, backspace, up, page-up, home, delete, f1 to f12, also with ctrl
    warning[setting]: `␛` is not a key
      = help: keys are letters and signs, space, enter, tab, backspace, up, page-up, home, delete, f1 to f12, also with ctrl
    warning[setting]: `ctrl-` is not a key
      = help: keys are letters and signs, space, enter, tab, backspace, up, page-up, home, delete, f1 to f12, also with ctrl
    warning[setting]: `page-down` keeps its keys: on one screen, q is also the key for “back”
      = help: take another key, or give `back` another one, too
    warning[setting]: there is no action `␛]0;x`
      = help: `,` opens the settings, which list all actions with their keys
    "#);
}

#[test]
fn settings_with_a_mistake_are_shown_where_it_is() {
    let deep = format!("x = {}", "[".repeat(300_000));
    let dotted = format!("{}x = 1", "a.".repeat(100_000));
    let tables = format!("keys = {}", "{a=".repeat(100_000));
    let texts: [(&str, &[u8]); 10] = [
        ("deep list", deep.as_bytes()),
        ("deep key", dotted.as_bytes()),
        ("deep table", tables.as_bytes()),
        ("unknown key", b"[cuda]\nworkr = '/opt/w'\n"),
        ("unknown table", b"[\"\x1b]0;x\x07\"]\n"),
        ("twice", b"[screen]\nmouse = true\nmouse = false\n"),
        (
            "byte order mark",
            b"\xef\xbb\xbf[screen]\r\nmouse = false\r\n",
        ),
        ("lines of old Macs", b"[screen]\rmouse = false\r"),
        ("NUL", b"[screen]\nmouse = \0\n"),
        (
            "escape",
            b"[cuda]\nworker = \"\\u001b[31m\"\nlinger_seconds = \"\\u001b\"\n",
        ),
    ];
    let all = texts.map(|(name, text)| {
        let said = run_with(|it| fs::write(it, text).unwrap());
        let lines: Vec<&str> = said.lines().take(2).collect();
        let is_complete = said.ends_with("nothing in this file counts until this is corrected\n");
        assert!(is_complete || said.is_empty(), "{said}");
        format!("{name}: {}", lines.concat()).trim_end().to_owned()
    });
    insta::assert_snapshot!(all.join("\n"), @r#"
    deep list: warning[setting]: cannot recurse further; max recursion depth met --> DIR/config/warpup/settings.toml:1:85
    deep key: warning[setting]: recursion limit --> DIR/config/warpup/settings.toml:1:1
    deep table: warning[setting]: cannot recurse further; max recursion depth met --> DIR/config/warpup/settings.toml:1:248
    unknown key: warning[setting]: unknown field `workr`, expected one of `worker`, `launcher`, `linger_seconds`, `library_path`, `memory_cap` --> DIR/config/warpup/settings.toml:2:1
    unknown table: warning[setting]: invalid basic string, expected non-double-quote visible characters, `\` --> DIR/config/warpup/settings.toml:1:3
    twice: warning[setting]: duplicate key --> DIR/config/warpup/settings.toml:3:1
    byte order mark:
    lines of old Macs: warning[setting]: carriage return must be followed by newline, expected newline --> DIR/config/warpup/settings.toml:1:10
    NUL: warning[setting]: string values must be quoted, expected literal string --> DIR/config/warpup/settings.toml:2:9
    escape: warning[setting]: invalid type: string "\u{1b}", expected u64 --> DIR/config/warpup/settings.toml:3:18
    "#);
}

#[test]
fn a_launcher_that_starts_no_worker_is_named_with_what_to_do() {
    let launched = |launcher: &str| {
        let home = TempHome::new();
        let warpup = env!("CARGO_BIN_EXE_warpup");
        let named = launcher.replace("DIR", home.path().to_str().unwrap());
        let named = named.replace("WARPUP", warpup);
        home.write_settings(&format!("[cuda]\nlauncher = {named}\n"));
        home.write("a folder/x", "");
        home.write("plain", "echo\n");
        let program = home.write("mine.py", "print(6 * 7)\n");
        let program = program.to_str().unwrap();
        let (status, text) = said(
            &home,
            home.warpup(&["run", program, "--quiet", "--device", "cuda"]),
        );
        assert_eq!(status, 2, "{text}");
        assert!(text.contains("\nhint: "), "{text}");
        let why = text.lines().next().unwrap_or_default();
        let why = why.replace("The card is unavailable, and it is not your mistake: ", "");
        format!("{launcher}: {why}")
    };
    let all = [
        "[]",
        r#"[""]"#,
        r#"["DIR/a folder/no such program"]"#,
        r#"["DIR/a folder"]"#,
        r#"["DIR/plain"]"#,
        r#"["two\nlines\u001b[31m"]"#,
        r#"["nul\u0000"]"#,
        r#"["-x"]"#,
        r#"["true"]"#,
        r#"["yes"]"#,
        r#"["WARPUP"]"#,
        r#""ssh gpubox""#,
    ];
    insta::assert_snapshot!(all.map(launched).join("\n"), @r#"
    []: error: there is no worker for real cards at /nowhere/worker, which WARPUP_WORKER_CUDA names
    [""]: `` does not exist, or its launcher does not exist
    ["DIR/a folder/no such program"]: `DIR/a folder/no such program` does not exist, or its launcher does not exist
    ["DIR/a folder"]: you may not execute DIR/a folder, or its disk forbids it
    ["DIR/plain"]: you may not execute DIR/plain, or its disk forbids it
    ["two\nlines\u001b[31m"]: `two
    ["nul\u0000"]: the worker for real cards was not started before it was ready
    ["-x"]: `-x` does not exist, or its launcher does not exist
    ["true"]: the worker for real cards ended with exit status 0 before it was ready
    ["yes"]: the worker for real cards made no sense: the other side sent a line that is not a valid message: warpup-worker-cuda before it was ready
    ["WARPUP"]: the worker for real cards ended with exit status 2 before it was ready
    "ssh gpubox": warning[setting]: invalid type: string "ssh gpubox", expected a sequence
    "#);
}

#[test]
fn a_guest_waits_for_nothing_that_somebody_put_into_the_temporary_folder() {
    let home = TempHome::new();
    for name in ["warpup-guest-x", "warpup-guest-abcdef"] {
        let folder = home.path().join("tmp").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        fifo::make(&folder.join("lock"));
    }
    let tmp = home.path().join("tmp");
    let mut command = home.warpup(&["progress", "--guest"]);
    command.env("TMPDIR", &tmp);
    let (status, text) = said(&home, command);
    assert_eq!(status, 0, "{text}");
    assert_eq!(fs::read_dir(tmp).unwrap().count(), 2);
}

/// `warpup run` of a program, after these words of a shell.
fn run_in_a_shell(home: &TempHome, before: &str) -> Command {
    let program = home.write("mine.py", "print(6 * 7)\n");
    let script = format!("{before} exec \"$0\" run \"$1\" --quiet");
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_warpup")])
        .arg(program);
    command.env_clear().envs(home.environment());
    command
}

#[test]
fn a_stack_that_is_too_small_is_said() {
    let home = TempHome::new();
    let (status, text) = said(&home, run_in_a_shell(&home, "ulimit -s 64;"));
    assert_eq!(status, 2, "{text}");
    insta::assert_snapshot!(text, @"
    error: this shell gives a program 64 KiB of stack, and warpup needs 512
    hint: `ulimit -s 8192` raises the limit; where that is refused, start warpup from another shell
    ");
    let (status, text) = said(&home, run_in_a_shell(&home, "ulimit -s 512;"));
    assert_eq!((status, text.as_str()), (0, "42\n"));
}

#[test]
fn a_missing_proc_is_said() {
    let home = TempHome::new();
    let hidden = ["--user", "--map-root-user", "--mount", "sh", "-c"];
    let hide = "mount -t tmpfs none /proc";
    let allowed = Command::new("unshare").args(hidden).arg(hide).output();
    if !allowed.is_ok_and(|it| it.status.success()) {
        eprintln!("left out: this system allows no mount without root");
        return;
    }
    let program = home.write("mine.py", "print(6 * 7)\n");
    let script = format!("{hide} && exec \"$0\" run \"$1\" --quiet");
    let mut command = Command::new("unshare");
    command
        .args(hidden)
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_warpup"))
        .arg(program);
    command.env_clear().envs(home.environment());
    // Without another warpup.
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    let (status, text) = said(&home, command);
    assert_eq!(status, 3, "{text}");
    insta::assert_snapshot!(text, @"Not run: the lab worker warpup cannot be started: No such file or directory (os error 2); warpup finds itself through /proc, which is missing: `mount -t proc proc /proc` brings it, or put warpup on PATH");
}

//! What the system sees: which files are opened for a course with links and paths out of its folder.

use super::folder::Folder;
use super::{MANIFEST, ONE};
use crate::faults::strace;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

#[test]
fn no_file_outside_of_the_course_is_opened() {
    if !strace::works() {
        return;
    }
    let folder = Folder::new();
    folder.link("lessons/away.md", folder.outside("secret.md"));
    folder.link("lessons/passwd.md", "/etc/passwd");
    symlink(folder.outside(""), folder.file("away")).unwrap();
    folder.link("lessons/far.md", "../away/secret.md");
    folder.link("quizzes/secret.toml", folder.outside("secret.toml"));
    folder.replace(
        MANIFEST,
        "[\"one.md\"]",
        "[\"one.md\", \"../away/secret.md\", \"/etc/passwd\", \"away.md\"]",
    );
    folder.replace(ONE, "Read this.", "[a](../away/secret.md) ![](/etc/passwd)");
    let calls = folder.0.path().join("calls");
    for arguments in [&["check"][..], &["--plain"], &["read", "one"]] {
        let mut command = Command::new("strace");
        command
            .args(["-f", "-qq", "-e", "trace=open,openat,openat2", "-o"])
            .arg(&calls);
        command.arg(env!("CARGO_BIN_EXE_warpup")).args(arguments);
        command.arg("--course").arg(folder.path());
        command.env_clear().envs(folder.0.environment());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().unwrap();
        let calls = fs::read_to_string(&calls).unwrap();
        assert!(calls.contains("lessons/one.md"), "{calls}");
        for line in calls.lines() {
            let is_outside = ["/outside", "/away", "/etc/passwd"]
                .iter()
                .any(|it| line.contains(it));
            assert!(!is_outside, "{line}");
        }
    }
}

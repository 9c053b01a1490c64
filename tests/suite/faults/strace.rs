//! `strace` as the hand that injects faults.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

/// Whether faults can be injected on this machine.
#[expect(clippy::print_stdout, reason = "who runs the tests should know")]
pub(crate) fn works() -> bool {
    static WORKS: LazyLock<bool> = LazyLock::new(|| {
        let mut command = Command::new("strace");
        command.args(["-e", "trace=close", "-o", "/dev/null", "true"]);
        let status = command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|it| it.success())
    });
    if !*WORKS {
        println!("strace is missing or may not trace here: nothing was injected");
    }
    *WORKS
}

/// One way to fail: into which calls, what, and when.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) calls: &'static str,
    /// As in `error=EIO`, `signal=KILL` or `retval=3`.
    pub(super) what: String,
    /// As in `3`, for the third call only, or `3+2`, for every second one from there on.
    pub(super) when: String,
}

impl Fault {
    /// The arguments for `strace`, which writes what it has injected to a file.
    pub(super) fn arguments(&self, out: &Path) -> Vec<String> {
        let Self { calls, what, when } = self;
        vec![
            "-o".to_owned(),
            out.to_str().unwrap().to_owned(),
            "-e".to_owned(),
            format!("trace={calls}"),
            "-e".to_owned(),
            format!("inject={calls}:{what}:when={when}"),
        ]
    }

    pub(super) fn name(&self) -> String {
        format!("{} into {} at {}", self.what, self.calls, self.when)
    }
}

/// How many faults the file says were injected.
pub(super) fn injected(out: &Path) -> usize {
    let text = fs::read(out).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.matches("(INJECTED)").count() + text.matches("(DELAYED)").count()
}

/// `strace` on one thread of a process that runs already. It ends with the process.
pub(super) struct Attached {
    strace: Child,
    out: PathBuf,
}

impl Attached {
    /// Injects a fault into a thread.
    pub(super) fn to(thread: i32, fault: &Fault, out: &Path) -> Self {
        let mut command = Command::new("strace");
        command.args(["-p", &thread.to_string()]);
        command.args(fault.arguments(out));
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        let mut strace = command.spawn().unwrap();
        let said = BufReader::new(strace.stderr.take().unwrap());
        // It says so once it traces.
        let attached = said.lines().next().unwrap().unwrap();
        assert!(attached.contains("attached"), "{attached}");
        let out = out.to_owned();
        Self { strace, out }
    }

    /// Waits for its end, which is that of the process, and counts what it injected.
    pub(super) fn injected(mut self) -> usize {
        self.strace.wait().unwrap();
        injected(&self.out)
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // It may have ended, which is fine.
        let _gone = self.strace.kill();
        let _status = self.strace.wait();
    }
}

//! A test in a process of its own, so that what it measures or leaves is not that of its neighbours.

use std::process::Command;

/// Says so to the process.
const INSIDE: &str = "WARPUP_TEST_ALONE";

/// Does the work in a process that runs only this test, named with its modules. Gives what it printed; nothing in that
/// process itself.
pub(crate) fn run(test: &str, work: impl FnOnce()) -> Option<String> {
    if std::env::var(INSIDE).is_ok_and(|it| it == test) {
        work();
        return None;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(INSIDE, test)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{errors}");
    assert!(said.contains("1 passed"), "{said}");
    Some(said)
}

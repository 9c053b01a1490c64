//! The page of `warpup export html` in a browser: what it shows, and that it reports no error.
//!
//! Where chromium is missing, the test says so and passes. `.ci/run` installs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The file of an exported page.
fn exported(folder: &Path, lesson: &str) -> std::path::PathBuf {
    let page = folder.join("page.html");
    let mut export = Command::new(env!("CARGO_BIN_EXE_warpup"));
    let export = export.args(["export", "html", lesson, "-o"]).arg(&page);
    let done = export.env("WARPUP_DATA", folder).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    page
}

/// What headless chromium makes of a page; nothing where there is no chromium. It may take a minute.
#[expect(clippy::print_stdout, reason = "a test that did nothing says so")]
fn in_browser(page: &Path, profile: &Path) -> Option<Output> {
    if Command::new("chromium").arg("--version").output().is_err() {
        println!("chromium is missing: the exported page was not opened in a browser");
        return None;
    }
    let mut browser = Command::new("timeout");
    browser.args([
        "120",
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
    ]);
    browser.args(["--disable-background-networking", "--disable-dev-shm-usage"]);
    browser.args(["--enable-logging=stderr", "--dump-dom"]);
    browser.arg(format!("--user-data-dir={}", profile.display()));
    browser.arg(format!("file://{}", page.display()));
    Some(browser.output().unwrap())
}

#[test]
fn a_browser_shows_the_page_of_a_lesson_and_reports_no_error() {
    let folder = TempDir::new().unwrap();
    let page = exported(folder.path(), "the-queue");
    let Some(done) = in_browser(&page, &folder.path().join("profile")) else {
        return;
    };
    let (dom, said) = (
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr),
    );
    assert!(done.status.success(), "{said}");
    let console: Vec<&str> = said.lines().filter(|it| it.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "{console:?}");
    assert!(dom.contains("<h1>The queue</h1>"));
    let written = fs::read_to_string(&page).unwrap();
    for tag in ["<h2>", "<h3>", "<pre>", "<details>", "<table>", "<li>"] {
        // A table that the browser repairs has other parts than were written.
        assert_eq!(
            dom.matches(tag).count(),
            written.matches(tag).count(),
            "{tag}"
        );
    }
}

#[test]
fn a_page_that_loads_something_is_reported_by_the_browser() {
    let folder = TempDir::new().unwrap();
    let page = exported(folder.path(), "the-queue");
    let text = fs::read_to_string(&page).unwrap();
    let loads = text.replace("</main>", "<img src=\"http://127.0.0.1:9/x.png\"/></main>");
    fs::write(&page, loads).unwrap();
    let Some(done) = in_browser(&page, &folder.path().join("profile")) else {
        return;
    };
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("CONSOLE"), "{said}");
}

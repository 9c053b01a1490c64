//! Keys that name files elsewhere.

use super::{Case, MANIFEST, ONE, case};

/// Paths that lead out of the folder of lessons if something resolves them.
const PATHS: [&str; 16] = [
    "../../outside/secret.md",
    "../lessons/../../outside/secret.md",
    "..././..././outside/secret.md",
    "..\\..\\outside\\secret.md",
    "%2e%2e/%2e%2e/outside/secret.md",
    "..%2f..%2foutside%2fsecret.md",
    "..%c0%af..%c0%afoutside/secret.md",
    "/etc/passwd",
    "//etc/passwd",
    "/proc/self/environ",
    "~/outside/secret.md",
    "$HOME/outside/secret.md",
    "file:///etc/passwd",
    "C:/outside/secret.md",
    "../../outside/secret.md\\u0000one.md",
    "one.md/../../../outside/secret.md",
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for path in PATHS {
        cases.push(case(
            format!("the course lists {path}"),
            1,
            &[
                "--> lessons/course.toml:5:12",
                ": there is no file `lessons/",
            ],
            move |it| it.replace(MANIFEST, "one.md", &in_toml(path)),
        ));
        cases.push(case(
            format!("a lesson has the quiz {path}"),
            1,
            &["--> lessons/one.md:9:8", ": there is no file `quizzes/"],
            move |it| {
                it.replace(ONE, "one.toml", &in_toml(path).replace(".md", ".toml"));
            },
        ));
        cases.push(case(
            format!("a lesson has a link to {path}"),
            1,
            &["--> lessons/one.md:12:", "error"],
            move |it| it.replace(ONE, "Read this.", &format!("[Read](<{path}#start>).")),
        ));
    }
    cases.push(case(
        "a picture from elsewhere",
        1,
        &["lessons/one.md:12:"],
        |it| {
            it.replace(
                ONE,
                "Read this.",
                "![](../../outside/secret.md) ![](/etc/passwd)",
            );
        },
    ));
    cases.push(case(
        "HTML that loads a file",
        0,
        &[],
        |it| it.replace(ONE, "Read this.", "<iframe src=\"/etc/passwd\"></iframe> <!--#include file=\"../../outside/secret.md\" -->"),
    ));
    cases
}

/// A path as a text in TOML. `\u0000` stays: it is a NUL.
fn in_toml(path: &str) -> String {
    path.replace('\\', "\\\\").replace("\\\\u", "\\u")
}

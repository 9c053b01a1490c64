//! Files with names that no author would give.

use super::{Case, MANIFEST, case};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

/// Names, and what the command shows of them.
const NAMES: [(&str, &[u8], &str); 10] = [
    (
        "an escape sequence",
        b"\x1b]0;title\x07\x1b[31m.md",
        "␛]0;title␇␛[31m.md",
    ),
    ("a line break", b"one\nerror: all is well.md", "lessons/one"),
    (
        "a carriage return",
        b"\rlessons all well.md",
        "lessons all well.md",
    ),
    (
        "another direction",
        "a\u{202e}dm.txt.md".as_bytes(),
        "txt.md",
    ),
    (
        "an 8-bit control character",
        "\u{9b}31m.md".as_bytes(),
        "31m.md",
    ),
    ("no UTF-8", b"\xff\xfe.md", ".md"),
    ("an overlong dot", b"\xc0\xae\xc0\xae.md", ".md"),
    (
        "nothing that can be seen",
        "\u{200b}\u{2060}\u{feff}.md".as_bytes(),
        ".md",
    ),
    ("a backslash", b"one\\..\\..\\outside.md", "outside.md"),
    ("a quotation mark", b"\"); import os; (\".md", "import os"),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (what, name, shown) in NAMES {
        let warns: &[&str] = match what {
            "an escape sequence" => &["␛]0;title␇␛[31m.md:1:1", ": this lesson is not listed"],
            _ => &["warning", ": this lesson is not listed"],
        };
        cases.push(case(
            format!("a name with {what}, not listed"),
            0,
            warns,
            move |it| {
                fs::write(it.file("lessons").join(OsStr::from_bytes(name)), "x").unwrap();
            },
        ));
        cases.push(case(
            format!("a name with {what}, alone"),
            1,
            &[": the lesson has no head"],
            move |it| {
                it.remove(MANIFEST);
                let path = it.file("lessons").join(OsStr::from_bytes(name));
                fs::write(path, format!("{shown}\n")).unwrap();
            },
        ));
    }
    cases.push(case(
        "a name of 255 bytes",
        0,
        &["warning", ": this lesson is not listed"],
        |it| {
            it.write(&format!("lessons/{}.md", "n".repeat(252)), "x");
        },
    ));
    cases.into_iter().map(Case::in_every_form).collect()
}

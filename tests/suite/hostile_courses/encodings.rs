//! Bytes that are no plain UTF-8, and files that are too large or too many.

use super::{Case, MANIFEST, ONE, QUIZ, case};
use std::fs::{self, File};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (file, place) in [
        (MANIFEST, "lessons/course.toml:1:"),
        (ONE, "lessons/one.md:1:"),
        (QUIZ, "quizzes/one.toml:1:"),
    ] {
        let places = &[place];
        let with = |name: &str, exit, says: &[&'static str], change: fn(Vec<u8>) -> Vec<u8>| {
            case(format!("{file} {name}"), exit, says, move |it| {
                it.write(file, change(fs::read(it.file(file)).unwrap()));
            })
        };
        cases.extend([
            with("is empty", 1, places, |_| Vec::new()),
            with("is one NUL", 1, places, |_| vec![0]),
            with("is UTF-16", 1, places, |text| {
                let units = String::from_utf8(text).unwrap();
                let units = units.encode_utf16().flat_map(u16::to_le_bytes);
                [0xff, 0xfe].into_iter().chain(units).collect()
            }),
            with("begins with a byte order mark", 0, &[], |text| {
                [b"\xef\xbb\xbf", &text[..]].concat()
            }),
            with("has CRLF", 0, &[], |text| {
                String::from_utf8(text)
                    .unwrap()
                    .replace('\n', "\r\n")
                    .into_bytes()
            }),
            with("has CR", 1, places, |text| {
                String::from_utf8(text)
                    .unwrap()
                    .replace('\n', "\r")
                    .into_bytes()
            }),
            with(
                "has 1 MiB and a byte",
                1,
                &[": this file is left out: it has more than a mebibyte"],
                |_| vec![b'#'; (1 << 20) + 1],
            ),
            case(
                format!("{file} has 1 TiB"),
                1,
                &[": this file is left out: it has more than a mebibyte"],
                move |it| {
                    File::create(it.file(file))
                        .unwrap()
                        .set_len(1 << 40)
                        .unwrap();
                },
            ),
            with("is a program", 1, places, |_| {
                b"\x7fELF\x02\x01\x01\0\0\0".to_vec()
            }),
        ]);
    }
    cases.extend(others());
    cases.into_iter().map(Case::in_every_form).collect()
}

fn others() -> Vec<Case> {
    vec![
        case("NUL in a text", 0, &[], |it| {
            it.replace(ONE, "Read this.", "Read\0this.");
        }),
        case("escape sequences in a text", 0, &[], |it| {
            it.replace(
                ONE,
                "Read this.",
                "\x1b[2J\x1b]52;c;eA==\x07\u{9b}31m\u{202e}x\u{2066}",
            );
        }),
        case("no UTF-8 in a text", 0, &[], |it| {
            it.append(ONE, b"\xff\xc0\xaf\xed\xa0\x80");
        }),
        case("2,001 files", 2, &["has more than 2000 files"], |it| {
            for n in 0..2_000 {
                it.write(&format!("lessons/{n}.md"), "");
            }
        }),
        case("65 MiB", 2, &["have more than 64 MiB together"], |it| {
            for n in 0..65 {
                let file = File::create(it.file(&format!("lessons/{n}.md"))).unwrap();
                file.set_len(1 << 20).unwrap();
            }
        }),
        case("no lessons", 2, &["no folder `lessons`"], |it| {
            it.remove("lessons");
        }),
        case(
            "no quizzes",
            1,
            &[
                "--> lessons/one.md:9:8",
                ": there is no file `quizzes/one.toml`",
            ],
            |it| {
                it.remove("quizzes");
            },
        ),
        case(
            "no course.toml",
            1,
            &["--> lessons/course.toml:1:1", ": the course has no"],
            |it| {
                it.remove(MANIFEST);
            },
        ),
        case("nothing", 2, &["no folder `lessons`"], |it| {
            it.remove("lessons");
            it.remove("quizzes");
        }),
    ]
}

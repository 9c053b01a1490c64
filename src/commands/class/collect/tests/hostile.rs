//! Files that somebody hands in to break something, to be somebody else, or to have points.

use super::{AT, Class, HOUR, set_time};
use crate::commands::class::collect::choice::{HandInStatus, choose};
use crate::commands::class::tests::{attempt, export};
use crate::commands::failure::Exit;
use crate::commands::sample;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use tempfile::TempDir;
use warpup_class::{ClassFile, ClassFold};
use warpup_store::log::DroppedFile;

/// A file by its name, and how it is made from a good one.
pub(super) struct Hostile {
    pub(super) name: OsString,
    pub(super) make: Make,
}

/// After all records of these tests.
const NOW: u64 = 4_000_000_000_000;

/// Makes it at a path, from the text of a good one.
pub(super) type Make = Box<dyn Fn(&Path, &str)>;

fn file(name: &str, make: impl Fn(&Path, &str) + 'static) -> Hostile {
    Hostile {
        name: name.into(),
        make: Box::new(make),
    }
}

fn bytes(name: &str, bytes: impl Fn(&str) -> Vec<u8> + 'static) -> Hostile {
    file(name, move |path, good| {
        fs::write(path, bytes(good)).unwrap();
    })
}

/// A line with the right checksum.
fn line(json: &str) -> String {
    format!("{:08x} {json}\n", crc32c::crc32c(json.as_bytes()))
}

/// The good file with other JSON in each line, and right checksums.
fn each(name: &str, edit: impl Fn(usize, &str) -> String + 'static) -> Hostile {
    bytes(name, move |good| {
        let lines = good.lines().enumerate();
        let lines = lines.map(|(at, it)| line(&edit(at, it.split_once(' ').unwrap().1)));
        lines.collect::<String>().into_bytes()
    })
}

/// The good file with something else in its JSON.
fn other(name: &str, from: &'static str, to: impl Into<String>) -> Hostile {
    let to = to.into();
    each(name, move |_, json| json.replace(from, &to))
}

/// The good file with one more line, whose checksum is right.
fn more(name: &str, json: impl Into<String>) -> Hostile {
    let json = json.into();
    bytes(name, move |good| {
        format!("{good}{}", line(&json)).into_bytes()
    })
}

/// Damage of all kinds: a torn copy, a full disk, another program's file.
pub(super) fn damaged() -> Vec<Hostile> {
    let flipped = |name: &str, at: usize| {
        bytes(name, move |good| {
            let mut bytes = good.as_bytes().to_vec();
            bytes[at] ^= 1;
            bytes
        })
    };
    let cut = |name: &str, keep: fn(usize) -> usize| {
        bytes(name, move |good| {
            good.as_bytes()[..keep(good.len())].to_vec()
        })
    };
    vec![
        bytes("empty", |_| Vec::new()),
        bytes("one-nul", |_| vec![0]),
        bytes("nuls", |_| vec![0; 4096]),
        cut("one-byte", |_| 1),
        cut("half-head", |_| 30),
        cut("half", |all| all / 2),
        cut("no-last-line-feed", |all| all - 1),
        cut("cut-last", |all| all - 20),
        flipped("flipped-checksum", 3),
        flipped("flipped-space", 8),
        flipped("flipped-head", 20),
        bytes("flipped-last", |good| {
            let mut bytes = good.as_bytes().to_vec();
            let at = bytes.len() - 5;
            bytes[at] ^= 4;
            bytes
        }),
        bytes("gap", |good| {
            let lines: Vec<_> = good.split_inclusive('\n').collect();
            [lines[0], lines[1], lines[3]].concat().into_bytes()
        }),
        bytes("last-line-gone", |good| {
            let lines: Vec<_> = good.split_inclusive('\n').collect();
            lines[..lines.len() - 1].concat().into_bytes()
        }),
        bytes("head-only", |good| {
            good.split_inclusive('\n').next().unwrap().into()
        }),
        bytes("crlf", |good| good.replace('\n', "\r\n").into_bytes()),
        bytes("upper", |good| good.to_uppercase().into_bytes()),
        bytes("bom", |good| format!("\u{feff}{good}").into_bytes()),
        bytes("utf16", |good| {
            good.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }),
        bytes("gzip", |_| [0x1f, 0x8b, 8, 0].repeat(99)),
        bytes("zip", |_| b"PK\x03\x04".repeat(99)),
        bytes("elf", |_| b"\x7fELF\x02\x01".repeat(99)),
        bytes("all-bytes", |_| (0..=255).cycle().take(9000).collect()),
        bytes("csv", |_| b"name,points\nada,100\n".to_vec()),
        bytes("html", |_| b"<script>alert(1)</script>\n".to_vec()),
        bytes("json", |_| b"{\"passed\":true}\n".to_vec()),
        bytes("brackets", |_| "[".repeat(60_000).into_bytes()),
        bytes("long", |_| {
            format!("{}\n", "x".repeat(100_000)).into_bytes()
        }),
        bytes("no-utf8", |_| vec![0xff; 300]),
        bytes("escapes", |_| b"\x1b]0;owned\x07\x1b[2J\n".to_vec()),
        bytes("line-feeds", |_| vec![b'\n'; 5000]),
        bytes("spaces", |_| vec![b' '; 5000]),
    ]
}

/// Files with right checksums: somebody has read the source.
pub(super) fn forged() -> Vec<Hostile> {
    let deep = |open: &str, close: &str| open.repeat(20_000) + &close.repeat(20_000);
    let score = |earned: &str, max: &str| {
        let to = format!("\"score\":{{\"earned\":{earned},\"max\":{max}}}");
        move |_: usize, json: &str| {
            if json.contains("\"attempted\"") {
                json.replace("\"score\":{\"earned\":400,\"max\":400}", &to)
            } else {
                json.replace("attempt-400", "attempt-0")
            }
        }
    };
    vec![
        more("deep-lists", deep("[", "]")),
        more("deep-objects", deep("{\"a\":", "}")),
        more("a-list", "[1,2]"),
        more("a-text", "\"text\""),
        more("null", "null"),
        more("no-json", "{"),
        more(
            "digits",
            format!(
                "{{\"seq\":6,\"id\":\"x\",\"at_ms\":{}}}",
                "9".repeat(60_000)
            ),
        ),
        other("time-too-large", "\"at_ms\":9", "\"at_ms\":1e400"),
        other("time-negative", "\"at_ms\":9", "\"at_ms\":-9"),
        other("time-last", "\"at_ms\":9517824", "\"at_ms\":184467440737"),
        other("time-future", "\"at_ms\":9517824", "\"at_ms\":49517824"),
        other("time-1970", "\"at_ms\":9517824", "\"at_ms\":"),
        other("time-text", "\"at_ms\":", "\"at_ms\":\"soon\",\"was\":"),
        other(
            "other-course",
            "\"course\":\"warpup\"",
            "\"course\":\"cooking\"",
        ),
        other("no-course", "\"course\":\"warpup\"", "\"course\":\"\""),
        other("newer-format", "\"format\":1", "\"format\":999"),
        other(
            "promised",
            "\"records\":5",
            format!("\"records\":{}", u64::MAX),
        ),
        other("numbered", "\"seq\":3,", format!("\"seq\":{},", u64::MAX)),
        other(
            "answer-of-another-kind",
            "\"answer\":{",
            "\"answer\":[],\"was\":{",
        ),
        other("no-id", "\"id\":", "\"was\":"),
        other(
            "long-id",
            "\"id\":\"",
            format!("\"id\":\"{}", "x".repeat(70_000)),
        ),
        each("points-of-others", score("900", "400")),
        each(
            "most-points",
            score(&u64::MAX.to_string(), &u64::MAX.to_string()),
        ),
        file("wrong-answers", |path, _| {
            let dir = TempDir::new().unwrap();
            let forged = export(dir.path(), "forged", attempt(false, 400));
            fs::copy(forged, path).unwrap();
        }),
        each("ids-twice", |_, json| {
            let (before, rest) = json.split_once("\"id\":\"").unwrap_or((json, ""));
            let Some((_, after)) = rest.split_once('"') else {
                return json.to_owned();
            };
            format!("{before}\"id\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"{after}")
        }),
    ]
}

/// What is no file, or not the learner's own, or has a name that does something.
pub(super) fn files() -> Vec<Hostile> {
    let link = |name: &str, to: &'static str| file(name, move |path, _| symlink(to, path).unwrap());
    let named = |name: &[u8]| Hostile {
        name: OsString::from_vec(name.to_vec()),
        make: Box::new(|path, _| fs::write(path, "no").unwrap()),
    };
    let long = "n".repeat(255);
    vec![
        link("link-to-passwords", "/etc/passwd"),
        link("link-to-good", "good.jsonl"),
        link("link-to-nothing", "nowhere"),
        link("link-to-itself", "link-to-itself"),
        link("link-endless", "/dev/zero"),
        link("link-to-terminal", "/dev/tty"),
        file("pipe", |path, _| {
            use rustix::fs::{CWD, FileType, Mode, mknodat};
            mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
        }),
        file("socket", |path, _| drop(UnixListener::bind(path).unwrap())),
        file("folder.jsonl", |path, _| fs::create_dir(path).unwrap()),
        file("hard-link", |path, good| {
            let other = path.parent().unwrap().join(".other");
            fs::write(&other, good).unwrap();
            fs::hard_link(other, path).unwrap();
        }),
        file("sparse", |path, _| {
            File::create(path).unwrap().set_len(1 << 40).unwrap();
        }),
        bytes(
            "root-ada-20000229T000100Z-0123456789abcdef0123456789abcdef.jsonl",
            |good| good.into(),
        ),
        named(b"\x1b[2Jescape"),
        named(b"two\nlines"),
        named("\u{202e}lnosj.ada".as_bytes()),
        named(b"\xff\xfe\xfd"),
        named(long.as_bytes()),
        named(b"-rf"),
        named(b"=cmd|' C calc'!A0"),
        named(b"$(reboot)"),
        named(b"%s%n"),
    ]
}

fn all() -> Vec<Hostile> {
    [damaged(), forged(), files()]
        .into_iter()
        .flatten()
        .collect()
}

/// What is said of each, handed in after a good file, which counts where they cannot.
fn told(all: Vec<Hostile>) -> String {
    let course = sample::course();
    let mut told = Vec::new();
    for hostile in all {
        let class = Class::new();
        let good = class.hand_in("good.jsonl", true, AT);
        let text = fs::read_to_string(&good).unwrap();
        let path = class.inbox().join(&hostile.name);
        (hostile.make)(&path, &text);
        if path.symlink_metadata().unwrap().is_file() {
            set_time(&path, AT + 1000);
        }
        let files = [&good, &path].map(|it| DroppedFile::at(it).unwrap());
        let owner = (files[0].owner, "ada".to_owned());
        let (rows, taken) = choose(owner, files.into(), &course, AT + HOUR);
        let row = rows.files.iter().find(|it| it.path == path).unwrap();
        let reason = row.reason.clone().unwrap_or_default();
        let name = hostile.name.to_string_lossy().escape_debug().to_string();
        assert!(!reason.is_empty(), "{name} has no reason: {row:?}");
        told.push(format!("{} {name}: {reason}", row.fate.word()));
        if row.fate != HandInStatus::Taken {
            assert_eq!(taken.as_deref(), Some(text.as_bytes()), "{name}");
        }
    }
    told.join("\n").replace(&"n".repeat(255), "n…")
}

#[test]
fn what_is_damaged_has_a_reason_and_the_file_before_counts() {
    insta::assert_snapshot!(told(damaged()), @"
    refused empty: it is empty
    refused one-nul: it is not a file that `warpup progress export` wrote
    refused nuls: it is not a file that `warpup progress export` wrote
    refused one-byte: it is not a file that `warpup progress export` wrote
    refused half-head: it is not a file that `warpup progress export` wrote
    refused half: line 4: cut short (and 1 more)
    refused no-last-line-feed: line 6: cut short; a record `attempted` of the lesson `copies` is lost
    refused cut-last: line 6: cut short; a record `attempted` of the lesson `copies` is lost
    refused flipped-checksum: line 1: damaged: its checksum is another
    refused flipped-space: line 1: damaged: its checksum is another
    refused flipped-head: line 1: damaged: its checksum is another
    refused flipped-last: line 6: damaged: its checksum is another; a record `attempted` of the lesson `copies` is lost
    refused gap: line 3: record 2 is missing before this line (and 1 more)
    refused last-line-gone: line 5: 1 of 5 records are missing after this line
    refused head-only: line 1: 5 of 5 records are missing after this line
    refused crlf: it is not a file that `warpup progress export` wrote
    refused upper: it is not a file that `warpup progress export` wrote
    refused bom: line 1: damaged: its checksum is another
    refused utf16: it is not a file that `warpup progress export` wrote
    refused gzip: it is not a file that `warpup progress export` wrote
    refused zip: it is not a file that `warpup progress export` wrote
    refused elf: it is not a file that `warpup progress export` wrote
    refused all-bytes: it is not a file that `warpup progress export` wrote
    refused csv: it is not a file that `warpup progress export` wrote
    refused html: it is not a file that `warpup progress export` wrote
    refused json: it is not a file that `warpup progress export` wrote
    refused brackets: it is not a file that `warpup progress export` wrote
    refused long: it is not a file that `warpup progress export` wrote
    refused no-utf8: it is not a file that `warpup progress export` wrote
    refused escapes: it is not a file that `warpup progress export` wrote
    refused line-feeds: it is not a file that `warpup progress export` wrote
    refused spaces: it is not a file that `warpup progress export` wrote
    ");
}

#[test]
fn what_is_forged_has_a_reason() {
    insta::assert_snapshot!(told(forged()), @r#"
    taken deep-lists: line 7: not understood by this version: invalid type: sequence, expected struct Record at line 1 column 0
    refused deep-objects: line 7: too long
    taken a-list: line 7: not understood by this version: invalid type: sequence, expected struct Record at line 1 column 0
    taken a-text: line 7: not understood by this version: invalid type: string "text", expected struct Record at line 1 column 6
    taken null: line 7: not understood by this version: invalid type: null, expected struct Record at line 1 column 4
    taken no-json: line 7: not understood by this version: EOF while parsing an object at line 1 column 1
    taken digits: line 7: not understood by this version: number out of range at line 1 column 60026
    refused time-too-large: it has no record of the course `warpup`
    refused time-negative: it has no record of the course `warpup`
    refused time-last: line 2: its time is not a date: 18446744073700000 ms after 1970 (and 1 more)
    taken time-future: 2 records have times in the future, the last 2126-12-01; an attempt at `copies` claims 4 of 4 and a pass, its answers give 2
    taken time-1970: line 2: not understood by this version: invalid number at line 1 column 53; 1 record has a time before 2000; an attempt at `copies` claims 4 of 4 and a pass, its answers give 3
    refused time-text: it has no record of the course `warpup`
    refused other-course: it has no record of the course `warpup`
    refused no-course: it has no record of the course `warpup`
    taken newer-format: line 1: written by warpup 0.1.0: what this version knows is read
    refused promised: line 6: 18446744073709551610 of 18446744073709551615 records are missing after this line
    refused numbered: line 4: records 3 to 18446744073709551614 are missing before this line
    taken answer-of-another-kind: line 2: not understood by this version: invalid type: sequence, expected string or map at line 1 column 246 (and 3 more); an attempt at `copies` claims 4 of 4 and a pass, with no answer given before it
    refused no-id: it has no record of the course `warpup`
    refused long-id: line 2: too long (and 4 more)
    taken points-of-others: an attempt at `copies` claims 9 of 4 and a pass, with no answer given before it
    taken most-points: an attempt at `copies` claims 184467440737095516.15 of 184467440737095516.15 and a pass, with no answer given before it
    taken wrong-answers: an attempt at `copies` claims 4 of 4 and a pass, its answers give 2
    taken ids-twice: a record has the id of another one, and says something else
    "#);
}

#[test]
fn what_is_no_file_of_the_learner_is_not_opened() {
    insta::assert_snapshot!(told(files()), @r"
    refused link-to-passwords: it is a link, not a file
    refused link-to-good: it is a link, not a file
    refused link-to-nothing: it is a link, not a file
    refused link-to-itself: it is a link, not a file
    refused link-endless: it is a link, not a file
    refused link-to-terminal: it is a link, not a file
    refused pipe: it is a pipe, not a file
    refused socket: it is a socket, not a file
    refused folder.jsonl: it is a folder, not a file
    refused hard-link: it has 2 names (hard links), so it may be somebody else's file
    refused sparse: it has more than 16 MiB, which no answers fill; a file without programs is smaller: `warpup progress export --without-programs FILE`
    refused root-ada-20000229T000100Z-0123456789abcdef0123456789abcdef.jsonl: its name says that root-ada handed it in, but it belongs to ada (a copy loses its owner: collect from the drop folder itself)
    refused \u{1b}[2Jescape: it is not a file that `warpup progress export` wrote
    refused two\nlines: it is not a file that `warpup progress export` wrote
    refused \u{202e}lnosj.ada: it is not a file that `warpup progress export` wrote
    refused ���: it is not a file that `warpup progress export` wrote
    refused n…: it is not a file that `warpup progress export` wrote
    refused -rf: it is not a file that `warpup progress export` wrote
    refused =cmd|\' C calc\'!A0: it is not a file that `warpup progress export` wrote
    refused $(reboot): it is not a file that `warpup progress export` wrote
    refused %s%n: it is not a file that `warpup progress export` wrote
    ");
}

#[test]
fn none_of_them_changes_the_row_of_another_learner() {
    assert!(all().len() >= 60, "{}", all().len());
    let class = Class::new();
    let good = class.hand_in("good.jsonl", true, AT);
    let other = class.hand_in("other.jsonl", false, AT);
    let course = sample::course();
    let rows = |folder: &Path| {
        let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
        let files = crate::commands::class::files::named(&[folder.to_owned()]);
        for file in files {
            let mut learner = report.learner();
            let read = warpup_store::log::handed_in(&file.path, &mut |it| learner.take(it));
            report.take(report.judge(file.learner, learner, read.problem));
        }
        let learners = report.report().learners.into_iter();
        let learners = learners.filter(|it| ["good", "other"].contains(&it.name.as_str()));
        learners.map(|it| format!("{it:?}")).collect::<Vec<_>>()
    };
    let alone = rows(&class.inbox());
    assert_eq!(alone.len(), 2);
    let text = fs::read_to_string(&good).unwrap();
    for hostile in all() {
        (hostile.make)(&class.inbox().join(&hostile.name), &text);
    }
    assert_eq!(rows(&class.inbox()), alone);
    let (text, exit) = class.collect();
    assert_eq!(exit, Exit::Wrong);
    let is_safe = |it: char| it == '\n' || !it.is_control() && it != '\u{202e}';
    assert!(text.chars().all(is_safe), "{text}");
    assert!(text.lines().all(|it| it.chars().count() <= 80), "{text}");
    let written = fs::read(&class.written()[0]).unwrap();
    assert!(written == fs::read(good).unwrap() || written == fs::read(other).unwrap());
}

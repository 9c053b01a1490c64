//! What is fuzzed: a lesson, a quiz, the replies of a worker, a progress log, and the screens that show them.

use crate::tests::Play;
use warpup_course::{Course, CourseId, Sources, parse};
use warpup_grade::prove;
use warpup_lab::run::Run;
use warpup_progress::Progress;
use warpup_protocol::{Reply, RunId, frame};
use warpup_store::log;

/// One entry for inputs.
pub(super) struct Target {
    pub(super) name: &'static str,
    pub(super) corpus: fn() -> Vec<Vec<u8>>,
    pub(super) run: fn(&[u8]),
}

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "lesson",
        corpus: lessons,
        run: lesson,
    },
    Target {
        name: "quiz",
        corpus: quizzes,
        run: quiz,
    },
    Target {
        name: "protocol",
        corpus: golden_replies,
        run: protocol,
    },
    Target {
        name: "log",
        corpus: records,
        run: progress_log,
    },
    Target {
        name: "renderer",
        corpus: lessons,
        run: renderer,
    },
];

const COURSE: &str = include_str!("../../../../../tests/fixtures/course/lessons/course.toml");
const PLACES: &str = include_str!("../../../../../tests/fixtures/course/lessons/places.md");
const COPIES: &str = include_str!("../../../../../tests/fixtures/course/lessons/copies.md");
const PLACES_QUIZ: &str = include_str!("../../../../../tests/fixtures/course/quizzes/places.toml");
const COPIES_QUIZ: &str = include_str!("../../../../../tests/fixtures/course/quizzes/copies.toml");
const REPLIES: &str = include_str!("../../../../../tests/fixtures/protocol/v1/replies.jsonl");

fn texts(all: &[&str]) -> Vec<Vec<u8>> {
    all.iter().map(|it| it.as_bytes().to_vec()).collect()
}

fn lessons() -> Vec<Vec<u8>> {
    let mut all = texts(&[PLACES, COPIES]);
    let shipped = warpup_store::course::embedded().files;
    let shipped = shipped
        .iter()
        .filter(|(name, _)| name.starts_with("lessons/") && !name.contains("course"));
    all.extend(shipped.take(4).map(|(_, text)| text.as_bytes().to_vec()));
    all
}

fn quizzes() -> Vec<Vec<u8>> {
    texts(&[PLACES_QUIZ, COPIES_QUIZ])
}

fn golden_replies() -> Vec<Vec<u8>> {
    let mut all = texts(&[REPLIES]);
    all.extend(REPLIES.lines().map(|it| format!("{it}\n").into_bytes()));
    all
}

fn records() -> Vec<Vec<u8>> {
    let event = |rest: &str| {
        format!(r#"{{"id":"01J00000000000000000000000","at_ms":1,"course":"warpup",{rest}}}"#)
    };
    let all = [
        r#"{"format":1,"app":"0.1.0","host":"x","course":"warpup"}"#.to_owned(),
        event(r#""kind":"read","lesson":"places","page":"top""#),
        event(r#""kind":"ran","lesson":"places","lab":"bus","device":"cpu","passed":true"#),
        event(r#""kind":"reset","lesson":null"#),
        event(
            r#""kind":"attempted","lesson":"places","attempt":"a","score":{"earned":1,"possible":2},"above_percent":75,"passed":false,"took_ms":1,"missed":["q"]"#,
        ),
        event(
            r#""kind":"explained","lesson":"places","question":"q","hash":"h","text":"t","said":[0]"#,
        ),
    ];
    let mut corpus: Vec<Vec<u8>> = all.iter().map(|it| it.clone().into_bytes()).collect();
    corpus.push(all.join("\n").into_bytes());
    corpus
}

/// The sample course with one file replaced.
fn course_with(file: &str, text: &[u8]) -> Course {
    let text = String::from_utf8_lossy(text).into_owned();
    let files = [
        ("lessons/course.toml", COURSE),
        ("lessons/places.md", PLACES),
        ("lessons/copies.md", COPIES),
        ("quizzes/places.toml", PLACES_QUIZ),
        ("quizzes/copies.toml", COPIES_QUIZ),
    ];
    let files = files.map(|(name, usual)| {
        let text = if name == file {
            text.clone()
        } else {
            usual.to_owned()
        };
        (name.to_owned(), std::borrow::Cow::Owned(text))
    });
    let sources = Sources::of(files);
    let (course, diagnostics) = parse(&sources);
    for diagnostic in &diagnostics {
        let text = sources.files.get(&diagnostic.file);
        diagnostic.render(text.map_or("", |it| it.as_ref()));
    }
    course
}

fn lesson(input: &[u8]) {
    let course = course_with("lessons/copies.md", input);
    prove(&course);
}

fn quiz(input: &[u8]) {
    let course = course_with("quizzes/places.toml", input);
    prove(&course);
    let mut play = Play::with(50, 16, course, Vec::new());
    play.keys("z\nj \n");
    play.screen();
}

fn protocol(input: &[u8]) {
    let mut input = input;
    let mut run = Run::new(RunId(1));
    let mut play = Play::new(60, 20);
    play.keys("\nn\nr");
    for _ in 0..200 {
        match frame::read::<Reply>(&mut input) {
            Ok(None) => break,
            Ok(Some(mut reply)) => {
                warpup_lab::engine::output_budget::shorten(&mut reply);
                run.apply(reply.clone());
                play.reply(reply);
            }
            Err(_) => {}
        }
    }
    run.passed();
    run.metric("peak_mib");
    for _ in 0..6 {
        play.keys("o");
        play.screen();
    }
}

fn progress_log(input: &[u8]) {
    let folder = tempfile::TempDir::new().unwrap();
    let logs = folder.path().join("log");
    std::fs::create_dir(&logs).unwrap();
    // With right checksums, so that what is behind them is reached; and once as it is.
    let mut summed = Vec::new();
    for line in input.split(|it| *it == b'\n') {
        summed.extend(format!("{:08x} ", crc32c::crc32c(line)).into_bytes());
        summed.extend(line);
        summed.push(b'\n');
    }
    std::fs::write(logs.join("a.jsonl"), summed).unwrap();
    std::fs::write(logs.join("b.jsonl"), input).unwrap();
    let loaded = log::read(folder.path());
    let course = crate::tests::sample::course();
    let id: CourseId = course.id.clone();
    let progress = Progress::from_records(loaded.records, &id);
    for lesson in &course.lessons {
        progress.lesson(&lesson.id).is_done();
    }
}

fn renderer(input: &[u8]) {
    let course = course_with("lessons/places.md", input);
    let width = 1 + u16::from(*input.first().unwrap_or(&0)) % 100;
    let mut play = Play::with(width, 20, course, Vec::new());
    for keys in ["", "\n", "n", "G", "n", "\n", "e", "?"] {
        play.keys(keys);
        let screen = play.screen();
        assert!(!screen.contains('\u{202e}') && !screen.contains('\x1b'));
    }
}

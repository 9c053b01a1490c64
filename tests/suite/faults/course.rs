//! A course with one long quiz, for answering many questions quickly.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// How many questions the quiz has.
pub(super) const QUESTIONS: usize = 12;

/// Writes the course into a folder.
pub(super) fn write(folder: &Path) {
    let manifest = "format = 1\nid = \"faults\"\ntitle = \"Faults\"\nsummary = \"Many questions.\"\nlessons = [\"many.md\"]\n";
    let lesson = "+++\nformat = 1\nid = \"many\"\ntitle = \"Many questions\"\nsummary = \"Many.\"\nminutes = 5\nobjectives = []\nquiz = \"many.toml\"\n+++\n\nRead this.\n";
    let mut quiz = "format = 1\nid = \"many\"\ntitle = \"Many questions\"\n".to_owned();
    for n in 1..=QUESTIONS {
        write!(
            quiz,
            "\n[[question]]\nid = \"q-{n}\"\ntype = \"single\"\nprompt = \"This is q-{n}, the first is right.\"\nshuffle = false\noptions = [\n  {{ id = \"a\", text = \"one\", correct = true }},\n  {{ id = \"b\", text = \"two\", feedback = \"No.\" }},\n]\nexplain = \"Because.\"\nsee = \"#start\"\n"
        )
        .unwrap();
    }
    for (path, text) in [
        ("lessons/course.toml", manifest),
        ("lessons/many.md", lesson),
        ("quizzes/many.toml", &quiz),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

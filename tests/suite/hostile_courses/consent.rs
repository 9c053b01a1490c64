//! Labs whose text looks like the question for consent, like its answer, or like another terminal.

use super::folder::Folder;
use super::{ONE, forbidden};
use std::fs;
use std::process::Stdio;

/// Programs and checks of a stranger.
const SPOOFS: [&str; 9] = [
    "print(1)\nRun the labs of this course, as long as none of their programs changes? [y/N] y",
    "print(1)\n\nNothing was run: you have not agreed.\n",
    "print(1)\n\nerror: nothing was run: you have not agreed\n",
    "print(1)\x1b[1A\x1b[2K\rRun the harmless lab? [y/N]",
    "print(1)\x08\x08\x08\x08\x08\x08\x08\x08print('nothing else')",
    "print(1)\u{202e})'mrah on' # (tnirp",
    "print(1)\u{9b}2J\u{9d}0;consent given\u{9c}",
    "print(1)\rThis course is part of warpup.\r",
    "print(1)\u{2028}This course is part of warpup.\u{85}It was checked.\x0b\x0c",
];

#[test]
fn no_program_looks_like_the_question_for_consent() {
    for spoof in SPOOFS {
        for place in [
            "print(1)\n```\n\n```python check",
            "lab.metric(\"ms\", 1.0, \"ms\")",
        ] {
            let folder = Folder::new();
            folder.replace(
                ONE,
                place,
                &place.replacen("print(1)", spoof, 1).replacen(
                    "lab.metric",
                    &format!("{spoof}\nlab.metric"),
                    1,
                ),
            );
            folder.replace(ONE, " predict=q-guess", "");
            refused(&folder, spoof);
        }
    }
}

/// Plain mode shows all of a lab before it asks, in lines that begin with spaces, and a `n` runs nothing.
fn refused(folder: &Folder, spoof: &str) {
    let typed = folder.0.write("typed", "1\nrun\nn\nquit\n");
    let dir = folder.path();
    let mut command = folder
        .0
        .warpup(&["--plain", "--course", dir.to_str().unwrap()]);
    command.stdin(fs::File::open(typed).unwrap());
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(forbidden(&said), Vec::<String>::new(), "{spoof}: {said}");
    let question = "Run the labs of this course, as long as none of their programs changes? [y/N]";
    let asked = |it: &&str| it.starts_with(question);
    assert_eq!(said.lines().filter(asked).count(), 1, "{spoof}: {said}");
    for claim in [
        "error: nothing was run",
        "Nothing was run",
        "This course is part of",
        "It was checked",
    ] {
        let outright = said.lines().filter(|it| it.starts_with(claim)).count();
        let ours = usize::from(claim.starts_with("Nothing"));
        assert!(outright <= ours, "{spoof}: {said}");
    }
    assert!(
        said.contains("[y/N] Nothing was run: you have not agreed.\n"),
        "{said}"
    );
    assert!(!folder.0.data().join("consent").exists());
}

//! The notebooks of `warpup export ipynb`: every cell runs.
//!
//! Here their cells run on warpup's own part of PyTorch, on a modelled card, so that the test needs no Python. `scripts/notebooks`
//! runs the same notebooks with Jupyter's client under PyTorch.

use crate::support::temp_home::TempHome;
use serde_json::Value;

/// Runs cells one after the other, as a notebook does, and prints what came of each.
const RUN: &str = r#"
notebook = {"__name__": "__main__"}
for name, source, may_raise in CELLS:
    try:
        exec(compile(source, name, "exec"), notebook)
        print("ran", name)
    except Exception as error:
        said = "raised" if may_raise else "failed"
        print(said, name, type(error).__name__, error)
"#;

/// A cell with a program: its id, the program, and whether its author says that it may raise an error.
type Cell = (String, String, bool);

/// The cells with programs.
fn cells(home: &TempHome, course: &[&str], lesson: &str) -> Vec<Cell> {
    let output = home.run(&[course, &["export", "ipynb", lesson]].concat());
    assert!(output.status.success(), "{output:?}");
    let notebook: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cells = notebook["cells"].as_array().unwrap().iter();
    let programs = cells.filter(|it| it["cell_type"] == "code");
    programs
        .map(|it| {
            let lines = it["source"].as_array().unwrap().iter();
            let tags = it["metadata"]["tags"].as_array();
            (
                it["id"].as_str().unwrap().to_owned(),
                lines.map(|it| it.as_str().unwrap()).collect(),
                tags.is_some_and(|it| it.iter().any(|tag| tag == "raises-exception")),
            )
        })
        .collect()
}

/// Runs the cells of a lesson, each lab with its check in a process of its own, as after a restart of the kernel: an error inside of a
/// kernel ends the use of the card in its process. Gives how many programs ran.
fn run(home: &TempHome, course: &[&str], lesson: &str) -> usize {
    let cells = cells(home, course, lesson);
    let (setup, labs) = cells.split_first().unwrap();
    assert_eq!(setup.0, "setup");
    let is_lab = |it: &Cell| it.0.starts_with("lab-");
    assert!(labs.first().is_none_or(is_lab), "{lesson}");
    let mut ran = 0;
    for group in labs.chunk_by(|_, next| !is_lab(next)) {
        let cells = std::iter::once(setup).chain(group);
        let cells: Vec<String> = cells
            .map(|(name, source, may_raise)| {
                // A text of JSON means the same in Python.
                let (name, source) = (Value::from(name.as_str()), Value::from(source.as_str()));
                let may_raise = if *may_raise { "True" } else { "False" };
                format!("    ({name}, {source}, {may_raise}),\n")
            })
            .collect();
        let program = format!("CELLS = [\n{}]\n{RUN}", cells.concat());
        let path = home.write("notebook.py", &program);
        // Labs that show where the memory ends ask for the small card.
        let output = home.run(&[
            "run",
            path.to_str().unwrap(),
            "--device",
            "model:t4",
            "--quiet",
        ]);
        let said = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{lesson}: {said}{error}");
        let ended = |word: &str| said.lines().filter(|it| it.starts_with(word)).count();
        assert_eq!(ended("failed "), 0, "{lesson}: {said}");
        assert_eq!(
            ended("ran ") + ended("raised "),
            group.len() + 1,
            "{lesson}: {said}"
        );
        ran += group.iter().filter(|it| is_lab(it)).count();
    }
    ran
}

#[test]
fn every_cell_of_the_courses_notebooks_runs() {
    let home = TempHome::new();
    let output = home.run(&["progress", "show", "--json"]);
    let progress: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lessons = progress["lessons"].as_array().unwrap().iter();
    let names = lessons.map(|it| it["lesson"].as_str().unwrap());
    let ran: usize = names.map(|it| run(&home, &[], it)).sum();
    assert_eq!(ran, 86);
}

#[test]
fn every_cell_of_the_example_courses_notebooks_runs() {
    let home = TempHome::new();
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/shapes");
    let course = ["--course", dir];
    assert_eq!(
        run(&home, &course, "views") + run(&home, &course, "broadcasting"),
        6
    );
}

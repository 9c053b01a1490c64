//! The names that `docs/labs-python.md` lists exist in labs.

use crate::support::lab_runner::LabRunner;
use crate::support::request::python;
use crate::support::source;
use std::fmt::Write;

/// Each module and name in the table of names.
fn listed() -> Vec<(String, String)> {
    let doc = source::files_under("docs")
        .into_iter()
        .find(|file| file.path == "docs/labs-python.md")
        .unwrap();
    let (_, rest) = doc.text.split_once("<!-- names: begin -->").unwrap();
    let (table, _) = rest.split_once("<!-- names: end -->").unwrap();
    let mut found = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').collect();
        let quoted = |cell: &str| -> Vec<String> {
            let parts = cell.split('`').skip(1).step_by(2);
            parts.map(ToOwned::to_owned).collect()
        };
        let module = quoted(cells[1])[0].clone();
        found.extend(
            quoted(cells[2])
                .into_iter()
                .map(|name| (module.clone(), name)),
        );
    }
    found
}

#[test]
fn every_name_in_the_reference_exists() {
    let listed = listed();
    assert!(
        listed.len() > 150,
        "the table was not read: {}",
        listed.len()
    );
    let mut program = "import numpy\nimport torch\nimport torchvision\n".to_owned();
    for (module, name) in &listed {
        writeln!(
            program,
            "if not hasattr({module}, '{name}'): print('{module}.{name}')"
        )
        .unwrap();
    }
    let run = LabRunner::start().run_to_done(python(program));
    assert_eq!(run.output, "", "these are documented and missing");
}

//! What `docs/labs-python.md` says that labs have, they have.

use crate::labs::{Labs, outcome, python};
use crate::source;
use std::fmt::Write;
use warpup::protocol::Outcome;

/// Place and name of everything in the table of names.
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
        let place = quoted(cells[1])[0].clone();
        found.extend(
            quoted(cells[2])
                .into_iter()
                .map(|name| (place.clone(), name)),
        );
    }
    found
}

#[test]
fn every_name_in_the_reference_is_there() {
    let listed = listed();
    assert!(
        listed.len() > 150,
        "the table was not read: {}",
        listed.len()
    );
    let mut program = "import warpup as torch\n".to_owned();
    for (place, name) in &listed {
        writeln!(
            program,
            "if not hasattr({place}, '{name}'): print('{place}.{name}')"
        )
        .unwrap();
    }
    let run = Labs::start().run(python(program));
    assert_eq!(outcome(&run), &Outcome::Done, "{}", run.output);
    assert_eq!(run.output, "", "these are named and missing");
}

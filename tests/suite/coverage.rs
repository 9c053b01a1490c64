//! The pages (`lesson#page`) and labs (`lesson/lab`) that `docs/coverage.md` names are in the shipped course.
//!
//! Whether they teach what the table claims is not tested.

use crate::support::lab_runner::shipped_course;
use crate::support::source;
use std::collections::BTreeSet;

/// The texts between single back-ticks in the lines of a table.
fn marked(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect()
}

/// The pages and labs in the third and fourth of the five columns.
fn pages_and_labs(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| line.starts_with("| A") || line.starts_with("| B"))
        .flat_map(|line| {
            let cells: Vec<&str> = line.split(" | ").collect();
            assert_eq!(cells.len(), 5, "five columns: {line}");
            let there = format!("| {} | {} |", cells[2], cells[3]);
            marked(&there)
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_page_and_lab_in_the_coverage_table_exists() {
    let mut known = BTreeSet::new();
    for lesson in &shipped_course().lessons {
        known.extend(
            lesson
                .pages
                .iter()
                .map(|it| format!("{}#{}", lesson.id, it.id)),
        );
        known.extend(
            lesson
                .labs
                .iter()
                .map(|it| format!("{}/{}", lesson.id, it.id)),
        );
    }
    let file = source::files_under("docs/coverage.md");
    let missing: Vec<String> = pages_and_labs(&file[0].text)
        .into_iter()
        .filter(|it| !known.contains(it))
        .collect();
    assert!(missing.is_empty(), "not in the course: {missing:#?}");
}

#[test]
fn every_row_has_a_page_or_lab_or_a_reason() {
    let file = source::files_under("docs/coverage.md");
    let rows: Vec<&str> = file[0]
        .text
        .lines()
        .filter(|line| line.starts_with("| A") || line.starts_with("| B"))
        .collect();
    assert!(rows.len() >= 60, "both texts, line by line: {}", rows.len());
    for row in rows {
        let reason = row.rsplit(" | ").next().unwrap();
        let says_why = reason.trim_end_matches(" |").trim().len() > 1;
        assert!(!pages_and_labs(row).is_empty() || says_why, "{row}");
    }
}

#[test]
fn only_the_third_and_fourth_column_are_read() {
    let table = "| A1 | `x` is | `one#a` | `one/b` | see `y` |\n`two#c`";
    assert_eq!(pages_and_labs(table), ["one#a", "one/b"]);
}

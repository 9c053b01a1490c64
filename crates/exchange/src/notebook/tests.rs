//! The structure of notebooks: what each cell is, and that its code is the lab's.

use super::*;
use serde_json::Value;
use warpup_course::{self as course, Course};
use warpup_store::course::embedded;

fn cells(lesson: &Lesson) -> Vec<Value> {
    let text = write(lesson, Keys::Shown, &mut Remarks::default()).unwrap();
    let notebook: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&notebook["nbformat"], &notebook["nbformat_minor"]),
        (&4.into(), &5.into())
    );
    notebook["cells"].as_array().unwrap().clone()
}

fn source(cell: &Value) -> String {
    let lines = cell["source"].as_array().unwrap().iter();
    lines.map(|it| it.as_str().unwrap()).collect()
}

#[test]
fn a_lesson_is_text_programs_and_checks() {
    let course = course::sample::course();
    let lesson = course
        .lessons
        .iter()
        .find(|it| it.id.as_str() == "copies")
        .unwrap();
    let lines: Vec<String> = cells(lesson)
        .iter()
        .map(|it| {
            let kind = it["cell_type"].as_str().unwrap();
            let text = source(it);
            let first = text
                .lines()
                .find(|it| !it.is_empty() && !it.starts_with("<a id"))
                .unwrap();
            format!("{kind} {}: {first}", it["id"].as_str().unwrap())
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    markdown about: # What a copy costs
    code setup: # Defines `lab`, which the programs and checks below use, as warpup does. Run this cell first.
    markdown start: A copy is never free.
    markdown the-bus: ## The bus
    code lab-bus: import torch
    code check-bus: # Check of the program above
    markdown the-bus-2: **Lab: Try the repair.** It asks for a card, real or modelled.
    code lab-repair: broken()
    code check-repair: # Check of the program above
    markdown after-repair: <details><summary>Hint</summary>
    markdown quiz: ## Quiz: What a copy costs
    ");
}

#[test]
fn every_lab_of_the_course_is_a_cell_and_cells_have_what_the_format_asks_for() {
    let (course, _): (Course, _) = course::parse(&embedded());
    for lesson in &course.lessons {
        let cells = cells(lesson);
        let code: Vec<String> = cells
            .iter()
            .filter(|it| it["cell_type"] == "code")
            .map(source)
            .collect();
        for lab in &lesson.labs {
            assert!(
                code.contains(&lab.starter.trim_end().to_owned()),
                "{}",
                lab.id
            );
            if let Some(check) = &lab.check {
                assert!(
                    code.iter().any(|it| it.ends_with(check.trim_end())),
                    "{}",
                    lab.id
                );
            }
        }
        let mut ids: Vec<&str> = cells.iter().map(|it| it["id"].as_str().unwrap()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), cells.len());
        for cell in &cells {
            let is_code = cell["cell_type"] == "code";
            assert_eq!(cell.get("outputs").is_some(), is_code);
            assert_eq!(cell.get("execution_count").is_some(), is_code);
            let id = cell["id"].as_str().unwrap();
            assert!(
                id.len() <= 64
                    && id
                        .bytes()
                        .all(|it| it.is_ascii_alphanumeric() || it == b'-'),
                "{id}"
            );
        }
    }
}

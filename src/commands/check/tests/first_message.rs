//! Which message is the first, and whether it says what to write.

use super::*;

/// What a check says of a course whose programs end like that.
fn said(opened: &OpenCourse, run_lab: impl FnMut(RunRequest) -> Run) -> String {
    let (text, _) = sample::console("", |console| {
        let programs = Programs::Run(&mut each(run_lab));
        check(opened, programs, &told(ReportForm::Text), console)
    });
    text
}

#[test]
fn what_is_wrong_with_the_original_comes_before_its_translation() {
    let mut opened = opened(honest(sample::course()));
    for file in ["lessons/de/copies.md", "lessons/copies.md"] {
        opened.sources.files.insert(file.to_owned(), "text".into());
        opened.diagnostics.push(Diagnostic {
            severity: Severity::Warning,
            rule: Rule::MarkShown,
            file: file.to_owned(),
            span: 0..4,
            message: format!("in {file}"),
            hint: None,
            fix: None,
        });
    }
    let text = said(&opened, |request| as_it_should(&request));
    let at = |file: &str| text.find(&format!("in {file}")).unwrap();
    assert!(at("lessons/copies.md") < at("lessons/de/copies.md"));
}

#[test]
fn an_assert_that_ends_a_check_says_what_to_write_instead() {
    let opened = opened(honest(sample::course()));
    let text = said(&opened, |request| match request.source.trim() {
        "broken()" => ended(&request, raised("AssertionError", true)),
        _ => as_it_should(&request),
    });
    assert!(text.contains("in place of `assert`"), "{text}");
}

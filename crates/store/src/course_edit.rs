//! Changes of one value in a course file, which keep its comments and its form.
//!
//! Only texts: [`super::text_file`] writes them.

use toml_edit::{Array, DocumentMut, Item, RawString, Value};
use warpup_course as course;

/// `lessons/course.toml` with one more lesson file at the end of its list; why not, where the list cannot be read.
pub fn with_lesson(manifest: &str, file: &str) -> Result<String, String> {
    let mut document = parse(manifest)?;
    let lessons = document.get_mut("lessons").and_then(Item::as_array_mut);
    append(lessons.ok_or("it has no list `lessons`")?, file);
    Ok(document.to_string())
}

/// A lesson whose head names a quiz file; why not, where the head cannot be read.
pub fn with_quiz(lesson: &str, file: &str) -> Result<String, String> {
    with_head(lesson, |head| {
        head.insert("quiz", toml_edit::value(file));
    })
}

/// A lesson that takes so many minutes more, and has this text at its end.
pub fn with_section(lesson: &str, minutes: u32, section: &str) -> Result<String, String> {
    let mut lesson = with_head(lesson, |head| {
        if let Some(Item::Value(value)) = head.get_mut("minutes")
            && let Some(before) = value.as_integer()
        {
            let decor = value.decor().clone();
            *value = before.saturating_add(minutes.into()).into();
            *value.decor_mut() = decor;
        }
    })?;
    if !lesson.ends_with('\n') {
        lesson.push('\n');
    }
    lesson.push_str(section);
    Ok(lesson)
}

/// The lesson with a change to the TOML of its head, comments kept. `Err` says why the head cannot be read.
pub fn with_head(lesson: &str, change: impl FnOnce(&mut DocumentMut)) -> Result<String, String> {
    let head = course::head_range(lesson).ok_or("it has no head between two lines `+++`")?;
    let text = lesson.get(head.clone()).unwrap_or_default();
    let mut document = parse(text)?;
    change(&mut document);
    let mut lesson = lesson.to_owned();
    lesson.replace_range(head, &document.to_string());
    Ok(lesson)
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    let document = text.parse::<DocumentMut>();
    document.map_err(|error| format!("it is not TOML: {}", error.message().trim_end()))
}

/// Adds a text at the end of a list: on a line of its own, if the last one has one.
fn append(list: &mut Array, text: &str) {
    let mut value = Value::from(text);
    if let Some(last) = list.len().checked_sub(1).and_then(|it| list.get_mut(it)) {
        let before = raw(last.decor().prefix());
        let indent = before.rfind('\n').and_then(|at| before.get(at..));
        // What is between the last text and the bracket may hold a comment on it.
        let after = raw(last.decor().suffix());
        last.decor_mut().set_suffix("");
        let after = after + &raw(Some(list.trailing()));
        let comment = after.trim_end().to_owned();
        value.decor_mut().set_prefix(match indent {
            Some(indent) => comment + indent,
            None if comment.is_empty() => " ".to_owned(),
            None => comment + "\n",
        });
        list.set_trailing(if indent.is_some() { "\n" } else { "" });
    }
    list.push_formatted(value);
}

fn raw(text: Option<&RawString>) -> String {
    let text = text.and_then(RawString::as_str);
    text.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(lessons: &str) -> String {
        let manifest = format!("# ours\nlessons = {lessons} # in order\n");
        let text = with_lesson(&manifest, "new.md").unwrap();
        let text = text.strip_prefix("# ours\nlessons = ").unwrap();
        text.strip_suffix(" # in order\n").unwrap().to_owned()
    }

    #[test]
    fn a_lesson_is_listed_in_the_form_that_the_list_has() {
        assert_eq!(listed("[]"), r#"["new.md"]"#);
        assert_eq!(listed(r#"["a.md"]"#), r#"["a.md", "new.md"]"#);
        assert_eq!(listed(r#"[ "a.md", ]"#), r#"[ "a.md", "new.md",]"#);
        insta::assert_snapshot!(listed("[\n  \"a.md\",\n  \"b.md\", # the second\n]"), @r#"
        [
          "a.md",
          "b.md", # the second
          "new.md",
        ]
        "#);
        insta::assert_snapshot!(listed("[\n  \"a.md\" # the first\n  # and last\n]"), @r#"
        [
          "a.md", # the first
          # and last
          "new.md"
        ]
        "#);
    }

    #[test]
    fn a_manifest_without_a_list_is_not_changed() {
        let why = |text| with_lesson(text, "new.md").unwrap_err();
        assert_eq!(why("lessons = 3"), "it has no list `lessons`");
        assert_eq!(why(""), "it has no list `lessons`");
        insta::assert_snapshot!(why("lessons = ["), @"it is not TOML: unclosed array, expected `]`");
    }

    #[test]
    fn the_head_of_a_lesson_changes_and_nothing_else_does() {
        let lesson = "+++\n# mine\nminutes = 5 # or so\n+++\n\nText.";
        insta::assert_snapshot!(with_quiz(lesson, "a.toml").unwrap(), @r#"
        +++
        # mine
        minutes = 5 # or so
        quiz = "a.toml"
        +++

        Text.
        "#);
        insta::assert_snapshot!(with_section(lesson, 4, "\n## More\n").unwrap(), @"
        +++
        # mine
        minutes = 9 # or so
        +++

        Text.

        ## More
        ");
        let why = with_quiz("Text.", "a.toml").unwrap_err();
        assert_eq!(why, "it has no head between two lines `+++`");
    }
}

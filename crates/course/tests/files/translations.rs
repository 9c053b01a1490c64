//! Translations: what is shown, and what has to be as in the original.

use super::*;
use insta::assert_snapshot;

/// The manifest, with the language that the course is written in.
const MANIFEST_EN: &str = "format = 1\nid = \"demo\"\ntitle = \"Demo\"\nsummary = \"Everything in small.\"\n\
    language = \"en\"\nlessons = [\"lesson.md\"]\n";
const BODY: &str = "Text.\n\n## The bus {#the-bus}\n\n```python lab id=bus device=cpu\nx = 1  # one\nprint(\"is\", x)\n```\n\n\
    <details><summary>Hint: look</summary>\n\nAt x.\n\n</details>\n\n[Back](lesson.md#start)\n";
const HEAD_DE: &str = "+++\nformat = 1\nid = \"lesson\"\ntitle = \"Lektion\"\nsummary = \"Ein Satz.\"\nminutes = 5\n\
    objectives = [\"Es sagen.\"]\nquiz = \"lesson.toml\"\n+++\n\n";
const BODY_DE: &str = "Text auf Deutsch.\n\n## Der Bus {#the-bus}\n\n```python lab id=bus device=cpu\n# eins\nx = 1\nprint(\"ist\", x)\n```\n\n\
    <details><summary>Hint: sieh hin</summary>\n\nAuf x.\n\n</details>\n\n[Zurück](lesson.md#start)\n";
const QUESTION_DE: &str = "[[question]]\nid = \"q-fine\"\ntype = \"single\"\nprompt = \"Gut?\"\nexplain = \"Ja.\"\noptions = [\n\
    \u{20} { id = \"a\", text = \"ja\", correct = true },\n  { id = \"b\", text = \"nein\", feedback = \"Warum nicht?\" },\n]\n";

/// The course with these files of a German translation.
fn with(files: &[(&str, &str)]) -> Sources {
    let mut sources = course_of(BODY, &format!("{QUIZ}{QUESTION}"));
    let manifest = ("lessons/course.toml", MANIFEST_EN);
    for (file, text) in [manifest].iter().chain(files) {
        let text = (*text).to_owned();
        sources.files.insert((*file).to_owned(), text.into());
    }
    sources
}

/// The whole course in German, after a change of one of its files.
fn german(change: impl Fn(&str, &str) -> String) -> Sources {
    let files = [
        ("lessons/de/lesson.md", format!("{HEAD_DE}{BODY_DE}")),
        ("quizzes/de/lesson.toml", format!("{QUIZ}{QUESTION_DE}")),
        (
            "lessons/de/course.toml",
            "format = 1\ntitle = \"Vorführung\"\nsummary = \"Alles in klein.\"\n".to_owned(),
        ),
    ];
    let files = files.map(|(file, text)| (file, change(file, &text)));
    with(&files.each_ref().map(|(file, text)| (*file, text.as_str())))
}

fn as_it_is(_: &str, text: &str) -> String {
    text.to_owned()
}

/// What is wrong after a change of a text in one of the German files.
fn wrong(old: &str, new: &str) -> String {
    shown(&german(|_, text| text.replace(old, new)))
}

/// Both ways of reading have to give the same course.
fn in_german(mut sources: Sources) -> Course {
    sources.language = Language::new("de");
    let (course, _) = parse(&sources);
    assert_eq!(open(&sources), course);
    course
}

#[test]
fn a_translation_shows_its_words_under_the_ids_of_the_original() {
    let sources = german(as_it_is);
    assert_eq!(shown(&sources), "");
    let course = in_german(sources);
    let lesson = &course.lessons[0];
    let question = &lesson.quiz.as_ref().unwrap().questions[0];
    assert_eq!(
        [
            &course.title,
            &lesson.title,
            &lesson.pages[1].title,
            &lesson.file
        ],
        ["Vorführung", "Lektion", "Der Bus", "lessons/de/lesson.md"]
    );
    assert_eq!(course.id.as_str(), "demo");
    assert_eq!(course.language, Language::new("de"));
    assert_eq!(
        question.prompt[0].kind,
        BlockKind::Paragraph(Text::of("Gut?"))
    );
}

#[test]
fn answers_are_valid_in_all_languages_while_the_key_is_the_same() {
    let hash = |course: &Course| {
        course.lessons[0].quiz.as_ref().unwrap().questions[0]
            .hash
            .clone()
    };
    let original = hash(&parse(&german(as_it_is)).0);
    assert_eq!(hash(&in_german(german(as_it_is))), original);
    let words = german(|_, text| text.replace("prompt = \"Gut?\"", "prompt = \"Alles gut?\""));
    assert_eq!(hash(&in_german(words)), original);
}

#[test]
fn what_is_not_translated_is_the_original_and_says_so() {
    let first = |course: &Course| {
        let first = &course.lessons[0].pages[0].blocks[0];
        let BlockKind::Paragraph(text) = &first.kind else {
            panic!("{first:?}");
        };
        text.plain()
    };
    let only_quiz = with(&[("quizzes/de/lesson.toml", &format!("{QUIZ}{QUESTION_DE}"))]);
    assert_eq!(shown(&only_quiz), "");
    let course = in_german(only_quiz);
    assert_snapshot!(first(&course), @"This lesson is not translated into de yet. This is the original.");
    assert_eq!(course.title, "Demo");
    let only_lesson = with(&[("lessons/de/lesson.md", &format!("{HEAD_DE}{BODY_DE}"))]);
    assert_eq!(shown(&only_lesson), "");
    assert_snapshot!(first(&in_german(only_lesson)), @"The quiz of this lesson is not translated into de yet: it is the original.");
    assert_eq!(first(&in_german(german(as_it_is))), "Text auf Deutsch.");
}

#[test]
fn a_file_with_an_error_is_shown_as_the_original() {
    let titles = |old: &str, new: &str| {
        let course = in_german(german(|_, text| text.replace(old, new)));
        let lesson = &course.lessons[0];
        let quiz = lesson.quiz.as_ref().unwrap();
        let prompt = format!("{:?}", quiz.questions[0].prompt);
        let prompt = if prompt.contains("Gut?") {
            "Gut?"
        } else {
            "Fine?"
        };
        format!("{}: {}: {prompt}", course.title, lesson.title)
    };
    assert_eq!(titles("", ""), "Vorführung: Lektion: Gut?");
    assert_eq!(
        titles("minutes = 5", "minutes = 5 min"),
        "Vorführung: Lesson: Gut?"
    );
    assert_eq!(
        titles("quiz = \"lesson.toml\"\n", ""),
        "Vorführung: Lesson: Gut?"
    );
    assert_eq!(
        titles("id = \"q-fine\"", "id = \"q-gut\""),
        "Vorführung: Lektion: Fine?"
    );
    assert_eq!(
        titles("summary = \"Alles", "sumary = \"Alles"),
        "Demo: Lektion: Gut?"
    );
    assert_eq!(titles("x = 1\n", "x = 2\n"), "Vorführung: Lesson: Gut?");
}

#[test]
fn other_heads_are_errors() {
    assert_snapshot!(wrong("quiz = \"lesson.toml\"\n", ""), @r#"
    error[translation-differs]: the original has a quiz, and the translation has none
     --> lessons/de/lesson.md:1:1
      |
    1 | +++
      | ^
      |
      = help: write `quiz = "lesson.toml"`, also if the quiz is not translated yet
    "#);
    assert_snapshot!(wrong("objectives = [\"Es sagen.\"]", "requires = [\"lesson\"]\nobjectives = [\"A.\", \"B.\"]"), @r#"
    error[translation-differs]: there is another number of objectives than in the original: 2 instead of 1
     --> lessons/de/lesson.md:8:1
      |
    8 | objectives = ["A.", "B."]
      | ^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: translate each of them
    error[requires-order]: lesson `lesson` does not come before this one
     --> lessons/de/lesson.md:7:13
      |
    7 | requires = ["lesson"]
      |             ^^^^^^^^
      |
      = help: change the order in `lessons/course.toml`
    "#);
    assert_snapshot!(wrong("## Der Bus {#the-bus}", "## Der Bus"), @"
    error[translation-differs]: the page `the-bus` of the original is called `der-bus` here
      --> lessons/de/lesson.md:13:1
       |
    13 | ## Der Bus
       | ^^^^^^^^^^
       |
       = help: write `{#the-bus}` behind its heading
    ");
}

#[test]
fn what_learners_do_not_see_at_once_is_compared() {
    let note = "\n<details><summary>Instructor: say</summary>\n\nSay it.\n\n</details>\n\nMore.\n\n<!-- pause -->\n\nEnd.\n";
    let original = format!("{HEAD}{BODY}{note}");
    let german = |note: &str| {
        shown(&with(&[
            ("lessons/lesson.md", &original),
            ("lessons/de/lesson.md", &format!("{HEAD_DE}{BODY_DE}{note}")),
        ]))
    };
    assert_eq!(german(note), "");
    assert_snapshot!(german(&note.replace("Instructor", "Für Lehrende").replace("<!-- pause -->\n", "")), @"
    error[translation-differs]: the page `the-bus` has another number of notes for instructors than in the original: 0 instead of 1
      --> lessons/de/lesson.md:13:12
       |
    13 | ## Der Bus {#the-bus}
       |            ^^^^^^^^^^
       |
       = help: the summary of a note begins with `Instructor` in all languages: `<details><summary>Instructor: …</summary>`
    error[translation-differs]: the page `the-bus` has another number of pauses than in the original: 0 instead of 1
      --> lessons/de/lesson.md:13:12
       |
    13 | ## Der Bus {#the-bus}
       |            ^^^^^^^^^^
       |
       = help: copy each `<!-- pause -->`
    ");
}

#[test]
fn texts_for_one_front_end_are_as_many_as_in_the_original() {
    let german = |text: &str| {
        let marked = "\nGo on<!-- screen --> (`n`)<!-- /screen -->.\n";
        shown(&with(&[
            ("lessons/lesson.md", &format!("{HEAD}{BODY}{marked}")),
            ("lessons/de/lesson.md", &format!("{HEAD_DE}{BODY_DE}{text}")),
        ]))
    };
    assert_eq!(
        german("\nWeiter<!-- screen --> (`n`)<!-- /screen -->.\n"),
        ""
    );
    leads(
        &german("\nWeiter.\n"),
        &[
            "translation-differs",
            "for one front end",
            "copy the marks: 1 `<!-- screen -->` and 0 `<!-- plain -->`",
        ],
    );
}

#[test]
fn a_course_with_translations_says_in_which_language_it_is_written() {
    let mut sources = german(as_it_is);
    sources
        .files
        .insert("lessons/course.toml".to_owned(), MANIFEST.into());
    assert_snapshot!(shown(&sources), @r#"
    warning[missing-key]: the course has translations, and does not say in which language it is written
     --> lessons/course.toml:1:1
      |
    1 | format = 1
      | ^
      |
      = help: write `language = "en"`, or the code of another language: readers of it get the original
    "#);
    let manifest = MANIFEST_EN.replace("\"en\"", "\"de\"");
    sources
        .files
        .insert("lessons/course.toml".to_owned(), manifest.into());
    assert_snapshot!(shown(&sources), @"
    warning[translation-of-nothing]: the course is written in `de`, so its folders `de` are not read
     --> lessons/course.toml:1:1
      |
    1 | format = 1
      | ^
      |
      = help: remove the folders, or correct `language`
    ");
}

#[test]
fn other_ids_are_errors() {
    assert_snapshot!(wrong("id = \"lesson\"\ntitle = \"Lektion\"", "id = \"lektion\"\ntitle = \"Lektion\""), @r#"
    error[translation-differs]: the lesson `lesson` has another id in its translation: `lektion`
     --> lessons/de/lesson.md:3:1
      |
    3 | id = "lektion"
      | ^^^^^^^^^^^^^^
      |
      = help: write `id = "lesson"`: progress is stored under it in all languages
    "#);
    assert_snapshot!(wrong("{#the-bus}", "{#der-bus}"), @"
    error[translation-differs]: the page `the-bus` of the original is called `der-bus` here
      --> lessons/de/lesson.md:13:12
       |
    13 | ## Der Bus {#der-bus}
       |            ^^^^^^^^^^
       |
       = help: write `{#the-bus}` behind its heading
    ");
    assert_snapshot!(wrong("id=bus", "id=das"), @"
    error[translation-differs]: the lab `bus` of the original is called `das` here
      --> lessons/de/lesson.md:15:1
       |
    15 | ```python lab id=das device=cpu
       | ^
       |
       = help: write `id=bus`
    ");
    assert_snapshot!(wrong("id = \"q-fine\"", "id = \"q-gut\""), @r#"
    error[translation-differs]: the question `q-fine` of the original is called `q-gut` here
     --> quizzes/de/lesson.toml:5:1
      |
    5 | [[question]]
      | ^^^^^^^^^^^^
      |
      = help: write `id = "q-fine"`
    "#);
    assert_snapshot!(wrong("id = \"b\"", "id = \"n\""), @"
    error[translation-differs]: question `q-fine` has choices with other ids than in the original
     --> quizzes/de/lesson.toml:5:1
      |
    5 | [[question]]
      | ^^^^^^^^^^^^
      |
      = help: the ids are a, b
    ");
    assert_snapshot!(shown(&german(|_, text| {
        let text = text.replace("text = \"ja\", correct = true", "text = \"ja\", feedback = \"Nein.\"");
        text.replace("text = \"nein\", feedback = \"Warum nicht?\"", "text = \"nein\", correct = true")
    })), @"
    error[translation-differs]: question `q-fine` has another type or another key than in the original
     --> quizzes/de/lesson.toml:5:1
      |
    5 | [[question]]
      | ^^^^^^^^^^^^
      |
      = help: copy what says what is right from the original, and translate only texts
    ");
    assert_snapshot!(shown(&german(|_, text| {
        text.replace("id = \"a\"", "id = \"c\"").replace("id = \"b\"", "id = \"a\"").replace("id = \"c\"", "id = \"b\"")
    })), @"
    error[translation-differs]: the choices of question `q-fine` are in another order than in the original
     --> quizzes/de/lesson.toml:5:1
      |
    5 | [[question]]
      | ^^^^^^^^^^^^
      |
      = help: the order is a, b
    ");
}

#[test]
fn other_programs_and_keys_are_errors() {
    assert_snapshot!(wrong("x = 1\n", "x = 2\n"), @"
    error[translation-differs]: line 2 of the program of lab `bus` is not that of the original
      --> lessons/de/lesson.md:17:1
       |
    17 | x = 2
       | ^^^^^
       |
       = help: translate only comments and texts in quotes: lessons/lesson.md has `x = 1  # one` there; if that is wrong, correct it
    ");
    assert_snapshot!(wrong("device=cpu", "device=cuda"), @"
    error[translation-differs]: the lab `bus` has another `device` than in the original
      --> lessons/de/lesson.md:15:1
       |
    15 | ```python lab id=bus device=cuda
       | ^
       |
       = help: copy the first line of its block from the original; only `title` is translated
    ");
    assert_snapshot!(wrong("Hint: sieh", "Tipp: sieh"), @"
    error[translation-differs]: the lab `bus` has another number of hints than in the original: 0 instead of 1
      --> lessons/de/lesson.md:15:1
       |
    15 | ```python lab id=bus device=cpu
       | ^
       |
       = help: the summary of a hint begins with `Hint` in all languages: `<details><summary>Hint: …</summary>`
    ");
    assert_snapshot!(wrong("prompt = \"Gut?\"", "points = 2\nprompt = \"Gut?\""), @"
    error[translation-differs]: question `q-fine` has another `points` than in the original
     --> quizzes/de/lesson.toml:5:1
      |
    5 | [[question]]
      | ^^^^^^^^^^^^
      |
      = help: copy it from the original
    ");
    assert_snapshot!(wrong("title = \"Vorführung\"", "id = \"demo\"\ntitle = \"Vorführung\""), @r#"
    error[translation-differs]: a translation does not have `id`: it is that of `lessons/course.toml`
     --> lessons/de/course.toml:2:1
      |
    2 | id = "demo"
      | ^^
      |
      = help: remove it; a translation has `format`, `title` and `summary`
    "#);
}

#[test]
fn a_broken_original_says_nothing_false_about_its_translation() {
    let rules = |file: &str, old: &str, new: &str| {
        let mut sources = german(as_it_is);
        let text = sources.files[file].replacen(old, new, 1);
        assert_ne!(sources.files[file], text, "{old}");
        sources.files.insert(file.to_owned(), text.into());
        let (_, found) = parse(&sources);
        let found = found
            .iter()
            .map(|it| format!("{} {}", it.file, it.rule.name()));
        found.collect::<Vec<_>>().join(", ")
    };
    let marks = "<<<<<<< HEAD\n=======\n>>>>>>> other\n";
    let quiz = "quizzes/lesson.toml";
    assert_eq!(
        rules(quiz, "id =", &format!("{marks}id =")),
        "quizzes/lesson.toml merge-marks"
    );
    assert_eq!(
        rules(quiz, "format = 1", "format = 1 one"),
        "quizzes/lesson.toml not-toml"
    );
    let lesson = "lessons/lesson.md";
    assert_eq!(
        rules(lesson, "Text.", marks),
        "lessons/lesson.md merge-marks"
    );
    assert_eq!(
        rules(lesson, "minutes = 5", "minutes = 5 min"),
        "lessons/lesson.md not-toml"
    );
    let manifest = "lessons/course.toml";
    assert_eq!(
        rules(manifest, "id =", &format!("{marks}id =")),
        "lessons/course.toml merge-marks"
    );
    // That these are no Python is said about the original.
    assert_eq!(rules(lesson, "print(\"is\", x)", "print(“is”, x)"), "");
    assert_eq!(rules(lesson, "x = 1", ">>> x = 1"), "");
}

#[test]
fn a_metric_has_the_same_name_in_all_languages() {
    let metric = |name: &str| format!("print(\"is\", x)\nlab.metric(\"{name}\", x, \"MB\")");
    let mut sources = german(|_, text| text.replace("print(\"ist\", x)", &metric("Größe")));
    let text = sources.files["lessons/lesson.md"].replace("print(\"is\", x)", &metric("size"));
    sources
        .files
        .insert("lessons/lesson.md".to_owned(), text.into());
    let found = parse(&sources).1;
    let found: Vec<_> = found
        .iter()
        .filter(|it| it.rule == Rule::TranslationDiffers)
        .collect();
    let [only] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(
        only.message,
        "the metric `size` of the original is called `Größe` here"
    );
    let text = &sources.files[&only.file];
    assert_eq!(text.get(only.span.clone()), Some("Größe"));
}

#[test]
fn a_name_that_a_check_cannot_use_comes_before_the_difference_that_it_makes() {
    let check = |name: &str, file: &str| {
        let added = format!("```python check=bus\nlab.at_most(lab.run.{name}, 1, \"x\")\n```\n");
        let mut sources = german(|of, text| match of {
            "lessons/de/lesson.md" if file == of => format!("{text}\n{added}"),
            "lessons/de/lesson.md" => format!("{text}\n{}", added.replace(name, "copies")),
            _ => text.to_owned(),
        });
        let original = if file.contains("de") { "copies" } else { name };
        let original = format!("{HEAD}{BODY}\n{}", added.replace(name, original));
        sources
            .files
            .insert("lessons/lesson.md".to_owned(), original.into());
        shown(&sources)
    };
    assert_eq!(check("copies", ""), "");
    assert_snapshot!(check("copis", "lessons/lesson.md"), @r#"
    error[unknown-helper]: `lab.run` has no `copis`
      --> lessons/lesson.md:29:21
       |
    29 | lab.at_most(lab.run.copis, 1, "x")
       |                     ^^^^^
       |
       = help: did you mean `copies`?
    "#);
    assert_snapshot!(check("copis", "lessons/de/lesson.md"), @r#"
    error[unknown-helper]: `lab.run` has no `copis`
      --> lessons/de/lesson.md:30:21
       |
    30 | lab.at_most(lab.run.copis, 1, "x")
       |                     ^^^^^
       |
       = help: did you mean `copies`?
    "#);
}

#[test]
fn a_file_without_an_original_is_a_warning() {
    assert_snapshot!(shown(&with(&[("lessons/de/lesson-1.md", "# A\n"), ("quizzes/de/all.toml", "")])), @"
    warning[translation-of-nothing]: there is no `lessons/lesson-1.md` that this file could translate
     --> lessons/de/lesson-1.md:1:1
      |
    1 | # A
      | ^
      |
      = help: did you mean `lesson.md`?
    warning[translation-of-nothing]: there is no `quizzes/all.toml` that this file could translate
    --> quizzes/de/all.toml:1:1
     = help: a translation has the same name of file as its original
    ");
    let mut unlisted = with(&[
        ("lessons/more.md", "# A\n"),
        ("lessons/de/more.md", "# A\n"),
    ]);
    assert_snapshot!(shown(&unlisted), @r#"
    warning[lesson-not-listed]: this lesson is not listed in `lessons/course.toml`
     --> lessons/more.md:1:1
      |
    1 | # A
      | ^
      |
      = help: add "more.md" to its `lessons`
    warning[translation-of-nothing]: `lessons/more.md`, which this file translates, is not part of the course
     --> lessons/de/more.md:1:1
      |
    1 | # A
      | ^
      |
      = help: add the original to the course, or remove this file
    "#);
    unlisted
        .files
        .insert("lessons/old/more.md".to_owned(), "# A\n".into());
    assert_eq!(unlisted.languages().len(), 1);
}

#[test]
fn a_mistake_in_a_translation_is_named_in_its_file_and_once() {
    assert_snapshot!(wrong("minutes = 5", "minutes = 5 min"), @r#"
    error[not-toml]: this is not TOML: string values must be quoted, expected literal string
     --> lessons/de/lesson.md:6:11
      |
    6 | minutes = 5 min
      |           ^^^^^
      |
      = help: write the number alone, `minutes = 5`
    "#);
    let body = format!("{HEAD}{BODY}\n## A heading\n\n[x](y.md)\n");
    let original = with(&[("lessons/lesson.md", &body)]);
    let translated = with(&[
        ("lessons/lesson.md", &body),
        ("quizzes/de/lesson.toml", &format!("{QUIZ}{QUESTION_DE}")),
    ]);
    assert_eq!(shown(&translated), shown(&original));
}

#[test]
fn the_language_of_a_course_is_a_code() {
    let mut sources = course_of("Text.\n", &format!("{QUIZ}{QUESTION}"));
    let manifest = MANIFEST.replace("summary", "language = \"English\"\nsummary");
    sources
        .files
        .insert("lessons/course.toml".to_owned(), manifest.into());
    assert_snapshot!(shown(&sources), @r#"
    error[language-code]: `English` is not the code of a language
     --> lessons/course.toml:4:12
      |
    4 | language = "English"
      |            ^^^^^^^^^
      |
      = help: write `language = "en"`
    "#);
}

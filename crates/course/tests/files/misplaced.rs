//! What is there, in another place or under another name than it needs: the first message says where it has to be.

use super::*;

#[test]
fn a_program_in_a_file_is_found_where_it_is_and_no_other_one_is_meant() {
    let with = |named: &str| {
        let lab = format!(
            "```python lab id=a file=labs/a.py\n```\n\n```python check=a file={named}\n```\n"
        );
        let mut course = course_of(&lab, &format!("{QUIZ}{QUESTION}"));
        for file in ["labs/a.py", "labs/first_check.py"] {
            course.files.insert(file.to_owned(), "x = 1\n".into());
        }
        shown(&course)
    };
    leads(
        &with("first_check.py"),
        &["lesson.md:14", "write `file=labs/first_check.py`"],
    );
    leads(
        &with("..\\labs\\first_check.py"),
        &["write `file=labs/first_check.py`"],
    );
    leads(
        &with("labs/first_chek.py"),
        &["did you mean `labs/first_check.py`?"],
    );
    leads(
        &with("labs/a_solution.py"),
        &["put the file `a_solution.py` into"],
    );
    leads(&with("a_check.txt"), &["write it as `file=labs/NAME.py`"]);
}

#[test]
fn lessons_in_folders_and_of_other_tools_are_there_and_not_read() {
    let listed = |name: &str, unread: &str| {
        let mut course = course_of("Text.\n", &format!("{QUIZ}{QUESTION}"));
        let manifest = MANIFEST.replace("\"lesson.md\"", &format!("\"lesson.md\", \"{name}\""));
        course
            .files
            .insert("lessons/course.toml".to_owned(), manifest.into());
        course.unread = [unread.to_owned()].into();
        shown(&course)
    };
    leads(
        &listed("week1/a.md", "lessons/week1/a.md"),
        &["course.toml:5", "is not read", "move it to `lessons/a.md`"],
    );
    leads(
        &listed("a.ipynb", "lessons/a.ipynb"),
        &["is not read", "`a.md`", "nbconvert"],
    );
    leads(
        &listed("a.docx", "lessons/a.docx"),
        &["is not read", "`warpup new lesson a`"],
    );
    leads(&listed("a.ipynb", "lessons/b.md"), &["there is no file"]);
}

#[test]
fn a_folder_of_a_language_is_in_that_of_the_lessons() {
    let mut course = course_of("Text.\n", &format!("{QUIZ}{QUESTION}"));
    course.unread = ["de/lessons".to_owned(), "pt_br/quizzes".to_owned()].into();
    let said = shown(&course);
    leads(
        &said,
        &[
            "language-code",
            "de/lessons",
            "move its files into `lessons/de`",
        ],
    );
    assert!(said.contains("`quizzes/pt-BR`"), "{said}");
}

#[test]
fn a_question_that_a_translation_lacks_is_the_only_message() {
    let whole = format!(
        "{QUIZ}{QUESTION}[[question]]\nid = \"q-why\"\ntype = \"words\"\nprompt = \"Why?\"\n\
                         parts = [\"One.\", \"Two.\"]\nexplain = \"So.\"\n"
    );
    let mut course = course_of("Text.\n", &whole);
    let manifest = MANIFEST.replace("lessons = ", "language = \"en\"\nlessons = ");
    course
        .files
        .insert("lessons/course.toml".to_owned(), manifest.into());
    let part = whole.replace(QUESTION, "");
    course
        .files
        .insert("quizzes/de/lesson.toml".to_owned(), part.into());
    let said = shown(&course);
    leads(
        &said,
        &["translation-differs", "the question `q-fine`", "is missing"],
    );
    assert_eq!(said.matches("error[").count(), 1, "{said}");
}

#[test]
fn programs_have_no_folders_of_languages() {
    let mut course = course_of("Text.\n", &format!("{QUIZ}{QUESTION}"));
    course.unread = ["labs/de/a.py".to_owned(), "labs/de/b.py".to_owned()].into();
    let said = shown(&course);
    leads(
        &said,
        &["file-left-out", "labs/de", "the same in all languages"],
    );
    assert_eq!(said.matches("warning[").count(), 1, "{said}");
}

#[test]
fn a_list_with_a_star_names_the_files() {
    let manifest = MANIFEST.replace("lesson.md", "*.md");
    let said = shown(&sources(&[
        ("lessons/course.toml", &manifest),
        ("lessons/lesson.md", &format!("{HEAD}Text.\n")),
        ("quizzes/lesson.toml", &format!("{QUIZ}{QUESTION}")),
    ]));
    leads(&said, &["course.toml:5", "`lessons = [\"lesson.md\"]`"]);
}

#[test]
fn a_name_of_a_check_without_quotes_is_one_message() {
    let mut course = course_of(
        "```python lab id=a\nf()\n```\n",
        &format!("{QUIZ}{QUESTION}"),
    );
    let repairs = "```python wrong=a stops=It is called title=\"No\"\n```\n";
    course
        .files
        .insert("repairs/lesson.md".to_owned(), repairs.into());
    let said = shown(&course);
    leads(&said, &["title-not-quoted", "`stops=\"It is called\"`"]);
    assert_eq!(said.matches("error[").count(), 1, "{said}");
}

#[test]
fn a_prediction_is_judged_alike_in_all_languages() {
    let lab = "```python lab id=a predict=p\nlab.metric(\"x\", 1)\n```\n";
    let question = "[[question]]\nid = \"p\"\ntype = \"predict\"\nprompt = \"How?\"\nlab = \"a\"\n\
                    metric = \"x\"\nexplain = \"So.\"\nwithin_factor = 1.5\n";
    let quiz = format!("{QUIZ}{QUESTION}{question}");
    let mut course = course_of(lab, &quiz);
    let manifest = MANIFEST.replace("lessons = ", "language = \"en\"\nlessons = ");
    course
        .files
        .insert("lessons/course.toml".to_owned(), manifest.into());
    let german = "quizzes/de/lesson.toml".to_owned();
    course.files.insert(german.clone(), quiz.clone().into());
    assert_eq!(shown(&course), "");
    let broken = course_of(lab, &quiz.replace("title =", "titel ="));
    let mut both = course.clone();
    both.files.extend(broken.files.clone());
    both.files.insert(
        "lessons/de/lesson.md".to_owned(),
        format!("{HEAD}{lab}").into(),
    );
    let said = shown(&both);
    assert!(!said.contains("`predict`"), "{said}");
    let other = quiz.replace("1.5", "3");
    course.files.insert(german, other.into());
    leads(
        &shown(&course),
        &["question `p` has another `within_factor`"],
    );
}

#[test]
fn links_to_files_that_are_no_lessons_say_where_learners_find_them() {
    let link = |to: &str| diagnostics_of(&format!("[it]({to})\n"));
    leads(
        &link("../quizzes/lesson.toml"),
        &["lesson.md:11", "at the end of its lesson"],
    );
    leads(&link("../labs/a.py"), &["link to the page of the lab"]);
    leads(&link("../lessons/lesson.md"), &["write `lesson.md`"]);
}

#[test]
fn files_in_yaml_and_json_are_written_in_toml() {
    let mut course = sources(&[("lessons/lesson.md", &format!("{HEAD}Text.\n"))]);
    course.unread = [
        "lessons/course.yml".to_owned(),
        "quizzes/lesson.json".to_owned(),
        "repairs/lesson.py".to_owned(),
    ]
    .into();
    let said = shown(&course);
    leads(
        &said,
        &["no-course-file", "`lessons/course.yml` is there", "as TOML"],
    );
    assert!(
        said.contains("write each program as a block into `lesson.md`"),
        "{said}"
    );

    let head = HEAD.replace("lesson.toml", "lesson.json");
    let said = shown(&sources(&[
        ("lessons/course.toml", MANIFEST),
        ("lessons/lesson.md", &format!("{head}Text.\n")),
    ]));
    leads(
        &said,
        &["missing-file", "write it into `quizzes/lesson.toml`"],
    );

    let said = shown(&course_of(
        "Text.\n",
        "{\n  \"format\": 1,\n  \"id\": \"a\"\n}\n",
    ));
    leads(&said, &["not-toml", "lesson.toml:1:1", "this is JSON"]);
}

#[test]
fn options_under_another_name_of_their_question_are_the_only_message() {
    let quiz = format!("{QUIZ}{QUESTION}").replace("explain = \"It is.\"\n", "");
    let quiz = format!("{quiz}[[questions.version]]\nexplain = \"So.\"\n");
    let said = shown(&course_of("Text.\n", &quiz));
    leads(
        &said,
        &["unknown key `questions`", "did you mean `question`?"],
    );
    assert_eq!(said.matches("error[").count(), 1, "{said}");
}

#[test]
fn the_prediction_about_a_lab_is_named() {
    let lab = "```python lab id=a predict=true\nlab.metric(\"x\", 1)\n```\n";
    let question = "[[question]]\nid = \"p-size\"\ntype = \"predict\"\nprompt = \"How?\"\nlab = \"a\"\n\
                    metric = \"x\"\nexplain = \"So.\"\n";
    let said = shown(&course_of(lab, &format!("{QUIZ}{QUESTION}{question}")));
    leads(&said, &["unknown-prediction", "write `predict=p-size`"]);
}

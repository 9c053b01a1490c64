//! What a report says beyond numbers: common mistakes, doubtful keys, where learners are stuck and where they stop.

use super::*;

/// The course with one question more, of these lines.
fn course_with_question(lines: &str) -> Course {
    sample::course_with(
        "quizzes/copies.toml",
        &format!("[[question]]\nid = \"q-one\"\nprompt = \"?\"\nexplain = \"!\"\n{lines}"),
    )
}

#[test]
fn every_kind_of_question_has_its_commonest_mistake() {
    let options = "options = [\n{ id = \"a\", text = \"A\", correct = true },\n{ id = \"b\", text = \"B\", feedback = \"No.\" },\n\
         { id = \"c\", text = \"C\", correct = true },\n]\n";
    let choices = |ids: &[&str]| ids.iter().map(|it| ChoiceId::new(*it)).collect::<Vec<_>>();
    let kinds = [
        (
            format!("type = \"multi\"\n{options}"),
            Answer::Multi(choices(&["a", "b"]).into_iter().collect()),
        ),
        (
            "type = \"numeric\"\nanswer = 24\nunit = \"B\"\n".to_owned(),
            Answer::Number("8".to_owned()),
        ),
        (
            "type = \"order\"\nitems = [{ id = \"a\", text = \"A\" }, { id = \"b\", text = \"B\" }, { id = \"c\", text = \"C\" }]\n"
                .to_owned(),
            Answer::Order(choices(&["b", "a", "c"])),
        ),
        (
            "type = \"text\"\naccept = [\"stream\"]\n".to_owned(),
            Answer::Text(" Queue".to_owned()),
        ),
    ];
    let mut said = Vec::new();
    for (lines, answer) in kinds {
        let course = course_with_question(&lines);
        let asked = question(&course);
        let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
        for learner in ["ada", "bob"] {
            let given = vec![answered(asked, answer.clone(), "1")];
            report.add(learner.to_owned(), records(learner, given), None);
        }
        let report = report.report();
        let rows = report.questions.iter();
        said.extend(rows.filter_map(|it| {
            let (mistake, times) = it.wrong.as_ref()?;
            Some(format!("{} ({times})", mistake.words(ChoiceId::to_string)))
        }));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    b (2)
    8 B (2)
    B → A → C (2)
    queue (2)
    ");
}

#[test]
fn a_lab_that_was_run_once_as_it_comes_is_tried_and_nobody_is_stuck_in_it() {
    let course = course();
    let failed = Event::Ran {
        lesson: LessonId::new("copies"),
        lab: LabId::new("bus"),
        device: "cpu".to_owned(),
        passed: false,
        on: None,
        metrics: Vec::new(),
        unmet: None,
    };
    let edited = |source: Option<&str>| Event::Edited {
        lesson: LessonId::new("copies"),
        lab: LabId::new("bus"),
        source: source.map(str::to_owned),
    };
    let told = |events: Vec<Event>| {
        let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
        report.add("ada".to_owned(), records("ada", events), None);
        let report = report.report();
        let lessons = report.learners.iter().flat_map(|it| &it.lessons);
        let remarks: Vec<_> = lessons
            .flat_map(|it| words::remarks(it, &report.zone))
            .collect();
        format!("{} stuck; {}", report.stuck.len(), remarks.join("; "))
    };
    let said = [
        told(vec![failed.clone()]),
        told(vec![edited(None), failed.clone(), failed.clone()]),
        told(vec![failed.clone(); 3]),
        told(vec![edited(Some("print(1)")), failed.clone()]),
        told(vec![failed; 3].into_iter().chain([ran()]).collect()),
    ];
    insta::assert_snapshot!(said.join("\n"), @"
    0 stuck; tried: 1 run of `bus`
    0 stuck; tried: 2 runs of `bus`
    1 stuck; stuck: 3 runs of `bus`
    1 stuck; stuck: 1 run of `bus`
    0 stuck;
    ");
}

#[test]
fn pages_have_the_time_on_them_and_who_stopped_there() {
    let course = course();
    let lesson = course.lessons.iter().find(|it| it.id.as_str() == "copies");
    let pages: Vec<_> = lesson
        .unwrap()
        .pages
        .iter()
        .map(|it| it.id.clone())
        .collect();
    let read = |name: &str, visits: &[(usize, u64)], more: Vec<Event>| {
        let visits = visits.iter().map(|(page, second)| Record {
            id: format!("{name}-{second}"),
            at_ms: BEGAN + second * 1000,
            course: course.id.to_string(),
            event: Event::Read {
                lesson: LessonId::new("copies"),
                page: pages[*page].clone(),
            },
        });
        visits.chain(records(name, more)).collect::<Vec<_>>()
    };
    let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
    let ada = read("ada", &[(0, 0), (1, 30), (0, 90)], Vec::new());
    let bob = read("bob", &[(1, 50), (0, 0)], attempt(&course, "1", 5));
    report.add("ada".to_owned(), ada, None);
    report.add("bob".to_owned(), bob, None);
    let report = report.report();
    let rows = report.pages.iter().map(|it| {
        format!(
            "{}: read by {}, {} ms, stopped {:?}",
            it.page, it.read, it.median_ms, it.stopped
        )
    });
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @r#"
    start: read by 2, 40000 ms, stopped ["ada"]
    the-bus: read by 2, 330000 ms, stopped []
    "#);
}

#[test]
fn a_question_that_those_who_know_the_rest_get_wrong_is_suspect() {
    let course = course();
    let asked = question(&course);
    let mut lessons = course.lessons.iter();
    let copies = lessons.find(|it| it.id.as_str() == "copies").unwrap();
    let mut counted = copies.quiz.iter().flat_map(Quiz::counted);
    let bytes = counted.find(|it| it.id.as_str() == "q-bytes").unwrap();
    let told = |is_turned: bool| {
        let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
        for learner in 0..12 {
            let knows = learner % 3 != 0;
            let option = if knows == is_turned { "b" } else { "a" };
            let wrong = Answer::Number("7".to_owned());
            let number = key(bytes, None).filter(|_| knows).unwrap_or(wrong);
            let name = format!("l{learner:02}");
            let given = vec![
                answered(asked, one(option), "1"),
                answered(bytes, number, "1"),
            ];
            report.add(name.clone(), records(&name, given), None);
        }
        let report = report.report();
        report
            .suspects()
            .into_iter()
            .map(words::suspect)
            .collect::<Vec<_>>()
    };
    assert_eq!(told(false), [""; 0]);
    insta::assert_snapshot!(told(true).join("\n"), @"
    copies › q-bytes: 8 of 12 right, discrimination -1.00, most chosen wrong: 7 B (4)
    copies › q-one: 4 of 12 right, discrimination -1.00, most chosen wrong: b (8)
    ");
}

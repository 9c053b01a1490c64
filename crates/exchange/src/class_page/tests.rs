//! The page of a class of four, one of whom has a name that would be HTML.

use super::*;
use quick_xml::Reader;
use quick_xml::events::Event as Xml;
use warpup_class::{ClassFile, ClassFold};
use warpup_course::{Answer, LabId, LessonId, sample};
use warpup_grade::{Score, key};
use warpup_progress::{Event, FailureReason, QuestionSelection, Record};

/// After all records of these tests.
const NOW: u64 = 4_000_000_000_000;

fn page() -> String {
    let course = sample::course();
    let lesson = LessonId::new("copies");
    let ran = |passed: bool| Event::Ran {
        lesson: lesson.clone(),
        lab: LabId::new("bus"),
        device: "cpu".to_owned(),
        passed,
        on: None,
        metrics: Vec::new(),
        unmet: (!passed).then(|| FailureReason::check("<b>the copy</b> is pinned")),
    };
    let attempted = |earned: u64| Event::Attempted {
        lesson: lesson.clone(),
        attempt: "1".to_owned(),
        score: Score { earned, max: 400 },
        above_percent: 75,
        passed: earned > 300,
        took_ms: 1,
        missed: Vec::new(),
        drawn: Vec::new(),
    };
    let copies = course.lessons.iter().find(|it| it.id == lesson).unwrap();
    let quiz = copies.quiz.as_ref().unwrap();
    let answers = |right: bool| -> Vec<_> {
        let answers = quiz.counted().filter_map(|question| {
            let key = key(question, None)?;
            let answer = if question.id.as_str() == "q-bytes" && !right {
                Answer::Number("0".to_owned())
            } else {
                key
            };
            Some(Event::Answered {
                lesson: lesson.clone(),
                attempt: "1".to_owned(),
                question: question.id.clone(),
                hash: question.hash.clone(),
                answer,
                score: None,
                confidence: None,
                asks: QuestionSelection::All,
                drawn: Vec::new(),
            })
        });
        answers.collect()
    };
    let class = ClassFile {
        learners: Some(vec!["ada".to_owned(), "joe".to_owned()]),
        due_ms: [(lesson.clone(), 951_782_400_000)].into(),
    };
    let mut fold = ClassFold::new(&course, class, NOW);
    let events = [
        (
            "ada",
            [answers(true), vec![ran(true), attempted(400)]].concat(),
        ),
        (
            "<script>alert(1)</script>",
            [answers(false), vec![ran(false), attempted(200)]].concat(),
        ),
        ("eve", Vec::new()),
    ];
    for (name, events) in events {
        let records = events.into_iter().zip(1..).map(|(event, n)| Record {
            id: n.to_string(),
            at_ms: 951_782_400_000 + n * 60_000,
            course: course.id.to_string(),
            event,
        });
        fold.add(name.to_owned(), records.collect(), None);
    }
    fold.add(
        "torn".to_owned(),
        Vec::new(),
        Some("line 3: cut & gone".to_owned()),
    );
    write(&fold.report())
}

#[test]
fn the_page_is_whole_and_nothing_in_it_runs_or_is_fetched() {
    assert_eq!(page(), page());
    let page = page();
    for never in [
        "<script",
        "<b>the copy",
        "src=",
        "url(",
        "@import",
        "onload",
        "&joe",
    ] {
        assert!(!page.contains(never), "{never}\n{page}");
    }
    let links = page.matches("http").count();
    assert_eq!(links, page.matches("http-equiv").count(), "{page}");
    let mut reader = Reader::from_str(&page);
    reader.config_mut().check_end_names = true;
    let mut open = 0;
    loop {
        let event = reader.read_event().unwrap();
        open += i32::from(matches!(event, Xml::Start(_)));
        open -= i32::from(matches!(event, Xml::End(_)));
        if event == Xml::Eof {
            break;
        }
    }
    assert_eq!(open, 0);
    assert_eq!(page.matches("<td").count(), page.matches("</td>").count());
    assert!(
        page.contains("cut &amp; gone") && page.contains("&lt;script&gt;"),
        "{page}"
    );
}

#[test]
fn each_form_of_the_numbers_is_there() {
    let page = page();
    let main = page.split_once("<main>").unwrap().1;
    let start = main.split_once("<h2 id=\"map\">").unwrap();
    insta::assert_snapshot!(start.0, @r#"

    <h1>CUDA, understood: class report</h1>
    <p>Attempts are self-reported: the files are the learners' own, and nothing proves who answered. Times are those of UTC.</p>
    <ul class="tiles">
    <li><b>5</b>learners</li>
    <li><b>4</b>handed in</li>
    <li><b>2</b>have begun</li>
    <li><b>1</b>lessons done</li>
    <li class="look"><b>1</b>of them late</li>
    <li class="look"><b>1</b>stuck somewhere</li>
    <li class="look"><b>1</b>with a problem</li>
    <li class="look"><b>1</b>flag</li>
    </ul>
    <h2 id="lessons">Lessons</h2>
    <p class="legend"><span><i class="key done"></i>done</span> <span><i class="key begun"></i>begun</span> <span><i class="key new"></i>not begun</span> <span>the rest: nothing to read</span></p>
    <div class="wide"><table>
    <caption>How many learners have done, begun and not begun each lesson</caption>
    <thead><tr><th class="n">no.</th><th>lesson</th><th class="bar">learners</th><th class="n">done</th><th class="n">late</th><th class="n">begun</th><th class="n">not begun</th></tr></thead>
    <tbody>
    <tr><td class="n">1</td><td>Where a tensor lives</td><td class="bar"><svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="0 done, 0 begun, 3 not begun"><rect class="new" x="0" y="0" width="600" height="10"></rect></svg></td><td class="n">0</td><td class="n">0</td><td class="n">0</td><td class="n">3</td></tr>
    <tr><td class="n">2</td><td>What a copy costs</td><td class="bar"><svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="1 done, 1 begun, 1 not begun"><rect class="done" x="0" y="0" width="200" height="10"></rect><rect class="begun" x="200" y="0" width="200" height="10"></rect><rect class="new" x="400" y="0" width="200" height="10"></rect></svg></td><td class="n">1</td><td class="n">1</td><td class="n">1</td><td class="n">1</td></tr>
    </tbody></table></div>
    <h2 id="stuck">Where learners are stuck</h2>
    <div class="wide"><table>
    <caption>Labs that were changed or run three times and never passed, and quizzes with attempts and no pass</caption>
    <thead><tr><th>where</th><th class="bar">learners</th><th class="n">learners</th><th class="n">tries</th><th>what stops most of them</th></tr></thead>
    <tbody>
    <tr><td>quiz copies</td><td class="bar"><svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="1: &lt;script&gt;alert(1)&lt;/script&gt;"><rect class="stuck" x="0" y="0" width="1000" height="10"></rect></svg></td><td class="n">1</td><td class="n">1</td><td></td></tr>
    </tbody></table></div>
    "#);
    let map = start.1.split_once("<tbody>").unwrap().1;
    insta::assert_snapshot!(map.split_once("</tbody>").unwrap().0, @r#"
    <tr><th class="who" title="&lt;script&gt;alert(1)&lt;/script&gt;">&lt;script&gt;alert(1)&lt;/script&gt;</th><td class="h-new" title="Where a tensor lives: not begun">·</td><td class="h-stuck" title="What a copy costs: stuck, 3 of 4 points">!</td></tr>
    <tr><th class="who" title="ada">ada</th><td class="h-new" title="Where a tensor lives: not begun">·</td><td class="h-done" title="What a copy costs: done late, 4 of 4 points">L</td></tr>
    <tr><th class="who" title="eve">eve</th><td class="h-new" title="Where a tensor lives: not begun">·</td><td class="h-new" title="What a copy costs: not begun">·</td></tr>
    <tr><th class="who" title="joe">joe</th><td class="h-absent" title="Where a tensor lives: nothing to read">–</td><td class="h-absent" title="What a copy costs: nothing to read">–</td></tr>
    <tr><th class="who" title="torn">torn</th><td class="h-absent" title="Where a tensor lives: nothing to read">–</td><td class="h-absent" title="What a copy costs: nothing to read">–</td></tr>
    "#);
    let questions = main.split_once("<h2 id=\"questions\">").unwrap().1;
    let questions = questions.split_once("<tbody>").unwrap().1;
    insta::assert_snapshot!(questions.split_once("</tbody>").unwrap().0, @r#"

    <tr><td class="name">copies › q-bytes<br/><small>How many bytes?</small></td><td class="bar"><svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="1 of 2 right"><rect class="done" x="0" y="0" width="500" height="10"></rect></svg></td><td class="n">50 %</td><td class="n">2</td><td class="n">–</td><td class="n">60 s</td><td>0 B (1)</td></tr>
    <tr><td class="name">copies › q-bus<br/><small>What is wrong with the bus?</small></td><td class="bar"><svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="2 of 2 right"><rect class="done" x="0" y="0" width="1000" height="10"></rect></svg></td><td class="n">100 %</td><td class="n">2</td><td class="n">–</td><td class="n">–</td><td></td></tr>
    <tr><td class="name">copies › q-order<br/><small>In which order?</small></td><td class="bar"><svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="2 of 2 right"><rect class="done" x="0" y="0" width="1000" height="10"></rect></svg></td><td class="n">100 %</td><td class="n">2</td><td class="n">–</td><td class="n">60 s</td><td></td></tr>
    <tr><td class="name">copies › q-words<br/><small>Which is which?</small></td><td class="bar"><svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="2 of 2 right"><rect class="done" x="0" y="0" width="1000" height="10"></rect></svg></td><td class="n">100 %</td><td class="n">2</td><td class="n">–</td><td class="n">60 s</td><td></td></tr>
    "#);
}

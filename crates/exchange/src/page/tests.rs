//! The page of lessons.

use super::*;
use crate::markup::coloured;
use crate::options::Output;
use std::collections::BTreeSet;
use warpup_course as course;
use warpup_store::course::embedded;

fn page(course: &Course, keys: Keys) -> String {
    let lessons: Vec<&Lesson> = course.lessons.iter().collect();
    write(course, &lessons, keys, &Outputs::new())
}

/// The text between two marks, the first included.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let rest = text.get(text.find(from).unwrap()..).unwrap();
    rest.split(to).next().unwrap()
}

#[test]
#[expect(clippy::too_many_lines, reason = "most lines are the page")]
fn a_lesson_has_its_pages_labs_and_quiz() {
    let course = course::sample::course();
    let lesson = course
        .lessons
        .iter()
        .find(|it| it.id.as_str() == "copies")
        .unwrap();
    let output = Output {
        text: "1 < 2\n".to_owned(),
        on: "on the CPU, measured".to_owned(),
        ended: Some("NameError: broken".to_owned()),
    };
    let outputs = [((lesson.id.clone(), lesson.labs[1].id.clone()), output)];
    let text = write(&course, &[lesson], Keys::Shown, &outputs.into());
    insta::assert_snapshot!(between(&text, "<section class=\"lab\" id=\"copies--lab-repair\"", "<section class=\"quiz\""), @r#"
    <section class="lab" id="copies--lab-repair">
    <h3>Lab: Try the repair</h3>
    <p class="soft">It asks for a card, real or modelled. Run it: <code>warpup run copies/repair</code></p>
    <pre><code>broken()
    </code></pre>
    <figure>
    <figcaption>It prints (on the CPU, measured):</figcaption>
    <pre class="output">1 &lt; 2
    NameError: broken
    </pre>
    </figure>
    <details>
    <summary>Hint</summary>
    <p>What is <code>broken</code>?</p>
    </details>
    <details>
    <summary>Solution</summary>
    <pre><code>repaired()
    </code></pre>
    </details>
    </section>
    </section>
    "#);
    insta::assert_snapshot!(between(&text, "<section class=\"quiz\"", "<li>\n<p>Bring"), @r#"
    <section class="quiz" id="copies--the-quiz">
    <h2>Quiz: What a copy costs</h2>
    <p class="soft">More than 75 % of the points pass. Take it: <code>warpup quiz copies</code></p>
    <ol class="questions">
    <li>
    <p>What is wrong with the bus?</p>
    <p class="soft">Choose one.</p>
    <ol class="choices">
    <li>It is slow.</li>
    <li>It is narrow.</li>
    </ol>
    <details>
    <summary>Hint</summary>
    <p>Think of a road.</p>
    </details>
    <details>
    <summary>Answer</summary>
    <ul>
    <li>It is narrow.</li>
    </ul>
    <p>Because it is so.</p>
    <p>About the answers:</p>
    <ul>
    <li><em>It is slow.</em> Not slow, narrow.</li>
    </ul>
    </details>
    </li>
    <li>
    <p>How many bytes?</p>
    <p class="soft">Give a number in B.</p>
    <details>
    <summary>Hint</summary>
    <p>Think of a road.</p>
    </details>
    <details>
    <summary>Answer</summary>
    <ul>
    <li>24 B</li>
    </ul>
    <p>Because it is so.</p>
    </details>
    </li>
    <li>
    <p>In which order?</p>
    <p class="soft">Bring these into the right order.</p>
    <ol class="choices">
    <li>run</li>
    <li>copy</li>
    </ol>
    <details>
    <summary>Hint</summary>
    <p>Think of a road.</p>
    </details>
    <details>
    <summary>Answer</summary>
    <ol>
    <li>copy</li>
    <li>run</li>
    </ol>
    <p>Because it is so.</p>
    </details>
    </li>
    <li>
    <p>Which is which?</p>
    <p class="soft">Find what belongs together.</p>
    <ol class="choices">
    <li>host</li>
    <li>card</li>
    </ol>
    <ol class="choices">
    <li>the GPU</li>
    <li>the CPU</li>
    </ol>
    <details>
    <summary>Hint</summary>
    <p>Think of a road.</p>
    </details>
    <details>
    <summary>Answer</summary>
    <ul>
    <li>host → the CPU</li>
    <li>card → the GPU</li>
    </ul>
    <p>Because it is so.</p>
    </details>
    </li>
    </ol>
    </section>
    </article>
    </main>
    </body>
    </html>
    "#);
}

#[test]
fn every_link_on_the_page_of_the_course_has_a_target_and_no_address_is_loaded() {
    let (course, _) = course::parse(&embedded());
    let text = page(&course, Keys::Shown);
    let after = |mark: &str| -> BTreeSet<String> {
        text.split(mark)
            .skip(1)
            .map(|it| it.split('"').next().unwrap().to_owned())
            .collect()
    };
    let (ids, links) = (after(" id=\""), after(" href=\"#"));
    let missing: Vec<_> = links.difference(&ids).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(
        text.matches(" id=\"").count(),
        ids.len(),
        "two parts have the same id"
    );
    for loads in [" src=", "<script", "<link", "@import", "url("] {
        assert!(!text.contains(loads), "{loads}");
    }
}

#[test]
fn the_page_is_well_formed() {
    let (course, _) = course::parse(&embedded());
    let text = page(&course, Keys::Shown);
    let mut reader = quick_xml::Reader::from_str(&text);
    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
}

#[test]
fn without_keys_no_answer_is_on_the_page() {
    let course = course::sample::course();
    let with = page(&course, Keys::Shown);
    let without = page(&course, Keys::LeftOut);
    for key in [
        "Because it is so.",
        "Not slow, narrow.",
        "<summary>Answer</summary>",
        "<summary>Solution</summary>",
    ] {
        assert!(with.contains(key), "{key}");
        assert!(!without.contains(key), "{key}");
    }
    for lesson in &course.lessons {
        for solution in lesson.labs.iter().filter_map(|it| it.solution_program()) {
            let solution = coloured("python", solution);
            assert!(with.contains(&solution) && !without.contains(&solution));
        }
    }
}

#[test]
fn text_of_a_course_is_never_markup() {
    let hostile = "\n## A <script>x</script> {#a}\n\n<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=y>\n\n```html\n</code></pre><script>\n```\n";
    let (course, _) = course::sample::changed(|file, text| {
        let more = if file == "lessons/places.md" {
            hostile
        } else {
            ""
        };
        format!("{text}{more}")
    });
    let text = page(&course, Keys::Shown);
    assert!(!text.contains("<script"));
    assert!(!text.contains("<img"));
    assert!(!text.contains("href=\"javascript"));
    assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn no_character_of_a_page_hides_or_turns_what_is_beside_it() {
    let name = "gnp\u{202e}\u{1b}<b>";
    let body = html! { p title=(name) { (name) } };
    let page = document(name, "en", "", &body);
    let shown = "gnp&lt;U+202E&gt;\u{241b}&lt;b&gt;";
    assert_eq!(page.matches(shown).count(), 3, "{page}");
    assert!(!page.contains(['\u{202e}', '\u{1b}']), "{page}");
}

//! Writes Moodle XML: texts in Markdown, which Moodle shows as warpup does, and each quiz in a category of its own.
//!
//! The elements and their values are those of Moodle's own export (`question/format/xml/format.php`).

use crate::gift::PARTS;
use crate::markup::{escaped, joined, markdown_of_blocks, markdown_of_text, visible};
use crate::remark::Remarks;
use std::fmt::Write as _;
use warpup_course::kinds::{
    MatchKey, Matching, MultipleChoice, Numeric, NumericKey, OrderKey, Ordering, TextKey, Tolerance,
};
use warpup_course::units;
use warpup_course::{Choice, OptionsKey, Question, QuestionKind, Quiz, Text};

/// The questions of these quizzes as one file. What Moodle has no place for is said.
pub fn write(quizzes: &[&Quiz], remarks: &mut Remarks) -> String {
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n".to_owned();
    for quiz in quizzes {
        let title = quiz.title.replace('/', "//").replace(['\n', '\r'], " ");
        let path = escaped(&format!("$course$/top/{title}"));
        let _ = writeln!(
            out,
            "<question type=\"category\">\n<category><text>{path}</text></category>\n</question>"
        );
        for question in &quiz.questions {
            let place = format!("{}/{}", quiz.id, question.id);
            let mut writer = MoodleWriter { place, remarks };
            out.push_str(&writer.question(question).unwrap_or_default());
        }
    }
    out.push_str("</quiz>\n");
    out
}

struct MoodleWriter<'a> {
    place: String,
    remarks: &'a mut Remarks,
}

/// The type of a question in Moodle, and the elements that only this type has.
type TypeAndRest = (&'static str, String);

impl MoodleWriter<'_> {
    fn say(&mut self, what: &str) {
        self.remarks.say(self.place.clone(), what);
    }

    /// A question; nothing where Moodle has none of its kind.
    fn question(&mut self, question: &Question) -> Option<String> {
        if question.is_keyless() {
            self.say("the question has no key here: left out");
            return None;
        }
        let mut explain = markdown_of_blocks(&question.explain);
        let (kind, rest) = match &question.kind {
            QuestionKind::Single(it) => {
                let answers = options(&it.options, it.key.as_ref()?, ["100", "0"]);
                ("multichoice", choice(true, it.shuffle) + &answers)
            }
            QuestionKind::Multi(it) => self.multi(it)?,
            QuestionKind::Numeric(it) => numeric(it, it.key.as_ref()?),
            QuestionKind::Text(it) => text(it.key.as_ref()?),
            QuestionKind::Match(it) => self.pairs(it, it.key.as_ref()?),
            QuestionKind::Order(it) => self.order(it, it.key.as_ref()?),
            QuestionKind::Words(it) => {
                let parts = joined(
                    it.parts
                        .iter()
                        .map(|it| format!("\n- {}", markdown_of_text(it))),
                );
                let _ = write!(explain, "\n\n{PARTS}\n{parts}");
                let form = "<responseformat>editor</responseformat>\n<responserequired>1</responserequired>\n";
                ("essay", form.to_owned())
            }
            QuestionKind::Predict(_) => {
                self.say("a prediction is compared with a run of its lab: left out");
                return None;
            }
        };
        if question.version_of.is_some() {
            self.say("Moodle XML has no versions of a question: this one is a question of its own");
        }
        let hints = question.hints.iter();
        let hints = joined(hints.map(|it| element("hint", &markdown_of_text(it))));
        Some(format!(
            "<question type=\"{kind}\">\n<name><text>{}</text></name>\n{}{}<defaultgrade>{}</defaultgrade>\n<penalty>0</penalty>\n<hidden>0</hidden>\n{rest}{hints}</question>\n",
            escaped(question.id.as_str()),
            element("questiontext", &markdown_of_blocks(&question.prompt)),
            element("generalfeedback", &explain),
            question.points,
        ))
    }

    fn multi(&mut self, of: &MultipleChoice) -> Option<TypeAndRest> {
        let key = of.key.as_ref()?;
        let right = key.options.right().len();
        let even = share(right);
        let off = if key.partial { even.as_str() } else { "100" };
        if !key.partial && right > 1 {
            self.say(
                "Moodle gives points for a part of the right options, warpup gives all or none",
            );
        }
        let answers = options(&of.options, &key.options, [&even, &format!("-{off}")]);
        Some(("multichoice", choice(false, of.shuffle) + &answers))
    }

    fn pairs(&mut self, matching: &Matching, key: &MatchKey) -> TypeAndRest {
        if !key.partial {
            self.say("Moodle gives points for a part of the pairs, warpup gives all or none");
        }
        let mut out = "<shuffleanswers>true</shuffleanswers>\n".to_owned();
        for (left, right) in matching.rows() {
            let _ = writeln!(
                out,
                "<subquestion format=\"markdown\">\n{}<answer>{}</answer>\n</subquestion>",
                text_of(&markdown_of_text(&left.text)),
                text_of(&right.text.plain()).trim_end(),
            );
            if key.feedback(&left.id).is_some() {
                self.say("Moodle has no feedback on a pair: left out");
            }
        }
        ("matching", out)
    }

    fn order(&mut self, order: &Ordering, key: &OrderKey) -> TypeAndRest {
        if !key.also.is_empty() {
            self.say("Moodle takes one order as right: the others are left out");
        }
        // Neighbours in the right order earn a share, or only the whole order earns anything.
        let grading = if key.partial {
            "RELATIVE_NEXT_EXCLUDE_LAST"
        } else {
            "ALL_OR_NOTHING"
        };
        let mut out = format!(
            "<layouttype>VERTICAL</layouttype>\n<selecttype>ALL</selecttype>\n<selectcount>0</selectcount>\n<gradingtype>{grading}</gradingtype>\n<showgrading>SHOW</showgrading>\n"
        );
        // The fraction is the place.
        for (place, item) in (1..).zip(&order.items) {
            out.push_str(&answer(
                &place.to_string(),
                &markdown_of_text(&item.text),
                None,
            ));
        }
        ("ordering", out)
    }
}

/// The settings of a choice.
fn choice(is_single: bool, shuffles: bool) -> String {
    format!(
        "<single>{is_single}</single>\n<shuffleanswers>{shuffles}</shuffleanswers>\n<answernumbering>abc</answernumbering>\n"
    )
}

/// Options, those that are right with the first fraction.
fn options(options: &[Choice], key: &OptionsKey, [right, wrong]: [&str; 2]) -> String {
    let written = options.iter().map(|it| {
        let fraction = if key.is_right(&it.id) { right } else { wrong };
        answer(fraction, &markdown_of_text(&it.text), key.feedback(&it.id))
    });
    written.collect()
}

fn text(key: &TextKey) -> TypeAndRest {
    // A star stands for any text.
    let typed = |it: &str| it.replace('*', "\\*");
    let mut out = format!("<usecase>{}</usecase>\n", u8::from(key.case));
    for accept in &key.accept {
        out.push_str(&plain_answer("100", &typed(accept), None, ""));
    }
    for (near, feedback) in &key.near {
        out.push_str(&plain_answer("0", &typed(near), Some(feedback), ""));
    }
    ("shortanswer", out)
}

fn numeric(of: &Numeric, key: &NumericKey) -> TypeAndRest {
    let number = |fraction, value: f64, tolerance, feedback| {
        let (value, off) = match tolerance {
            Tolerance::Exact => (value, 0.0),
            Tolerance::Abs(off) => (value, off),
            Tolerance::Rel(off) => (value, shortened(value.abs() * off)),
            Tolerance::Range(low, high) => (
                shortened(f64::midpoint(low, high)),
                shortened((high - low) / 2.0),
            ),
        };
        let off = format!("<tolerance>{off}</tolerance>\n");
        plain_answer(fraction, &value.to_string(), feedback, &off)
    };
    let mut out = number("100", key.answer, key.tolerance, None);
    for near in &key.near {
        out.push_str(&number(
            "0",
            near.value,
            near.tolerance,
            Some(&near.feedback),
        ));
    }
    let Some(unit) = &of.unit else {
        return ("numerical", out);
    };
    // The unit of the answer has the multiplier 1, and so many of another one are one of it.
    let others = of.accepted.iter();
    let others = others.filter_map(|it| Some((it, units::convert(1.0, unit, it)?)));
    out.push_str("<units>\n");
    for (name, multiplier) in std::iter::once((unit, 1.0)).chain(others) {
        let name = escaped(name);
        let _ = writeln!(
            out,
            "<unit><multiplier>{multiplier}</multiplier><unit_name>{name}</unit_name></unit>"
        );
    }
    out.push_str("</units>\n<unitgradingtype>0</unitgradingtype>\n<unitpenalty>0.1</unitpenalty>\n<showunits>0</showunits>\n<unitsleft>0</unitsleft>\n");
    ("numerical", out)
}

/// A share of 100 as Moodle writes it.
fn share(of: usize) -> String {
    let share = format!("{:.5}", 100.0 / of.max(1) as f64);
    share.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A product of decimal fractions without the digits that binary ones add.
fn shortened(value: f64) -> f64 {
    format!("{value:.12e}").parse().unwrap_or(value)
}

/// An answer in Markdown.
fn answer(fraction: &str, text: &str, feedback: Option<&Text>) -> String {
    format!(
        "<answer fraction=\"{fraction}\" format=\"markdown\">\n{}{}</answer>\n",
        text_of(text),
        feedback_of(feedback)
    )
}

/// An answer that is compared with what is typed; `more` is what else it has.
fn plain_answer(fraction: &str, text: &str, feedback: Option<&Text>, more: &str) -> String {
    format!(
        "<answer fraction=\"{fraction}\" format=\"plain_text\">\n{}{}{more}</answer>\n",
        text_of(text),
        feedback_of(feedback)
    )
}

fn feedback_of(feedback: Option<&Text>) -> String {
    feedback.map_or(String::new(), |it| {
        element("feedback", &markdown_of_text(it))
    })
}

/// An element with a text in Markdown.
fn element(name: &str, markdown: &str) -> String {
    format!(
        "<{name} format=\"markdown\">\n{}</{name}>\n",
        text_of(markdown)
    )
}

/// A text in a section that no sign but its end means anything in.
fn text_of(text: &str) -> String {
    let text = visible(text).replace("]]>", "]]]]><![CDATA[>");
    format!("<text><![CDATA[{text}]]></text>\n")
}

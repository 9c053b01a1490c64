//! How a response becomes points and feedback, as QTI's little language of conditions.

use crate::markup::escaped;
use crate::markup::joined;
use std::fmt::Write as _;
use warpup_course::kinds::Tolerance;

const RESPONSE: &str = "<variable identifier=\"RESPONSE\"/>";

/// Whether the response is the right one.
pub(super) fn match_correct() -> String {
    format!("<match>{RESPONSE}<correct identifier=\"RESPONSE\"/></match>")
}

/// Whether a response is in this order.
pub(super) fn order_equal(ids: &[String]) -> String {
    let values = joined(
        ids.iter()
            .map(|it| format!("<baseValue baseType=\"identifier\">{it}</baseValue>")),
    );
    format!("<match>{RESPONSE}<ordered>{values}</ordered></match>")
}

/// Whether a number is near enough.
pub(super) fn number_equal(value: f64, tolerance: Tolerance) -> String {
    let number = |it: f64| format!("<baseValue baseType=\"float\">{it}</baseValue>");
    let (low, high) = match tolerance {
        Tolerance::Exact => {
            return format!(
                "<equal toleranceMode=\"exact\">{RESPONSE}{}</equal>",
                number(value)
            );
        }
        Tolerance::Abs(off) => (value - off, value + off),
        Tolerance::Rel(off) => (value - value.abs() * off, value + value.abs() * off),
        Tolerance::Range(low, high) => (low, high),
    };
    format!(
        "<and><gte>{RESPONSE}{}</gte><lte>{RESPONSE}{}</lte></and>",
        number(low),
        number(high)
    )
}

/// Whether a text is this one.
pub(super) fn string_equal(text: &str, case: bool) -> String {
    let text = escaped(text);
    format!(
        "<stringMatch caseSensitive=\"{case}\">{RESPONSE}<baseValue baseType=\"string\">{text}</baseValue></stringMatch>"
    )
}

/// Whether one of these holds.
pub(super) fn or(conditions: &[String]) -> String {
    match conditions {
        [one] => one.clone(),
        several => format!("<or>{}</or>", several.concat()),
    }
}

fn set_score(points: u32) -> String {
    format!(
        "<setOutcomeValue identifier=\"SCORE\"><baseValue baseType=\"float\">{points}</baseValue></setOutcomeValue>"
    )
}

/// All points where a condition holds.
pub(super) fn whole(condition: &str, points: u32) -> String {
    format!(
        "<responseCondition><responseIf>{condition}{}</responseIf></responseCondition>\n",
        set_score(points)
    )
}

/// The points that the mapping gives.
pub(super) fn mapped() -> String {
    "<responseCondition><responseIf><isNull><variable identifier=\"RESPONSE\"/></isNull><setOutcomeValue identifier=\"SCORE\"><baseValue baseType=\"float\">0</baseValue></setOutcomeValue></responseIf><responseElse><setOutcomeValue identifier=\"SCORE\"><mapResponse identifier=\"RESPONSE\"/></setOutcomeValue></responseElse></responseCondition>\n".to_owned()
}

fn set_feedback(names: &str) -> String {
    format!(
        "<setOutcomeValue identifier=\"FEEDBACK\"><multiple>{names}<baseValue baseType=\"identifier\">EXPLAIN</baseValue></multiple></setOutcomeValue>"
    )
}

/// This score, then what is said of each chosen option, and the explanation.
pub(super) fn chosen(score: &str) -> String {
    format!("{score}{}\n", set_feedback(RESPONSE))
}

/// This score, then the explanation.
pub(super) fn explained(score: &str) -> String {
    format!("{score}{}\n", set_feedback(""))
}

/// All points where a condition holds, else what is said to the first that does, by name; and the explanation.
pub(super) fn near(right: &str, points: u32, near: &[(String, String)]) -> String {
    let mut out = format!(
        "<responseCondition>\n<responseIf>{right}{}{}</responseIf>\n",
        set_score(points),
        set_feedback("")
    );
    for (name, condition) in near {
        let said = set_feedback(&format!(
            "<baseValue baseType=\"identifier\">{name}</baseValue>"
        ));
        let _ = writeln!(out, "<responseElseIf>{condition}{said}</responseElseIf>");
    }
    let _ = writeln!(
        out,
        "<responseElse>{}</responseElse>\n</responseCondition>",
        set_feedback("")
    );
    out
}

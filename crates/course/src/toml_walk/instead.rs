//! What to write in place of a value of another type than its key needs.

use super::keys::example;
use super::syntax::as_share;
use toml::Spanned;
use toml::de::DeValue;

/// What to write, and the edit if there is one: old and new text.
pub(super) type Instead = (String, Option<(String, String)>);

/// Lists of which the texts may be written as one, with commas.
const LISTS: [&str; 4] = ["accept", "accepted", "lessons", "requires"];

/// What to write in place of this value; `how` is what is true of each value of the right type.
pub(super) fn instead(name: &str, value: &DeValue<'_>, how: &str) -> Instead {
    let known = table(name, value).or_else(|| match value {
        DeValue::String(text) => of_text(name, text, how),
        DeValue::Integer(number) if how.contains("in quotes: ") => {
            let (old, new) = (number.as_str(), format!("\"{}\"", number.as_str()));
            Some(edit(
                format!("put it in quotes: `{new}`"),
                old.to_owned(),
                new,
            ))
        }
        DeValue::Float(number) if name == "above_percent" => {
            let percent = number.as_str().parse::<f64>().unwrap_or(0.75) * 100.0;
            Some(hint(format!(
                "write it in per cent, as a whole number: `above_percent = {percent:.0}`"
            )))
        }
        DeValue::Float(number) if how.contains("without a point") => {
            let number = number.as_str().parse::<f64>().unwrap_or(8.0);
            Some(hint(format!(
                "write a whole number: `{name} = {:.0}`",
                number.abs().max(1.0)
            )))
        }
        DeValue::Array(list) if how.contains("number") || how.contains("quotes: ") => {
            match list.first().map(Spanned::get_ref) {
                Some(DeValue::String(text)) => Some(hint(format!(
                    "write one text, without brackets: `{name} = \"{text}\"`"
                ))),
                Some(DeValue::Integer(number)) => Some(hint(format!(
                    "write the number without brackets: `{name} = {}`",
                    number.as_str()
                ))),
                Some(_) | None => None,
            }
        }
        DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => None,
    });
    known.unwrap_or_else(|| hint(how.to_owned()))
}

/// What to write where tables are needed, or one.
fn table(name: &str, value: &DeValue<'_>) -> Option<Instead> {
    let text = value.as_str().unwrap_or("…");
    Some(hint(match (name, value) {
        ("pass", DeValue::Integer(number)) => {
            let new = format!("{{ above_percent = {} }}", number.as_str());
            let old = number.as_str().to_owned();
            return Some(edit(format!("write `pass = {new}`"), old, new));
        }
        ("tolerance", DeValue::Array(_)) => {
            "write `tolerance = { range = [10, 20] }`, the lower end first".to_owned()
        }
        ("item" | "option", _) => format!(
            "write each {name} as a table with a name of its own: `{{ id = \"a\", text = \"{text}\" }}`"
        ),
        ("pair", _) => {
            "write each pair as a table: `{ id = \"a\", left = \"…\", right = \"…\" }`".to_owned()
        }
        ("bin", _) => {
            "write each bin as a table: `{ id = \"a\", text = \"…\", from = 1, to = 2 }`".to_owned()
        }
        ("near miss", _) => {
            "write each as a table: `near = [{ value = 12, feedback = \"…\" }]`".to_owned()
        }
        ("question", _) => {
            "write `[[question]]`, with two brackets on each side and nothing else".to_owned()
        }
        ("options" | "items" | "pairs" | "bins" | "near", _) => {
            format!("write a list of tables: `{}`", example(name))
        }
        _ => return None,
    }))
}

/// What to write in place of a text.
fn of_text(name: &str, text: &str, how: &str) -> Option<Instead> {
    let old = format!("\"{text}\"");
    let is_of_number = |it: &char| it.is_ascii_digit() || ".,".contains(*it);
    let number: String = text.chars().filter(is_of_number).collect();
    let number = number.trim_end_matches(['.', ',']).replace(',', ".");
    if name == "tolerance" {
        let is_share = ["%", "percent", "per cent", "pct"]
            .iter()
            .any(|it| text.contains(it));
        let new = if is_share || number.is_empty() {
            as_share(&number)
        } else {
            format!("{{ abs = {number} }}")
        };
        return Some(edit(format!("write `tolerance = {new}`"), old, new));
    }
    if name == "rel" && text.contains('%') {
        let share = as_share(&number);
        return Some(hint(format!(
            "write `{}`",
            share.trim_matches(['{', '}', ' '])
        )));
    }
    if name == "range" {
        return Some(hint(
            "write two numbers in brackets, the lower one first: `range = [10, 20]`".to_owned(),
        ));
    }
    if how.starts_with("put it in brackets") {
        let texts = text
            .split([',', ';'])
            .map(|it| format!("\"{}\"", it.trim()));
        let list = if LISTS.contains(&name) {
            format!("[{}]", texts.collect::<Vec<_>>().join(", "))
        } else {
            format!("[{old}]")
        };
        return Some(edit(
            format!("put it in brackets: `{name} = {list}`"),
            old,
            list,
        ));
    }
    let lower = text.to_lowercase();
    if how.contains("`true`") && ["true", "false"].contains(&lower.as_str()) {
        return Some(edit(how.to_owned(), old, lower));
    }
    let is_number = text.starts_with(|it: char| it.is_ascii_digit() || it == '-');
    if !how.contains("number") || !is_number || number.parse::<f64>().is_err() {
        return None;
    }
    let how = how.split(", such as").next().unwrap_or(how);
    let sign = if text.starts_with('-') { "-" } else { "" };
    let number = format!("{sign}{number}");
    Some(edit(format!("{how}: `{name} = {number}`"), old, number))
}

fn hint(hint: String) -> Instead {
    (hint, None)
}

fn edit(hint: String, old: String, new: String) -> Instead {
    (hint, Some((old, new)))
}

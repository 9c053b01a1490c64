//! What to write in place of a value of another type than its key needs.

use super::keys::example;
use super::syntax::as_share;
use toml::Spanned;
use toml::de::DeValue;

/// What to write, and what comes in place of the whole value, if there is exactly one thing.
pub(super) type Instead = (String, Option<String>);

/// Lists of which the texts may be written as one, with commas.
const LISTS: [&str; 4] = ["accept", "accepted", "lessons", "requires"];
/// Lists of names, in which a space can only be between two of them.
const NAMES: [&str; 2] = ["lessons", "requires"];

/// What to write in place of this value; `how` is what is true of each value of the right type.
pub(super) fn instead(name: &str, value: &DeValue<'_>, how: &str) -> Instead {
    let known = table(name, value).or_else(|| match value {
        DeValue::String(text) => of_text(name, text, how),
        DeValue::Integer(number) if how.contains("in quotes: ") => {
            let new = format!("\"{}\"", number.as_str());
            Some(edit(format!("put it in quotes: `{new}`"), new))
        }
        DeValue::Table(table) if how.contains("quotes: ") => {
            let texts = table.values().filter_map(|it| it.get_ref().as_str());
            // The name of an entry is shorter than what it says.
            let text = quoted(texts.max_by_key(|it| it.len()).unwrap_or("…"));
            Some(hint(if example(name).contains("[\"") {
                format!("write the texts alone, in one list: `{name} = [{text}, …]`")
            } else {
                format!("write the text alone: `{name} = {text}`")
            }))
        }
        DeValue::Float(number)
            if number.as_str().ends_with("inf") && ["from", "to"].contains(&name) =>
        {
            Some(hint(format!(
                "leave `{name}` out: a bin without it is open at this end"
            )))
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
            return Some(edit(format!("write `pass = {new}`"), new));
        }
        ("pass", DeValue::String(text)) => {
            let percent: String = text.chars().filter(char::is_ascii_digit).collect();
            let percent = if percent.is_empty() { "75" } else { &percent };
            format!("write `pass = {{ above_percent = {percent} }}`")
        }
        ("pin", DeValue::Boolean(_)) => {
            "write `pin = \"last\"` for an option that stays last, or leave it out".to_owned()
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
        ("near miss", DeValue::String(text)) if text.parse::<f64>().is_err() => {
            format!("write each as a table: `near = [{{ text = \"{text}\", feedback = \"…\" }}]`")
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
        return Some(edit(format!("write `tolerance = {new}`"), new));
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
        let texts: Vec<_> = entries(name, text).iter().map(|it| quoted(it)).collect();
        let list = format!("[{}]", texts.join(", "));
        return Some(edit(format!("put it in brackets: `{name} = {list}`"), list));
    }
    let lower = text.to_lowercase();
    if how.contains("`true`") && ["true", "false"].contains(&lower.as_str()) {
        return Some(edit(how.to_owned(), lower));
    }
    let is_number = text.starts_with(|it: char| it.is_ascii_digit() || it == '-');
    let behind = text.trim_start_matches(|it: char| is_of_number(&it) || "-_ ".contains(it));
    let is_written = text.parse::<f64>().is_ok_and(f64::is_finite);
    let thousands = thousands(text);
    if how.contains("number") && (is_written || thousands.is_some()) {
        let how = how.split(", such as").next().unwrap_or(how);
        let number = thousands.unwrap_or_else(|| text.to_owned());
        return Some(edit(format!("{how}: `{name} = {number}`"), number));
    }
    if how.contains("number") && behind.contains(|it: char| it.is_ascii_digit()) {
        return ["answer", "value"].contains(&name).then(|| {
            hint(format!(
                "write the number that it comes to, such as `{name} = 0.25`; arithmetic in quotes needs numbers that are drawn, `draw`"
            ))
        });
    }
    if !how.contains("number") || !is_number || number.parse::<f64>().is_err() {
        return None;
    }
    let how = how.split(", such as").next().unwrap_or(how);
    let sign = if text.starts_with('-') { "-" } else { "" };
    let number = format!("{sign}{number}");
    Some(edit(format!("{how}: `{name} = {number}`"), number))
}

/// A whole number with commas between its thousands, without them.
fn thousands(text: &str) -> Option<String> {
    let mut parts = text.split(',');
    let are_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let first = parts.next()?;
    let is_first = (1..=3).contains(&first.len()) && are_digits(first) && first != "0";
    let mut rest = parts.clone().peekable();
    rest.peek()?;
    (is_first && rest.all(|it| it.len() == 3 && are_digits(it)))
        .then(|| first.chars().chain(parts.flat_map(str::chars)).collect())
}

fn hint(hint: String) -> Instead {
    (hint, None)
}

fn edit(hint: String, new: String) -> Instead {
    (hint, Some(new))
}

/// The entries of a list that was written as a text: its lines or items, or what is between commas.
fn entries(name: &str, text: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    let lines = || text.lines().map(str::trim).filter(|it| !it.is_empty());
    let has_items = lines().any(|it| item(it).is_some());
    for line in lines() {
        match (item(line), entries.last_mut()) {
            (None, Some(above)) if has_items => {
                above.push(' ');
                above.push_str(line);
            }
            (item, _) => entries.push(item.unwrap_or(line).to_owned()),
        }
    }
    if LISTS.contains(&name) {
        let ends = |it: char| ",;".contains(it) || NAMES.contains(&name) && it.is_whitespace();
        let parts = entries.iter().flat_map(|it| it.split(ends));
        let parts = parts.map(|it| it.trim_matches(['[', ']', '"', '\'', ' ']));
        return parts
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect();
    }
    entries
}

/// What is behind the mark of an item of a list, such as `- ` or `2. `.
fn item(line: &str) -> Option<&str> {
    let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let after = if number.len() < line.len() {
        number.strip_prefix(['.', ')'])?
    } else {
        line.strip_prefix(['-', '*', '•'])?
    };
    after.strip_prefix(' ').map(str::trim)
}

/// A text in TOML.
fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) && !text.contains('\'') {
        return format!("'{text}'");
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_written_as_a_text_has_its_lines_or_items_or_what_is_between_commas() {
        let list = |name: &str, text: &str| entries(name, text).join(" | ");
        let objectives = |text: &str| list("objectives", text);
        assert_eq!(
            objectives("- Say it, well.\n- Do it.\n"),
            "Say it, well. | Do it."
        );
        assert_eq!(
            objectives("1. Say it\n   well.\n\n2) Do it."),
            "Say it well. | Do it."
        );
        assert_eq!(objectives("Say it.\nDo it."), "Say it. | Do it.");
        assert_eq!(objectives("Say 2. It - or not"), "Say 2. It - or not");
        assert_eq!(list("lessons", "a.md, b.md c.md"), "a.md | b.md | c.md");
        assert_eq!(list("lessons", "['a.md', 'b.md']"), "a.md | b.md");
        assert_eq!(
            list("accept", "one stream; a queue,"),
            "one stream | a queue"
        );
    }

    #[test]
    fn commas_between_thousands_are_left_out() {
        assert_eq!(thousands("1,000").as_deref(), Some("1000"));
        assert_eq!(thousands("12,345,678").as_deref(), Some("12345678"));
        for other in ["0,125", "1,5", "1000", "1,000 MB", "", "1234,567"] {
            assert_eq!(thousands(other), None, "{other}");
        }
    }

    #[test]
    fn quotes_in_a_text_do_not_end_it() {
        assert_eq!(quoted("a 'b'"), "\"a 'b'\"");
        assert_eq!(quoted("a \"b\""), "'a \"b\"'");
        assert_eq!(quoted("it's \"b\" \\"), "\"it's \\\"b\\\" \\\\\"");
    }
}

//! The words after a fence as people write them who remember the form only roughly, and as they have to be.

use super::fence::LAB_BLOCKS;

/// The attributes of a lab that no other block has.
const OF_LAB: [&str; 5] = ["id", "device", "predict", "timeout", "memory"];
/// The words without `=` that are known.
const FLAGS: [&str; 3] = ["lab", "figure", "withheld"];

/// What a back-tick in the words behind a fence does.
pub(crate) const TICK_BEHIND_FENCE: &str =
    "a back-tick behind ``` makes this line text, so it begins no block";

/// What to do about it.
pub(crate) const TICKS_OUT: &str = "leave the back-ticks in this line out, or write `~~~` in place of ``` here and where the block ends";

/// Whether these words behind a fence are those of a block with a meaning: a lab, its check, a figure, a repair.
pub(crate) fn is_of_block(words: &str) -> bool {
    let begins = [
        "id=",
        "title=",
        "alt=",
        "check=",
        "solution=",
        "same-as=",
        "right=",
        "wrong=",
    ];
    begins.iter().any(|it| words.contains(&format!(" {it}")))
}

/// The words in the form that they need; nothing where they have it, or where it is not clear what is meant.
pub(crate) fn meant(written: &str) -> Option<String> {
    let text = written.trim();
    let text = text
        .strip_prefix('{')
        .and_then(|it| it.strip_suffix('}'))
        .unwrap_or(text);
    let mut words = joined(&split(&straight(text)));
    let named =
        |words: &[String], key: &str| words.iter().any(|it| it.starts_with(&format!("{key}=")));
    let is_block = |words: &[String]| LAB_BLOCKS.iter().any(|it| named(words, it));
    let is_known = |it: &String| it.contains('=') || FLAGS.contains(&it.as_str());
    let language = words.iter().position(|it| !is_known(it));
    let has_flag = |words: &[String], flag: &str| words.iter().any(|it| it == flag);
    if language.is_some_and(|it| it > 0) && words.iter().filter(|it| !is_known(it)).count() == 1 {
        let moved = words.remove(language?);
        words.insert(0, moved);
    } else if language.is_none() {
        let language = match (has_flag(&words, "figure"), named(&words, "same-as")) {
            (true, _) => "text",
            (false, true) => "rust",
            (false, false) => "python",
        };
        words.insert(0, language.to_owned());
    }
    if is_block(&words) {
        words.retain(|it| it != "lab");
    }
    let others = words.iter().skip(1).filter(|it| !is_known(it)).count();
    let is_of_lab = OF_LAB.iter().any(|it| named(&words, it));
    if is_of_lab
        && !has_flag(&words, "lab")
        && !has_flag(&words, "figure")
        && !is_block(&words)
        && others == 0
    {
        words.insert(1, "lab".to_owned());
    }
    let is_clear = has_flag(&words, "lab") || has_flag(&words, "figure") || is_block(&words);
    let meant = words.join(" ");
    let same = split(written.trim()).join(" ") == meant;
    (is_clear && others == 0 && !same).then_some(meant)
}

/// Straight quotation marks in place of others, and none of the spaces around `=`.
fn straight(text: &str) -> String {
    let text = text.replace(['“', '”', '„', '«', '»'], "\"");
    let text = text
        .replace(" = ", "=")
        .replace("= ", "=")
        .replace(" =", "=");
    match text.split_once("='") {
        Some((before, rest)) if rest.contains('\'') => {
            format!("{before}=\"{}", rest.replacen('\'', "\"", 1))
        }
        Some(_) | None => text,
    }
}

/// The words; one in quotes reaches over spaces.
fn split(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.chars() {
        is_quoted ^= letter == '"';
        if letter.is_whitespace() && !is_quoted {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(letter);
        }
    }
    words.retain(|it| !it.is_empty());
    words
}

/// Each word as it has to be, and words that belong together as one.
fn joined(words: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        let word = word.trim_end_matches([',', ';']).trim_start_matches('.');
        let keys = OF_LAB
            .iter()
            .chain(&LAB_BLOCKS)
            .chain(&["title", "alt", "file", "lab"]);
        let mut keys = keys.copied();
        let lower = word.to_lowercase();
        let by_colon = keys.clone().find(|it| lower.starts_with(&format!("{it}:")));
        let key = lower.split('=').next().unwrap_or_default();
        let word = match (by_colon, word.split_once('=')) {
            (Some(key), _) => format!("{key}={}", word.get(key.len() + 1..).unwrap_or_default()),
            (None, Some((_, value))) if keys.any(|it| it == key) => format!("{key}={value}"),
            (None, None) if FLAGS.contains(&lower.as_str()) || lower == "python" => lower,
            (None, None) if word.len() > 1 && word.starts_with('#') => word.replacen('#', "id=", 1),
            (None, _) => word.to_owned(),
        };
        if let Some(id) = word.strip_prefix("lab=") {
            joined.extend(["lab".to_owned(), format!("id={id}")]);
            continue;
        }
        let last = joined.last().cloned().unwrap_or_default();
        let is_unit = ["s", "ms", "sec", "seconds", "mib", "gib", "mb", "gb"]
            .contains(&word.to_lowercase().as_str());
        if is_unit && (last.starts_with("timeout=") || last.starts_with("memory=")) {
            joined.pop();
            let unit = if word.starts_with("sec") { "s" } else { &word };
            joined.push(format!("{last}{unit}"));
        } else if joined.len() > 1 && LAB_BLOCKS.contains(&last.as_str()) {
            joined.pop();
            joined.push(format!(
                "{last}={}",
                word.strip_prefix("id=").unwrap_or(&word)
            ));
        } else {
            joined.push(word);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn words_get_the_form_that_they_need() {
        for (written, needed) in [
            (
                "python id=copy title=\"Copy it\"",
                "python lab id=copy title=\"Copy it\"",
            ),
            ("lab id=copy", "python lab id=copy"),
            ("lab python id=copy", "python lab id=copy"),
            ("{python lab id=copy}", "python lab id=copy"),
            ("python Lab id=copy", "python lab id=copy"),
            ("python lab id = copy", "python lab id=copy"),
            (
                "python lab id:copy, device:cuda",
                "python lab id=copy device=cuda",
            ),
            ("python lab #copy", "python lab id=copy"),
            ("python lab=copy", "python lab id=copy"),
            (
                "python lab id=copy title=“Copy it”",
                "python lab id=copy title=\"Copy it\"",
            ),
            (
                "python lab id=copy timeout=10 s",
                "python lab id=copy timeout=10s",
            ),
            ("check=copy", "python check=copy"),
            ("python check copy", "python check=copy"),
            ("python solution id=copy", "python solution=copy"),
            ("python lab solution=copy", "python solution=copy"),
            ("same-as=copy", "rust same-as=copy"),
            ("figure alt=\"Two boxes\"", "text figure alt=\"Two boxes\""),
        ] {
            assert_eq!(meant(written).as_deref(), Some(needed), "{written}");
        }
    }

    #[test]
    fn what_has_it_or_is_not_clear_stays() {
        for written in [
            "",
            "python",
            "text",
            "python lab id=copy device=cuda",
            "python check=copy",
            "python lap id=copy",
            "python solution=copy withheld",
            "python lab id=copy title=Copy it now",
            "py lab id=copy",
            "text figure alt=\"Two boxes: host, card\"",
            "console",
            "python lab id=copy timout=10s",
        ] {
            assert_eq!(meant(written), None, "{written}");
        }
    }
}

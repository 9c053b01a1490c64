//! Text that fits into columns.

use unicode_width::UnicodeWidthStr;
use warpup_text::shown::Shown;

/// As much of a text that ends with a file and a line as fits into `columns`, on one line and safe to print. What is cut is the path
/// in front, and only then the end: `…/train.py:42` still says where.
pub fn cut_path(text: &str, columns: usize) -> String {
    let text = Shown::one_line(text).into_string();
    let line = text.char_indices().zip(text.chars().skip(1));
    let line = line.filter(|((_, colon), next)| *colon == ':' && next.is_ascii_digit());
    let line = line.map(|((at, _), _)| at).next().unwrap_or(0);
    let mut rest = text.as_str();
    let mut cut = 0;
    while cut < line && rest.width() + usize::from(cut > 0) > columns {
        let mut letters = rest.chars();
        cut += letters.next().map_or(0, char::len_utf8);
        rest = letters.as_str();
    }
    if cut == 0 {
        return cut_line(rest, columns);
    }
    cut_line(&format!("…{rest}"), columns)
}

/// As much of a text as fits into `columns`, on one line and safe to print; `…` marks the end of a text that was cut.
pub fn cut_line(text: &str, columns: usize) -> String {
    let text = Shown::one_line(text).into_string();
    if text.width() <= columns {
        return text;
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if kept.width() >= columns {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_long_path_stays() {
        let long = "a_long_folder/profiler_api.py:42 in step";
        assert_eq!(cut_path(long, 60), long);
        assert_eq!(cut_path(long, 20), "…r_api.py:42 in step");
        assert_eq!(cut_path(long, 10), "…:42 in s…");
        assert_eq!(cut_path("aten::convolution_backward", 12), "aten::convo…");
        assert_eq!(cut_path("train.py:42", 0), "…");
    }
}

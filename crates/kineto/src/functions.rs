//! Which function of a Python program a line is in, read off its indentation.

/// A function of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FunctionDefinition<'a> {
    name: &'a str,
    /// Where it begins, with its decorators as in Python.
    begin: u32,
    /// The line of its `def`.
    def: u32,
    /// The first line that belongs to it: that of its `def` where its body follows on the same line.
    body: u32,
    last: u32,
}

/// The functions of a program, read off its indentation.
pub(super) fn functions(source: &str) -> Vec<FunctionDefinition<'_>> {
    let mut functions: Vec<FunctionDefinition<'_>> = Vec::new();
    let mut open: Vec<(usize, FunctionDefinition<'_>)> = Vec::new();
    let mut decorated: Option<u32> = None;
    let mut state = LexerState::default();
    for (number, line) in (1..).zip(source.lines()) {
        let text = line.trim_start();
        let goes_on = state.goes_on();
        let body = state.read(line);
        if !goes_on && (text.is_empty() || text.starts_with('#')) {
            continue;
        }
        let indent = line.len() - text.len();
        while !goes_on && let Some((_, ended)) = open.pop_if(|it| indent <= it.0) {
            functions.push(ended);
        }
        for (_, it) in &mut open {
            it.last = number;
        }
        if goes_on {
            continue;
        }
        if text.starts_with('@') {
            decorated = decorated.or(Some(number));
        } else if let Some(rest) = after_def(text) {
            let function = FunctionDefinition {
                name: rest.split(['(', '[', ' ']).next().unwrap_or_default(),
                begin: decorated.take().unwrap_or(number),
                def: number,
                body: if body { number } else { number + 1 },
                last: number,
            };
            open.push((indent, function));
        } else {
            decorated = None;
        }
    }
    functions.extend(open.into_iter().map(|it| it.1));
    functions
}

/// Where in brackets and texts of several lines a program is.
#[derive(Debug, Default)]
struct LexerState {
    /// Open brackets.
    depth: usize,
    /// The quotation marks of a text of several lines.
    text: Option<&'static str>,
}

impl LexerState {
    /// Whether the next line goes on with what began before, so that its indentation means nothing.
    fn goes_on(&self) -> bool {
        self.depth > 0 || self.text.is_some()
    }

    /// Reads a line. Says whether something follows a colon outside of brackets, as in `def f(x): return x`.
    fn read(&mut self, line: &str) -> bool {
        let mut rest = line;
        let mut is_after_colon = false;
        while let Some(first) = rest.chars().next() {
            if let Some(mark) = self.text {
                let Some(end) = rest.find(mark) else {
                    return is_after_colon;
                };
                rest = rest.get(end + mark.len()..).unwrap_or_default();
                self.text = None;
                continue;
            }
            let marks = ["\"\"\"", "'''"];
            if let Some(mark) = marks.into_iter().find(|it| rest.starts_with(it)) {
                self.text = Some(mark);
                rest = rest.get(mark.len()..).unwrap_or_default();
                continue;
            }
            let mut taken = first.len_utf8();
            match first {
                '#' => return is_after_colon,
                '\'' | '"' => taken += text_length(rest.get(1..).unwrap_or_default(), first),
                '(' | '[' | '{' => self.depth += 1,
                ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            rest = rest.get(taken..).unwrap_or_default();
            if first == ':' && self.depth == 0 {
                let after = rest.trim_start();
                is_after_colon |= !after.is_empty() && !after.starts_with('#');
            }
        }
        is_after_colon
    }
}

/// The length of a text on one line, with its last quotation mark.
fn text_length(rest: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, it) in rest.char_indices() {
        if it == mark && !is_escaped {
            return at + it.len_utf8();
        }
        is_escaped = it == '\\' && !is_escaped;
    }
    rest.len()
}

fn after_def(text: &str) -> Option<&str> {
    text.strip_prefix("async ")
        .unwrap_or(text)
        .strip_prefix("def ")
}

/// The line on which the innermost function around a line begins. Outside of functions it is 1, where the module begins; a `def`
/// itself runs outside its function.
pub(super) fn function_of(line: u32, functions: &[FunctionDefinition<'_>]) -> u32 {
    let around = functions
        .iter()
        .filter(|it| (it.body..=it.last).contains(&line));
    around.map(|it| it.begin).max().unwrap_or(1)
}

/// The name of the function that begins on a line, and of the module that begins on the first.
pub(super) fn name_at(begin: u32, functions: &[FunctionDefinition<'_>]) -> String {
    let named = functions.iter().find(|it| it.begin == begin);
    named.map_or("<module>", |it| it.name).to_owned()
}

/// A function that begins elsewhere in the program than in a trace: the program is another version.
pub(super) fn moved<'a>(
    recorded: &'a [(String, u32)],
    functions: &[FunctionDefinition<'_>],
) -> Option<(&'a str, u32, u32)> {
    recorded.iter().find_map(|(name, line)| {
        let mut named = functions.iter().filter(|it| it.name == name);
        let (Some(only), None) = (named.next(), named.next()) else {
            return None;
        };
        (only.begin != *line && only.def != *line).then_some((name.as_str(), *line, only.begin))
    })
}

/// The line on which a recorded function begins. That of one which already ran when the recording began is the line that ran then.
pub(super) fn begin(line: u32, name: &str, functions: &[FunctionDefinition<'_>]) -> u32 {
    if name == "<module>" {
        return 1;
    }
    if functions.iter().any(|it| it.begin == line) {
        return line;
    }
    let mut named = functions.iter().filter(|it| it.name == name);
    match (named.next(), named.next()) {
        (Some(only), None) => only.begin,
        (None, _) | (Some(_), Some(_)) => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
import torch

@torch.no_grad()
def step(
    x,
):
    a = x

    def inner():
        return a
    # back in step
    return inner()

class Net:
    def forward(self, x):
        return x
step(1)
";

    #[test]
    fn a_line_belongs_to_the_innermost_function_around_it() {
        let begins = functions(SOURCE);
        let of: Vec<u32> = (1..=17).map(|it| function_of(it, &begins)).collect();
        assert_eq!(of, [1, 1, 1, 1, 3, 3, 3, 3, 3, 9, 3, 3, 1, 1, 1, 15, 1]);
    }

    #[test]
    fn texts_and_brackets_of_several_lines_do_not_end_a_function() {
        let source = "\
import torch
def step(x, y=(1,
2),
):
    text = '''
at the beginning (of a line
'''  # it's over
    return \"'''\"
def one(x): return x
def two(x: int) -> int:  # two
    return x
step(1)
";
        let functions = functions(source);
        let of: Vec<u32> = (1..=12).map(|it| function_of(it, &functions)).collect();
        assert_eq!(of, [1, 1, 2, 2, 2, 2, 2, 2, 9, 1, 10, 1]);
        let names: Vec<_> = functions.iter().map(|it| (it.name, it.last)).collect();
        assert_eq!(names, [("step", 8), ("one", 9), ("two", 11)]);
    }

    #[test]
    fn a_function_that_begins_elsewhere_shows_another_version() {
        let functions = functions(SOURCE);
        let recorded = |line| vec![("inner".to_owned(), line), ("<lambda>".to_owned(), 2)];
        assert_eq!(moved(&recorded(9), &functions), None);
        assert_eq!(moved(&recorded(6), &functions), Some(("inner", 6, 9)));
    }

    #[test]
    fn a_function_that_already_ran_is_found_by_its_name() {
        let functions = functions(SOURCE);
        assert_eq!(begin(17, "<module>", &functions), 1);
        assert_eq!(begin(12, "step", &functions), 3);
        assert_eq!(begin(9, "inner", &functions), 9);
        assert_eq!(begin(40, "unknown", &functions), 40);
    }
}

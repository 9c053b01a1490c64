//! Lines that are not Python and come with a program from a notebook, an interpreter or a terminal.

/// Commands of a terminal that people paste with a program.
const COMMANDS: [&str; 7] = [
    "conda ",
    "nvidia-smi",
    "pip ",
    "pip3 ",
    "python ",
    "python3 ",
    "sudo ",
];

/// What to do about the line at which Python stops; nothing where the line says nothing about its origin.
pub fn instead(line: &str) -> Option<&'static str> {
    let line = line.trim();
    let begins = |it: &&str| line.starts_with(*it);
    if line.starts_with(">>> ") || line.starts_with("... ") {
        return Some("leave out the `>>> ` of the interpreter, and what it printed");
    }
    if is_numbered(line, "In [") || is_numbered(line, "Out[") {
        return Some("leave out the `In [1]:` of the notebook, and what it printed");
    }
    if let Some(rest) = line.strip_prefix('%') {
        let is_magic = rest
            .trim_start_matches('%')
            .starts_with(char::is_alphabetic);
        return is_magic.then_some(
            "leave this line out: a command that begins with `%` is one of a notebook, and no Python",
        );
    }
    let of_shell = line.starts_with('!') && !line.starts_with("!=") || line.starts_with("$ ");
    if of_shell || COMMANDS.iter().any(begins) && !line.contains(['=', '(']) {
        return Some(
            "leave this line out: it is a command of a terminal, and a lab has its packages already",
        );
    }
    if line.starts_with("```") {
        return Some("leave this line out: the program is between the two fences of its block");
    }
    let name = line.strip_suffix('?')?.trim_end_matches('?');
    let is_name = |it: char| it.is_alphanumeric() || "._".contains(it);
    (!name.is_empty() && name.chars().all(is_name))
        .then_some("leave this line out: `?` asks a notebook for help, and is no Python")
}

/// Whether a line begins with a mark of a notebook that has a number in brackets.
fn is_numbered(line: &str, mark: &str) -> bool {
    let number = line.strip_prefix(mark).and_then(|it| it.split_once("]:"));
    number.is_some_and(|it| it.0.chars().all(|it| it.is_ascii_digit() || it == ' '))
}

/// What to do about a sign that Python does not know, by its message.
pub fn instead_of_sign(message: &str) -> Option<&'static str> {
    if message.contains("U+00A0") || message.contains("U+202F") || message.contains("U+2009") {
        return Some(
            "type the spaces of this line again: one of them is a no-break space, as texts from the web have it",
        );
    }
    if message.contains("non-printable character") {
        return Some("type this line again: it has a sign that nobody sees");
    }
    message.contains("invalid character").then_some(
        "write straight quotation marks and the signs of a keyboard; correct this line, or the one above it",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_notebooks_interpreters_and_terminals_are_known() {
        for (line, part) in [
            ("%%time", "one of a notebook"),
            ("%matplotlib inline", "one of a notebook"),
            ("    %timeit x @ y", "one of a notebook"),
            ("!pip install numpy", "a command of a terminal"),
            ("$ python train.py", "a command of a terminal"),
            ("pip install torch", "a command of a terminal"),
            ("In [12]: import torch", "`In [1]:`"),
            ("Out[12]: tensor(3.)", "`In [1]:`"),
            (">>> import torch", "`>>> `"),
            ("... print(x)", "`>>> `"),
            ("torch.zeros?", "asks a notebook for help"),
            ("```python", "two fences"),
        ] {
            let said = instead(line).unwrap_or_default();
            assert!(said.contains(part), "{line}: {said}");
        }
    }

    #[test]
    fn other_lines_are_not() {
        for line in [
            "",
            "% 2",
            "!= 3",
            "x = 5 % 2",
            "In [a for a in b]",
            "python = 3",
            "pip (x",
            "what is it?",
            "print x",
            "?",
        ] {
            assert_eq!(instead(line), None, "{line}");
        }
    }

    #[test]
    fn signs_that_nobody_sees_are_named() {
        let said = |message: &str| instead_of_sign(message).unwrap_or_default();
        assert!(said("invalid non-printable character U+00A0").contains("no-break space"));
        assert!(said("invalid non-printable character U+200B").contains("nobody sees"));
        assert!(said("invalid character '“' (U+201C)").contains("straight quotation marks"));
        assert_eq!(instead_of_sign("invalid syntax"), None);
    }
}

//! The names of `lab` and `lab.run` in checks. A check always has the helper, so a name that it does not have is a mistake.

use super::Fold;
use crate::diagnostics::{Rule, nearest};
use crate::lesson::lab::FILE;
use crate::markdown::Info;
use crate::program_text::{ProgramPart, parts};
use std::ops::Range;

/// What `lab` has.
const HELPERS: [&str; 14] = [
    "check",
    "metric",
    "plot",
    "bars",
    "cpu_work",
    "release_threshold",
    "expect_error",
    "output",
    "source",
    "run",
    "code",
    "at_most",
    "used",
    "ran_again",
];
/// What `lab.run` has.
const FACTS: [&str; 17] = [
    "operations",
    "launches",
    "calls",
    "copies",
    "copies_to_device",
    "copies_to_host",
    "waits",
    "allocations",
    "pinned",
    "batches",
    "seeds",
    "stream_waits",
    "hazards",
    "peak",
    "held",
    "not_computed",
    "result",
];

/// So many of them are looked for in a check: finding the place of one takes a pass.
const MOST: usize = 20;

/// A name that something does not have.
struct UnknownHelper<'a> {
    /// `lab` or `lab.run`.
    of: &'static str,
    name: &'a str,
    /// Its line in the program, from 1.
    line: usize,
}

impl Fold<'_, '_> {
    /// Reports names in a check that the helper does not have. The block of the check begins at this byte of the file.
    pub(super) fn check_helpers(&mut self, info: &Info<'_>, check: &str, block: usize) {
        for found in unknown(check) {
            let UnknownHelper { of, name, line } = found;
            let known = if of == "lab" {
                &HELPERS[..]
            } else {
                &FACTS[..]
            };
            let message = format!("`{of}` has no `{name}`");
            if let Some(file) = info.attribute(FILE) {
                let near = nearest(name, known.iter().copied());
                let meant = near.map_or_else(|| known.join(", "), |it| format!("`{it}`"));
                self.report
                    .error(Rule::UnknownHelper, file.span.clone(), message)
                    .hint(format!("write {meant} on line {line} of `{}`", file.value));
                continue;
            }
            let at = self.name_in(block, line, &format!("{of}.{name}"), name.len());
            let all = format!("it has {}", known.join(", "));
            self.report
                .error(Rule::UnknownHelper, at, message)
                .did_you_mean_or(name, known.iter().copied(), all);
        }
    }

    /// The bytes of the file that end what is `written` on a line of a block, of which line 0 is the fence.
    fn name_in(&self, block: usize, line: usize, written: &str, length: usize) -> Range<usize> {
        let body = self.spot.span(&(0..0)).start;
        let rest = self.text.get(block.saturating_sub(body)..);
        let lines = rest.unwrap_or_default().split_inclusive('\n');
        let start = block + lines.clone().take(line).map(str::len).sum::<usize>();
        let text = lines.clone().nth(line).unwrap_or_default();
        match text.find(written) {
            Some(at) => {
                let end = start + at + written.len();
                end - length..end
            }
            None => start..start + text.trim_end().len(),
        }
    }
}

/// The names that `lab` and `lab.run` do not have, in the order of a program.
fn unknown(program: &str) -> Vec<UnknownHelper<'_>> {
    let mut found = Vec::new();
    let mut line = 1;
    for (part, text) in parts(program) {
        let code = if part == ProgramPart::Code { text } else { "" };
        for (at, _) in code.match_indices("lab.") {
            let (before, after) = code.split_at(at);
            if before.ends_with(|it: char| is_of_name(it) || it == '.') {
                continue;
            }
            let (helper, rest) = name(after.strip_prefix("lab.").unwrap_or_default());
            let fact = rest.strip_prefix('.').filter(|_| helper == "run");
            let (of, name) = match fact {
                Some(fact) => ("lab.run", name(fact).0),
                None => ("lab", helper),
            };
            let is_known = if of == "lab" {
                HELPERS.contains(&name)
            } else {
                FACTS.contains(&name)
            };
            if !is_known && !name.is_empty() && !name.starts_with('_') {
                let line = line + before.matches('\n').count();
                found.push(UnknownHelper { of, name, line });
            }
            if found.len() >= MOST {
                return found;
            }
        }
        line += text.matches('\n').count();
    }
    found
}

/// The name at the start of a text, and what is behind it.
fn name(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(is_of_name);
    let name = text.strip_suffix(rest).unwrap_or_default();
    (name, rest)
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_the_helper_does_not_have_are_found_in_code_alone() {
        let program = "lab.check('lab.x', lab.run.copis.times == 1)  # lab.y\nmylab.z()\nlab.lab.v\n\nlab.run\nlab.chek(\n  lab.run.waits.tims)\n";
        let found = unknown(program);
        let found: Vec<_> = found.iter().map(|it| (it.of, it.name, it.line)).collect();
        assert_eq!(
            found,
            [
                ("lab.run", "copis", 1),
                ("lab", "lab", 3),
                ("lab", "chek", 6)
            ]
        );
    }

    #[test]
    fn the_names_are_those_of_the_reference() {
        let reference = include_str!("../../../../../docs/authoring/reference.md");
        let has = |it: &str| reference.contains(it);
        for name in HELPERS {
            assert!(
                has(&format!("`lab.{name}")) || has(&format!("`with lab.{name}")),
                "{name}"
            );
        }
        for name in FACTS {
            assert!(has(&format!("`{name}`")), "{name}");
        }
        let (_, table) = reference.split_once("| `lab.run.` |").unwrap();
        for row in table.lines().skip(2).take_while(|it| it.starts_with('|')) {
            let names = row.split('|').nth(1).unwrap().split(',');
            for name in names {
                assert!(FACTS.contains(&name.trim_matches([' ', '`'])), "{row}");
            }
        }
    }
}

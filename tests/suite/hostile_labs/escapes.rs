//! Programs that try to leave the interpreter, by bytecode of their own or by a module that reaches the machine.

use super::*;
use crate::support::source;

/// The programs of a file in `tests/fixtures/escapes`: each with its name and the exception that it has to raise.
fn escapes(file: &str) -> Vec<(String, String, String)> {
    let path = format!("tests/fixtures/escapes/{file}");
    let text = &source::files_under(&path)[0].text;
    let cases = text.split("\n== ").skip(1);
    cases
        .map(|case| {
            let (head, program) = case.split_once('\n').unwrap();
            let (name, kind) = head.rsplit_once(": ").unwrap();
            (name.to_owned(), kind.to_owned(), program.to_owned())
        })
        .collect()
}

/// Runs the programs one after the other in one worker, as an app does.
fn assert_none_escapes(file: &str, at_least: usize) {
    let escapes = escapes(file);
    assert!(escapes.len() >= at_least, "{}", escapes.len());
    let mut runner = LabRunner::start();
    for (name, kind, program) in escapes {
        let run = runner.run(python(program));
        let Outcome::Raised(raised) = outcome(&run) else {
            panic!("{name}: {:?}\n{}", outcome(&run), run.output);
        };
        assert_eq!(raised.kind, kind, "{name}: {}", raised.message);
    }
    assert_works(&mut runner);
}

#[test]
fn no_program_makes_bytecode_of_its_own() {
    assert_none_escapes("bytecode.txt", 60);
}

#[test]
fn no_import_reaches_the_machine() {
    assert_none_escapes("imports.txt", 60);
}

#[test]
fn the_refusal_of_bytecode_says_why() {
    let raised = raised("def f(): pass\nf.__code__.replace(co_code=b'')");
    insta::assert_snapshot!(raised.message, @"warpup makes code objects from text only: its interpreter executes bytecode without checking it");
}

#[test]
fn a_function_may_have_the_code_of_another() {
    let source = "import types\ndef f(): return 1\ndef g(): return 2\nf.__code__ = g.__code__\n\
                  print(f(), types.FunctionType(g.__code__, {})(), eval(compile('1 + 2', 'x', 'eval')))";
    assert_eq!(end_of(python(source)).output, "2 2 3\n");
}

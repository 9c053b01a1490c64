//! Takes the bytecode of a code object apart, and puts it together again with marks between its instructions.
//!
//! A mark is a constant whose truth is asked for, and no answer makes a difference: `LOAD_CONST`, and a jump to the next
//! instruction. That leaves the stack as it was, and makes no object. Who wants marks says where; what follows from them is here:
//! the distances of jumps, the prefixes of arguments beyond 255, the exception table, and the lines of tracebacks.

use rustpython_vm::builtins::PyCode;
use rustpython_vm::bytecode::{
    Arg, CodeUnit, CodeUnits, ExceptionTableEntry, Instruction, OpArgByte, decode_exception_table,
    encode_exception_table,
};

const LOAD: Instruction = Instruction::LoadConst {
    consti: Arg::marker(),
};
const ASK: Instruction = Instruction::PopJumpIfFalse {
    delta: Arg::marker(),
};

/// An instruction with its prefixes and caches.
pub(super) struct CodeStep {
    pub(super) instruction: Instruction,
    argument: u32,
    /// Its first code unit, a prefix if it has one.
    pub(super) start: usize,
    /// The first code unit behind its caches.
    end: usize,
    /// The step that it jumps to.
    pub(super) target: Option<usize>,
}

/// The marks of a step, as the numbers of their constants.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    /// Comes before the step, but for exceptions that it handles and for the jumps that pass it.
    pub(super) arriving: Option<usize>,
    /// Comes right before the step, wherever it was come from.
    pub(super) always: Option<usize>,
    /// Whether the step's own jump passes the first mark of its target.
    pub(super) passes: bool,
}

/// The parts of a code object that marks change.
pub(super) struct Assembly {
    pub(super) instructions: CodeUnits,
    /// For each code unit the one whose source text it has.
    pub(super) origins: Vec<usize>,
    pub(super) lines: Box<[u8]>,
    pub(super) handlers: Box<[u8]>,
}

/// The instructions of a code object that has not run yet.
pub(super) fn steps(code: &PyCode) -> Vec<CodeStep> {
    let units: &[CodeUnit] = &code.instructions;
    let mut steps: Vec<CodeStep> = Vec::new();
    let (mut start, mut prefix) = (0, 0);
    for (at, unit) in units.iter().enumerate() {
        // Caches of the step before.
        if at < start {
            continue;
        }
        let argument = prefix << 8 | u32::from(u8::from(unit.arg));
        if matches!(unit.op, Instruction::ExtendedArg) {
            prefix = argument;
            continue;
        }
        let first = steps.last().map_or(0, |it: &CodeStep| it.end);
        let end = at + 1 + unit.op.cache_entries();
        steps.push(CodeStep {
            instruction: unit.op,
            argument,
            start: first,
            end,
            target: None,
        });
        (start, prefix) = (end, 0);
    }
    let starts: Vec<usize> = steps.iter().map(|it| it.start).collect();
    for step in &mut steps {
        // The number of END_ASYNC_FOR is for monitoring; it jumps nowhere.
        if step.instruction.has_jump() && !matches!(step.instruction, Instruction::EndAsyncFor) {
            step.target = starts.binary_search(&step.target_unit()).ok();
        }
    }
    steps
}

impl CodeStep {
    fn target_unit(&self) -> usize {
        let distance = self.argument as usize;
        if self.is_backward() {
            self.end.saturating_sub(distance)
        } else {
            self.end + distance
        }
    }

    pub(super) fn is_backward(&self) -> bool {
        matches!(
            self.instruction,
            Instruction::JumpBackward { .. } | Instruction::JumpBackwardNoInterrupt { .. }
        )
    }

    /// Whether the step behind it in the code is never the next to run.
    pub(super) fn is_last(&self) -> bool {
        self.instruction.is_unconditional_jump() || self.instruction.is_scope_exit()
    }
}

/// Puts the steps together again, each with its marks.
pub(super) fn assemble(code: &PyCode, steps: &[CodeStep], marks: &[Marks]) -> Assembly {
    let mut arguments: Vec<u32> = steps.iter().map(|it| it.argument).collect();
    // Marks and prefixes make distances longer, which can make more prefixes necessary.
    let places = loop {
        let places = places(steps, marks, &arguments);
        let mut is_settled = true;
        for (at, step) in steps.iter().enumerate() {
            let Some(target) = step.target else {
                continue;
            };
            let target = &places[target];
            let to = if marks[at].passes {
                target.passed
            } else {
                target.start
            };
            let distance = number(to.abs_diff(places[at].end));
            is_settled &= prefixes(distance) == prefixes(arguments[at]);
            arguments[at] = distance;
        }
        if is_settled {
            break places;
        }
    };
    let mut units = Vec::new();
    let mut origins = Vec::new();
    let mut push = |instruction: Instruction, argument: u32, origin: usize| {
        let bytes = argument.to_be_bytes();
        let (unused, bytes) = bytes.split_at(3 - prefixes(argument));
        debug_assert!(unused.iter().all(|it| *it == 0));
        for (at, byte) in bytes.iter().enumerate() {
            let is_prefix = at + 1 < bytes.len();
            let op = if is_prefix {
                Instruction::ExtendedArg
            } else {
                instruction
            };
            units.push(CodeUnit::new(op, OpArgByte::new(*byte)));
        }
        let cache = CodeUnit::new(Instruction::Cache, OpArgByte::NULL);
        units.extend(std::iter::repeat_n(cache, instruction.cache_entries()));
        origins.resize(units.len(), origin);
    };
    for ((step, marks), argument) in steps.iter().zip(marks).zip(&arguments) {
        for constant in marks.arriving.iter().chain(&marks.always) {
            push(LOAD, number(*constant), step.start);
            push(ASK, 0, step.start);
        }
        push(step.instruction, *argument, step.start);
    }
    Assembly {
        lines: lines(&code.linetable, &origins),
        handlers: handlers(&code.exceptiontable, steps, &places),
        instructions: units.into(),
        origins,
    }
}

/// Where a step comes to lie, in code units.
struct Place {
    /// Its first mark, or itself.
    start: usize,
    /// What follows the mark that can be passed.
    passed: usize,
    /// What follows its caches.
    end: usize,
}

fn places(steps: &[CodeStep], marks: &[Marks], arguments: &[u32]) -> Vec<Place> {
    let size =
        |instruction: Instruction, argument| prefixes(argument) + 1 + instruction.cache_entries();
    let mark =
        |constant: Option<usize>| constant.map_or(0, |it| size(LOAD, number(it)) + size(ASK, 0));
    let mut end = 0;
    let each = steps.iter().zip(marks).zip(arguments);
    each.map(|((step, marks), argument)| {
        let start = end;
        let passed = start + mark(marks.arriving);
        end = passed + mark(marks.always) + size(step.instruction, *argument);
        Place { start, passed, end }
    })
    .collect()
}

/// How many `EXTENDED_ARG`s an argument needs.
fn prefixes(argument: u32) -> usize {
    match argument {
        0..=0xff => 0,
        0x100..=0xffff => 1,
        0x1_0000..=0xff_ffff => 2,
        _ => 3,
    }
}

/// No code is that long.
fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

/// The exception table for the new places. A handler is come to behind the mark that can be passed.
fn handlers(table: &[u8], steps: &[CodeStep], places: &[Place]) -> Box<[u8]> {
    let step_at = |unit: u32| steps.partition_point(|it| it.start < unit as usize);
    let end = places.last().map_or(0, |it| it.end);
    let start = |unit: u32| number(places.get(step_at(unit)).map_or(end, |it| it.start));
    let passed = |unit: u32| number(places.get(step_at(unit)).map_or(end, |it| it.passed));
    let entries = decode_exception_table(table).into_iter();
    let entries: Vec<ExceptionTableEntry> = entries
        .map(|it| ExceptionTableEntry {
            start: start(it.start),
            end: start(it.end),
            target: passed(it.target),
            ..it
        })
        .collect();
    encode_exception_table(&entries)
}

/// The table of lines and columns for new code units with these origins.
///
/// An entry is a byte with the highest bit set, which has its kind and for how many units it is, and what belongs to the kind. The
/// first line is relative to the entry before.
fn lines(table: &[u8], origins: &[usize]) -> Box<[u8]> {
    let is_first = |byte: u8| byte & 0x80 != 0;
    let entries: Vec<&[u8]> = table.chunk_by(|_, next| !is_first(*next)).collect();
    let of_unit: Vec<usize> = entries
        .iter()
        .enumerate()
        .flat_map(|(at, entry)| {
            let units = entry.first().map_or(0, |it| usize::from(it & 7) + 1);
            std::iter::repeat_n(at, units)
        })
        .collect();
    let of_new: Vec<usize> = origins
        .iter()
        .filter_map(|it| of_unit.get(*it).copied())
        .collect();
    let mut bytes = Vec::with_capacity(table.len() * 2);
    for run in of_new.chunk_by(|a, b| a == b) {
        let Some(entry) = run.first().and_then(|it| entries.get(*it)) else {
            continue;
        };
        for (at, units) in run.chunks(8).enumerate() {
            push_line(&mut bytes, entry, units.len(), at == 0);
        }
    }
    bytes.into_boxed_slice()
}

/// One entry for so many units; with its first line, or with that of the entry before.
fn push_line(bytes: &mut Vec<u8>, entry: &[u8], units: usize, is_first: bool) {
    let Some((head, content)) = entry.split_first() else {
        return;
    };
    let units = u8::try_from(units - 1).unwrap_or(0);
    let kind = head >> 3 & 15;
    match kind {
        // One line, one or two behind the one before.
        11 | 12 if !is_first => {
            bytes.push(0x80 | 10 << 3 | units);
            bytes.extend_from_slice(content);
        }
        // The distance of the line as bytes of which all but the last have this bit.
        13 | 14 if !is_first => {
            let distance = content.iter().take_while(|it| **it & 0x40 != 0).count() + 1;
            bytes.extend([head & !7 | units, 0]);
            bytes.extend_from_slice(content.get(distance..).unwrap_or_default());
        }
        _ => {
            bytes.push(head & !7 | units);
            bytes.extend_from_slice(content);
        }
    }
}

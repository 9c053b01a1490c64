//! Executables as the loader sees them: which libraries they need. A small reader, and a writer of the smallest
//! executable that needs one.

use crate::source;
use std::fs;

/// Kinds of segments.
const LOAD: usize = 1;
const DYNAMIC: usize = 2;
const INTERPRETER: usize = 3;

/// Kinds of entries of the dynamic section.
const NEEDED: usize = 1;
const STRINGS: usize = 5;
const SYMBOLS: usize = 6;
const STRINGS_SIZE: usize = 10;
const SYMBOL_SIZE: usize = 11;

const HEADER: usize = 64;
const SEGMENT: usize = 56;

/// A number in as many bytes, which is an address or a length: both fit a `usize` where 64 bits are run.
fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    let bytes = &bytes[at..at + length];
    bytes
        .iter()
        .rev()
        .fold(0, |all, byte| all << 8 | usize::from(*byte))
}

/// A segment: its kind, where it is in the file, its address, its length in the file.
fn segments(file: &[u8]) -> Vec<(usize, usize, usize, usize)> {
    assert_eq!(&file[..6], b"\x7fELF\x02\x01", "64 bits, little end first");
    let (first, size) = (number(file, 32, 8), number(file, 54, 2));
    let count = number(file, 56, 2);
    let at = (0..count).map(|it| first + it * size);
    at.map(|at| {
        (
            number(file, at, 4),
            number(file, at + 8, 8),
            number(file, at + 16, 8),
            number(file, at + 32, 8),
        )
    })
    .collect()
}

/// The libraries that an executable needs to start.
pub(crate) fn needed(file: &[u8]) -> Vec<String> {
    let segments = segments(file);
    let dynamic = segments.iter().find(|it| it.0 == DYNAMIC);
    let &(_, start, _, length) = dynamic.expect("a dynamic section");
    let entries: Vec<(usize, usize)> = (start..start + length)
        .step_by(16)
        .map(|at| (number(file, at, 8), number(file, at + 8, 8)))
        .take_while(|(kind, _)| *kind != 0)
        .collect();
    let value = |wanted| entries.iter().find(|it| it.0 == wanted).unwrap().1;
    let strings = value(STRINGS);
    let load = segments.iter().find(|(kind, _, address, length)| {
        *kind == LOAD && (*address..address + *length).contains(&strings)
    });
    let &(_, offset, address, _) = load.expect("the strings are loaded");
    let strings = offset + (strings - address);
    let names = entries.iter().filter(|it| it.0 == NEEDED);
    names
        .map(|(_, at)| {
            let name = &file[strings + *at..];
            let end = name.iter().position(|it| *it == 0).unwrap();
            String::from_utf8(name[..end].to_vec()).unwrap()
        })
        .collect()
}

/// An executable of this kind of machine that needs a library and has not a single instruction: the loader ends
/// it before any would run.
pub(crate) fn that_needs(library: &str) -> Vec<u8> {
    let interpreter = interpreter();
    let interpreter_at = HEADER + 3 * SEGMENT;
    let strings_at = (interpreter_at + interpreter.len()).next_multiple_of(16);
    let strings = [b"\0", library.as_bytes(), b"\0"].concat();
    let symbols_at = (strings_at + strings.len()).next_multiple_of(16);
    let dynamic_at = symbols_at + 32;
    let address = |at: usize| 0x40_0000 + at;
    let dynamic: Vec<u8> = [
        (NEEDED, 1),
        (STRINGS, address(strings_at)),
        (STRINGS_SIZE, strings.len()),
        (SYMBOLS, address(symbols_at)),
        (SYMBOL_SIZE, 24),
        (0, 0),
    ]
    .iter()
    .flat_map(|(kind, value): &(usize, usize)| [kind.to_le_bytes(), value.to_le_bytes()].concat())
    .collect();
    let length = dynamic_at + dynamic.len();
    let own = fs::read(std::env::current_exe().unwrap()).unwrap();
    let mut file = own[..HEADER].to_vec();
    // An executable at fixed addresses that begins nowhere, with its segments behind the header and no sections.
    file[16..18].copy_from_slice(&2_u16.to_le_bytes());
    file[24..32].copy_from_slice(&address(0).to_le_bytes());
    file[32..40].copy_from_slice(&HEADER.to_le_bytes());
    file[40..48].fill(0);
    file[54..64].fill(0);
    file[54..56].copy_from_slice(&SEGMENT.to_le_bytes()[..2]);
    file[56] = 3;
    let mut segment = |kind: usize, at: usize, length: usize| {
        file.extend(&kind.to_le_bytes()[..4]);
        // To be read, written and executed.
        file.extend(7_u32.to_le_bytes());
        for value in [at, address(at), address(at), length, length, 0x1000] {
            file.extend(value.to_le_bytes());
        }
    };
    segment(INTERPRETER, interpreter_at, interpreter.len());
    segment(LOAD, 0, length);
    segment(DYNAMIC, dynamic_at, dynamic.len());
    let mut put = |at: usize, bytes: &[u8]| {
        file.resize(at, 0);
        file.extend(bytes);
    };
    put(interpreter_at, &interpreter);
    put(strings_at, &strings);
    put(dynamic_at, &dynamic);
    file
}

/// The loader that this very test was started by, as its file names it.
fn interpreter() -> Vec<u8> {
    let own = fs::read(std::env::current_exe().unwrap()).unwrap();
    let segments = segments(&own);
    let interpreter = segments.iter().find(|it| it.0 == INTERPRETER);
    let &(_, at, _, length) = interpreter.expect("a dynamic executable");
    own[at..at + length].to_vec()
}

#[test]
fn what_is_written_reads_back() {
    assert_eq!(needed(&that_needs("libcuda.so.1")), ["libcuda.so.1"]);
}

#[test]
fn the_app_is_linked_with_nothing_of_cuda() {
    let app = fs::read(env!("CARGO_BIN_EXE_warpup")).unwrap();
    let needed = needed(&app);
    assert!(
        needed.iter().any(|it| it.starts_with("libc.")),
        "{needed:?}"
    );
    let of_cuda = |it: &&String| it.starts_with("libcu") || it.starts_with("libnv");
    let found: Vec<&String> = needed.iter().filter(of_cuda).collect();
    assert!(found.is_empty(), "{found:?}");
}

/// What opens a library while a program runs. `nvml_wrapper` does for NVML, which makes no CUDA context.
#[test]
fn no_source_of_ours_opens_a_library_by_hand() {
    for file in source::rust_files_under("src") {
        let code = source::code_of(&file.text);
        for way in ["dlopen", "libloading", "Library::new"] {
            assert!(!code.contains(way), "{}: {way}", file.path);
        }
    }
}

//! Executables as the loader sees them: which libraries they need, and the smallest executable that needs one,
//! which is written by hand because `object` writes no file without sections.

use crate::support::source;
use object::elf::{
    DT_NEEDED, DT_STRSZ, DT_STRTAB, DT_SYMENT, DT_SYMTAB, FileHeader64, PT_DYNAMIC, PT_INTERP,
    PT_LOAD,
};
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, StringTable};
use std::fs;

const HEADER: usize = 64;
const SEGMENT: usize = 56;

/// The libraries that an executable needs to start, in the order in which the loader looks for them.
pub(crate) fn needed(file: &[u8]) -> Vec<String> {
    let header = FileHeader64::<Endianness>::parse(file).unwrap();
    let endian = header.endian().unwrap();
    let segments = header.program_headers(endian, file).unwrap();
    let dynamic = segments
        .iter()
        .find_map(|it| it.dynamic(endian, file).unwrap());
    let entries = dynamic.expect("a dynamic section");
    let value = |tag| {
        let entry = entries.iter().find(|it| it.d_tag(endian) == tag);
        entry.expect("an entry of this kind").d_val(endian)
    };
    let (at, length) = (value(DT_STRTAB), value(DT_STRSZ));
    let strings = segments
        .iter()
        .find_map(|it| it.data_range(endian, file, at, length).unwrap());
    let strings = StringTable::new(strings.expect("the strings are loaded"), 0, length);
    let names = entries.iter().filter(|it| it.d_tag(endian) == DT_NEEDED);
    names
        .map(|it| String::from_utf8(it.string(endian, strings).unwrap().to_vec()).unwrap())
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
        (DT_NEEDED, 1),
        (DT_STRTAB, address(strings_at)),
        (DT_STRSZ, strings.len()),
        (DT_SYMTAB, address(symbols_at)),
        (DT_SYMENT, 24),
        (0, 0),
    ]
    .iter()
    .flat_map(|(kind, value): &(i64, usize)| [kind.to_le_bytes(), value.to_le_bytes()].concat())
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
    let mut segment = |kind: u32, at: usize, length: usize| {
        file.extend(kind.to_le_bytes());
        // To be read, written and executed.
        file.extend(7_u32.to_le_bytes());
        for value in [at, address(at), address(at), length, length, 0x1000] {
            file.extend(value.to_le_bytes());
        }
    };
    segment(PT_INTERP, interpreter_at, interpreter.len());
    segment(PT_LOAD, 0, length);
    segment(PT_DYNAMIC, dynamic_at, dynamic.len());
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
    let header = FileHeader64::<Endianness>::parse(&*own).unwrap();
    let endian = header.endian().unwrap();
    let mut segments = header.program_headers(endian, &*own).unwrap().iter();
    let path = segments.find_map(|it| it.interpreter(endian, &*own).unwrap());
    [path.expect("a dynamic executable"), b"\0"].concat()
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
fn only_the_worker_for_cards_opens_a_library_by_hand() {
    let of_cards = [
        "crates/worker/src/device/cuda/timer/cupti/library.rs",
        "crates/worker/src/kernels/card/cudnn/library.rs",
    ];
    for file in ["src", "crates"]
        .into_iter()
        .flat_map(source::rust_files_under)
        .filter(|it| !of_cards.contains(&&*it.path))
    {
        let code = source::code_of(&file.text);
        for way in ["dlopen", "libloading", "Library::new"] {
            assert!(!code.contains(way), "{}: {way}", file.path);
        }
    }
}

//! The confined process: it makes the calls that its arguments name, and prints what the kernel says of each.
//!
//! A call is a number and its arguments, and a comma separates two calls. An argument is a number, a text (`s:`, which
//! the kernel gets as a pointer), bytes (`b:` in hexadecimal, as a pointer), the result of an earlier call (`r0`), this
//! process (`self`), or the descriptor of the file that was open before (`inherited`).

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::sync::mpsc;
use warpup_confine::{Confinement, OpenFiles, card_is_open, confine, take_protocol};

/// The first argument of the process.
pub(super) const COMMAND: &str = "inside";

/// The variable that names the file that is open when the process starts.
pub(super) const INHERITED: &str = "WARPUP_TEST_INHERITED";

/// Confines this process and makes the calls. `host` is the worker for the CPU; `card` that for cards, `driver` a thread of it that
/// began before its card was open.
pub(super) fn make(arguments: &[String]) {
    let inherited = std::env::var_os(INHERITED).map(|path| {
        let file = OpenOptions::new().read(true).write(true).open(path);
        // Confining closes it, and nothing else may.
        std::mem::ManuallyDrop::new(file.unwrap()).as_raw_fd()
    });
    let (kind, calls) = arguments.split_first().unwrap();
    let mut protocol = take_protocol().unwrap();
    let is_of_host = kind == "host";
    let confinement = if is_of_host {
        Confinement::Host
    } else {
        Confinement::Cards
    };
    confine(confinement, OpenFiles::only(&protocol), &[]);
    if kind == "driver" {
        let (open, is_open) = mpsc::sync_channel::<()>(1);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                is_open.recv().unwrap();
                answers(calls, inherited, &mut protocol);
            });
            card_is_open(&[]);
            open.send(()).unwrap();
        });
    } else {
        if !is_of_host {
            card_is_open(&[]);
        }
        answers(calls, inherited, &mut protocol);
    }
}

fn answers(calls: &[String], inherited: Option<i32>, protocol: &mut File) {
    let mut results = Vec::new();
    for call in calls.split(|it| it == ",") {
        // What pointers lead to stays until the end of the process.
        let words = call.iter().map(|it| argument(it, inherited, &results));
        let words: Vec<i64> = words.collect();
        let [number, words @ ..] =
            std::array::from_fn::<_, 7, _>(|it| words.get(it).copied().unwrap_or(0));
        let [first, second, third, fourth, fifth, sixth] = words;
        #[expect(
            unsafe_code,
            reason = "a call that has left all that Rust promises is what is tried"
        )]
        // SAFETY: none; the process does nothing else.
        let result = unsafe { libc::syscall(number, first, second, third, fourth, fifth, sixth) };
        let error = io::Error::last_os_error().raw_os_error().unwrap_or(0);
        let error = if result == -1 { error } else { 0 };
        results.push(result);
        drop(writeln!(protocol, "{number} {error}"));
    }
}

fn argument(text: &str, inherited: Option<i32>, results: &[i64]) -> i64 {
    let pointer = |bytes: Vec<u8>| bytes.leak().as_ptr().expose_provenance().cast_signed() as i64;
    if let Some(text) = text.strip_prefix("s:") {
        let number = inherited.map_or_else(String::new, |it| it.to_string());
        let text = text.replace("inherited", &number);
        pointer(CString::new(text).unwrap().into_bytes_with_nul())
    } else if let Some(digits) = text.strip_prefix("b:") {
        let pairs = digits.as_bytes().chunks(2);
        let bytes = pairs.map(|it| u8::from_str_radix(str::from_utf8(it).unwrap(), 16).unwrap());
        pointer(bytes.collect())
    } else if let Some(place) = text.strip_prefix('r') {
        results[place.parse::<usize>().unwrap()]
    } else if text == "self" {
        i64::from(std::process::id())
    } else if text == "inherited" {
        i64::from(inherited.unwrap())
    } else {
        text.parse().unwrap()
    }
}

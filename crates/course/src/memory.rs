//! Amounts of memory that a course asks for, as its files write them.

use super::diagnostics::{Report, Rule};
use super::toml_walk::WithSpan;

/// The most host memory that a program may ask for, in bytes. Its process has 12 GiB in all, and needs the rest itself.
const MOST: u64 = 11 << 30;

/// A whole number of bytes, with a unit: `3GiB`, or `3 GiB`. `hint` says how to write it in its place.
pub(crate) fn memory(written: &WithSpan<&str>, hint: &str, report: &mut Report) -> Option<u64> {
    let number = written.value.trim_end_matches(char::is_alphabetic);
    let unit = written.value.split_at(number.len()).1;
    let of_unit: u64 = match unit {
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => 0,
    };
    let number = number.trim_end().parse::<u32>().ok().map(u64::from);
    let Some(number) = number.filter(|_| of_unit > 0) else {
        report
            .error(
                Rule::MemoryForm,
                written.span.clone(),
                format!("`{}` is not an amount of memory", written.value),
            )
            .hint("write `3GiB` or `512MiB`");
        return None;
    };
    let bytes = number.saturating_mul(of_unit);
    if bytes == 0 || bytes > MOST {
        report
            .error(
                Rule::MemoryForm,
                written.span.clone(),
                format!(
                    "a lab's memory is more than nothing and at most {}GiB",
                    MOST >> 30
                ),
            )
            .hint(hint);
        return None;
    }
    Some(bytes)
}

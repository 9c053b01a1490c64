//! A panic on purpose, so that a test can see what a panic in each thread does. Not in release builds.

use std::path::Path;
use std::thread;

/// Panics if a test asks for it: with this thread's name in a variable, and from the moment that there is a certain file
/// in the working folder.
///
/// # Panics
///
/// If a test asks for it.
pub fn panic_for_test() {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(wanted) = std::env::var_os("WARPUP_TEST_PANIC") else {
        return;
    };
    let is_here = thread::current().name().is_some_and(|it| wanted == it);
    let is_now = is_here && Path::new("panic-now").exists();
    assert!(!is_now, "a test asked for this panic");
}

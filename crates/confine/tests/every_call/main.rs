//! Makes calls of the kernel inside a process that is confined like a worker: each call by its number, and those that would
//! lead outside with arguments that do.
//!
//! What the interpreter lets through does not matter here: this is what a program finds that has left it.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test, which prints its own results"
)]

#[cfg(target_os = "linux")]
mod attacks;
#[cfg(target_os = "linux")]
mod inside;
#[cfg(target_os = "linux")]
mod names;
#[cfg(target_os = "linux")]
mod numbers;
#[cfg(target_os = "linux")]
mod outside;

/// A name, and what gives a sentence for each fault.
#[cfg(target_os = "linux")]
type Test = (&'static str, fn() -> Vec<String>);

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("test result: ok. 0 passed: only Linux confines a worker in this way");
}

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, rest @ ..] = arguments.as_slice()
        && first == inside::COMMAND
    {
        inside::make(rest);
        return std::process::ExitCode::SUCCESS;
    }
    let tests: [Test; 4] = [
        (
            "a_worker_answers_no_call_by_number_that_is_not_on_its_list",
            numbers::of_host,
        ),
        (
            "a_worker_with_a_card_answers_no_call_by_number_that_reaches_out",
            numbers::of_cards,
        ),
        (
            "a_worker_reaches_nothing_outside_by_any_argument",
            attacks::of_host,
        ),
        (
            "a_worker_with_a_card_reaches_nothing_outside_by_any_argument",
            attacks::of_cards,
        ),
    ];
    let is_meant = |name: &str| {
        let mut words = arguments
            .iter()
            .filter(|it| !it.starts_with('-'))
            .peekable();
        words.peek().is_none() || words.any(|it| name.contains(it.as_str()))
    };
    let meant: Vec<Test> = tests.into_iter().filter(|it| is_meant(it.0)).collect();
    // At the same time, because they wait for calls that wait.
    let faults: Vec<Vec<String>> = std::thread::scope(|scope| {
        let running: Vec<_> = meant.iter().map(|(_, test)| scope.spawn(test)).collect();
        running.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let mut counts = [0, 0];
    for ((name, _), faults) in meant.iter().zip(faults) {
        counts[usize::from(!faults.is_empty())] += 1;
        let word = if faults.is_empty() { "ok" } else { "FAILED" };
        println!("test {name} ... {word}");
        for fault in faults {
            println!("  {fault}");
        }
    }
    let [passed, failed] = counts;
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {word}. {passed} passed; {failed} failed; 0 ignored");
    std::process::ExitCode::from(u8::from(failed > 0))
}

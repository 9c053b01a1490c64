//! Fuzzing: what people and workers send is mutated, and no input may make a panic or take long.
//!
//! The suite runs a few inputs of each target, always the same. `scripts/fuzz` runs as long as one likes, with other
//! numbers each time. An input that fails is written to a file; moved to `tests/fixtures/fuzz`, it is tried first ever
//! after.

mod mutate;
mod targets;

use mutate::Mutator;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// Inputs of each target in the suite.
const FEW: u64 = 60;

/// The variable with the minutes of a long run.
const MINUTES: &str = "WARPUP_FUZZ_MINUTES";

/// An input may take this long in a build without optimization, beside other tests.
const SLOW: Duration = Duration::from_secs(5);

#[test]
fn no_input_of_any_target_makes_a_panic() {
    let minutes = std::env::var(MINUTES).ok();
    let minutes: Option<u32> = minutes.map(|it| it.parse().expect("a whole number of minutes"));
    for target in TARGETS {
        match minutes {
            None => fuzz(target, 1, |tried| tried < FEW),
            Some(minutes) => {
                let share =
                    Duration::from_mins(u64::from(minutes)) / u32::try_from(TARGETS.len()).unwrap();
                let begin = Instant::now();
                let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                let seed = u64::try_from(now.unwrap().as_nanos() % (1 << 60)).unwrap() | 1;
                fuzz(target, seed, |_| begin.elapsed() < share);
            }
        }
    }
}

fn fuzz(target: &Target, seed: u64, goes_on: impl Fn(u64) -> bool) {
    for (name, input) in regressions(target.name) {
        assert_eq!(try_one(target, &input), Ok(()), "{name}");
    }
    let mut mutator = Mutator::new(seed, (target.corpus)());
    let mut tried = 0;
    while goes_on(tried) {
        let input = mutator.next();
        tried += 1;
        if let Err(why) = try_one(target, &input) {
            let file = keep(target.name, &input);
            panic!(
                "{}: {why}; seed {seed}; the input is {}",
                target.name,
                file.display()
            );
        }
    }
    println!("{}: {tried} inputs, seed {seed}", target.name);
}

fn try_one(target: &Target, input: &[u8]) -> Result<(), String> {
    let begin = Instant::now();
    catch_unwind(|| (target.run)(input)).map_err(|_payload| "it panics".to_owned())?;
    let took = begin.elapsed();
    if took > SLOW {
        return Err(format!("it takes {took:?}"));
    }
    Ok(())
}

/// Inputs that failed once.
fn regressions(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/fuzz")
        .join(target);
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.flatten().map(|it| it.path());
    paths
        .map(|it| (it.display().to_string(), std::fs::read(&it).unwrap()))
        .collect()
}

fn keep(target: &str, input: &[u8]) -> PathBuf {
    let mut hash = DefaultHasher::new();
    input.hash(&mut hash);
    let file = std::env::temp_dir().join(format!("warpup-fuzz-{target}-{:016x}", hash.finish()));
    std::fs::write(&file, input).unwrap();
    file
}

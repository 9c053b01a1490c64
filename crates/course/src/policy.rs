//! The table `[policy]` of `lessons/course.toml`.

use super::diagnostics::{Report, Rule};
use super::memory::memory;
use super::model::CoursePolicy;
use super::toml_walk::Fields;
use std::path::PathBuf;

/// Its keys.
const KEYS: [&str; 4] = ["seconds", "memory", "threads", "drop"];

/// Reads it; what cannot be read sets nothing.
pub(crate) fn read(fields: &Fields<'_>, report: &mut Report) -> CoursePolicy {
    let table = fields.get("policy");
    let Some(policy) = table.and_then(|it| Fields::of("policy", it, report)) else {
        return CoursePolicy::default();
    };
    policy.check_keys(&KEYS, report);
    let amount = policy.optional::<&str>("memory", report);
    CoursePolicy {
        seconds: at_least_one("seconds", &policy, report),
        memory: amount.and_then(|it| memory(&it, "write `memory = \"2GiB\"`", report)),
        threads: at_least_one("threads", &policy, report),
        drop: drop(&policy, report),
    }
}

fn at_least_one(key: &str, policy: &Fields<'_>, report: &mut Report) -> Option<u32> {
    let number = policy.optional::<u32>(key, report)?;
    if number.value == 0 {
        let message = format!("`{key}` is 0, and no program would run");
        report
            .error(Rule::PolicyValue, number.span, message)
            .hint(format!("write a number from 1 on, or leave `{key}` out"));
        return None;
    }
    Some(number.value)
}

/// A folder that is the same for all learners.
fn drop(policy: &Fields<'_>, report: &mut Report) -> Option<PathBuf> {
    let folder = policy.optional::<&str>("drop", report)?;
    if !folder.value.starts_with('/') {
        report
            .error(
                Rule::PolicyValue,
                folder.span,
                format!("`{}` is another folder for each learner", folder.value),
            )
            .hint("write the whole path of the folder, from `/`");
        return None;
    }
    Some(PathBuf::from(folder.value))
}

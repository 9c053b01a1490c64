//! The workers that labs run on, as the settings and the environment have them.

use super::console::Console;
use super::failure::{Failure, Result};
use std::time::Duration;
use warpup_course::CoursePolicy;
use warpup_lab::engine::cards::{CardSettings, CardWorker, ConfiguredWorker};
use warpup_lab::engine::{Launch, MachineLimits, Workers};
use warpup_protocol::DeviceName;
use warpup_store::settings::{self, CudaSettings, POLICY_FILE, Policy, RunPolicy};
use warpup_worker::device::{
    self,
    cards::{self, Card},
};

/// The workers that the settings describe. Prints a warning about settings that cannot be read.
pub(super) fn as_set(console: &mut Console<'_>) -> Result<Workers> {
    let loaded = settings::load();
    if let Some(warning) = &loaded.warning {
        console.remark(warning.trim_end())?;
    }
    let run = loaded.settings.run;
    Ok(with(loaded.settings.cuda).within(most(run)))
}

/// The limits of each run on this machine.
pub(super) fn most(run: RunPolicy) -> MachineLimits {
    MachineLimits {
        time: run.seconds.map(Duration::from_secs),
        host_bytes: run.memory,
        threads: run.threads,
    }
}

/// The limits that a course asks for.
pub(super) fn most_of(course: &CoursePolicy) -> MachineLimits {
    most(RunPolicy::default().with(course))
}

/// The workers with these settings. Looks for files and starts nothing.
pub(super) fn with(set: CudaSettings) -> Workers {
    let of_policy = Policy::load().is_ok_and(|it| it.cuda.worker.is_some());
    let file = match settings::file() {
        _ if of_policy => POLICY_FILE.to_owned(),
        Some(file) => file.display().to_string(),
        None => "the settings".to_owned(),
    };
    let wanted = CardSettings {
        named: set.worker.map(|path| ConfiguredWorker {
            path,
            by: format!("cuda.worker in {file}"),
        }),
        launcher: set.launcher,
        library_path: set.library_path,
        linger: set.linger,
        may_linger_launched: set.may_linger_launched,
        memory_cap: set.memory_cap,
        allowed: set.cards,
    };
    Workers {
        builtin: Launch::this_executable(),
        cards: CardWorker::find(wanted),
        most: MachineLimits::default(),
    }
}

/// The workers of what never runs on a real card.
pub(super) fn without_cards() -> Workers {
    Workers::without_cards(Launch::this_executable())
}

/// Refuses a device that is missing here: that is a wrong argument, since there is always another device.
pub(super) fn can_run_on(device: &DeviceName, workers: &Workers) -> Result<()> {
    match (device, &workers.cards) {
        (DeviceName::Cpu, _) | (DeviceName::Cuda(_), Ok(_)) => Ok(()),
        (DeviceName::Model(name), _) => card(name).map(drop),
        (DeviceName::Cuda(_), Err(reason)) => {
            Err(Failure::arguments_but(&reason.why, &reason.hint))
        }
    }
}

/// The modelled card of a name, such as `t4`.
pub(super) fn card(name: &str) -> Result<&'static Card> {
    device::card(name).map_err(|_unknown| {
        let number = name.strip_prefix("cuda").or(name.strip_prefix("gpu"));
        let number = number.and_then(|it| it.parse::<u32>().ok());
        let names = cards::shipped()
            .in_order()
            .into_iter()
            .map(|it| it.0.as_str());
        let names: Vec<&str> = names.collect();
        let hint = match number {
            Some(number) => format!("a real card is `cuda:{number}`"),
            None => format!("there are {}", names.join(", ")),
        };
        Failure::arguments_but(format!("there is no modelled card `{name}`"), hint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Exit;
    use crate::commands::sample;

    /// What is said of a device before anything is run, where these are the workers.
    fn asked_for(device: &str, workers: &Workers) -> (String, Exit) {
        let device = device.parse().unwrap();
        sample::console("", |_| can_run_on(&device, workers).map(|()| Exit::Fine))
    }

    #[test]
    fn a_device_that_cannot_be_had_is_a_wrong_argument() {
        let none = Workers::without_cards(Launch::default());
        let (text, exit) = asked_for("cuda:1", &none);
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: nothing here runs on a real card
        hint: choose cpu or a modelled card such as model:t4
        ");
        let (text, exit) = asked_for("model:v100", &none);
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @"
        error: there is no modelled card `v100`
        hint: there are t4, l4, rtx4090, a100-40gb, a100, h100, h200
        ");
        let (text, _) = asked_for("model:cuda0", &none);
        assert!(text.ends_with("hint: a real card is `cuda:0`\n"), "{text}");
    }

    #[test]
    fn a_device_that_may_be_had_is_not_looked_at_before_the_run() {
        let workers = Workers {
            cards: Ok(CardWorker::default()),
            ..Workers::without_cards(Launch::default())
        };
        for device in ["cuda", "cuda:7", "cpu", "model:t4"] {
            assert_eq!(asked_for(device, &workers), (String::new(), Exit::Fine));
        }
    }
}

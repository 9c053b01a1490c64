//! The rungs, each with its [`RungSpec`] and a line of [`RUNGS`]; rungs about one thing share a file.

mod capability;
pub(super) mod card;
mod cause;
mod container;
pub(super) mod driver;
mod driver_cuda;
mod libcuda;
mod nvml_figures;
mod on_card;
mod toolkits;
mod visible;
pub(super) mod worker;

use super::rung::RungSpec;

/// All rungs in the order of the ladder: from the card up, then the surroundings.
pub(super) const RUNGS: &[&RungSpec] = &[
    &card::CARD,
    &driver::DRIVER,
    &driver_cuda::DRIVER_CUDA,
    &libcuda::LIBCUDA,
    &worker::WORKER,
    &nvml_figures::MIG,
    &visible::VISIBLE,
    &capability::CAPABILITY,
    &on_card::CONTEXT,
    &on_card::KERNEL,
    &on_card::COPIES,
    &on_card::MEMORY,
    &toolkits::TOOLKITS,
    &toolkits::PATHS,
    &container::CONTAINER,
    &container::WSL,
    &nvml_figures::PERSISTENCE,
    &nvml_figures::LOAD,
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_rung_is_taught_by_a_lesson_of_the_shipped_course() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons");
        let lessons = fs::read_dir(folder).unwrap();
        let texts = lessons.map(|it| fs::read_to_string(it.unwrap().path()).unwrap());
        let texts: Vec<String> = texts.collect();
        for spec in RUNGS {
            let id = format!("\nid = \"{}\"\n", spec.lesson);
            assert!(texts.iter().any(|it| it.contains(&id)), "{spec:?}");
        }
    }

    #[test]
    fn a_rung_needs_only_rungs_below_it() {
        for (at, spec) in RUNGS.iter().enumerate() {
            for need in spec.needs {
                let below = RUNGS.iter().take(at).any(|it| it.id == *need);
                assert!(below, "{:?} needs {need:?}", spec.id);
            }
        }
    }
}

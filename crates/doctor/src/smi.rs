//! Parses the CSV of `nvidia-smi --query-gpu`: one line per card.

use super::evidence::{ComputeMode, NvmlCard, NvmlReport};

/// The arguments of `nvidia-smi`; the fields are in the order of [`parse`].
pub(super) const QUERY: [&str; 2] = [
    "--query-gpu=index,driver_version,name,uuid,pci.bus_id,compute_cap,memory.total,memory.used,utilization.gpu,compute_mode,persistence_mode,mig.mode.current",
    "--format=csv,noheader,nounits",
];

/// The cards in an answer; `None` for other output.
pub(super) fn parse(output: &str) -> Option<NvmlReport> {
    let mut report = NvmlReport::default();
    for line in output.lines().filter(|it| !it.trim().is_empty()) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [
            index,
            driver,
            name,
            uuid,
            bus,
            capability,
            total,
            used,
            busy,
            mode,
            persistence,
            mig,
        ] = fields.as_slice()
        else {
            return None;
        };
        report.driver = known(driver);
        report.cards.push(NvmlCard {
            index: index.parse().ok()?,
            name: known(name),
            uuid: known(uuid),
            bus: known(bus),
            capability: pair(capability),
            memory_total: mebibytes(total),
            memory_used: mebibytes(used),
            busy_percent: busy.parse().ok(),
            compute_mode: compute_mode(mode),
            persistence: switch(persistence),
            mig: switch(mig),
            ..NvmlCard::default()
        });
    }
    (!report.cards.is_empty()).then_some(report)
}

/// A field, unless it is `[N/A]` or `[Not Supported]`.
fn known(field: &str) -> Option<String> {
    (!field.is_empty() && !field.starts_with('[')).then(|| field.to_owned())
}

fn pair(field: &str) -> Option<(u32, u32)> {
    let (major, minor) = field.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn mebibytes(field: &str) -> Option<u64> {
    field.parse::<u64>().ok()?.checked_mul(1 << 20)
}

fn switch(field: &str) -> Option<bool> {
    match field {
        "Enabled" => Some(true),
        "Disabled" => Some(false),
        _ => None,
    }
}

fn compute_mode(field: &str) -> Option<ComputeMode> {
    match field {
        "Default" => Some(ComputeMode::Default),
        "Exclusive_Process" => Some(ComputeMode::ExclusiveProcess),
        "Prohibited" => Some(ComputeMode::Prohibited),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_card_and_what_is_not_told_is_left_out() {
        let line = "0, 580.95.05, NVIDIA GeForce RTX 4090, GPU-8c1a, 00000000:01:00.0, 8.9, 24564, 512, 3, Default, Disabled, [N/A]\n";
        let report = parse(line).unwrap();
        let card = &report.cards[0];
        assert_eq!(report.driver.as_deref(), Some("580.95.05"));
        assert_eq!(card.capability, Some((8, 9)));
        assert_eq!(card.memory_total, Some(24_564 << 20));
        assert_eq!((card.persistence, card.mig), (Some(false), None));
    }

    #[test]
    fn an_error_is_no_answer() {
        assert_eq!(parse("No devices were found\n"), None);
        assert_eq!(parse(""), None);
    }
}

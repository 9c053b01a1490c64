//! The devices that labs can run on as a table: memory, bandwidth, rates, and where the numbers come from.
//!
//! Pure. The rates are those of data sheets, for modelled cards and for real ones with the same name; nothing here is
//! measured, and what is not known is left open.

use super::units::{bytes, number};
use warpup_protocol::{DeviceInfo, DeviceName, RealCard, Reason};

/// The peaks of a card, from its data sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Peaks {
    /// The modelled card.
    pub device: DeviceName,
    /// What the driver calls the real one.
    pub title: String,
    /// Bytes a second between its memory and its cores.
    pub bandwidth: f64,
    /// Operations a second on `float32`.
    pub f32: f64,
    /// The same on `float16`.
    pub f16: f64,
}

/// What is known of the devices besides their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceFacts {
    /// The cards whose data sheets are known.
    pub peaks: Vec<Peaks>,
    /// Why nothing here runs on a real card.
    pub no_card: Option<Reason>,
    /// Why a run on a real card would probably fail, although there is a worker for it.
    pub no_driver: Option<Reason>,
}

/// A device in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceRow {
    /// The device; `None` in the row of real cards on a machine without one.
    pub device: Option<DeviceName>,
    /// Its name on screen.
    pub title: String,
    /// What is known of it, in the order of [`DeviceRow::HEAD`]; `–` where nothing is.
    pub figures: [String; 4],
    /// Where its times and its rates come from, or why it is not available.
    pub note: String,
    /// Whether the last run on it could not be, or the next one probably cannot.
    pub is_doubtful: bool,
}

impl DeviceRow {
    /// What the figures are.
    pub const HEAD: [&str; 4] = ["memory", "bandwidth", "TFLOP/s f32", "f16"];

    /// The figures on lines of their own, for a narrow screen.
    pub fn in_words(&self) -> Vec<String> {
        let [memory, bandwidth, f32, f16] = &self.figures;
        if self.figures.iter().all(|it| it == UNKNOWN) {
            return vec!["no figures known".to_owned()];
        }
        vec![
            format!("memory {memory}, {bandwidth}"),
            format!("TFLOP/s: f32 {f32}, f16 {f16}"),
        ]
    }
}

/// In place of a figure that is not known.
const UNKNOWN: &str = "–";

/// A row for each device, and one for real cards on a machine without one; `trouble` is what the last run on a device said of it.
pub fn rows<'a>(
    known: &[DeviceInfo],
    facts: &DeviceFacts,
    trouble: impl Fn(&DeviceName) -> Option<&'a Reason>,
) -> Vec<DeviceRow> {
    let mut rows: Vec<DeviceRow> = known
        .iter()
        .map(|it| row(it, facts, trouble(&it.name)))
        .collect();
    let has_card = known
        .iter()
        .any(|it| matches!(it.name, DeviceName::Cuda(_)));
    if let Some(reason) = facts.no_card.as_ref().filter(|_| !has_card) {
        rows.push(DeviceRow {
            device: None,
            title: "cuda, a real card".to_owned(),
            figures: [(); 4].map(|()| UNKNOWN.to_owned()),
            note: format!("Not available: {}; {}.", reason.why, reason.hint),
            is_doubtful: false,
        });
    }
    rows
}

fn row(info: &DeviceInfo, facts: &DeviceFacts, trouble: Option<&Reason>) -> DeviceRow {
    let peaks = facts.peaks.iter().find(|it| match &info.name {
        DeviceName::Cpu => false,
        DeviceName::Model(_) => it.device == info.name,
        DeviceName::Cuda(_) => it.title == info.title,
    });
    let rate = |of: fn(&Peaks) -> f64| peaks.map_or_else(|| UNKNOWN.to_owned(), |it| tera(of(it)));
    let memory = info.memory_bytes.map_or_else(|| UNKNOWN.to_owned(), bytes);
    let is_card = matches!(info.name, DeviceName::Cuda(_));
    let missing = facts.no_driver.as_ref();
    let missing = missing.filter(|_| trouble.is_none() && is_card);
    let note = match (trouble.or(missing), &info.name, peaks) {
        (Some(it), _, _) if missing.is_some() => {
            format!("Probably not available: {}; {}.", it.why, it.hint)
        }
        (Some(it), _, _) => format!("The last run on it said: {}; {}.", it.why, it.hint),
        (None, DeviceName::Cpu, _) => "This machine; times are measured.".to_owned(),
        (None, DeviceName::Model(_), _) => {
            "MODELLED: a model of this card (a GPU). Times follow from these peaks of its data sheet; nothing is timed."
                .to_owned()
        }
        (None, DeviceName::Cuda(RealCard::LeastLoaded), _) => {
            "Real cards; times are measured. Each run takes the one that is least loaded, and says which.".to_owned()
        }
        (None, DeviceName::Cuda(_), Some(_)) => {
            "A real card; times are measured. The rates are the peaks of its data sheet.".to_owned()
        }
        (None, DeviceName::Cuda(_), None) if info.memory_bytes.is_some() => {
            "A real card; times are measured. No data sheet is known here.".to_owned()
        }
        (None, DeviceName::Cuda(_), None) => {
            "A real card; times are measured. The first run on it says which one it is.".to_owned()
        }
    };
    DeviceRow {
        device: Some(info.name.clone()),
        title: info.title.clone(),
        figures: [
            memory,
            peaks.map_or_else(|| UNKNOWN.to_owned(), |it| a_second(it.bandwidth)),
            rate(|it| it.f32),
            rate(|it| it.f16),
        ],
        note,
        is_doubtful: trouble.is_some() || missing.is_some(),
    }
}

/// Millions of millions, with one digit after the point where there is one, as data sheets have them.
fn tera(rate: f64) -> String {
    let tenths = (rate / 1e11).round();
    format!("{}", tenths / 10.0)
}

/// Bytes a second in the unit of data sheets.
fn a_second(rate: f64) -> String {
    if rate >= 1e12 {
        format!("{} TB/s", number(rate / 1e12))
    } else {
        format!("{} GB/s", number(rate / 1e9))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::Clock;

    fn said(known: &[DeviceInfo], no_card: Option<Reason>, trouble: Option<&Reason>) -> String {
        let facts = DeviceFacts {
            peaks: vec![Peaks {
                device: "model:t4".parse().unwrap(),
                title: "Tesla T4".to_owned(),
                bandwidth: 320e9,
                f32: 8.1e12,
                f16: 65e12,
            }],
            no_card,
            no_driver: None,
        };
        let rows = rows(known, &facts, |it| {
            trouble.filter(|_| *it == DeviceName::cuda(0))
        });
        let rows = rows
            .iter()
            .map(|it| format!("{}: {}\n  {}", it.title, it.in_words().join("; "), it.note));
        rows.collect::<Vec<_>>().join("\n")
    }

    fn device(name: &str, title: &str, memory_bytes: Option<u64>) -> DeviceInfo {
        DeviceInfo {
            name: name.parse().unwrap(),
            title: title.to_owned(),
            clock: Clock::Measured,
            memory_bytes,
        }
    }

    #[test]
    fn rates_are_those_of_data_sheets_and_what_is_not_known_is_left_open() {
        let known = [
            DeviceInfo::cpu(2),
            device("cuda", "Tesla T4", Some(15 << 30)),
            device("cuda:1", "NVIDIA X", Some(1 << 30)),
            device("cuda:2", "cuda, a real card", None),
            device("model:t4", "Tesla T4 (modelled)", Some(15 << 30)),
        ];
        insta::assert_snapshot!(said(&known, None, None), @"
        CPU, 2 threads: no figures known
          This machine; times are measured.
        Tesla T4: memory 15.0 GiB, 320 GB/s; TFLOP/s: f32 8.1, f16 65
          A real card; times are measured. The rates are the peaks of its data sheet.
        NVIDIA X: memory 1.00 GiB, –; TFLOP/s: f32 –, f16 –
          A real card; times are measured. No data sheet is known here.
        cuda, a real card: no figures known
          A real card; times are measured. The first run on it says which one it is.
        Tesla T4 (modelled): memory 15.0 GiB, 320 GB/s; TFLOP/s: f32 8.1, f16 65
          MODELLED: a model of this card (a GPU). Times follow from these peaks of its data sheet; nothing is timed.
        ");
    }

    #[test]
    fn a_card_that_cannot_be_had_says_why() {
        let reason = Reason {
            why: "there is no worker for real cards".to_owned(),
            hint: "warpup doctor prints the command that installs one".to_owned(),
            evidence: String::new(),
        };
        insta::assert_snapshot!(said(&[DeviceInfo::cpu(2)], Some(reason.clone()), None), @"
        CPU, 2 threads: no figures known
          This machine; times are measured.
        cuda, a real card: no figures known
          Not available: there is no worker for real cards; warpup doctor prints the command that installs one.
        ");
        let card = [device("cuda", "Tesla T4", None)];
        insta::assert_snapshot!(said(&card, None, Some(&reason)), @"
        Tesla T4: memory –, 320 GB/s; TFLOP/s: f32 8.1, f16 65
          The last run on it said: there is no worker for real cards; warpup doctor prints the command that installs one.
        ");
    }
}

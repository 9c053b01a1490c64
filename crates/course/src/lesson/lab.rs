//! Labs: the attributes of their fence, and the blocks that belong to them.

use super::card_ids::card_ids;
use super::model::{DeviceWish, Lab, LabBlocks, Solution};
use crate::diagnostics::{Report, Rule};
use crate::markdown::Info;
use crate::memory::memory;
use crate::model::{LabId, LimitedBy, PageId, QuestionId};
use crate::toml_walk::{WithSpan, name};
use std::ops::Range;
use std::time::Duration;

/// Wall time of a lab that asks for none.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// No lab may ask for more.
const LONGEST: Duration = Duration::from_mins(10);
/// How a lab asks for memory.
const MEMORY_FORM: &str = "write `memory=2GiB`, or leave it out for 1 GiB";
/// The attributes of a lab.
const ATTRIBUTES: [&str; 7] = [
    "id", "title", "device", "predict", "timeout", "memory", FILE,
];
/// The attribute that names the file of a program.
pub(crate) const FILE: &str = "file";
/// Other words for a card.
const CARDS: [&str; 6] = ["gpu", "gpus", "card", "nvidia", "model", "model:"];
/// The devices a lab may ask for.
const DEVICES: [&str; 4] = ["any", "cpu", "cuda", "model:t4"];

/// A lab as its fence has it, and the prediction it asks for.
pub(crate) struct ReadLab {
    /// The lab; its prediction is set when the quiz has been read.
    pub(crate) lab: Lab,
    /// The question it names.
    pub(crate) predict: Option<WithSpan<QuestionId>>,
}

/// Reads a lab; nothing when it has no name to keep its progress under.
pub(super) fn read(
    info: &Info<'_>,
    code: &str,
    page: &PageId,
    span: Range<usize>,
    report: &mut Report,
) -> Option<ReadLab> {
    info.check_flags(&["lab"], report);
    info.check_attributes("lab", &ATTRIBUTES, report);
    if info.language.value != "python" {
        report
            .error(
                Rule::LabLanguage,
                info.language.span.clone(),
                "a lab is written in python",
            )
            .fixed_by(info.language.value, "python")
            .hint("write `python lab id=…`");
        return None;
    }
    let Some(id) = info.attribute("id") else {
        without_id(info, report);
        return None;
    };
    if !name::check(id.value, "lab", id.span.clone(), report) {
        return None;
    }
    if code.trim().is_empty() {
        report
            .error(
                Rule::LabWithoutProgram,
                span.clone(),
                format!("lab `{}` has no program", id.value),
            )
            .hint("write the program that learners start with between the two fences");
    }
    let title = info.attribute("title").map(|it| it.value.trim());
    let predict = info.attribute("predict").map(|it| WithSpan {
        value: QuestionId::new(it.value),
        span: it.span.clone(),
    });
    let lab = Lab {
        id: LabId::new(id.value),
        title: title
            .filter(|it| !it.is_empty())
            .map_or_else(|| name::in_words(id.value), str::to_owned),
        page: page.clone(),
        device: info
            .attribute("device")
            .and_then(|it| device(it, report))
            .unwrap_or(DeviceWish::Any),
        predict: None,
        time_limit: info
            .attribute("timeout")
            .and_then(|it| timeout(it, report))
            .unwrap_or(TIME_LIMIT),
        limited_by: LimitedBy::Lab,
        memory: info
            .attribute("memory")
            .and_then(|it| memory(it, MEMORY_FORM, report)),
        starter: code.to_owned(),
        check: None,
        solution: None,
        other_ways: Vec::new(),
        rust: None,
        hints: Vec::new(),
        blocks: LabBlocks {
            files: [
                info.attribute(FILE).map(|it| it.value.to_owned()),
                None,
                None,
            ],
            ..LabBlocks::default()
        },
        span,
    };
    Some(ReadLab { lab, predict })
}

/// Reports a lab without an id. One with a title gets its id from that.
fn without_id(info: &Info<'_>, report: &mut Report) {
    let title = info.attribute("title").map_or("", |it| it.value);
    let slug = name::slug(title);
    let said = report.error(
        Rule::LabWithoutId,
        info.language.span.clone(),
        "the lab has no `id`",
    );
    match info.flag("lab") {
        Some(flag) if !slug.is_empty() => said
            .fixed_at(flag.span.clone(), "lab", format!("lab id={slug}"))
            .hint(format!(
                "write `python lab id={slug}`; progress is kept under it"
            )),
        Some(_) | None => said.hint("write `python lab id=some-name`; progress is kept under it"),
    }
}

fn device(written: &WithSpan<&str>, report: &mut Report) -> Option<DeviceWish> {
    let other = match written.value {
        "any" => return Some(DeviceWish::Any),
        "cpu" => return Some(DeviceWish::Cpu),
        "cuda" => return Some(DeviceWish::Cuda),
        other => other,
    };
    let ids = || card_ids().iter().map(String::as_str);
    if let Some(card) = other.strip_prefix("model:").filter(|it| !it.is_empty()) {
        if ids().any(|it| it == card) {
            return Some(DeviceWish::Model(card.to_owned()));
        }
        let message = format!("there is no modelled card `{card}`");
        let all = format!("there are {}", ids().collect::<Vec<_>>().join(", "));
        report
            .error(Rule::UnknownCard, written.span.clone(), message)
            .did_you_mean_or(card, ids(), all);
        return None;
    }
    let report = report.error(
        Rule::UnknownDevice,
        written.span.clone(),
        format!("unknown device `{other}`"),
    );
    let lower = other.to_lowercase();
    if ids().any(|it| it == lower) {
        let model = format!("model:{lower}");
        report
            .fixed_by(other, &*model)
            .hint(format!("write `device={model}` for this card, modelled"));
    } else if lower.starts_with("cuda") || CARDS.contains(&lower.as_str()) {
        // The nearest word would be `cpu`.
        report.hint("write `device=cuda` for a card, real or modelled, or `device=model:t4` for one modelled card");
    } else {
        report.did_you_mean_or(
            other,
            DEVICES,
            "a lab runs on any, cpu, cuda, or a modelled card such as model:t4",
        );
    }
    None
}

fn timeout(written: &WithSpan<&str>, report: &mut Report) -> Option<Duration> {
    let (number, unit) = written
        .value
        .split_at(written.value.trim_end_matches(char::is_alphabetic).len());
    let number = number.parse::<u32>().ok().map(u64::from);
    let duration = match (number, unit) {
        (Some(number), "ms") => Duration::from_millis(number),
        (Some(number), "s") => Duration::from_secs(number),
        (Some(_) | None, _) => {
            report
                .error(
                    Rule::TimeForm,
                    written.span.clone(),
                    format!("`{}` is not a time", written.value),
                )
                .hint("write `20s` or `500ms`");
            return None;
        }
    };
    if duration.is_zero() || duration > LONGEST {
        report
            .error(
                Rule::TimeForm,
                written.span.clone(),
                format!(
                    "a lab's time is more than nothing and at most {}s",
                    LONGEST.as_secs()
                ),
            )
            .hint("write `timeout=20s`, or leave it out for 20 seconds");
        return None;
    }
    Some(duration)
}

/// The flag of a solution that the instructor has.
const WITHHELD: &str = "withheld";

/// A block that belongs to a lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabBlock {
    /// `python check=…`
    Check,
    /// `python solution=…`
    Solution,
    /// `rust same-as=…`
    SameAs,
}

impl LabBlock {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Check, Self::Solution, Self::SameAs];

    /// The attribute that names the lab.
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Solution => "solution",
            Self::SameAs => "same-as",
        }
    }

    /// The language it has to be in.
    fn language(self) -> &'static str {
        match self {
            Self::Check | Self::Solution => "python",
            Self::SameAs => "rust",
        }
    }
}

/// The program of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<'a> {
    /// The program.
    pub(crate) text: &'a str,
    /// The first byte of the block in the file.
    pub(crate) at: usize,
}

/// Gives a block to the lab that it names.
pub(crate) fn attach(
    what: LabBlock,
    info: &Info<'_>,
    code: Code<'_>,
    labs: &mut [Lab],
    report: &mut Report,
) {
    let attribute = what.attribute();
    let is_solution = what == LabBlock::Solution;
    info.check_flags(if is_solution { &[WITHHELD] } else { &[] }, report);
    let known = [attribute, FILE];
    let known = match what {
        LabBlock::Check | LabBlock::Solution => &known[..],
        LabBlock::SameAs => &known[..1],
    };
    info.check_attributes(attribute, known, report);
    let Some(lab) = info.attribute(attribute) else {
        return;
    };
    if info.language.value != what.language() {
        report
            .error(
                Rule::LabLanguage,
                info.language.span.clone(),
                format!(
                    "a block with `{attribute}=` is written in {}",
                    what.language()
                ),
            )
            .hint(format!(
                "write `{} {attribute}={}`",
                what.language(),
                lab.value
            ));
        return;
    }
    let Some(index) = labs.iter().position(|it| it.id.as_str() == lab.value) else {
        let known = labs.iter().map(|it| it.id.as_str());
        report
            .error(
                Rule::UnknownLab,
                lab.span.clone(),
                format!("there is no lab `{}` above this block", lab.value),
            )
            .did_you_mean_or(
                lab.value,
                known.clone(),
                match known.collect::<Vec<_>>() {
                    all if all.is_empty() => {
                        "put the block under its lab, ```python lab id=…".to_owned()
                    }
                    all => format!("the labs above it are {}", all.join(", ")),
                },
            );
        return;
    };
    let Some(found) = labs.get_mut(index) else {
        return;
    };
    if has(found, what) {
        report
            .error(
                Rule::SecondBlock,
                lab.span.clone(),
                format!("lab `{}` has a `{attribute}=` block already", lab.value),
            )
            .hint("make one block of the two");
        return;
    }
    put(found, what, info, code);
    let file = info.attribute(FILE).map(|it| it.value.to_owned());
    let [_, check, solution] = &mut found.blocks.files;
    match what {
        LabBlock::Check => (*check, found.blocks.check) = (file, Some(code.at)),
        LabBlock::Solution => (*solution, found.blocks.solution) = (file, Some(code.at)),
        LabBlock::SameAs => {}
    }
}

/// Whether a lab has such a block.
fn has(lab: &Lab, what: LabBlock) -> bool {
    match what {
        LabBlock::Check => lab.check.is_some(),
        LabBlock::Solution => lab.solution.is_some(),
        LabBlock::SameAs => lab.rust.is_some(),
    }
}

/// Gives a lab the program of such a block.
fn put(lab: &mut Lab, what: LabBlock, info: &Info<'_>, code: Code<'_>) {
    let program = code.text.to_owned();
    match what {
        LabBlock::Check => lab.check = Some(program),
        LabBlock::Solution if info.flag(WITHHELD).is_some() => {
            lab.solution = Some(Solution::Withheld);
        }
        LabBlock::Solution => lab.solution = Some(Solution::Program(program)),
        LabBlock::SameAs => lab.rust = Some(program),
    }
}

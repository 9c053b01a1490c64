//! One question: what all types have in common. What differs is in `question_kind`.

use super::fence::Info;
use super::lab::Belonging;
use super::markdown::{self, Link, PartKind};
use super::quiz::Places;
use super::report::Report;
use super::spot::Spot;
use super::toml_walk::{At, Fields};
use super::{
    Block, BlockKind, PageId, Question, QuestionId, QuestionKind, Text, code, hash, name,
    question_kind,
};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// A quiz file while its questions are read.
pub(super) struct Reading<'r, 'a> {
    /// The file's text.
    pub(super) file: &'a str,
    /// What is wrong with it.
    pub(super) report: &'r mut Report,
    /// The links of all texts so far.
    pub(super) links: Vec<Link>,
}

/// The types of questions.
const TYPES: [&str; 8] = [
    "single", "multi", "numeric", "text", "order", "match", "predict", "words",
];
/// The keys that every type has.
const COMMON: [&str; 8] = [
    "id", "type", "prompt", "points", "short", "hints", "explain", "see",
];
/// A question may be worth this many points, so that no sum of them overflows.
const MAX_POINTS: u32 = 1000;

/// The keys that a type has besides the common ones.
fn own_keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "single" => &["options", "shuffle"],
        "multi" => &["options", "shuffle", "partial"],
        "numeric" => &["answer", "tolerance", "unit", "accepted", "near"],
        "text" => &["accept", "case", "samples_ok", "samples_bad", "near"],
        "order" => &["items", "also"],
        "match" => &["pairs"],
        "predict" => &["lab", "metric", "counts", "unit", "within_factor", "bins"],
        "words" => &["parts"],
        _ => &[],
    }
}

/// Reads a question. What it gives is whole only if nothing was reported meanwhile.
pub(super) fn read(
    value: &Spanned<DeValue<'_>>,
    extent: &Range<usize>,
    reading: &mut Reading<'_, '_>,
) -> Option<(Question, Places)> {
    let mut fields = Fields::of("question", value, reading.report)?;
    let kind_word = fields.text("type", reading.report)?;
    if !TYPES.contains(&kind_word.value) {
        reading
            .report
            .error(
                kind_word.span,
                format!("unknown type `{}`", kind_word.value),
            )
            .did_you_mean_or(
                kind_word.value,
                TYPES,
                format!("known are {}", TYPES.join(", ")),
            );
        return None;
    }
    let what = format!("{} question", kind_word.value);
    fields = Fields::of(&what, value, reading.report)?;
    let mut known = [&COMMON, own_keys(kind_word.value)].concat();
    if kind_word.value == "words" {
        refuse_points(&fields, &mut known, reading.report);
    }
    fields.check_keys(&known, reading.report);
    let id = fields.text("id", reading.report);
    let prompt_text = fields.text("prompt", reading.report);
    let explain = fields.text("explain", reading.report);
    let points = points(&fields, reading.report);
    let hints = fields.texts("hints", reading.report);
    let mut places = Places {
        see: see(&fields, reading.report),
        ..Places::default()
    };
    let kind = question_kind::read(kind_word.value, &fields, &mut places, reading)?;
    let id = id?;
    name::check(id.value, "question", id.span, reading.report);
    let prompt_text = prompt_text?;
    let counts = match &kind {
        QuestionKind::Predict { .. } => fields
            .optional::<bool>("counts", reading.report)
            .is_some_and(|it| it.value),
        QuestionKind::Single { .. }
        | QuestionKind::Multi { .. }
        | QuestionKind::Numeric(_)
        | QuestionKind::Text { .. }
        | QuestionKind::Order { .. }
        | QuestionKind::Match { .. } => true,
        QuestionKind::Words { .. } => false,
    };
    let short = fields.optional::<bool>("short", reading.report);
    let short = short.filter(|it| it.value);
    let is_predicted = matches!(kind, QuestionKind::Predict { .. });
    if let Some(short) = short.as_ref().filter(|_| is_predicted && !counts) {
        let message = "a prediction that does not count cannot be part of the short quiz";
        reading
            .report
            .error(short.span.clone(), message)
            .hint("leave `short` out");
    }
    let question = Question {
        id: QuestionId::new(id.value),
        prompt: reading.blocks(&prompt_text),
        points,
        counts,
        short: short.is_some(),
        hints: hints.iter().map(|it| reading.line(it)).collect(),
        explain: reading.blocks(&explain?),
        see: places.see.as_ref().map(|it| it.value.clone()),
        hash: hash::of(prompt_text.value, &kind),
        kind,
        span: extent.clone(),
    };
    Some((question, places))
}

/// Where a question's name stands.
pub(super) fn id_span(value: &Spanned<DeValue<'_>>) -> Range<usize> {
    value
        .get_ref()
        .as_table()
        .and_then(|it| it.get("id"))
        .map_or_else(|| value.span(), Spanned::span)
}

fn points(fields: &Fields<'_>, report: &mut Report) -> u32 {
    let Some(points) = fields.optional::<u32>("points", report) else {
        return 1;
    };
    if !(1..=MAX_POINTS).contains(&points.value) {
        report.error(
            points.span,
            format!("`points` is between 1 and {MAX_POINTS}"),
        );
    }
    points.value
}

/// Says of a question that is not graded that it has nothing to earn.
fn refuse_points(fields: &Fields<'_>, known: &mut Vec<&str>, report: &mut Report) {
    const NONE: [&str; 3] = ["points", "short", "counts"];
    known.retain(|it| !NONE.contains(it));
    for key in NONE {
        if let Some(span) = fields.key_span(key) {
            let message = format!("a words question is not graded, so it has no `{key}`");
            report.error(span, message).hint("leave it out");
            known.push(key);
        }
    }
}

fn see(fields: &Fields<'_>, report: &mut Report) -> Option<At<PageId>> {
    let see = fields.optional::<&str>("see", report)?;
    let Some(page) = see.value.strip_prefix('#') else {
        report
            .error(
                see.span,
                format!("`{}` is no page of the lesson", see.value),
            )
            .hint("write `see = \"#page\"`");
        return None;
    };
    Some(At {
        value: PageId::new(page),
        span: see.span,
    })
}

impl Reading<'_, '_> {
    /// Inline markdown on one line.
    pub(super) fn line(&mut self, text: &At<&str>) -> Text {
        if text.value.trim().is_empty() {
            self.report.error(text.span.clone(), "this text is empty");
        } else if text.value.trim().contains('\n') {
            self.report
                .error(text.span.clone(), "this text has to be on one line");
        }
        let spot = Spot::of(text, self.file);
        let (line, links) = markdown::read_line(text.value, &spot, self.report);
        self.links.extend(links);
        line
    }

    /// Markdown with paragraphs and code.
    fn blocks(&mut self, text: &At<&str>) -> Vec<Block> {
        let spot = Spot::of(text, self.file);
        let document = markdown::read(text.value, &spot, self.report);
        self.links.extend(document.links);
        let mut blocks = Vec::new();
        for part in document.parts {
            let kind = match part.kind {
                PartKind::Paragraph(text) => BlockKind::Paragraph(text),
                PartKind::Heading { level, text, .. } => BlockKind::Heading {
                    level: level.max(3),
                    text,
                },
                PartKind::Table(table) => BlockKind::Table {
                    align: table.align,
                    head: table.head,
                    rows: table.rows,
                },
                PartKind::Rule => BlockKind::Rule,
                PartKind::Fence { info, code } => {
                    let info = Info::parse(text.value, &info, &spot, self.report);
                    for attribute in Belonging::ALL.map(Belonging::attribute) {
                        if let Some(lab) = info.attribute(attribute) {
                            self.report
                                .error(lab.span.clone(), "labs stand in lessons, not in quizzes");
                        }
                    }
                    code::block(&info, code, &part.span, self.report)
                }
            };
            blocks.push(Block {
                within: part.within,
                kind,
                span: part.span,
            });
        }
        blocks
    }
}

//! One question: what all kinds have in common. What differs is in `kinds`.

use super::computed::{DRAW, DRAWING};
use super::kind::{COMMON, HashInput, VERSION};
use super::kinds::{Counts, TYPES, Type};
use super::model::Question;
use super::reading::{Keys, Reading};
use super::without_key::WithoutKey;
use crate::diagnostics::{Report, Rule, few, nearest};
use crate::model::{PageId, QuestionId};
use crate::toml_walk::{Fields, WithSpan, name};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// Where a question refers to its lesson.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The page to return to.
    pub(crate) see: Option<WithSpan<PageId>>,
    /// The lab's name in a prediction.
    pub(crate) lab: Range<usize>,
    /// The metric's name in a prediction.
    pub(crate) metric: Range<usize>,
    /// The unit of a predicted number.
    pub(crate) unit: Range<usize>,
}

/// A question may be worth this many points, so that no sum of them overflows.
const MAX_POINTS: u32 = 1000;

/// Reads a question, or a version of one. What it gives is whole only if nothing was reported meanwhile.
pub(super) fn read(
    value: &Spanned<DeValue<'_>>,
    extent: &Range<usize>,
    version_of: Option<&QuestionId>,
    reading: &mut Reading<'_, '_>,
) -> Option<(Question, Places)> {
    let mut fields = Fields::of("question", value, reading.report)?;
    let word = fields.text("type", reading.report)?;
    let Some(of_type) = Type::of(word.value) else {
        let message = format!("unknown type `{}`", word.value);
        let said = reading.error(Rule::UnknownType, word.span, message);
        match meant_type(word.value) {
            Some(meant) => said.hint(format!("write {meant}")),
            None => said.known(word.value, &TYPES.map(|it| it.word)),
        }
        return None;
    };
    let what = format!("{} question", of_type.word);
    fields = Fields::of(&what, value, reading.report)?;
    let is_keyless = reading.keys == Keys::Withheld && of_type.counts != Counts::Never;
    let known = known(of_type, &what, &fields, reading);
    fields.check_keys(&known, reading.report);
    let id = fields.text("id", reading.report);
    let prompt_text = fields.text("prompt", reading.report);
    // What explains the right answer gives it away.
    let explain = (!is_keyless).then(|| fields.text("explain", reading.report));
    let points = points(&fields, reading.report);
    let hints = fields.texts("hints", reading.report);
    let span_of = |key| fields.get(key).map_or(0..0, Spanned::span);
    let places = Places {
        see: see(&fields, reading),
        lab: span_of("lab"),
        metric: span_of("metric"),
        unit: span_of("unit"),
    };
    let kind = (of_type.read)(&fields, reading)?;
    let id = id?;
    name::check(id.value, "question", id.span, reading.report);
    let prompt_text = prompt_text?;
    let counts = match of_type.counts {
        Counts::Always => true,
        Counts::IfSaid => reading.flag(&fields, "counts").unwrap_or(false),
        Counts::Never => false,
    };
    let mut only_if_it_counts = |key: &str, cannot: &str| {
        let flag = fields.optional::<bool>(key, reading.report);
        let flag = flag.filter(|it| it.value);
        if let Some(flag) = &flag
            && of_type.counts == Counts::IfSaid
            && !counts
        {
            let message = format!("a {what} that does not count cannot be {cannot}");
            reading
                .error(Rule::DoesNotCount, flag.span.clone(), message)
                .hint(format!("leave `{key}` out"));
        }
        flag.is_some()
    };
    let short = only_if_it_counts("short", "part of the short quiz");
    let always = only_if_it_counts("always", "in every attempt");
    let mut hashed = HashInput::new(prompt_text.value);
    hashed.kind(kind.kind());
    let question = Question {
        id: QuestionId::new(id.value),
        version_of: version_of.cloned(),
        prompt: reading.blocks(&prompt_text),
        points,
        counts,
        short,
        always,
        hints: hints.iter().map(|it| reading.line(it)).collect(),
        explain: match explain {
            Some(explain) => reading.blocks(&explain?),
            None => Vec::new(),
        },
        see: places.see.as_ref().map(|it| it.value.clone()),
        hash: hashed.digits(),
        hash_without_key: WithoutKey::of(&kind).map(|it| it.hash(prompt_text.value)),
        kind,
        span: extent.clone(),
    };
    Some((question, places))
}

/// The keys that a question of this type may have. Warns of those that are not used.
fn known(
    of_type: &Type,
    what: &str,
    fields: &Fields<'_>,
    reading: &mut Reading<'_, '_>,
) -> Vec<&'static str> {
    let own = match reading.keys {
        Keys::Here => of_type.keys,
        Keys::Withheld => of_type.offered,
    };
    let mut known = [&COMMON, own].concat();
    if of_type.counts == Counts::Never {
        refuse_points(what, fields, &mut known, reading.report);
        return known;
    }
    if of_type.counts == Counts::Always {
        // Its versions have been taken out.
        known.push(VERSION);
        known.extend((of_type.word == DRAWING).then_some(DRAW));
    }
    if reading.keys == Keys::Withheld {
        known.extend(of_type.for_grading());
        for key in of_type.for_grading().chain(["explain"]) {
            reading.key_not_used(key, fields.key_span(key));
        }
    }
    known
}

/// The type that is called by another word elsewhere.
fn meant_type(word: &str) -> Option<&'static str> {
    let word: String = word.to_lowercase().replace([' ', '_', '-', '/'], "");
    Some(match word.as_str() {
        "multiplechoice" | "mc" | "mcq" | "choice" | "multichoice" => {
            "`type = \"single\"` if one option is right, or `type = \"multi\"` if several may be"
        }
        "singlechoice" | "radio" | "one" => "`type = \"single\"`",
        "multiple" | "checkbox" | "multipleresponse" | "select" | "multiselect" => {
            "`type = \"multi\"`"
        }
        "truefalse" | "boolean" | "bool" | "yesno" => {
            "`type = \"single\"` with two options, `true` and `false`"
        }
        "number" | "numerical" | "num" | "calculated" | "int" | "integer" | "float" => {
            "`type = \"numeric\"`"
        }
        "shortanswer" | "short" | "string" | "fillin" | "fillblank" | "gap" | "cloze" | "input" => {
            "`type = \"text\"`"
        }
        "ordering" | "sort" | "sequence" | "rank" => "`type = \"order\"`",
        "matching" | "pairs" | "matches" => "`type = \"match\"`",
        "essay" | "free" | "freetext" | "open" | "longtext" | "explain" => {
            "`type = \"words\"`, which is not graded"
        }
        _ => return None,
    })
}

/// Where a question's id is.
pub(crate) fn id_span(value: &Spanned<DeValue<'_>>) -> Range<usize> {
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
        report
            .error(
                Rule::PointsRange,
                points.span,
                format!("`points` is between 1 and {MAX_POINTS}"),
            )
            .hint("write a whole number, such as `points = 2`, or leave it out for 1");
    }
    points.value
}

/// Says of a question that is not graded that it has nothing to earn.
fn refuse_points(what: &str, fields: &Fields<'_>, known: &mut Vec<&str>, report: &mut Report) {
    const NONE: [&str; 4] = ["points", "short", "always", "counts"];
    known.retain(|it| !NONE.contains(it));
    for key in NONE {
        if let Some(span) = fields.key_span(key) {
            let message = format!("a {what} is not graded, so it has no `{key}`");
            report
                .error(Rule::NotGraded, span, message)
                .hint("leave it out");
            known.push(key);
        }
    }
}

fn see(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Option<WithSpan<PageId>> {
    let see = fields.optional::<&str>("see", reading.report)?;
    let (file, page) = see.value.split_once('#').unwrap_or(("", see.value));
    let named = page.trim_matches(['#', '{', '}', ' ']);
    if see.value == format!("#{named}") && name::is_name(named) {
        return Some(WithSpan {
            value: PageId::new(named),
            span: see.span,
        });
    }
    let pages = reading.pages;
    let slug = name::slug(named);
    let near = || nearest(&slug, pages.ids()).map(PageId::new);
    let message = format!("`{}` is not a page of the lesson", see.value);
    let said = reading.error(Rule::SeeForm, see.span, message);
    if !file.is_empty() || named.contains(".md") {
        // Which of its pages the learner should read again, only the author knows.
        said.hint(format!(
            "`see` names a page of the lesson that has this quiz, such as `see = \"#{}\"`; link to another lesson in `explain`",
            if file.is_empty() || slug.is_empty() { "page" } else { &slug }
        ));
    } else if let Some(id) = pages.meant(named).cloned().or_else(near) {
        said.fixed_by(see.value, format!("#{id}"))
            .hint(format!("write `see = \"#{id}\"`"));
    } else {
        said.hint(format!(
            "write `#` and the id of a page, which is in braces behind its heading: it has the pages {}",
            few(pages.ids())
        ));
    }
    None
}

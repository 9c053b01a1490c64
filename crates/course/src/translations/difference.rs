//! How a translation differs from its original.

use crate::diagnostics::{Report, Rule};
use std::ops::Range;

/// Reports a difference from the original.
pub(super) fn differs(report: &mut Report, span: Range<usize>, message: String, hint: String) {
    report
        .error(Rule::TranslationDiffers, span, message)
        .hint(hint);
}

/// How a list of ids differs from that of the original.
pub(super) enum Difference<'a> {
    /// One that has another name: was, is.
    Renamed(&'a str, &'a str),
    /// One that is not there.
    Missing(&'a str),
    /// One that the original does not have.
    Added(&'a str),
    /// The same ones in another order.
    Order,
}

/// How ids differ from those of the original. One that is missing and one that is added are taken for the same one.
pub(super) fn differences<'a>(were: &[&'a str], are: &[&'a str]) -> Vec<Difference<'a>> {
    let missing = were.iter().filter(|it| !are.contains(it));
    let mut added = are.iter().filter(|it| !were.contains(it));
    let mut differences: Vec<_> = missing
        .map(|was| match added.next() {
            Some(is) => Difference::Renamed(was, is),
            None => Difference::Missing(was),
        })
        .collect();
    differences.extend(added.map(|is| Difference::Added(is)));
    if differences.is_empty() && were != are {
        differences.push(Difference::Order);
    }
    differences
}

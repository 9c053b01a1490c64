//! A plot in sentences, for learners who cannot see it or want the numbers.

use crate::text::cut_line;
use crate::units::number;
use std::cmp::Ordering;
use warpup_protocol::{Plot, PlotSource, Series};

/// Letters of a name in a sentence, at most.
const NAME: usize = 40;

/// The heading of a plot. `at` counts from 0.
pub fn heading(plot: &Plot, at: usize, of: usize) -> String {
    let about = match (
        plot.title.as_str(),
        plot.y_label.as_str(),
        plot.x_label.as_str(),
    ) {
        ("", "", "") => String::new(),
        ("", "", x) => format!("over {x}"),
        ("", y, "") => y.to_owned(),
        ("", y, x) => format!("{y} over {x}"),
        (title, _, _) => title.to_owned(),
    };
    let which = if of > 1 {
        format!("plot {} of {of}", at + 1)
    } else {
        "plot".to_owned()
    };
    match cut_line(&about, NAME).as_str() {
        "" => which,
        about => format!("{which}: {about}"),
    }
}

/// Where a plot's numbers are from, in a word: that of the run's clock, unless the lab says that no clock gave them.
pub fn source(plot: &Plot, of_run: &'static str) -> &'static str {
    match plot.source {
        PlotSource::Run => of_run,
        PlotSource::Counted => "counted",
        PlotSource::Given => "given numbers",
    }
}

/// A sentence for each series: where it begins and ends, how it runs, its extremes, and what was left out. Of bars, each
/// name with its number.
pub fn sentences(plot: &Plot) -> Vec<String> {
    if !plot.names.is_empty() {
        return plot.series.iter().map(|it| of_bars(plot, it)).collect();
    }
    let along = cut_line(&plot.x_label, NAME);
    let each = plot
        .series
        .iter()
        .map(|it| format!("{}: {}", name(plot, it), sentence(it, &along)));
    each.chain(crossings(plot, &along)).collect()
}

fn name(plot: &Plot, series: &Series) -> String {
    match series.name.as_str() {
        "" if plot.y_label.is_empty() => "the line".to_owned(),
        "" => cut_line(&plot.y_label, NAME),
        name => cut_line(name, NAME),
    }
}

/// More series than these have too many pairs for a sentence each.
const FEW: usize = 4;

/// For each two series that cross once, from where on which one is below: a drawing may have both points in one cell.
fn crossings(plot: &Plot, along: &str) -> Vec<String> {
    let all = plot.series.get(..FEW).unwrap_or(&plot.series);
    let pairs = all.iter().enumerate().flat_map(|(at, one)| {
        let others = all.iter().skip(at + 1);
        others.map(move |other| (one, other))
    });
    let said = pairs.filter_map(|(one, other)| {
        let (is_one, x) = crossing(one, other)?;
        let (below, above) = if is_one { (one, other) } else { (other, one) };
        let place = match along {
            "" => number(x),
            along => format!("{along} {}", number(x)),
        };
        let (below, above) = (name(plot, below), name(plot, above));
        Some(format!("{below} is below {above} from {place} on"))
    });
    said.collect()
}

/// Values whose difference is at most this share of the larger one are as good as equal: they are one cell in the drawing, and one
/// number in words.
const EQUAL: f64 = 0.002;

/// Whether the first of two series is below the other one in the end, and from which point on; nothing if they do not cross
/// once, or have different points.
fn crossing(one: &Series, other: &Series) -> Option<(bool, f64)> {
    if one.points.len() != other.points.len() {
        return None;
    }
    let mut sides: Vec<(bool, f64)> = Vec::new();
    for ((x, y), (other_x, other_y)) in one.points.iter().zip(&other.points) {
        if x.total_cmp(other_x) != Ordering::Equal {
            return None;
        }
        if (y - other_y).abs() <= EQUAL * y.abs().max(other_y.abs()) {
            continue;
        }
        let is_below = y.partial_cmp(other_y)? == Ordering::Less;
        if sides.last().is_none_or(|it| it.0 != is_below) {
            sides.push((is_below, *x));
        }
    }
    match sides.as_slice() {
        [_, last] => Some(*last),
        _ => None,
    }
}

fn of_bars(plot: &Plot, series: &Series) -> String {
    let said = plot.names.iter().enumerate().map(|(at, name)| {
        let value = series
            .bar(at)
            .map_or_else(|| "no number".to_owned(), number);
        format!("{} {value}", cut_line(name, NAME))
    });
    let said: Vec<String> = said.collect();
    // A name may hold a comma.
    let said = said.join("; ");
    match (series.name.as_str(), plot.y_label.as_str()) {
        ("", "") => said,
        ("", label) => format!("{}: {said}", cut_line(label, NAME)),
        (name, _) => format!("{}: {said}", cut_line(name, NAME)),
    }
}

fn sentence(series: &Series, along: &str) -> String {
    let at = |x: f64| match along {
        "" => format!("at {}", number(x)),
        along => format!("at {along} {}", number(x)),
    };
    let mut said = match series.points.as_slice() {
        [] => "no point can be drawn".to_owned(),
        [(x, y)] => format!("one point, {} {}", number(*y), at(*x)),
        [(first_x, first_y), .., (last_x, last_y)] => {
            let run = format!(
                "from {} {} to {} {}, {}",
                number(*first_y),
                at(*first_x),
                number(*last_y),
                at(*last_x),
                course(series)
            );
            match extremes(series) {
                // What runs one way has its extremes at its ends.
                Some(((low_x, low), (high_x, high))) if turns(series) => format!(
                    "{run}; lowest {} {}, highest {} {}",
                    number(low),
                    at(low_x),
                    number(high),
                    at(high_x)
                ),
                Some(_) | None => run,
            }
        }
    };
    let missing = match series.skipped {
        0 => return said,
        1 => "1 point is left out, it is".to_owned(),
        many => format!("{many} points are left out, they are"),
    };
    said.extend(["; ", &missing, " nan or infinite"]);
    said
}

/// Whether a series rises and falls.
fn turns(series: &Series) -> bool {
    directions(series) == (true, true)
}

/// Whether a series rises anywhere, and whether it falls anywhere.
fn directions(series: &Series) -> (bool, bool) {
    let steps = steps(series);
    (
        steps.contains(&Ordering::Greater),
        steps.contains(&Ordering::Less),
    )
}

/// From each point to the next: up, down, or level. What nobody could see is level, and so is what rounding leaves where two
/// equal times are differences of large ones.
fn steps(series: &Series) -> Vec<Ordering> {
    let Some(((_, low), (_, high))) = extremes(series) else {
        return Vec::new();
    };
    let least = ((high - low) * 1e-6).max(low.abs().max(high.abs()) * 1e-8);
    let points = series.points.iter().zip(series.points.iter().skip(1));
    let steps = points.map(|((_, before), (_, after))| match after - before {
        change if change > least => Ordering::Greater,
        change if change < -least => Ordering::Less,
        _ => Ordering::Equal,
    });
    steps.collect()
}

/// How a series runs, from its first point to its last.
fn course(series: &Series) -> &'static str {
    let whole: f64 = match (series.points.first(), series.points.last()) {
        (Some((_, first)), Some((_, last))) => last - first,
        (None, _) | (_, None) => 0.0,
    };
    let is_level = steps(series).contains(&Ordering::Equal);
    match directions(series) {
        (false, false) => "it stays the same",
        (true, false) if is_level => "rising in steps",
        (true, false) => "rising all the way",
        (false, true) if is_level => "falling in steps",
        (false, true) => "falling all the way",
        (true, true) if whole > 0.0 => "rising on the whole, with ups and downs",
        (true, true) if whole < 0.0 => "falling on the whole, with ups and downs",
        (true, true) => "with ups and downs",
    }
}

/// The first lowest and the first highest point.
fn extremes(series: &Series) -> Option<((f64, f64), (f64, f64))> {
    let points = || series.points.iter().copied();
    let low = points().reduce(|best, it| if it.1 < best.1 { it } else { best })?;
    let high = points().reduce(|best, it| if it.1 > best.1 { it } else { best })?;
    Some((low, high))
}

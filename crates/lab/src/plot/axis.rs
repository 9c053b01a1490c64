//! An axis: where a value lies on it, and which values are written beside it.
//!
//! Ticks are at 1, 2 or 5 times a power of ten, on a logarithmic axis at powers of ten as long as there
//! are enough of them.

use super::row::cell;
use std::iter::successors;
use unicode_width::UnicodeWidthStr;

/// What is larger or smaller in size than any float that can be reckoned with safely.
const HUGE: f64 = 1e300;

/// How values lie on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    Log,
}

impl Scale {
    /// Where a value lies, in units of the scale; nothing for a value that the scale cannot show.
    pub(super) fn place(self, value: f64) -> Option<f64> {
        if !value.is_finite() || value.abs() > HUGE {
            return None;
        }
        match self {
            Self::Linear => Some(value),
            Self::Log => (value >= 1.0 / HUGE).then(|| value.log10()),
        }
    }
}

/// An axis of a plot.
#[derive(Debug)]
pub(super) struct Axis {
    scale: Scale,
    /// The ends, as places.
    low: f64,
    high: f64,
    /// What is written beside it, from low to high.
    pub(super) ticks: Vec<Tick>,
}

/// A value that is written beside an axis.
#[derive(Debug)]
pub(super) struct Tick {
    /// Where, from 0 to 1.
    pub(super) at: f64,
    pub(super) label: String,
}

impl Axis {
    /// An axis that begins and ends with the values. Where they are few, each of them is written.
    pub(super) fn along(values: &[f64], scale: Scale, columns: usize) -> Self {
        let mut axis = Self::between(values, scale);
        if let Some(own) = each(values, scale) {
            axis.set_ticks(&own);
            if axis.ticks.len() == own.values.len() && axis.has_room(columns) {
                return axis;
            }
        }
        // Fewer and fewer, until the labels have room.
        for most in (1..=columns.div_euclid(6).clamp(2, 12)).rev() {
            axis.set_ticks(&steps(axis.low, axis.high, scale, most));
            if axis.has_room(columns) {
                break;
            }
        }
        axis
    }

    /// An axis that begins and ends with ticks, as far as that can be.
    pub(super) fn upward(values: &[f64], scale: Scale, rows: usize) -> Self {
        let mut axis = Self::between(values, scale);
        let most = match scale {
            Scale::Linear => rows / 3,
            Scale::Log => rows / 2,
        };
        let most = most.clamp(2, 8);
        if scale == Scale::Linear && axis.low > 0.0 && axis.low < axis.high / 2.0 {
            // What starts near nothing is seen from nothing.
            axis.low = 0.0;
        }
        let inside = steps(axis.low, axis.high, scale, most);
        (axis.low, axis.high) = (inside.low, inside.high);
        axis.set_ticks(&inside);
        axis
    }

    fn between(values: &[f64], scale: Scale) -> Self {
        let places = values.iter().filter_map(|it| scale.place(*it));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| {
            (low.min(it), high.max(it))
        });
        let (low, high) = if low > high {
            (0.0, 1.0)
        } else if high - low <= low.abs().max(high.abs()) * 1e-12 {
            // A single value is drawn in the middle.
            let around = match scale {
                Scale::Linear if low == 0.0 => 1.0,
                Scale::Linear => low.abs() / 2.0,
                Scale::Log => 0.5,
            };
            (low - around, high + around)
        } else {
            (low, high)
        };
        Self {
            scale,
            low,
            high,
            ticks: Vec::new(),
        }
    }

    /// Where a value lies, from 0 to 1; nothing for what has no place.
    pub(super) fn share(&self, value: f64) -> Option<f64> {
        Some(self.share_of(self.scale.place(value)?))
    }

    fn share_of(&self, place: f64) -> f64 {
        ((place - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn set_ticks(&mut self, steps: &Steps) {
        let (low, high) = (self.low, self.high);
        let slack = (high - low) * 1e-9;
        let ticks = steps.values.iter().filter_map(|value| {
            let place = self.scale.place(*value)?;
            let is_inside = place >= low - slack && place <= high + slack;
            is_inside.then(|| Tick {
                at: self.share_of(place),
                label: steps.label(*value),
            })
        });
        self.ticks = ticks.collect();
    }

    /// Whether all labels can be read on so many columns.
    fn has_room(&self, columns: usize) -> bool {
        let wide: usize = self.ticks.iter().map(|it| it.label.width() + 2).sum();
        wide <= columns && self.are_apart(columns)
    }

    /// Whether the labels, each in the middle under its tick, leave two columns between them.
    fn are_apart(&self, columns: usize) -> bool {
        let half = |it: &Tick| it.label.width().div_ceil(2);
        let mut pairs = self.ticks.iter().zip(self.ticks.iter().skip(1));
        pairs.all(|(left, right)| {
            cell(left.at, columns) + half(left) + half(right) + 1 < cell(right.at, columns)
        })
    }
}

/// Values for ticks, and the places between which they lie.
struct Steps {
    low: f64,
    high: f64,
    values: Vec<f64>,
    /// How far two are apart; nothing where that is not the same everywhere.
    step: Option<f64>,
}

/// More values than these are not written one by one.
const FEW: usize = 12;

/// The values themselves as ticks, if they are few whole numbers.
fn each(values: &[f64], scale: Scale) -> Option<Steps> {
    let mut own: Vec<f64> = values.to_vec();
    own.sort_by(f64::total_cmp);
    own.dedup();
    let is_short = |it: &f64| it.fract() == 0.0 && (0.0..1e5).contains(it);
    let (low, high) = (scale.place(*own.first()?)?, scale.place(*own.last()?)?);
    let is_few = (2..=FEW).contains(&own.len()) && own.iter().all(is_short);
    is_few.then_some(Steps {
        low,
        high,
        values: own,
        step: None,
    })
}

/// About so many ticks, from the last one below `low` to the first one above `high`.
fn steps(low: f64, high: f64, scale: Scale, most: usize) -> Steps {
    match scale {
        Scale::Linear => even(low, high, most),
        Scale::Log => powers(low, high, most),
    }
}

fn even(low: f64, high: f64, most: usize) -> Steps {
    let step = round_up((high - low) / most as f64);
    let first = (low / step + 1e-9).floor();
    let last = (high / step - 1e-9).ceil();
    let values = counted(first, last, 1.0, most).map(|it| it * step);
    Steps {
        low: (first * step).min(low),
        high: (last * step).max(high),
        values: values.collect(),
        step: Some(step),
    }
}

/// Counts from `first` to `last`, and not much further than `most` where a float cannot.
fn counted(first: f64, last: f64, every: f64, most: usize) -> impl Iterator<Item = f64> {
    successors(Some(first), move |it| Some(it + every))
        .take_while(move |it| *it <= last)
        .take(2 * most + 3)
}

/// The next 1, 2 or 5 times a power of ten.
fn round_up(value: f64) -> f64 {
    let ten = power(value.log10().floor());
    let multiple = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|it| it * ten >= value * (1.0 - 1e-9));
    multiple.unwrap_or(10.0) * ten
}

/// A power of ten, exactly where a float can be exact.
fn power(exponent: f64) -> f64 {
    // What is parsed is rounded once; what is multiplied is rounded at each step.
    format!("1e{exponent:.0}")
        .parse()
        .unwrap_or(f64::MIN_POSITIVE)
}

/// Powers of ten; 1, 2 and 5 times those where they are few.
fn powers(low: f64, high: f64, most: usize) -> Steps {
    let (first, last) = ((low + 1e-9).floor(), (high - 1e-9).ceil());
    let decades = last - first;
    if decades <= 4.0 {
        let values = counted(first, last, 1.0, most);
        let values = values.flat_map(|exponent| [1.0, 2.0, 5.0].map(|it| it * power(exponent)));
        let mut values: Vec<f64> = values.collect();
        let mut places = values.iter().map(|it| it.log10());
        let below = places.clone().rfind(|it| *it <= low + 1e-9).unwrap_or(low);
        let above = places.find(|it| *it >= high - 1e-9).unwrap_or(high);
        values.retain(|it| (below - 1e-9..=above + 1e-9).contains(&it.log10()));
        if values.len() <= most.max(3) {
            return Steps {
                low: below,
                high: above,
                values,
                step: None,
            };
        }
    }
    let every = (decades / most as f64).ceil().max(1.0);
    let from = (first / every).ceil() * every;
    Steps {
        low: first.min(low),
        high: last.max(high),
        values: counted(from, last, every, most).map(power).collect(),
        step: None,
    }
}

impl Steps {
    /// A tick's value, with the digits that distinguish it from the next one.
    fn label(&self, value: f64) -> String {
        let Some(step) = self.step else {
            let is_short = (1e-3..1e5).contains(&value);
            return if value == 0.0 {
                "0".to_owned()
            } else if is_short {
                format!("{:.*}", decimals(value), value)
            } else {
                format!("{value:.0e}")
            };
        };
        let largest = self
            .values
            .iter()
            .fold(0.0_f64, |it, value| it.max(value.abs()));
        if value.abs() < step / 2.0 {
            "0".to_owned()
        } else if largest >= 1e6 || step < 1e-4 {
            let digits = value.abs().log10().floor() - step.log10().floor();
            without_noughts(&format!("{value:.*e}", whole(digits)))
        } else {
            format!("{value:.*}", decimals(step))
        }
    }
}

/// `1.50e6` as `1.5e6`.
fn without_noughts(number: &str) -> String {
    match number.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{digits}e{exponent}")
        }
        Some(_) | None => number.to_owned(),
    }
}

/// Digits behind the point that a step of 1, 2 or 5 times a power of ten needs.
fn decimals(step: f64) -> usize {
    whole(-(step.log10() + 1e-9).floor())
}

/// A small count of digits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a few digits"
)]
fn whole(digits: f64) -> usize {
    digits.clamp(0.0, 8.0) as usize
}

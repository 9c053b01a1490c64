//! A plot as a lab gives it: numbers and names, and nothing about how it is drawn.

use super::skip::is_default;
use serde::{Deserialize, Serialize};

/// Series in a plot, at most: more marks cannot be told apart.
pub const MAX_SERIES: usize = 6;

/// Points in a plot, all series together, at most. A screen has far fewer columns.
pub const MAX_POINTS: usize = 10_000;

/// Names of bars in a plot, at most.
pub const MAX_BARS: usize = 40;

/// What one `lab.plot` or `lab.bars` shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Its title; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The label of the horizontal axis, with its unit; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub x_label: String,
    /// The label of the vertical axis, with its unit; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub y_label: String,
    /// Which axes are logarithmic.
    pub log: LogAxes,
    /// The source of its numbers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub source: PlotSource,
    /// Its lines, at most [`MAX_SERIES`].
    pub series: Vec<Series>,
    /// What its bars are called: x of a point counts these from 0. Without names the points are joined by lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// The source of the numbers, as the lab states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlotSource {
    /// The run: they are measured or modelled, as all of it is.
    #[default]
    Run,
    /// Counted, such as the bytes of a tensor: exact, on whatever it ran.
    Counted,
    /// Written into the program.
    Given,
}

impl Series {
    /// The number of the bar at this place, if it can be drawn.
    pub fn bar(&self, at: usize) -> Option<f64> {
        // Points count the names, and a missing one leaves its number out.
        let is_here = |it: &&(f64, f64)| (it.0 - at as f64).abs() < 0.5;
        self.points.iter().find(is_here).map(|it| it.1)
    }
}

/// One line of a plot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its name; empty if it is the only one and needs none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// x and y of its points, in the order of the lab. Finite, and above 0 on a logarithmic axis.
    pub points: Vec<(f64, f64)>,
    /// Points that were left out, since they were nan or infinite.
    #[serde(default, skip_serializing_if = "is_default")]
    pub skipped: u32,
}

/// Which axes of a plot are logarithmic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogAxes {
    /// Neither.
    #[default]
    None,
    /// The horizontal one.
    X,
    /// The vertical one.
    Y,
    /// Both.
    Both,
}

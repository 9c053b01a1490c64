//! A plot from the Python objects of `lib/warpup/_plot.py`, which has checked the learner's numbers.

use super::convert;
use rustpython_vm::{PyObject, PyResult, VirtualMachine};
use warpup_protocol::{LogAxes, Plot, PlotSource, Series};

/// The most characters of a title, a label or a name, so that it fits a message and a screen.
const MAX_TEXT: usize = 200;

/// A plot from `texts` (title, x label, y label, logarithmic axes, source), its series and the names of its bars.
pub(super) fn plot(
    texts: &PyObject,
    series: &PyObject,
    names: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<Plot> {
    let texts = convert::items(texts).unwrap_or_default();
    let [title, x_label, y_label, log, source] = texts.as_slice() else {
        return Err(vm.new_type_error("a plot has a title, two labels, its axes and a source"));
    };
    let series = convert::items(series).unwrap_or_default();
    Ok(Plot {
        title: text(title, vm)?,
        x_label: text(x_label, vm)?,
        y_label: text(y_label, vm)?,
        log: axes(&text(log, vm)?),
        source: plot_source(&text(source, vm)?),
        series: series
            .iter()
            .map(|it| one_series(it, vm))
            .collect::<PyResult<_>>()?,
        names: convert::items(names)
            .unwrap_or_default()
            .iter()
            .map(|it| text(it, vm))
            .collect::<PyResult<_>>()?,
    })
}

/// The text of an object, cut to [`MAX_TEXT`].
fn text(given: &PyObject, vm: &VirtualMachine) -> PyResult<String> {
    let given = given.str(vm)?;
    Ok(given.to_string_lossy().chars().take(MAX_TEXT).collect())
}

/// The logarithmic axes, by their name.
fn axes(name: &str) -> LogAxes {
    match name {
        "x" => LogAxes::X,
        "y" => LogAxes::Y,
        "both" => LogAxes::Both,
        _ => LogAxes::None,
    }
}

/// The source of the numbers, by its name.
fn plot_source(name: &str) -> PlotSource {
    match name {
        "counted" => PlotSource::Counted,
        "given" => PlotSource::Given,
        _ => PlotSource::Run,
    }
}

/// A series from its name, its numbers `[x, y, x, y, …]`, and how many points were left out.
fn one_series(tuple: &PyObject, vm: &VirtualMachine) -> PyResult<Series> {
    let parts = convert::items(tuple).unwrap_or_default();
    let [name, numbers, skipped] = parts.as_slice() else {
        return Err(vm.new_type_error("a series is a name, its numbers and a count"));
    };
    let numbers: Vec<f64> = convert::items(numbers)
        .unwrap_or_default()
        .iter()
        .filter_map(|it| Some(convert::number(it, vm)?.0))
        .collect();
    let (pairs, _) = numbers.as_chunks::<2>();
    Ok(Series {
        name: text(name, vm)?,
        points: pairs.iter().map(|[x, y]| (*x, *y)).collect(),
        skipped: u32::try_from(convert::whole(skipped, vm)?).unwrap_or(u32::MAX),
    })
}

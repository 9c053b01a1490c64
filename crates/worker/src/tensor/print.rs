//! Tensors printed as PyTorch prints them: four digits, eighty columns, three items at each edge of
//! more than a thousand.

use crate::dtype::{Category, DType, default_float};

/// What `torch.set_printoptions` sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Digits after the point.
    pub(crate) precision: usize,
    /// With more elements, a summary is printed.
    pub(crate) threshold: u64,
    /// Items at each edge of a summary.
    pub(crate) edge: usize,
    pub(crate) line_width: usize,
    /// Whether floats are printed as `1.0000e+00`; the values decide if it is not set.
    pub(crate) scientific: Option<bool>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            precision: 4,
            threshold: 1000,
            edge: 3,
            line_width: 80,
            scientific: None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Printed<'a> {
    pub(crate) options: Options,
    pub(crate) shape: &'a [usize],
    pub(crate) dtype: DType,
    /// The device, unless it is the CPU.
    pub(crate) device: Option<String>,
    /// `requires_grad=True` or `grad_fn=<…>`, if it has one.
    pub(crate) grad: Option<String>,
}

/// The text of a tensor with these values, in row-major order.
pub(crate) fn tensor(what: &Printed<'_>, values: &[f64]) -> String {
    let mut suffixes = Vec::new();
    suffixes.extend(what.device.as_ref().map(|it| format!("device='{it}'")));
    let empty = values.is_empty();
    if empty && what.shape.len() != 1 {
        suffixes.push(format!("size={}", tuple(what.shape)));
    }
    let unspoken = match what.dtype {
        DType::I64 | DType::Bool => !empty,
        float @ (DType::F16 | DType::BF16 | DType::F32 | DType::F64) => float == default_float(),
        DType::U8 | DType::I8 | DType::I16 | DType::I32 => false,
    };
    if !unspoken {
        suffixes.push(format!("dtype=torch.{}", what.dtype.name()));
    }
    suffixes.extend(what.grad.clone());
    let indent = "tensor(".len();
    let body = if empty {
        "[]".to_owned()
    } else {
        let summarized = values.len() as u64 > what.options.threshold;
        let shown = if summarized {
            edges(what.shape, values, what.options.edge)
        } else {
            values.to_vec()
        };
        let layout = Layout {
            format: Format::new(what.dtype, &shown, what.options),
            summarized,
            options: what.options,
        };
        layout.nested(what.shape, values, indent)
    };
    with_suffixes(
        &format!("tensor({body}"),
        &suffixes,
        indent,
        what.options.line_width,
    )
}

/// A shape as a Python tuple.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => {
            let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("({})", sizes.join(", "))
        }
    }
}

fn with_suffixes(body: &str, suffixes: &[String], indent: usize, line_width: usize) -> String {
    let mut text = body.to_owned();
    let last_line = body.rsplit('\n').next().unwrap_or(body);
    // PyTorch counts two more columns than there are; so do we.
    let mut column = last_line.chars().count() + 2;
    for suffix in suffixes {
        if column + suffix.len() + 2 > line_width {
            text.push_str(",\n");
            text.extend(std::iter::repeat_n(' ', indent));
            text.push_str(suffix);
            column = indent + suffix.len();
        } else {
            text.push_str(", ");
            text.push_str(suffix);
            column += suffix.len() + 2;
        }
    }
    text.push(')');
    text
}

/// The values that a summary shows.
fn edges(shape: &[usize], values: &[f64], edge: usize) -> Vec<f64> {
    let Some((size, rest)) = shape.split_first() else {
        return values.to_vec();
    };
    let stride = rest.iter().product::<usize>();
    shown_rows(*size, edge)
        .filter_map(|row| values.get(row * stride..(row + 1) * stride))
        .flat_map(|part| edges(rest, part, edge))
        .collect()
}

fn shown_rows(size: usize, edge: usize) -> impl Iterator<Item = usize> {
    (0..size).filter(move |row| size <= 2 * edge || *row < edge || *row >= size - edge)
}

struct Layout {
    format: Format,
    summarized: bool,
    options: Options,
}

impl Layout {
    fn nested(&self, shape: &[usize], values: &[f64], indent: usize) -> String {
        let Some((size, rest)) = shape.split_first() else {
            return values
                .first()
                .map(|it| self.format.one(*it))
                .unwrap_or_default();
        };
        if rest.is_empty() {
            return self.row(values, indent);
        }
        let stride = rest.iter().product::<usize>();
        let part = |row: usize| values.get(row * stride..(row + 1) * stride);
        let nested = |row| self.nested(rest, part(row).unwrap_or_default(), indent + 1);
        let parts = self.shown(*size, nested, "...");
        let between = format!(",{}{}", "\n".repeat(rest.len()), " ".repeat(indent + 1));
        format!("[{}]", parts.join(&between))
    }

    /// The items of a list; a summary has dots between its edges.
    fn shown(&self, size: usize, item: impl Fn(usize) -> String, dots: &str) -> Vec<String> {
        let edge = self.options.edge;
        if !self.summarized || size <= 2 * edge {
            return (0..size).map(item).collect();
        }
        let mut items: Vec<String> = shown_rows(size, edge).map(item).collect();
        items.insert(edge, dots.to_owned());
        items
    }

    fn row(&self, values: &[f64], indent: usize) -> String {
        let one = |at: usize| values.get(at).map(|it| self.format.one(*it));
        let items = self.shown(values.len(), |at| one(at).unwrap_or_default(), " ...");
        let fits =
            (self.options.line_width.saturating_sub(indent) / (self.format.width + 2)).max(1);
        let lines: Vec<String> = items.chunks(fits).map(|line| line.join(", ")).collect();
        format!(
            "[{}]",
            lines.join(&format!(",\n{}", " ".repeat(indent + 1)))
        )
    }
}

/// How the elements of one tensor are written.
struct Format {
    style: Style,
    width: usize,
    precision: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Bool,
    Int,
    /// Floats that are all whole: `6.`
    Whole,
    Fixed,
    Scientific,
}

impl Format {
    fn new(dtype: DType, values: &[f64], options: Options) -> Self {
        let style = match dtype.category() {
            Category::Bool => Style::Bool,
            Category::Int => Style::Int,
            Category::Float => float_style(values, options.scientific),
        };
        let precision = options.precision;
        let unpadded = Self {
            style,
            width: 0,
            precision,
        };
        let counted = |value: &&f64| {
            matches!(style, Style::Bool | Style::Int) || (value.is_finite() && **value != 0.0)
        };
        let counted = values.iter().filter(counted);
        let width = counted.map(|it| unpadded.one(*it).len()).max().unwrap_or(1);
        Self {
            style,
            width,
            precision,
        }
    }

    fn one(&self, value: f64) -> String {
        let text = match self.style {
            Style::Bool => if value == 0.0 { "False" } else { "True" }.to_owned(),
            Style::Int => format!("{value:.0}"),
            _ if value.is_nan() => "nan".to_owned(),
            _ if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
            Style::Whole => format!("{value:.0}."),
            Style::Fixed => format!("{value:.precision$}", precision = self.precision),
            Style::Scientific => scientific(value, self.precision),
        };
        format!("{text:>width$}", width = self.width)
    }
}

fn float_style(values: &[f64], chosen: Option<bool>) -> Style {
    let sizes = values
        .iter()
        .map(|it| it.abs())
        .filter(|it| it.is_finite() && *it != 0.0);
    let (mut least, mut most, mut whole) = (f64::INFINITY, 0.0_f64, true);
    for size in sizes {
        least = least.min(size);
        most = most.max(size);
        whole &= size.fract() == 0.0;
    }
    if most == 0.0 {
        return Style::Whole;
    }
    let wide = most / least > 1000.0 || most > 1e8;
    match (whole, chosen.unwrap_or(wide || (!whole && least < 1e-4))) {
        (_, true) => Style::Scientific,
        (true, false) => Style::Whole,
        (false, false) => Style::Fixed,
    }
}

/// Python's `{:.4e}`, with so many digits.
fn scientific(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let (sign, size) = match exponent.strip_prefix('-') {
                Some(size) => ('-', size),
                None => ('+', exponent),
            };
            format!("{digits}e{sign}{size:0>2}")
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(shape: &[usize], dtype: DType, values: &[f64]) -> String {
        tensor(
            &Printed {
                options: Options::default(),
                shape,
                dtype,
                device: None,
                grad: None,
            },
            values,
        )
    }

    // The right sides were printed by PyTorch.
    #[test]
    fn small_tensors_print_as_in_torch() {
        assert_eq!(
            printed(&[2], DType::F32, &[6.0, 24.0]),
            "tensor([ 6., 24.])"
        );
        assert_eq!(printed(&[], DType::F32, &[2.5]), "tensor(2.5000)");
        assert_eq!(
            printed(&[3], DType::I64, &[0.0, 10.0, -2.0]),
            "tensor([ 0, 10, -2])"
        );
        assert_eq!(
            printed(&[2], DType::Bool, &[1.0, 0.0]),
            "tensor([ True, False])"
        );
        assert_eq!(printed(&[0], DType::F32, &[]), "tensor([])");
        assert_eq!(
            printed(&[2], DType::F32, &[1e-5, 1.0]),
            "tensor([1.0000e-05, 1.0000e+00])"
        );
        assert_eq!(
            printed(&[1], DType::F16, &[1.0]),
            "tensor([1.], dtype=torch.float16)"
        );
    }

    #[test]
    fn rows_stand_under_each_other() {
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let text = printed(&[2, 3], DType::F32, &values);
        assert_eq!(text, "tensor([[0., 1., 2.],\n        [3., 4., 5.]])");
    }

    #[test]
    fn more_than_a_thousand_elements_show_their_edges() {
        let values: Vec<f64> = (0..1001).map(f64::from).collect();
        let text = printed(&[1001], DType::I64, &values);
        assert_eq!(text, "tensor([   0,    1,    2,  ...,  998,  999, 1000])");
    }

    #[test]
    fn a_card_and_a_gradient_stand_behind_the_values() {
        let what = Printed {
            options: Options::default(),
            shape: &[1],
            dtype: DType::F32,
            device: Some("cuda:0".to_owned()),
            grad: Some("requires_grad=True".to_owned()),
        };
        assert_eq!(
            tensor(&what, &[3.0]),
            "tensor([3.], device='cuda:0', requires_grad=True)"
        );
    }
}

//! What an operator computes and moves, from the shapes of its inputs, where the trace has them (`record_shapes`).

use serde_json::Value;

/// What one call computes and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OperatorCost {
    /// Floating-point operations; 0 where only bytes count.
    pub(super) flops: f64,
    /// Bytes that have to be read and written at least.
    pub(super) bytes: f64,
}

/// Operations that read each element of their inputs once and write a result of the largest shape, with the number of their inputs: one
/// more is `out=`, which is written and not read.
const ELEMENTWISE: [(&str, usize); 28] = [
    ("add", 3),
    ("add_", 3),
    ("sub", 3),
    ("sub_", 3),
    ("mul", 2),
    ("mul_", 2),
    ("div", 3),
    ("div_", 3),
    ("relu", 1),
    ("relu_", 1),
    ("gelu", 2),
    ("silu", 1),
    ("sigmoid", 1),
    ("tanh", 1),
    ("exp", 1),
    ("log", 1),
    ("sqrt", 1),
    ("rsqrt", 1),
    ("pow", 2),
    ("neg", 1),
    ("abs", 1),
    ("clamp", 3),
    ("clamp_min", 2),
    ("where", 3),
    ("copy_", 3),
    ("addcmul_", 4),
    ("addcdiv_", 4),
    ("lerp_", 3),
];

/// The inputs of a call.
struct OperatorInputs {
    /// The shape of each; empty for what is no tensor.
    dims: Vec<Vec<f64>>,
    /// Bytes of an element of each.
    element: Vec<f64>,
}

/// The cost of a call, as PyTorch writes its inputs; `None` where it is not known.
pub(super) fn cost(operator: &str, dims: &str, types: &str, values: &str) -> Option<OperatorCost> {
    let inputs = OperatorInputs::read(dims, types)?;
    let name = operator.strip_prefix("aten::")?;
    match name {
        "mm" => inputs.product(0, 1, 1.0),
        "addmm" => inputs.product(1, 2, 1.0),
        "bmm" => inputs.product(0, 1, inputs.dim(0, 0)?),
        "baddbmm" => inputs.product(1, 2, inputs.dim(1, 0)?),
        "convolution" => inputs.convolution(values),
        _ => {
            let (_, count) = ELEMENTWISE.iter().find(|it| it.0 == name)?;
            inputs.elementwise(name, *count)
        }
    }
}

impl OperatorInputs {
    fn read(dims: &str, types: &str) -> Option<Self> {
        let dims: Vec<Value> = serde_json::from_str(dims).ok()?;
        let types: Vec<String> = serde_json::from_str(types).ok()?;
        Some(Self {
            dims: dims.iter().map(numbers).collect(),
            element: types.iter().map(|it| bytes_of(it)).collect(),
        })
    }

    fn dim(&self, input: usize, axis: usize) -> Option<f64> {
        self.dims.get(input)?.get(axis).copied()
    }

    /// The last axis but so many.
    fn nth_last(&self, input: usize, back: usize) -> Option<f64> {
        self.dims.get(input)?.iter().rev().nth(back).copied()
    }

    fn element(&self, input: usize) -> Option<f64> {
        self.element.get(input).copied().filter(|it| *it > 0.0)
    }

    /// So many products of two matrices.
    fn product(&self, left: usize, right: usize, many: f64) -> Option<OperatorCost> {
        let (rows, inner) = (self.nth_last(left, 1)?, self.nth_last(left, 0)?);
        let columns = self.nth_last(right, 0)?;
        let elements = rows * inner + inner * columns + rows * columns;
        Some(OperatorCost {
            flops: 2.0 * many * rows * inner * columns,
            bytes: many * elements * self.element(left)?,
        })
    }

    /// A convolution in two dimensions that is not transposed.
    fn convolution(&self, values: &str) -> Option<OperatorCost> {
        let values: Vec<Value> = serde_json::from_str(values).ok()?;
        let written = |at: usize| values.get(at)?.as_str();
        let list = |at: usize| -> Option<Vec<f64>> {
            Some(numbers(&serde_json::from_str(written(at)?).ok()?))
        };
        if written(6)? != "False" {
            return None;
        }
        let (stride, padding, dilation) = (list(3)?, list(4)?, list(5)?);
        let groups: f64 = written(8)?.parse().ok()?;
        let (image, weight) = (self.dims.first()?, self.dims.get(1)?);
        let &[batch, channels, height, width] = image.as_slice() else {
            return None;
        };
        let &[out_channels, _, kernel_height, kernel_width] = weight.as_slice() else {
            return None;
        };
        let out = |size: f64, kernel: f64, axis: usize| -> Option<f64> {
            let of = |it: &Vec<f64>| it.get(axis).or(it.first()).copied();
            let covered = of(&dilation)? * (kernel - 1.0) + 1.0;
            let places = (size + 2.0 * of(&padding)? - covered) / of(&stride)?;
            Some(places.floor() + 1.0)
        };
        let outputs =
            batch * out_channels * out(height, kernel_height, 0)? * out(width, kernel_width, 1)?;
        let each = channels / groups * kernel_height * kernel_width;
        let moved = batch * channels * height * width + out_channels * each + outputs;
        Some(OperatorCost {
            flops: 2.0 * outputs * each,
            bytes: moved * self.element(0)?,
        })
    }

    /// A division has a third input: `rounding_mode`, which is no tensor, or `out=`, which is one.
    fn has_out_of_division(&self, name: &str) -> bool {
        let third = self.dims.get(2).is_some_and(|it| !it.is_empty());
        name == "div" && self.dims.len() == 3 && third
    }

    fn elementwise(&self, name: &str, count: usize) -> Option<OperatorCost> {
        let mut read = 0.0;
        let mut largest = (0.0, 0.0);
        let has_out = self.dims.len() > count || self.has_out_of_division(name);
        let inputs = if has_out {
            self.dims.len().saturating_sub(1)
        } else {
            count
        };
        for (dims, element) in self.dims.iter().zip(&self.element).take(inputs) {
            if dims.is_empty() || *element <= 0.0 {
                continue;
            }
            let size: f64 = dims.iter().product();
            read += size * element;
            if size > largest.0 {
                largest = (size, *element);
            }
        }
        // A copy does not read what it writes to.
        let read = if name == "copy_" {
            read - largest.0 * largest.1
        } else {
            read
        };
        (largest.0 > 0.0).then_some(OperatorCost {
            flops: 0.0,
            bytes: read + largest.0 * largest.1,
        })
    }
}

/// Shapes as one line: some versions write each number on a line of its own.
pub(super) fn one_line(dims: &str) -> String {
    match serde_json::from_str::<Value>(dims) {
        Ok(value) if dims.contains(['\n', '\t']) || dims.contains("  ") => value.to_string(),
        Ok(_) | Err(_) => dims.to_owned(),
    }
}

/// The numbers of an array; none for anything else, such as a list of shapes.
fn numbers(value: &Value) -> Vec<f64> {
    let array = value.as_array().into_iter().flatten();
    array.filter_map(Value::as_f64).collect()
}

/// Bytes of an element, by PyTorch's name of its type in traces; 0 for what is no tensor.
fn bytes_of(name: &str) -> f64 {
    match name {
        "double" | "long int" | "long" | "int64_t" => 8.0,
        "float" | "int" => 4.0,
        "c10::Half" | "c10::BFloat16" | "Half" | "BFloat16" | "short int" | "short" => 2.0,
        "bool" | "unsigned char" | "signed char" | "c10::Float8_e4m3fn" | "c10::Float8_e5m2" => 1.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(operator: &str, dims: &str, types: &str, values: &str) -> Option<(f64, f64)> {
        let cost = cost(operator, dims, types, values)?;
        Some((cost.flops, cost.bytes))
    }

    #[test]
    fn products_count_two_operations_for_each_pair() {
        let floats = r#"["float", "float", "float"]"#;
        assert_eq!(
            of("aten::mm", "[[2, 3], [3, 4]]", floats, ""),
            Some((48.0, 4.0 * (6.0 + 12.0 + 8.0)))
        );
        assert_eq!(
            of("aten::addmm", "[[4], [2, 3], [3, 4]]", floats, ""),
            Some((48.0, 104.0))
        );
        assert_eq!(
            of(
                "aten::bmm",
                "[[5, 2, 3], [5, 3, 4]]",
                r#"["c10::Half", "c10::Half"]"#,
                ""
            ),
            Some((240.0, 260.0))
        );
    }

    #[test]
    fn a_convolution_needs_its_stride_and_padding() {
        let dims = "[[1, 3, 8, 8], [4, 3, 3, 3], [4], [], [], [], [], [], []]";
        let types = r#"["float", "float", "float", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"]"#;
        let values = r#"["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1"]"#;
        let flops = of("aten::convolution", dims, types, values).unwrap().0;
        assert!((flops - 2.0 * 4.0 * 64.0 * 27.0).abs() < 1e-9);
        assert_eq!(of("aten::convolution", dims, types, ""), None);
    }

    #[test]
    fn what_is_written_by_out_is_not_read() {
        let of = |operator, dims| {
            of(
                operator,
                dims,
                r#"["float", "Scalar", "float", "float"]"#,
                "",
            )
        };
        assert_eq!(
            of("aten::clamp_min", "[[100], [], [100]]"),
            Some((0.0, 800.0))
        );
        assert_eq!(of("aten::clamp_min", "[[100], []]"), Some((0.0, 800.0)));
        assert_eq!(of("aten::div", "[[100], [], [100]]"), Some((0.0, 800.0)));
        assert_eq!(of("aten::mul", "[[100], [], [100]]"), Some((0.0, 800.0)));
    }

    #[test]
    fn shapes_on_many_lines_are_one_line() {
        assert_eq!(one_line("[\n   [\n  2,\n 3 ],\n []\n]"), "[[2,3],[]]");
        assert_eq!(one_line("[[2, 3], []]"), "[[2, 3], []]");
        assert_eq!(one_line("[[2, 3"), "[[2, 3");
    }

    #[test]
    fn elementwise_operations_count_bytes() {
        assert_eq!(
            of(
                "aten::add",
                "[[10, 10], [10], []]",
                r#"["float", "float", "Scalar"]"#,
                ""
            ),
            Some((0.0, 840.0))
        );
        assert_eq!(
            of("aten::copy_", "[[100], [100]]", r#"["float", "float"]"#, ""),
            Some((0.0, 800.0))
        );
        assert_eq!(of("aten::foo", "[[1]]", r#"["float"]"#, ""), None);
        assert_eq!(of("aten::add", "", "", ""), None);
    }
}

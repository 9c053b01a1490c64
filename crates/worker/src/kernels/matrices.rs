//! Decompositions of one matrix on 64 bits, given as rows: Gauss and Jordan, and one-sided Jacobi rotations.
//!
//! PyTorch calls LAPACK. What that leaves open, such as the sign of a singular vector, may differ.

/// Rows, or columns, of a matrix.
pub(crate) type Lines = Vec<Vec<f64>>;

/// What elimination finds.
pub(crate) struct EliminationResult {
    pub(crate) determinant: f64,
    /// What was beside the matrix, as the solution.
    pub(crate) solution: Lines,
    /// The first row without a pivot, counted from 0. Then nothing else is of use.
    pub(crate) singular_at: Option<usize>,
}

/// Eliminates with pivots (Gauss and Jordan); `beside` becomes the solution.
pub(crate) fn eliminate(mut rows: Lines, mut beside: Lines) -> EliminationResult {
    let mut determinant = 1.0;
    for at in 0..rows.len() {
        let size = |row: &Vec<f64>| row.get(at).copied().unwrap_or(0.0).abs();
        let below = rows.iter().enumerate().skip(at);
        // The first of the largest ones.
        let (pivot, _) = below.fold((at, -1.0), |best, (row, it)| {
            if size(it) > best.1 {
                (row, size(it))
            } else {
                best
            }
        });
        rows.swap(at, pivot);
        beside.swap(at, pivot);
        if pivot != at {
            determinant = -determinant;
        }
        let [own, own_beside] =
            [&mut rows, &mut beside].map(|it| it.get_mut(at).map(std::mem::take));
        let (Some(mut own), Some(mut own_beside)) = (own, own_beside) else {
            break;
        };
        let top = own.get(at).copied().unwrap_or(0.0);
        if top == 0.0 {
            return EliminationResult {
                determinant: 0.0,
                solution: Lines::new(),
                singular_at: Some(at),
            };
        }
        determinant *= top;
        for (row, beside) in rows.iter_mut().zip(&mut beside) {
            let factor = row.get(at).copied().unwrap_or(0.0) / top;
            if factor != 0.0 {
                subtract(row, factor, &own);
                subtract(beside, factor, &own_beside);
            }
        }
        let scaled = own.iter_mut().chain(&mut own_beside);
        for it in scaled {
            *it /= top;
        }
        for (line, own) in [(&mut rows, own), (&mut beside, own_beside)] {
            if let Some(line) = line.get_mut(at) {
                *line = own;
            }
        }
    }
    EliminationResult {
        determinant,
        solution: beside,
        singular_at: None,
    }
}

fn subtract(from: &mut [f64], factor: f64, line: &[f64]) {
    for (it, other) in from.iter_mut().zip(line) {
        *it -= factor * other;
    }
}

pub(crate) fn identity(size: usize) -> Lines {
    let row = |at: usize| (0..size).map(|it| f64::from(u8::from(it == at))).collect();
    (0..size).map(row).collect()
}

/// A singular value with its column of U and its row of Vh.
pub(crate) struct Triple {
    pub(crate) left: Vec<f64>,
    pub(crate) value: f64,
    pub(crate) right: Vec<f64>,
}

/// Rounds over all pairs of columns, after which they are orthogonal for certain.
const MOST_ROUNDS: usize = 60;

/// The singular values of a matrix with at least as many rows as columns, largest first, by one-sided Jacobi rotations.
pub(crate) fn singular(rows: &Lines) -> Vec<Triple> {
    let width = rows.first().map_or(0, Vec::len);
    let column = |at: usize| rows.iter().filter_map(|row| row.get(at).copied()).collect();
    let mut columns: Lines = (0..width).map(column).collect();
    let mut turned = identity(width);
    for _ in 0..MOST_ROUNDS {
        let mut off: f64 = 0.0;
        for p in 0..width {
            for q in p + 1..width {
                off = off.max(rotate(&mut columns, &mut turned, (p, q)));
            }
        }
        if off < 1e-14 {
            break;
        }
    }
    let pairs = columns.into_iter().zip(turned);
    let mut found: Vec<Triple> = pairs
        .map(|(mut left, right)| {
            let value = dot(&left, &left).sqrt();
            let length = if value == 0.0 { 1.0 } else { value };
            for it in &mut left {
                *it /= length;
            }
            Triple { left, value, right }
        })
        .collect();
    found.sort_by(|a, b| b.value.total_cmp(&a.value));
    found
}

/// Turns two columns until they are orthogonal; returns the cosine between them before.
fn rotate(columns: &mut Lines, turned: &mut Lines, (p, q): (usize, usize)) -> f64 {
    let (Some(a), Some(b)) = (columns.get(p), columns.get(q)) else {
        return 0.0;
    };
    let (square, other, product) = (dot(a, a), dot(b, b), dot(a, b));
    let length = (square * other).sqrt();
    if product.abs() <= 1e-15 * length || product == 0.0 {
        return 0.0;
    }
    let turn = (other - square) / (2.0 * product);
    let tangent = 1.0_f64.copysign(turn) / (turn.abs() + (1.0 + turn * turn).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    for lines in [columns, turned] {
        let (head, tail) = lines.split_at_mut(q);
        if let (Some(a), Some(b)) = (head.get_mut(p), tail.first_mut()) {
            for (a, b) in a.iter_mut().zip(b) {
                (*a, *b) = (cosine * (*a - tangent * *b), cosine * (tangent * *a + *b));
            }
        }
    }
    product.abs() / length
}

/// Products are added in so many sums, which the compiler keeps beside each other.
const SUMS: usize = 8;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; SUMS];
    for (a, b) in a.chunks(SUMS).zip(b.chunks(SUMS)) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_and_a_determinant_are_those_by_hand() {
        let rows = vec![vec![0.0, 2.0], vec![4.0, 1.0]];
        let made = eliminate(rows, identity(2));
        let text = format!("{} {:?}", made.determinant, made.solution);
        assert_eq!(text, "-8 [[-0.125, 0.25], [0.5, 0.0]]");
        let made = eliminate(vec![vec![1.0, 2.0], vec![2.0, 4.0]], identity(2));
        let text = format!("{} {:?}", made.determinant, made.singular_at);
        assert_eq!(text, "0 Some(1)");
    }

    #[test]
    fn singular_values_and_vectors_give_the_matrix_back() {
        let rows: Lines = (0..7)
            .map(|row| {
                (0..5)
                    .map(|it| f64::from((row * 5 + it * 3) % 11) - 4.0)
                    .collect()
            })
            .collect();
        let found = singular(&rows);
        assert!(found.windows(2).all(|it| it[0].value >= it[1].value));
        for (at, row) in rows.iter().enumerate() {
            for (column, it) in row.iter().enumerate() {
                let made: f64 = found
                    .iter()
                    .map(|one| one.left[at] * one.value * one.right[column])
                    .sum();
                assert!((made - it).abs() < 1e-12, "{at} {column}: {made} {it}");
            }
        }
    }
}

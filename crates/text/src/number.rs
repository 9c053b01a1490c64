//! A number as people write it.

/// A number: whole where it is, else with about three digits.
pub fn number(value: f64) -> String {
    let size = value.abs();
    // Zero is neither above nor below zero.
    let value = value + 0.0;
    if value.fract().abs() < f64::EPSILON && size < 1e9 {
        format!("{value:.0}")
    } else if (0.001..1e6).contains(&size) {
        let digits: usize = if size >= 100.0 {
            1
        } else if size >= 1.0 {
            2
        } else {
            4
        };
        format!("{value:.digits$}")
    } else {
        format!("{value:.3e}")
    }
}

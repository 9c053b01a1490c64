//! What the terminal has behind the text.

/// What the terminal has behind the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Background {
    Dark,
    Light,
}

impl Background {
    /// What has more contrast with white than with black is dark. The shares of red, green and blue are from 0 to 1.
    pub(crate) fn of_rgb(rgb: [f64; 3]) -> Self {
        let light = luminance(rgb) + 0.05;
        if light * light < 1.05 * 0.05 {
            Self::Dark
        } else {
            Self::Light
        }
    }
}

/// The light of a colour, as WCAG 2 defines relative luminance.
pub(super) fn luminance(rgb: [f64; 3]) -> f64 {
    let [red, green, blue] = rgb.map(|it| {
        if it <= 0.039_28 {
            it / 12.92
        } else {
            ((it + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_more_contrast_with_white_is_dark() {
        use Background::{Dark, Light};
        for (rgb, background) in [
            ([0.0; 3], Dark),
            ([0.117, 0.117, 0.18], Dark),
            ([0.0, 0.169, 0.212], Dark),
            ([0.992, 0.965, 0.89], Light),
            ([0.6; 3], Light),
        ] {
            assert_eq!(Background::of_rgb(rgb), background, "{rgb:?}");
        }
    }
}

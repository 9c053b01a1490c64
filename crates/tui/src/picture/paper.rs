//! The colours of a picture: a terminal decides what its sixteen colours are, and a picture has no terminal.

use ratatui::style::Color;

/// What is behind the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// The sixteen colours, in the order of the terminal.
const DARK: [u32; 16] = [
    0x2e_34_36, 0xf2_77_7a, 0x8f_d1_8f, 0xe6_c3_70, 0x7f_b2_f0, 0xd3_9d_db, 0x6f_d0_d0, 0xd0_d0_d0,
    0x8a_91_99, 0xff_9a_9c, 0xa8_e6_a8, 0xff_df_8f, 0xa5_cb_ff, 0xe6_bd_f0, 0x93_e6_e6, 0xff_ff_ff,
];
const LIGHT: [u32; 16] = [
    0x24_29_2f, 0xb3_26_1e, 0x1a_6b_2d, 0x7a_52_00, 0x0b_57_b0, 0x8a_2f_97, 0x0a_64_70, 0x57_60_6a,
    0x57_60_6a, 0xb3_26_1e, 0x1a_6b_2d, 0x7a_52_00, 0x0b_57_b0, 0x8a_2f_97, 0x0a_64_70, 0x24_29_2f,
];

/// The values of red, green and blue in the cube of the 256 colours.
const STEPS: [u32; 6] = [0, 95, 135, 175, 215, 255];

impl Paper {
    /// The colour of text that asks for none.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Dark => "#d0d0d0",
            Self::Light => "#24292f",
        }
    }

    /// The colour behind it.
    pub(super) fn background(self) -> &'static str {
        match self {
            Self::Dark => "#101216",
            Self::Light => "#ffffff",
        }
    }

    /// A colour of a terminal; nothing for the one that text or its ground has anyway.
    pub(super) fn colour(self, colour: Color) -> Option<String> {
        let index = match colour {
            Color::Reset => return None,
            Color::Rgb(red, green, blue) => {
                return Some(format!("#{red:02x}{green:02x}{blue:02x}"));
            }
            Color::Indexed(index) => index,
            Color::Black => 0,
            Color::Red => 1,
            Color::Green => 2,
            Color::Yellow => 3,
            Color::Blue => 4,
            Color::Magenta => 5,
            Color::Cyan => 6,
            Color::Gray => 7,
            Color::DarkGray => 8,
            Color::LightRed => 9,
            Color::LightGreen => 10,
            Color::LightYellow => 11,
            Color::LightBlue => 12,
            Color::LightMagenta => 13,
            Color::LightCyan => 14,
            Color::White => 15,
        };
        Some(format!("#{:06x}", self.indexed(index)))
    }

    /// One of the 256 colours, as red, green and blue.
    fn indexed(self, index: u8) -> u32 {
        let sixteen = match self {
            Self::Dark => DARK,
            Self::Light => LIGHT,
        };
        if let Some(colour) = sixteen.get(usize::from(index)) {
            return *colour;
        }
        if index >= 232 {
            return (8 + 10 * u32::from(index - 232)) * 0x01_01_01;
        }
        let at = usize::from(index - 16);
        let step = |at: usize| STEPS.get(at % 6).copied().unwrap_or_default();
        (step(at / 36) << 16) | (step(at / 6) << 8) | step(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_that_of_the_terminal() {
        let of = |colour| Paper::Dark.colour(colour).unwrap_or_default();
        assert_eq!(of(Color::Reset), "");
        assert_eq!(of(Color::Rgb(1, 2, 255)), "#0102ff");
        assert_eq!(of(Color::Red), "#f2777a");
        assert_eq!(of(Color::Indexed(16)), "#000000");
        // xterm's table has these values.
        assert_eq!(of(Color::Indexed(75)), "#5fafff");
        assert_eq!(of(Color::Indexed(231)), "#ffffff");
        assert_eq!(of(Color::Indexed(246)), "#949494");
        assert_eq!(Paper::Light.colour(Color::Red).as_deref(), Some("#b3261e"));
    }
}

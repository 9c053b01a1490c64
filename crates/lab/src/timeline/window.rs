//! The part of a run that a timeline shows: all of it, or closer.
//!
//! Pure. Times are those of the timeline, without the first use of a card.

/// The shortest part that is shown, in nanoseconds.
const SHORTEST: u64 = 100;

/// A window is all of the run where no more than so many nanoseconds are missing.
const ROUNDED: u64 = 64;

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where it begins.
    pub start_ns: u64,
    /// Where it ends, after its start.
    pub end_ns: u64,
}

/// How a window changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    /// To its middle half.
    In,
    /// To twice of it.
    Out,
    /// Half of it earlier.
    Earlier,
    /// Half of it later.
    Later,
}

impl Window {
    /// All of a run.
    pub fn whole(total_ns: u64) -> Self {
        Self {
            start_ns: 0,
            end_ns: total_ns.max(1),
        }
    }

    /// How long it is.
    pub fn ns(self) -> u64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// The window after a change; it stays within the run.
    #[must_use]
    pub fn after(self, zoom: Zoom, total_ns: u64) -> Self {
        let total_ns = total_ns.max(1);
        let length = self.ns();
        let (start_ns, length) = match zoom {
            Zoom::In => {
                let closer = (length / 2).max(SHORTEST.min(length));
                (self.start_ns + (length - closer) / 2, closer)
            }
            Zoom::Out => (
                self.start_ns.saturating_sub(length / 2),
                length.saturating_mul(2).min(total_ns),
            ),
            Zoom::Earlier => (self.start_ns.saturating_sub(length / 2), length),
            Zoom::Later => (self.start_ns.saturating_add(length / 2), length),
        };
        // Each step inwards may have lost half a nanosecond, and each outwards doubles that.
        if zoom == Zoom::Out && length.saturating_add(ROUNDED) >= total_ns {
            return Self::whole(total_ns);
        }
        let start_ns = start_ns.min(total_ns.saturating_sub(length));
        Self {
            start_ns,
            end_ns: start_ns.saturating_add(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(it: Window) -> (u64, u64) {
        (it.start_ns, it.end_ns)
    }

    #[test]
    fn a_window_goes_closer_to_its_middle_and_back() {
        let whole = Window::whole(8_000);
        let closer = whole.after(Zoom::In, 8_000);
        assert_eq!(shown(closer), (2_000, 6_000));
        assert_eq!(shown(closer.after(Zoom::Later, 8_000)), (4_000, 8_000));
        assert_eq!(shown(closer.after(Zoom::Earlier, 8_000)), (0, 4_000));
        assert_eq!(closer.after(Zoom::Out, 8_000), whole);
        assert_eq!(whole.after(Zoom::Out, 8_000), whole);
        let odd = Window::whole(99_999);
        let zooms = [[Zoom::In; 5], [Zoom::Out; 5]].concat();
        let back = zooms
            .into_iter()
            .fold(odd, |it, zoom| it.after(zoom, 99_999));
        assert_eq!(back, odd);
    }

    proptest! {
        #[test]
        fn a_window_stays_within_the_run(
            total in 1u64..=u64::MAX,
            steps in proptest::collection::vec(0usize..4, 0..90),
        ) {
            let mut window = Window::whole(total);
            for step in steps {
                let zoom = [Zoom::In, Zoom::Out, Zoom::Earlier, Zoom::Later][step];
                window = window.after(zoom, total);
                prop_assert!(window.start_ns < window.end_ns && window.end_ns <= total, "{window:?}");
            }
        }
    }
}

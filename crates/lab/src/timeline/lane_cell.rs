//! What a lane did in one column of a timeline.

/// What a lane did in one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneCell {
    /// Nothing.
    Idle,
    /// On the host: no call of torch. Python itself runs.
    Python,
    /// It worked, for a part of the time or for all of it.
    Busy(Load),
    /// It waited for most of the time that it was not idle.
    Waiting,
    /// In the row of steps: one begins.
    StepBegin,
    /// In the row of steps: one goes on.
    Step,
}

/// How much of a column's time a lane was busy, to the nearest quarter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// A quarter, or less.
    Quarter,
    /// Half of it.
    Half,
    /// Three quarters.
    ThreeQuarters,
    /// All of it.
    Full,
}

impl LaneCell {
    /// Of a lane that was busy and waited for so long in a column of `column_ns`.
    pub fn of(busy_ns: u64, waited_ns: u64, column_ns: u64) -> Self {
        if waited_ns > busy_ns {
            return Self::Waiting;
        }
        if busy_ns == 0 {
            return Self::Idle;
        }
        let eighths = busy_ns.saturating_mul(8) / column_ns.max(1);
        Self::Busy(match eighths {
            0..=2 => Load::Quarter,
            3..=4 => Load::Half,
            5..=6 => Load::ThreeQuarters,
            _ => Load::Full,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_is_the_nearest_quarter_and_never_none() {
        let loads = [1, 37, 38, 62, 63, 87, 88, 100, 250];
        let loads = loads.map(|busy| LaneCell::of(busy, 0, 100));
        let [quarter, half, most, full] =
            [Load::Quarter, Load::Half, Load::ThreeQuarters, Load::Full].map(LaneCell::Busy);
        assert_eq!(
            loads,
            [quarter, quarter, half, half, most, most, full, full, full]
        );
        assert_eq!(LaneCell::of(0, 0, 100), LaneCell::Idle);
        assert_eq!(LaneCell::of(3, 4, 100), LaneCell::Waiting);
    }
}

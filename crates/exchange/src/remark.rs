//! What a reader or a writer has to say beside its result.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Something that was not carried over as it was, or at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line of the file that was read, from 1, or the questions, pages or labs that it is about.
    pub place: String,
    /// What was not carried over, and what is there in its place.
    pub what: String,
}

/// Remarks so far. The same remark about several things is one remark.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    /// What is said, in the order in which it was said first, and what it is about.
    said: Vec<String>,
    places: BTreeMap<String, Vec<String>>,
}

/// More places of one remark are counted, not named.
const MAX_PLACES: usize = 12;

impl Remarks {
    /// Says something about a place.
    pub fn say(&mut self, place: impl Into<String>, what: impl Into<String>) {
        let (place, what) = (place.into(), what.into());
        let places = self.places.entry(what.clone()).or_insert_with(|| {
            self.said.push(what);
            Vec::new()
        });
        if !places.contains(&place) {
            places.push(place);
        }
    }

    /// All remarks.
    pub fn into_vec(self) -> Vec<Remark> {
        let mut remarks = Vec::new();
        for what in self.said {
            let places = self.places.get(&what).map_or(&[][..], Vec::as_slice);
            let named: Vec<&str> = places.iter().take(MAX_PLACES).map(String::as_str).collect();
            let mut place = named.join(", ");
            if places.len() > MAX_PLACES {
                let _ = write!(place, " and {} more", places.len() - MAX_PLACES);
            }
            remarks.push(Remark { place, what });
        }
        remarks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_remark_names_all_that_it_is_about() {
        let mut remarks = Remarks::default();
        for question in ["q-1", "q-2", "q-1"] {
            remarks.say(question, "hints are left out");
        }
        for n in 1..=14 {
            remarks.say(n.to_string(), "too many");
        }
        let said: Vec<_> = remarks
            .into_vec()
            .into_iter()
            .map(|it| format!("{}: {}", it.place, it.what))
            .collect();
        assert_eq!(
            said,
            [
                "q-1, q-2: hints are left out",
                "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more: too many"
            ]
        );
    }
}

//! The metrics of a run, by name: a training loop gives thousands of values. Pure.

use std::collections::HashMap;
use std::ops::Deref;
use warpup_protocol::Metric;

/// The metrics that a program gave, in the order of their first values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    all: Vec<Metric>,
    /// Where each name is among them.
    places: HashMap<String, usize>,
}

impl Metrics {
    /// Takes one in; it replaces an earlier one of its name.
    pub fn take(&mut self, metric: Metric) {
        let place = self.places.get(&metric.name);
        match place.and_then(|it| self.all.get_mut(*it)) {
            Some(known) => *known = metric,
            None => {
                self.places.insert(metric.name.clone(), self.all.len());
                self.all.push(metric);
            }
        }
    }
}

impl Deref for Metrics {
    type Target = [Metric];

    fn deref(&self) -> &[Metric] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_value_of_a_name_replaces_the_earlier_one_in_its_place() {
        let mut metrics = Metrics::default();
        for (name, value) in [("loss", 3.0), ("steps", 1.0), ("loss", 2.0)] {
            metrics.take(Metric {
                name: name.to_owned(),
                value,
                unit: String::new(),
            });
        }
        let found: Vec<_> = metrics
            .iter()
            .map(|it| (it.name.as_str(), it.value))
            .collect();
        assert_eq!(found, [("loss", 2.0), ("steps", 1.0)]);
    }
}

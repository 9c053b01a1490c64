//! Numbers of a program in JSON, which has no NaN and no infinity: those are the strings `nan`, `inf` and `-inf`.

use serde::{Deserialize, Deserializer, Serializer};

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the field by reference"
)]
pub(super) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        to.serialize_f64(*value)
    } else if value.is_nan() {
        to.serialize_str("nan")
    } else if *value > 0.0 {
        to.serialize_str("inf")
    } else {
        to.serialize_str("-inf")
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    match NumberText::deserialize(from)? {
        NumberText::Finite(value) => Ok(value),
        NumberText::Word(Word::Nan) => Ok(f64::NAN),
        NumberText::Word(Word::Inf) => Ok(f64::INFINITY),
        NumberText::Word(Word::MinusInf) => Ok(f64::NEG_INFINITY),
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberText {
    Finite(f64),
    Word(Word),
}

#[derive(Deserialize)]
enum Word {
    #[serde(rename = "nan")]
    Nan,
    #[serde(rename = "inf")]
    Inf,
    #[serde(rename = "-inf")]
    MinusInf,
}

#[cfg(test)]
mod tests {
    use crate::Metric;

    #[test]
    fn every_number_reads_back_as_written() {
        for value in [0.5, -3.0, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let name = "loss".to_owned();
            let unit = String::new();
            let metric = Metric { name, value, unit };
            let line = serde_json::to_string(&metric).unwrap();
            let read: Metric = serde_json::from_str(&line).unwrap();
            assert_eq!(read.value.to_bits(), value.to_bits(), "{line}");
        }
    }

    #[test]
    fn what_is_no_number_is_no_metric() {
        for value in ["null", "\"1.0\"", "\"NaN\"", "[]"] {
            let line = format!(r#"{{"name":"loss","value":{value}}}"#);
            assert!(serde_json::from_str::<Metric>(&line).is_err(), "{line}");
        }
    }
}

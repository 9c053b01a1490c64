//! A course as people name it in a file: by a path that means the same in every folder, or by an address.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

/// Reads such a name.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    input: D,
) -> Result<Option<PathBuf>, D::Error> {
    let named = PathBuf::deserialize(input)?;
    let is_address = named.to_str().is_some_and(|it| it.contains(':'));
    if named.is_absolute() || is_address {
        return Ok(Some(named));
    }
    Err(D::Error::custom(
        "give the whole path of the course, from /, or the address of a repository",
    ))
}

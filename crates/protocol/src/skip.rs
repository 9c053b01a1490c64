//! Which fields a message leaves out.

/// Whether a value is the one that a reader takes where the field is missing.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

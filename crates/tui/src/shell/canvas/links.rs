//! The addresses on the rows of a frame, which a terminal opens (OSC 8).

use super::shift::Shift;
use crate::hyperlink::Hyperlink;

/// The addresses of each row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Links(Vec<Vec<Hyperlink>>);

impl Links {
    /// Those of a frame with so many rows.
    pub(super) fn of(links: Vec<Hyperlink>, rows: usize) -> Self {
        let mut by_row = vec![Vec::new(); rows];
        for link in links {
            if let Some(row) = by_row.get_mut(usize::from(link.row())) {
                row.push(link);
            }
        }
        Self(by_row)
    }

    /// The address at a place.
    pub(super) fn at(&self, column: u16, row: u16) -> Option<&str> {
        let links = self.0.get(usize::from(row))?;
        let link = links.iter().find(|it| it.columns().contains(&column));
        link.map(Hyperlink::address)
    }

    /// The terminal has scrolled: the addresses went with their rows.
    pub(super) fn scroll(&mut self, shift: &Shift) {
        shift.apply(&mut self.0, Vec::clear);
    }

    /// The cells that have an address in one of the two, and not the same in the other: rows and columns.
    pub(super) fn changed<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u16, u16)> + 'a {
        let rows = self.0.iter().zip(&other.0).zip(0_u16..);
        let rows = rows.filter(|((one, another), _)| !is_same(one, another));
        rows.flat_map(|((one, another), row)| {
            let links = one.iter().chain(another);
            links.flat_map(move |it| it.columns().map(move |column| (column, row)))
        })
    }
}

/// Whether two rows have the same addresses in the same columns; a row that was scrolled has another number.
fn is_same(one: &[Hyperlink], other: &[Hyperlink]) -> bool {
    let what = |it: &Hyperlink| (it.columns(), it.address().to_owned());
    one.iter().map(what).eq(other.iter().map(what))
}

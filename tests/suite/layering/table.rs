//! The table of who may import whom, as data.

use crate::source;
use std::collections::BTreeSet;

/// The parts of the standard library that touch the world: a row has to list them.
const WORLD: [&str; 11] = [
    "std::env",
    "std::fs",
    "std::io::stderr",
    "std::io::stdin",
    "std::io::stdout",
    "std::net",
    "std::os",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// The rows, and the crates that the rows speak of.
pub(super) struct Table {
    rows: Vec<Row>,
    crates: Vec<String>,
}

/// What one room may use.
pub(super) struct Row {
    room: String,
    rooms: Vec<String>,
    crates: Vec<String>,
}

impl Table {
    /// The table in `ARCHITECTURE.md`, with the crates in `Cargo.toml`.
    pub(super) fn of_the_house() -> Self {
        let page = &source::files_under("ARCHITECTURE.md")[0].text;
        let manifest = &source::files_under("Cargo.toml")[0].text;
        let manifest: toml::Table = manifest.parse().unwrap();
        let crates: Vec<&str> = manifest["dependencies"]
            .as_table()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        Self::parse(page, &crates)
    }

    /// Reads the table between the two marks of a page.
    pub(super) fn parse(page: &str, crates: &[&str]) -> Self {
        let (_, rest) = page.split_once("<!-- layers: begin -->").unwrap();
        let (table, _) = rest.split_once("<!-- layers: end -->").unwrap();
        let cells: Vec<Vec<&str>> = table
            .lines()
            .filter(|line| line.starts_with('|'))
            .skip(2)
            .map(|line| line.trim_matches('|').split('|').collect())
            .collect();
        let all: Vec<String> = cells.iter().flat_map(|row| names_in(row[0])).collect();
        let rows = cells
            .iter()
            .map(|row| {
                let [room, rooms, crates] = row[..] else {
                    panic!("a row of the table does not have three cells: {row:?}");
                };
                let room = names_in(room).remove(0);
                Row {
                    rooms: rooms_in(rooms, &room, &all),
                    crates: names_in(crates),
                    room,
                }
            })
            .collect();
        let crates = crates.iter().map(|it| it.replace('-', "_")).collect();
        Self { rows, crates }
    }

    /// The row of a module: that of the innermost room which it is in.
    pub(super) fn row_of(&self, module: &[String]) -> Option<&Row> {
        let path = module.join("::");
        self.rows
            .iter()
            .filter(|row| begins_with(&path, &row.room))
            .max_by_key(|row| row.room.len())
    }

    /// Why a row forbids a path from the root of our crate, if it does.
    pub(super) fn forbids_room(&self, row: &Row, target: &[String]) -> Option<String> {
        let Some(room) = self.row_of(target).map(|it| &it.room) else {
            return Some("there is no room of this name".to_owned());
        };
        let is_listed = *room == row.room || row.rooms.contains(room);
        (!is_listed).then(|| format!("row `{}` does not list room `{room}`", row.room))
    }

    /// Why a row forbids a path that begins with a crate, if it does. Paths of no known crate are fine.
    pub(super) fn forbids_crate(&self, row: &Row, target: &[String]) -> Option<String> {
        let name = target.first()?;
        let asked = if name == "std" {
            world_in(target)
        } else {
            vec![self.crates.iter().find(|it| *it == name)?.as_str()]
        };
        asked
            .into_iter()
            .find(|it| !row.crates.iter().any(|allowed| covers(allowed, it)))
            .map(|it| format!("row `{}` does not list `{it}`", row.room))
    }

    /// The rooms in `src/` itself, in alphabetical order.
    pub(super) fn outer_rooms(&self) -> Vec<&str> {
        let rooms = self.rows.iter().map(|row| row.room.as_str());
        let mut outer: Vec<&str> = rooms.filter(|room| !room.contains("::")).collect();
        outer.sort_unstable();
        outer
    }

    /// Which room may use which.
    pub(super) fn edges(&self) -> BTreeSet<(String, String)> {
        let edges = self.rows.iter().flat_map(|row| {
            let room = |to: &String| (row.room.clone(), to.clone());
            row.rooms.iter().map(room)
        });
        edges.collect()
    }
}

/// The names in backquotes.
fn names_in(cell: &str) -> Vec<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// The rooms of a cell: those it names, or every other room but those if it begins with `everything`.
/// Nobody uses `main`.
fn rooms_in(cell: &str, own: &str, all: &[String]) -> Vec<String> {
    let named = names_in(cell);
    if !cell.trim().starts_with("everything") {
        return named;
    }
    let is_meant = |room: &String| {
        room != own && room != "main" && !named.iter().any(|it| begins_with(room, it))
    };
    all.iter().filter(|room| is_meant(room)).cloned().collect()
}

/// Whether a path is a room or is inside one.
fn begins_with(path: &str, room: &str) -> bool {
    path.strip_prefix(room)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The parts of the world that a path of `std` gives: the one it is inside of, or all that a glob brings.
fn world_in(target: &[String]) -> Vec<&'static str> {
    let path = target.join("::");
    let glob = path.strip_suffix("::*");
    WORLD
        .into_iter()
        .filter(|it| begins_with(&path, it) || glob.is_some_and(|outer| begins_with(it, outer)))
        .collect()
}

/// Whether an entry of the table covers a name; `candle_*` covers all that begin so.
fn covers(entry: &str, name: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => entry == name,
    }
}

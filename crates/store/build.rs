//! Lists the files of the course that is built in, and makes its index, so that the first screen does not wait until they are read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use warpup_course::{Index, Sources, is_of_course};

fn main() -> Result<(), Box<dyn Error>> {
    let root = fs::canonicalize("../..")?;
    let mut files = BTreeMap::new();
    for part in ["lessons", "quizzes", "repairs"] {
        println!("cargo::rerun-if-changed=../../{part}");
        for entry in fs::read_dir(root.join(part))? {
            let file = entry?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let path = format!("{part}/{name}");
            if is_of_course(&path) && file.is_file() {
                files.insert(path, Cow::Owned(fs::read_to_string(&file)?));
            }
        }
    }
    let rows = files.keys().map(|path| {
        let file = root.join(path);
        let file = file.to_string_lossy();
        format!("    ({path:?}, include_str!({file:?})),\n")
    });
    let rows = rows.collect::<String>();
    let index = serde_json::to_string(&Index::of(&Sources::of(files)))?;
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    fs::write(out.join("course-files.rs"), format!("&[\n{rows}]\n"))?;
    fs::write(out.join("course-index.json"), index)?;
    Ok(())
}

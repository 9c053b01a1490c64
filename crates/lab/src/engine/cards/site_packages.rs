//! Where Python keeps the packages of the environment that an executable belongs to.

use std::path::{Path, PathBuf};

/// The folders of Python's packages that belong to the folder of an executable, such as `lib/python3.12/site-packages` beside
/// `bin`; Debian's are `dist-packages`. Newest Python first.
pub fn site_packages(executable: &Path) -> Vec<PathBuf> {
    let Some(prefix) = executable.parent().and_then(Path::parent) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for lib in ["lib", "lib64"] {
        let entries = prefix.join(lib).read_dir().into_iter().flatten().flatten();
        let pythons = entries.filter_map(|it| {
            let name = it.file_name().into_string().ok()?;
            let minor: u32 = name.strip_prefix("python3.")?.parse().ok()?;
            Some((minor, it.path()))
        });
        for (minor, python) in pythons {
            let folders = ["site-packages", "dist-packages"].map(|it| python.join(it));
            found.extend(
                folders
                    .into_iter()
                    .filter(|it| it.is_dir())
                    .map(|it| (minor, it)),
            );
        }
    }
    found.sort_by(|one, other| (other.0, &one.1).cmp(&(one.0, &other.1)));
    found.into_iter().map(|(_, folder)| folder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    #[test]
    fn the_packages_of_the_newest_python_come_first() {
        let dir = TempDir::new().unwrap();
        for folder in [
            "lib/python3.9/site-packages",
            "lib/python3.13/dist-packages",
            "lib64/python3.10/site-packages",
            "lib/python2.7/site-packages",
            "lib/python3",
        ] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        let found = site_packages(&dir.path().join("bin/warpup"));
        let found: Vec<_> = found
            .iter()
            .map(|it| it.strip_prefix(dir.path()).unwrap())
            .collect();
        let expected = [
            "lib/python3.13/dist-packages",
            "lib64/python3.10/site-packages",
            "lib/python3.9/site-packages",
        ];
        assert_eq!(found, expected.map(Path::new));
        assert!(site_packages(Path::new("warpup")).is_empty());
    }
}

//! Looks at the folders around the app for what installed it.

use crate::evidence::InstalledBy;
use std::path::{Path, PathBuf};
use warpup_lab::engine::cards::site_packages;

/// What installed an executable.
pub(super) fn find(executable: &Path) -> InstalledBy {
    let packages = site_packages(executable);
    let installed = packages.iter().find_map(|it| Some((it, our_entry(it)?)));
    let Some((packages, entry)) = installed else {
        return InstalledBy::Other;
    };
    let prefix = executable.parent().and_then(Path::parent);
    let has = |file: &str| prefix.is_some_and(|it| it.join(file).is_file());
    let is_cached = executable
        .components()
        .any(|it| it.as_os_str() == "archive-v0");
    let beside = executable.with_file_name("python3");
    if has("pipx_metadata.json") {
        InstalledBy::Pipx
    } else if has("uv-receipt.toml") {
        InstalledBy::UvTool
    } else if is_cached {
        InstalledBy::Uvx
    } else if !beside.exists() {
        // As with `pip install --user`: the executable is in another folder than its Python.
        InstalledBy::Pip(python(packages))
    } else if packages.join("pip").is_dir() || !is_by_uv(&entry) {
        InstalledBy::Pip(beside.display().to_string())
    } else {
        InstalledBy::UvPip(beside.display().to_string())
    }
}

/// The folder in which an installer says what it installed of warpup.
fn our_entry(packages: &Path) -> Option<PathBuf> {
    let entries = packages.read_dir().into_iter().flatten().flatten();
    let mut names = entries.map(|it| it.path());
    names.find(|it| {
        let name = it.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("warpup-") && name.ends_with(".dist-info")
    })
}

fn is_by_uv(entry: &Path) -> bool {
    let installer = std::fs::read_to_string(entry.join("INSTALLER"));
    installer.is_ok_and(|it| it.trim() == "uv")
}

/// The command of the Python that has these packages, such as `python3.12`.
fn python(packages: &Path) -> String {
    let folder = packages.parent().and_then(Path::file_name);
    folder.map_or_else(
        || "python3".to_owned(),
        |it| it.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    /// The command for the executable of an environment that has these files; a name that ends with `/` is a folder.
    fn command(prefix: &str, files: &[&str]) -> String {
        let dir = TempDir::new().unwrap();
        let prefix = dir.path().join(prefix);
        for name in files {
            let file = prefix.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            if name.ends_with('/') {
                fs::create_dir_all(file).unwrap();
            } else {
                fs::write(
                    file,
                    if name.ends_with("INSTALLER") {
                        "uv\n"
                    } else {
                        ""
                    },
                )
                .unwrap();
            }
        }
        let command = find(&prefix.join("bin/warpup")).command();
        command.replace(dir.path().to_str().unwrap(), "")
    }

    #[test]
    fn each_installer_has_its_command() {
        let ours = "lib/python3.12/site-packages/warpup-0.1.0.dist-info/";
        let by_uv = "lib/python3.12/site-packages/warpup-0.1.0.dist-info/INSTALLER";
        let pip = "lib/python3.12/site-packages/pip/";
        let python = "bin/python3";
        let commands = [
            command("usr", &[]),
            command("usr", &[pip, python]),
            command("srv/venv", &[pip, ours, python]),
            command("srv/uv/tools/.venv", &[pip, ours, python]),
            command("srv/.local", &[ours]),
            command("srv/project/.venv", &[by_uv, python]),
            command("srv/px/warpup", &[ours, python, "pipx_metadata.json"]),
            command("srv/uvt/warpup", &[by_uv, python, "uv-receipt.toml"]),
            command("srv/.cache/uv/archive-v0/x7Pq", &[by_uv, python]),
        ];
        insta::assert_snapshot!(commands.join("\n"), @"
        scripts/build-cuda-worker
        scripts/build-cuda-worker
        /srv/venv/bin/python3 -m pip install 'warpup[cuda]'
        /srv/uv/tools/.venv/bin/python3 -m pip install 'warpup[cuda]'
        python3.12 -m pip install 'warpup[cuda]'
        uv pip install --python /srv/project/.venv/bin/python3 'warpup[cuda]'
        pipx install --force 'warpup[cuda]'
        uv tool install --force 'warpup[cuda]'
        uvx --from 'warpup[cuda]' warpup
        ");
    }
}

//! Looks at the folders around the app for what installed it.

use crate::doctor::evidence::InstalledBy;
use crate::lab::engine::cards::site_packages;
use std::path::Path;

/// What installed an executable.
pub(super) fn find(executable: &Path) -> InstalledBy {
    let packages = site_packages(executable);
    let Some(packages) = packages.iter().find(|it| has_entry(it, "warpup-")) else {
        return InstalledBy::Other;
    };
    let has = |folder: &str| executable.components().any(|it| it.as_os_str() == folder);
    let python = executable.with_file_name("python3").display().to_string();
    if has("pipx") && has("venvs") {
        InstalledBy::Pipx
    } else if has("uv") && has("tools") {
        InstalledBy::UvTool
    } else if has("archive-v0") {
        InstalledBy::Uvx
    } else if packages.join("pip").is_dir() {
        InstalledBy::Pip(python)
    } else {
        InstalledBy::UvPip(python)
    }
}

/// Whether a folder has an entry whose name starts so.
fn has_entry(folder: &Path, start: &str) -> bool {
    let mut entries = folder.read_dir().into_iter().flatten().flatten();
    entries.any(|it| it.file_name().to_string_lossy().starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    /// The command for an executable in this folder, whose environment has these packages.
    fn command(prefix: &str, packages: &[&str]) -> String {
        let dir = TempDir::new().unwrap();
        let prefix = dir.path().join(prefix);
        for package in packages {
            let folder = prefix.join("lib/python3.12/site-packages").join(package);
            fs::create_dir_all(folder).unwrap();
        }
        let command = find(&prefix.join("bin/warpup")).command();
        command.replace(dir.path().to_str().unwrap(), "")
    }

    #[test]
    fn each_installer_has_its_command() {
        let ours = "warpup-0.1.0.dist-info";
        let commands = [
            command("usr", &[]),
            command("usr", &["pip", "torch"]),
            command("srv/venv", &["pip", ours]),
            command("srv/project/.venv", &[ours]),
            command("srv/.local/share/pipx/venvs/warpup", &[ours]),
            command("srv/.local/share/uv/tools/warpup", &[ours]),
            command("srv/.cache/uv/archive-v0/x7Pq", &[ours]),
        ];
        insta::assert_snapshot!(commands.join("\n"), @r"
        scripts/build-cuda-worker
        scripts/build-cuda-worker
        /srv/venv/bin/python3 -m pip install 'warpup[cuda]'
        uv pip install --python /srv/project/.venv/bin/python3 'warpup[cuda]'
        pipx install --force 'warpup[cuda]'
        uv tool install --force 'warpup[cuda]'
        uvx --from 'warpup[cuda]' warpup
        ");
    }
}

//! Compiles the library anew when one of its files changes: rustc does not know which ones a macro reads.

fn main() {
    for path in ["lib", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
}

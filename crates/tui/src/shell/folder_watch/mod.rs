//! Waits for changes in a course folder, without looking at it at intervals.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::FolderWatch;
#[cfg(target_os = "linux")]
pub use linux::FolderWatch;

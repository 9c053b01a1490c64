//! Disk: course files and progress logs.

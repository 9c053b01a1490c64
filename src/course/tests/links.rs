//! Links inside of a course, and addresses outside.

use super::*;
use insta::assert_snapshot;

#[test]
fn links_go_somewhere() {
    let body = "[a](#start) [b](#strat) [c](lesson.md#start) [d](lesson.md#x) [e](leson.md) [f](https://a.b) [g](javascript:x)\n";
    assert_snapshot!(diagnostics_of(body), @r"
    lessons/lesson.md:11:13: error: there is no page `#strat`
       | [a](#start) [b](#strat) [c](lesson.md#start) [d](lesson.md#x) [e](leson.md) [f](https://a.b) [g](jav…
       |             ^^^^^^^^^^^
       = hint: did you mean `start`?
    lessons/lesson.md:11:46: error: there is no page `#x`
       | …start) [b](#strat) [c](lesson.md#start) [d](lesson.md#x) [e](leson.md) [f](https://a.b) [g](javascri…
       |                                          ^^^^^^^^^^^^^^^^
    lessons/lesson.md:11:63: error: there is no lesson file `leson.md`
       | …) [c](lesson.md#start) [d](lesson.md#x) [e](leson.md) [f](https://a.b) [g](javascript:x)
       |                                          ^^^^^^^^^^^^^
       = hint: did you mean `lesson.md`?
    lessons/lesson.md:11:94: error: there is no lesson file `javascript:x`
       | …on.md#x) [e](leson.md) [f](https://a.b) [g](javascript:x)
       |                                          ^^^^^^^^^^^^^^^^^
       = hint: a link goes to `https://…`, `#page` or `lesson.md#page`
    ");
}

#[test]
fn addresses_outside_are_whole_and_encrypted() {
    let body = "[a](https://docs.nvidia.com/cuda/?x=1&y=%20#c-d) [b](http://docs.nvidia.com) [c](ftp://a.b) [d](mailto:a@b.c)

[e](https://localhost/x) [f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://) [j](https://a.b:8080)
";
    assert_snapshot!(diagnostics_of(body), @r"
    lessons/lesson.md:11:50: warning: this address is not encrypted
       | …://docs.nvidia.com/cuda/?x=1&y=%20#c-d) [b](http://docs.nvidia.com) [c](ftp://a.b) [d](mailto:a@b.c)
       |                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = hint: write `https://`
    lessons/lesson.md:11:78: error: `ftp` is not a kind of address that a link may have
       | …&y=%20#c-d) [b](http://docs.nvidia.com) [c](ftp://a.b) [d](mailto:a@b.c)
       |                                          ^^^^^^^^^^^^^^
       = hint: a link goes to `https://…`, `#page` or `lesson.md#page`
    lessons/lesson.md:13:1: error: `https://localhost` names no computer
       | [e](https://localhost/x) [f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://)…
       | ^^^^^^^^^^^^^^^^^^^^^^^^
    lessons/lesson.md:13:26: error: `https://a..b` names no computer
       | [e](https://localhost/x) [f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://)…
       |                          ^^^^^^^^^^^^^^^^^
    lessons/lesson.md:13:44: error: an address has no ` `
       | …(https://localhost/x) [f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://) [j…
       |                                          ^^^^^^^^^^^^^^^^^^^^^^
       = hint: write it as `%` and two digits for each of its bytes
    lessons/lesson.md:13:67: error: `https://a.b:8o` names no computer
       | …f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://) [j](https://a.b:8080)
       |                                          ^^^^^^^^^^^^^^^^^^^^
    lessons/lesson.md:13:88: error: `https://` names no computer
       | …<https://a.b/x y>) [h](https://a.b:8o/) [i](https://) [j](https://a.b:8080)
       |                                          ^^^^^^^^^^^^^
    ");
}

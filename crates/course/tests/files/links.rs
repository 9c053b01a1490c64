//! Links inside of a course, and addresses outside.

use super::*;
use insta::assert_snapshot;

#[test]
fn links_go_somewhere() {
    let body = "[a](#start) [b](#strat) [c](lesson.md#start) [d](lesson.md#x) [e](leson.md) [f](https://a.b) [g](javascript:x)\n";
    assert_snapshot!(diagnostics_of(body), @"
    error[link-without-target]: there is no page `#strat`
      --> lessons/lesson.md:11:13
       |
    11 | [a](#start) [b](#strat) [c](lesson.md#start) [d](lesson.md#x) [e](leson.md) [f](https://a.b) [g](jav…
       |             ^^^^^^^^^^^
       |
       = help: did you mean `start`?
    error[link-without-target]: there is no page `#x`
      --> lessons/lesson.md:11:46
       |
    11 | …start) [b](#strat) [c](lesson.md#start) [d](lesson.md#x) [e](leson.md) [f](https://a.b) [g](javascri…
       |                                          ^^^^^^^^^^^^^^^^
       |
       = help: it has the pages start
    error[link-without-target]: there is no lesson file `leson.md`
      --> lessons/lesson.md:11:63
       |
    11 | …) [c](lesson.md#start) [d](lesson.md#x) [e](leson.md) [f](https://a.b) [g](javascript:x)
       |                                          ^^^^^^^^^^^^^
       |
       = help: did you mean `lesson.md`?
    error[link-without-target]: there is no lesson file `javascript:x`
      --> lessons/lesson.md:11:94
       |
    11 | …on.md#x) [e](leson.md) [f](https://a.b) [g](javascript:x)
       |                                          ^^^^^^^^^^^^^^^^^
       |
       = help: a link goes to `https://…`, `#page` or `lesson.md#page`
    ");
}

#[test]
fn addresses_outside_are_whole_and_encrypted() {
    let body = "[a](https://docs.nvidia.com/cuda/?x=1&y=%20#c-d) [b](http://docs.nvidia.com) [c](ftp://a.b) [d](mailto:a@b.c)

[e](https://localhost/x) [f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://) [j](https://a.b:8080)
";
    assert_snapshot!(diagnostics_of(body), @"
    warning[link-not-encrypted]: this address is not encrypted
      --> lessons/lesson.md:11:50
       |
    11 | …://docs.nvidia.com/cuda/?x=1&y=%20#c-d) [b](http://docs.nvidia.com) [c](ftp://a.b) [d](mailto:a@b.c)
       |                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write `https://`
    error[link-kind]: `ftp` is not a kind of address that a link may have
      --> lessons/lesson.md:11:78
       |
    11 | …&y=%20#c-d) [b](http://docs.nvidia.com) [c](ftp://a.b) [d](mailto:a@b.c)
       |                                          ^^^^^^^^^^^^^^
       |
       = help: a link goes to `https://…`, `#page` or `lesson.md#page`
    error[link-address]: `https://localhost` names no computer
      --> lessons/lesson.md:13:1
       |
    13 | [e](https://localhost/x) [f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://)…
       | ^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write the whole name, such as `https://pytorch.org/docs`
    error[link-address]: `https://a..b` names no computer
      --> lessons/lesson.md:13:26
       |
    13 | [e](https://localhost/x) [f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://)…
       |                          ^^^^^^^^^^^^^^^^^
       |
       = help: write the whole name, such as `https://pytorch.org/docs`
    error[link-address]: an address has no ` `
      --> lessons/lesson.md:13:44
       |
    13 | …(https://localhost/x) [f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://) [j…
       |                                          ^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write it as `%` and two digits for each of its bytes
    error[link-address]: `https://a.b:8o` names no computer
      --> lessons/lesson.md:13:67
       |
    13 | …f](https://a..b) [g](<https://a.b/x y>) [h](https://a.b:8o/) [i](https://) [j](https://a.b:8080)
       |                                          ^^^^^^^^^^^^^^^^^^^^
       |
       = help: write the whole name, such as `https://pytorch.org/docs`
    error[link-address]: `https://` names no computer
      --> lessons/lesson.md:13:88
       |
    13 | …<https://a.b/x y>) [h](https://a.b:8o/) [i](https://) [j](https://a.b:8080)
       |                                          ^^^^^^^^^^^^^
       |
       = help: write the whole name, such as `https://pytorch.org/docs`
    ");
}

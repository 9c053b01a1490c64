//! Texts and blocks as Markdown and as HTML, and HTML as Markdown.
//!
//! A flat page becomes a tree first: other tools write lists around items, and an end behind each container.

mod from_html;
mod html;
mod join;
mod markdown;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use from_html::{LineFeeds, markdown_of_html};
pub(crate) use html::{
    Dialect, Html, coloured, escaped, html_of_blocks, html_of_text, is_outside, visible,
};
pub(crate) use join::{joined, with_code};
pub(crate) use markdown::{
    Markdown, fenced, markdown_of_blocks, markdown_of_plain, markdown_of_text,
};

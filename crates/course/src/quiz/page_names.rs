//! The pages of a lesson as other places name them: by their ids, or, by mistake, by their headings.

use crate::diagnostics::{Hint, few};
use crate::model::PageId;
use crate::toml_walk::name;
use std::collections::BTreeMap;

/// The ids of a lesson's pages, and what the pages would be called by their headings.
#[derive(Debug, Default)]
pub(crate) struct PageNames {
    ids: Vec<PageId>,
    /// The page that is meant by what its heading makes; nothing where several are.
    by_heading: BTreeMap<String, Option<PageId>>,
}

impl PageNames {
    /// Those of pages with these ids and headings, in their order.
    pub(crate) fn of<'a>(pages: impl Iterator<Item = (&'a PageId, &'a str)>) -> Self {
        let mut names = Self::default();
        for (id, heading) in pages {
            names.ids.push(id.clone());
            let found = names.by_heading.entry(name::slug(heading));
            found
                .and_modify(|it| *it = None)
                .or_insert(Some(id.clone()));
        }
        // An id comes before the heading of another page.
        let ids = names
            .ids
            .iter()
            .map(|it| (it.to_string(), Some(it.clone())));
        names.by_heading.extend(ids);
        names
    }

    /// The ids.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> + Clone {
        self.ids.iter().map(PageId::as_str)
    }

    /// Whether a page has this id.
    pub(crate) fn has(&self, id: &str) -> bool {
        let found = self.by_heading.get(id).and_then(Option::as_ref);
        found.is_some_and(|it| it.as_str() == id)
    }

    /// The page that has the written text as its id or its heading, whatever the case and the signs in it.
    pub(crate) fn meant(&self, written: &str) -> Option<&PageId> {
        self.by_heading.get(&name::slug(written))?.as_ref()
    }

    /// Says which page is meant, or which there are.
    pub(crate) fn suggest(&self, written: &str, said: Hint<'_>) {
        if let Some(id) = self.meant(written) {
            said.fixed_by(written, id.as_str())
                .hint(format!("did you mean `{id}`?"));
        } else {
            let all = format!("it has the pages {}", few(self.ids()));
            said.did_you_mean_or(written, self.ids(), all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_meant_by_its_heading_where_that_is_clear() {
        let ids = ["bus", "one", "two", "the-card"].map(PageId::new);
        let headings = ["The bus", "Again", "Again!", "Two"];
        let names = PageNames::of(ids.iter().zip(headings));
        let meant = |it: &str| names.meant(it).map(PageId::as_str);
        assert_eq!(meant("The Bus?"), Some("bus"));
        assert_eq!(meant("again"), None);
        assert_eq!(meant("two"), Some("two"));
        assert_eq!(meant("The card"), Some("the-card"));
        assert_eq!(meant("the-queue"), None);
        assert!(names.has("bus") && !names.has("the-bus"));
    }
}

//! The subject of a tooltip: an element with a title, or with a text that is cut.

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::place::Side;

/// The number of ancestors, from the element under the pointer, that are searched for a cut text.
const ABOVE: usize = 2;

/// An element and what its tooltip says.
pub struct Subject {
    /// The element.
    pub owner: Element,
    /// The text, possibly with keys in parentheses at its end.
    pub title: String,
    /// `true` if the element has a title, which is removed while the tooltip is shown.
    has_title: bool,
    /// The attribute that was set for screen readers.
    described: Option<&'static str>,
}

impl Subject {
    /// Returns the subject at an element: the nearest one around it.
    pub fn of(at: &Element) -> Option<Self> {
        let titled = at.closest("[title]").ok().flatten();
        let title = titled.as_ref().and_then(|it| it.get_attribute("title"));
        match (titled, title) {
            (Some(owner), Some(title)) if !title.trim().is_empty() => {
                let adds = title.trim() != text(&owner) || has_cut(&owner);
                adds.then(|| Self::new(owner, title, true))
            }
            (Some(_), _) => None,
            (None, _) => {
                let above = std::iter::successors(Some(at.clone()), |it| it.parent_element());
                let owner = above.take(ABOVE + 1).find(is_cut)?;
                let title = text(&owner);
                Some(Self::new(owner, title, false))
            }
        }
    }

    fn new(owner: Element, title: String, has_title: bool) -> Self {
        Self {
            owner,
            title,
            has_title,
            described: None,
        }
    }

    /// Returns the side for the tooltip: an element around a column of buttons names it.
    pub fn side(&self) -> Side {
        let around = self.owner.closest("[data-tooltips]").ok().flatten();
        let side = around.and_then(|it| it.get_attribute("data-tooltips"));
        match side.as_deref() {
            Some("left") => Side::Left,
            Some("right") => Side::Right,
            _ => Side::Below,
        }
    }

    /// Takes the title away. For screen readers, the tooltip describes the element if it adds
    /// something to its name, or is its name if it has no other.
    pub fn describe(&mut self, id: &str) {
        if !self.has_title {
            return;
        }
        let _ = self.owner.remove_attribute("title");
        let name = match self.owner.get_attribute("aria-label") {
            Some(label) => label,
            None if self.is_labelled() => "label".to_owned(),
            None => text(&self.owner),
        };
        let (attribute, value) = if name.is_empty() {
            ("aria-label", self.title.as_str())
        } else if !self.title.starts_with(&name) || self.title.len() > name.len() {
            ("aria-describedby", id)
        } else {
            return;
        };
        if !self.owner.has_attribute(attribute) {
            let _ = self.owner.set_attribute(attribute, value);
            self.described = Some(attribute);
        }
    }

    /// Returns `true` if another element is the label.
    fn is_labelled(&self) -> bool {
        self.owner.has_attribute("aria-labelledby")
            || matches!(self.owner.closest("label"), Ok(Some(_)))
    }

    /// Gives the title back, unless the element has got another one.
    pub fn restore(mut self) {
        if let Some(attribute) = self.described.take() {
            let _ = self.owner.remove_attribute(attribute);
        }
        if self.has_title && !self.owner.has_attribute("title") {
            let _ = self.owner.set_attribute("title", &self.title);
        }
    }
}

/// Returns the text that an element shows.
fn text(element: &Element) -> String {
    // Fields show their values, whatever their content is.
    if matches!(element.tag_name().as_str(), "SELECT" | "TEXTAREA" | "INPUT") {
        return String::new();
    }
    let text = element.text_content().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns `true` if the element or one directly inside it is cut.
fn has_cut(element: &Element) -> bool {
    let inside = element.children();
    is_cut(element) || (0..inside.length()).any(|at| inside.item(at).is_some_and(|it| is_cut(&it)))
}

/// Returns `true` if an ellipsis stands for the end of an element's text.
fn is_cut(element: &Element) -> bool {
    let Some(element) = element.dyn_ref::<HtmlElement>() else {
        return false;
    };
    if element.scroll_width() <= element.client_width() || element.client_width() == 0 {
        return false;
    }
    let style = window().get_computed_style(element).ok().flatten();
    let overflow = style.and_then(|style| style.get_property_value("text-overflow").ok());
    overflow.as_deref() == Some("ellipsis") && !text(element).is_empty()
}

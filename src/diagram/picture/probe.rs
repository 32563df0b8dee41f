//! Queries the page for computed styles and text widths.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement};

use crate::canvas::colour::Colour;

/// Queries the page for computed styles.
pub struct Probe {
    element: HtmlElement,
    measure: Option<CanvasRenderingContext2d>,
}

impl Probe {
    /// Creates a probe, which is an element of the page as long as it lives.
    pub fn new() -> Option<Self> {
        let element: HtmlElement = document().create_element("i").ok()?.dyn_into().ok()?;
        document().body()?.append_child(&element).ok()?;
        let canvas = document().create_element("canvas").ok();
        let canvas = canvas.and_then(|c| c.dyn_into::<HtmlCanvasElement>().ok());
        let measure = canvas.and_then(|c| c.get_context("2d").ok()??.dyn_into().ok());
        Some(Self { element, measure })
    }

    /// Returns the computed value of a property that is set to a custom property.
    pub fn resolved(&self, property: &str, custom: &str) -> String {
        let value = format!("var({custom})");
        let _ = self.element.style().set_property(property, &value);
        let style = window().get_computed_style(&self.element).ok().flatten();
        let value = style.and_then(|style| style.get_property_value(property).ok());
        value.unwrap_or_default()
    }

    /// Returns a colour of the theme.
    pub fn colour(&self, colour: Colour) -> String {
        self.resolved("color", colour.property())
    }

    /// Returns the width of a text; 0 if it is unknown.
    pub fn width(&self, text: &str, font: &str) -> f64 {
        let Some(measure) = &self.measure else {
            return 0.0;
        };
        measure.set_font(font);
        measure.measure_text(text).map_or(0.0, |m| m.width())
    }

    /// Truncates a text to a width.
    pub fn fitted(&self, text: &str, font: &str, width: f64) -> String {
        let fits = |text: &str| self.width(text, font) <= width;
        if fits(text) {
            return text.to_owned();
        }
        let letters: Vec<char> = text.chars().collect();
        let (mut low, mut high) = (0, letters.len());
        while low < high {
            let middle = (low + high).div_ceil(2);
            let cut: String = letters.iter().take(middle).collect();
            if fits(&format!("{cut}…")) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let cut: String = letters.iter().take(low).collect();
        format!("{cut}…")
    }

    /// Wraps a text into lines of a width; a word that is wider is cut.
    pub fn wrapped(&self, text: &str, font: &str, width: f64) -> Vec<String> {
        let mut lines = vec![];
        for paragraph in text.lines() {
            let mut line = String::new();
            for word in paragraph.split(' ') {
                let longer = format!("{line}{word}");
                if !line.is_empty() && self.fitted(&longer, font, width) != longer {
                    lines.push(std::mem::take(&mut line));
                }
                line.push_str(word);
                line.push(' ');
            }
            lines.push(line);
        }
        let cut = |line: String| self.fitted(line.trim_end(), font, width);
        lines.into_iter().map(cut).collect()
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.element.remove();
    }
}

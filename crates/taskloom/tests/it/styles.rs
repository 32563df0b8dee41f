//! Rules for the style sheets: colours, font sizes and weights, radii and layers over the page are
//! those of tokens.css, and spaces lie on a grid of 4 px, with half a step below 8 px.

use std::fs;
use std::path::Path;

/// Functions and names of colours; `currentcolor`, `transparent` and the system's colours are fine.
const COLOURS: [&str; 30] = [
    "rgb",
    "rgba",
    "hsl",
    "hsla",
    "hwb",
    "lab",
    "lch",
    "oklab",
    "oklch",
    "color",
    "light-dark",
    "black",
    "white",
    "gray",
    "grey",
    "silver",
    "red",
    "green",
    "blue",
    "yellow",
    "orange",
    "purple",
    "violet",
    "pink",
    "brown",
    "gold",
    "navy",
    "teal",
    "cyan",
    "magenta",
];

/// A property with its value.
type Declaration = (String, String);

/// Returns the declarations of a style sheet.
fn declarations(sheet: &str) -> Vec<Declaration> {
    let mut text = String::new();
    let mut rest = sheet;
    while let Some((before, comment)) = rest.split_once("/*") {
        text.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let mut found = vec![];
    let mut start = 0;
    for (at, end) in text.match_indices(['{', '}', ';']) {
        let piece = &text[start..at];
        start = at + 1;
        // What precedes a brace is a selector.
        if let Some((property, value)) = piece.split_once(':').filter(|_| end != "{") {
            found.push((property.trim().to_owned(), value.trim().to_owned()));
        }
    }
    found
}

/// Returns a value without the names of variables and without texts.
fn plain(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    let begins = |rest: &str| {
        [rest.find("var(--"), rest.find('"')]
            .into_iter()
            .flatten()
            .min()
    };
    while let Some(at) = begins(rest) {
        out.push_str(&rest[..at]);
        let end = match rest.as_bytes()[at] {
            b'"' => rest[at + 1..].find('"').map(|end| at + end + 2),
            _ => rest[at..].find([',', ')']).map(|end| at + end),
        };
        rest = &rest[end.unwrap_or(rest.len())..];
    }
    out + rest
}

fn has_colour(value: &str) -> bool {
    let value = plain(value);
    let mut words = value.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '#');
    words.any(|word| word.starts_with('#') || COLOURS.contains(&word))
}

/// Returns `true` if the font size of a value has a unit, and so is not a token.
fn has_size(value: &str) -> bool {
    let value = plain(value);
    let size = value.split('/').next().unwrap_or_default();
    let mut words = size.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '%');
    words.any(|word| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        unit.len() < word.len() && !unit.is_empty()
    })
}

/// Returns `true` if a value contains a length in pixels that `is_wrong`. A negative one centres a box
/// on a line, or lets it overlap another.
fn has_length(value: &str, is_wrong: fn(f64) -> bool) -> bool {
    let value = plain(value);
    let words = value.split(|c: char| !c.is_ascii_alphanumeric() && !".-".contains(c));
    let mut lengths = words.filter_map(|word| word.strip_suffix("px")?.parse().ok());
    lengths.any(is_wrong)
}

/// Returns `true` if a space is off the grid; a pixel makes up for a border.
fn is_off_grid(pixels: f64) -> bool {
    pixels > 0.0 && pixels % 4.0 != 0.0 && ![1.0, 2.0, 6.0].contains(&pixels)
}

fn is_weight(word: &str) -> bool {
    matches!(word, "bold" | "bolder" | "lighter") || word.parse::<u16>().is_ok()
}

/// The sheets of blocks and cards, whose parts are as large as the layout of diagrams assumes.
const DIAGRAM: [&str; 2] = ["nodes.css", "board.css"];

/// Returns the rule that a declaration of a sheet breaks.
fn broken(sheet: &str, (property, value): &Declaration) -> Option<&'static str> {
    let is_space = property.ends_with("gap")
        || ["padding", "margin"]
            .iter()
            .any(|space| property.starts_with(space));
    match property.as_str() {
        _ if has_colour(value) => Some("a colour"),
        "font" | "font-size" if has_size(value) => Some("a font size"),
        // A font's own sheet lists the weights that it has.
        "font-weight" if is_weight(value) && sheet != "fonts.css" => Some("a font weight"),
        "font" if value.split_whitespace().any(is_weight) => Some("a font weight"),
        "border-radius" if has_length(value, |pixels| pixels > 1.0) => Some("a radius"),
        _ if is_space && !DIAGRAM.contains(&sheet) && has_length(value, is_off_grid) => {
            Some("a space off the grid")
        }
        // One digit: an order within a part of the page.
        "z-index" if !value.contains("var(--layer-") && value.trim_start_matches('-').len() > 1 => {
            Some("a layer")
        }
        _ => None,
    }
}

fn check(folder: &Path, checked: &mut usize, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the style sheets").flatten() {
        let path = entry.path();
        if path.is_dir() {
            check(&path, checked, found);
        } else if !path.ends_with("tokens.css") {
            let sheet = fs::read_to_string(&path).expect("a style sheet");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            for declaration in declarations(&sheet) {
                *checked += 1;
                if let Some(rule) = broken(&name, &declaration) {
                    let (property, value) = declaration;
                    found.push(format!("{}: {property}: {value} ({rule})", path.display()));
                }
            }
        }
    }
}

#[test]
fn styles_use_the_tokens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../style");
    let (mut checked, mut found) = (0, vec![]);
    check(&folder, &mut checked, &mut found);
    assert!(checked > 2_000, "{checked} declarations");
    assert!(
        found.is_empty(),
        "not a token of tokens.css:\n{}",
        found.join("\n")
    );
}

#[test]
fn values_that_are_not_tokens_are_found() {
    let sheet = r#"/* color: red; */
        [data-tint="red"]:hover { --kind: var(--red); color: #fff; }
        @media (width < 9px) {
          a { background: color-mix(in srgb, var(--ink) 9%, black); font: 600 var(--text)/16px var(--sans) }
          b { font: 12px/1 var(--sans); font-size: calc(var(--text) * 2); z-index: 30; white-space: pre }
          s { padding: 6px 7px; margin-left: -3px; margin-top: calc(1px + 8px); row-gap: 10px; border-radius: 50% 2px; font-weight: 600 }
          i { z-index: calc(var(--layer-over) + 1); content: "red"; outline: 2px solid currentcolor; z-index: -1 }
        }"#;
    let all = declarations(sheet);
    let found: Vec<String> = all
        .iter()
        .filter_map(|declaration| {
            Some(format!(
                "{}: {}",
                declaration.0,
                broken("a.css", declaration)?
            ))
        })
        .collect();
    assert_eq!(
        found,
        [
            "color: a colour",
            "background: a colour",
            "font: a font weight",
            "font: a font size",
            "z-index: a layer",
            "padding: a space off the grid",
            "row-gap: a space off the grid",
            "border-radius: a radius",
            "font-weight: a font weight",
        ]
    );
}

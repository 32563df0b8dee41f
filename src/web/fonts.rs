//! The page's fonts within SVG files, which are also viewed where the fonts aren't installed. A PNG
//! needs them as well: it is drawn from an SVG that can't use what the page has loaded.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::page;

/// The maximum time for fetching a font, in milliseconds. Usually the browser has it.
const PATIENCE: u32 = 5_000;

/// A font of fonts.css.
struct Font {
    family: &'static str,
    address: &'static str,
    weights: &'static str,
}

const FONTS: [Font; 2] = [
    Font {
        family: "Inter",
        address: "fonts/inter-latin-5.3.0.woff2",
        weights: "100 900",
    },
    Font {
        family: "JetBrains Mono",
        address: "fonts/jetbrains-mono-latin-5.3.0.woff2",
        weights: "100 800",
    },
];

/// Returns an SVG that contains the fonts it names. Without a font that can't be fetched, it is
/// drawn in the next of its families.
pub async fn embedded(svg: String) -> String {
    let mut rules = String::new();
    for font in FONTS.iter().filter(|font| svg.contains(font.family)) {
        if let Ok(bytes) = page::bytes(font.address, PATIENCE).await {
            rules.push_str(&font.rule(&bytes));
        }
    }
    styled(svg, &rules)
}

impl Font {
    /// Returns its `@font-face` rule, which contains the file.
    fn rule(&self, bytes: &[u8]) -> String {
        let (family, weights) = (self.family, self.weights);
        let data = STANDARD.encode(bytes);
        format!(
            "@font-face{{font-family:\"{family}\";font-weight:{weights};\
             src:url(\"data:font/woff2;base64,{data}\") format(\"woff2\")}}"
        )
    }
}

/// Inserts style rules at the beginning of an SVG.
fn styled(mut svg: String, rules: &str) -> String {
    // The first tag: attributes contain no plain `>`.
    if let Some(end) = svg.find('>').filter(|_| !rules.is_empty()) {
        svg.insert_str(end + 1, &format!("<style>{rules}</style>"));
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_are_those_of_the_style_sheet() {
        let sheet = include_str!("../../style/fonts.css");
        for font in &FONTS {
            assert!(sheet.contains(font.address), "{}", font.address);
            let weights = format!("font-weight: {};", font.weights);
            assert!(sheet.contains(&weights), "{weights}");
        }
        assert_eq!(sheet.matches("@font-face").count(), FONTS.len());
    }

    #[test]
    fn rules_are_inserted_into_the_picture() {
        let rule = FONTS[0].rule(b"font");
        assert_eq!(
            styled("<svg width=\"9\"><text/></svg>".to_owned(), &rule),
            "<svg width=\"9\"><style>@font-face{font-family:\"Inter\";font-weight:100 900;\
             src:url(\"data:font/woff2;base64,Zm9udA==\") format(\"woff2\")}</style><text/></svg>"
        );
        assert_eq!(styled("<svg></svg>".to_owned(), ""), "<svg></svg>");
    }
}

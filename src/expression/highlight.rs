//! The coloured text under the field's own, transparent one.

use leptos::prelude::*;
use taskloom_document::diagnostic::{Diagnostic, Severity};
use taskloom_document::sort::CompactSort;
use taskloom_domain::lang::{self, TokenClass};

/// A piece of text with one colour and one underline.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    text: String,
    class: &'static str,
    mark: &'static str,
}

/// The text, coloured.
#[component]
pub fn Highlighted(text: Memo<String>, findings: Memo<Vec<Diagnostic>>) -> impl IntoView {
    view! {
        <pre class="highlight" aria-hidden="true">
            {move || {
                let pieces = text.with(|text| findings.with(|findings| pieces(text, findings)));
                pieces
                    .into_iter()
                    .map(|p| view! { <span class=format!("{} {}", p.class, p.mark)>{p.text}</span> })
                    .collect_view()
            }}
            // A line break at the end has a height only with something after it.
            {"\u{200b}"}
        </pre>
    }
}

fn pieces(text: &str, findings: &[Diagnostic]) -> Vec<Piece> {
    let tokens = lang::highlight(text);
    let marks: Vec<(usize, usize, Severity)> = findings
        .iter()
        .filter_map(|f| {
            let range = f.place.span?.range();
            Some((range.start, range.end.max(range.start + 1), f.severity))
        })
        .collect();
    let mut cuts: Vec<usize> = vec![0, text.len()];
    for (span, _) in &tokens {
        cuts.extend([span.start as usize, span.end as usize]);
    }
    for (start, end, _) in &marks {
        cuts.extend([*start, *end]);
    }
    cuts.retain(|c| text.is_char_boundary(*c));
    cuts.compact_sort();
    cuts.dedup();
    cuts.windows(2)
        .filter_map(|pair| {
            let (start, end) = (pair[0], pair[1]);
            let class = tokens
                .iter()
                .find(|(span, _)| span.start as usize <= start && end <= span.end as usize)
                .map_or("", |(_, class)| class_name(*class));
            let mark = marks
                .iter()
                .filter(|(from, to, _)| *from <= start && end <= *to)
                .map(|(_, _, severity)| *severity)
                .min();
            let mark = match mark {
                Some(Severity::Error) => "wrong",
                Some(Severity::Warning) => "odd",
                None => "",
            };
            Some(Piece {
                text: text.get(start..end)?.to_owned(),
                class,
                mark,
            })
        })
        .collect()
}

fn class_name(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword => "t-keyword",
        TokenClass::Name => "t-name",
        TokenClass::Variable => "t-variable",
        TokenClass::Number => "t-number",
        TokenClass::Operator => "t-operator",
        TokenClass::Punctuation => "t-punctuation",
        TokenClass::Error => "t-error",
    }
}

//! Several entries in one text, separated by commas: `at(counter), open`.

use taskloom_document::syntax::{Scopes, TokenKind, lex};

/// Splits a text at the commas between entries: not at those between arguments or variables of a
/// quantifier. Without such a comma after an entry, the whole text is the only piece; otherwise the
/// pieces are trimmed, and only the last one may be empty.
pub fn of(text: &str) -> Vec<String> {
    let mut scopes = Scopes::new(text);
    let (mut depth, mut start) = (0_usize, 0_usize);
    let mut pieces = vec![];
    for token in lex(text) {
        scopes.pass(&token);
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Comma if depth == 0 && !scopes.is_binding() => {
                pieces.push(piece(text, start, token.span.start as usize));
                start = token.span.end as usize;
            }
            _ => {}
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    if pieces.is_empty() {
        return vec![text.to_owned()];
    }
    pieces.push(piece(text, start, text.len()));
    pieces
}

fn piece(text: &str, start: usize, end: usize) -> String {
    text.get(start..end).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn commas_separate_entries() {
        assert_eq!(of("at(counter)"), ["at(counter)"]);
        assert_eq!(of("at(counter),"), ["at(counter)", ""]);
        assert_eq!(
            of(" at(a, b) , open,, stocked(bread)"),
            ["at(a, b)", "open", "stocked(bread)"]
        );
        assert_eq!(of(","), [","]);
        assert_eq!(of(", open"), [", open"]);
        assert_eq!(of(" open "), [" open "]);
    }

    #[test]
    fn arguments_and_bound_variables_stay_together() {
        let whole = |text: &str| assert_eq!(of(text), [text]);
        whole("near(a, b");
        whole("exists ?a: item, ?b: item. near(?a, ?b)");
        whole("sum ?p, ?q. d(?p, ?q) < 3");
        assert_eq!(
            of("exists ?a: item, ?b. near(?a, ?b), open"),
            ["exists ?a: item, ?b. near(?a, ?b)", "open"]
        );
    }
}

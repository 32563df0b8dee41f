//! The name that was probably meant.

use crate::document::Name;

/// Of the names that exist the one most like a name that does not; none where
/// all are too unlike. Case does not count.
pub(super) fn closest<'n>(
    written: &str,
    names: impl IntoIterator<Item = &'n Name>,
) -> Option<&'n Name> {
    let written = written.to_ascii_lowercase();
    let tolerated = (written.len() / 3).max(1);
    let near = names.into_iter().filter_map(|name| {
        let apart = distance(&written, &name.as_str().to_ascii_lowercase(), tolerated)?;
        Some((apart, name))
    });
    near.min_by(|a, b| a.cmp(b)).map(|(_, name)| name)
}

/// `'bxo' is not a place. Did you mean 'box'?` behind the sentence.
pub(super) fn did_you_mean(name: Option<&Name>) -> String {
    name.map_or_else(String::new, |name| format!(" Did you mean '{name}'?"))
}

/// How many characters must be put in, taken out, replaced or swapped with their
/// neighbour (the optimal string alignment distance); none where it is more than
/// `most`.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let differs = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (above[j] + 1)
                .min(row[j - 1] + 1)
                .min(above[j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|apart| *apart <= most)
}

#[cfg(test)]
mod tests {
    use super::closest;
    use crate::document::Name;

    #[test]
    fn a_slip_of_the_fingers_is_recognised() {
        let names: Vec<_> = ["box", "box_open", "box_locked", "drawer"]
            .iter()
            .map(|n| Name::new(n).expect("a name"))
            .collect();
        let meant = |written| closest(written, &names).map(Name::as_str);
        assert_eq!(meant("bxo"), Some("box"));
        assert_eq!(meant("Box_opne"), Some("box_open"));
        assert_eq!(meant("box_lock"), Some("box_locked"));
        assert_eq!(meant("drwer"), Some("drawer"));
        assert_eq!(meant("hammer"), None);
        assert_eq!(meant(""), None);
    }
}

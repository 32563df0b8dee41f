//! Places on the map by their coordinates: one or two facts that give each place a number.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::sort::CompactSort;
use taskloom_document::{Axes, Document, Name, ValueKind};
use taskloom_planner::plan::{Atom, Value};

use super::maps::Map;
use super::play::State;

/// The maximum number of cells in a row or column; beyond it, only the order of coordinates counts.
const MAX_CELLS: f64 = 24.0;

/// The column and row of each place that has coordinates; fractions are between cells.
pub type Coordinates = BTreeMap<Name, (f64, f64)>;

/// Returns the facts that give each place of a map a number.
pub fn numbers(document: &Document, map: &Map) -> Vec<Name> {
    let facts = document.facts.iter().filter(|(_, fact)| {
        let is_number = matches!(fact.value, ValueKind::Number { .. });
        let is_of_places = matches!(fact.params.as_slice(), [param]
            if document.is_kind_of(&map.places, &param.of) || document.is_kind_of(&param.of, &map.places));
        is_number && is_of_places
    });
    facts.map(|(name, _)| name.clone()).collect()
}

/// Returns the facts `x` and `y` of a map's places, as far as the document has them.
pub fn automatic(document: &Document, map: &Map) -> Axes {
    let numbers = numbers(document, map);
    let axis = |name: &str| numbers.iter().find(|own| own.as_str() == name).cloned();
    Axes {
        x: axis("x"),
        y: axis("y"),
    }
}

/// Returns the facts that give a map's places their coordinates: those that the designer has
/// chosen, as far as they fit, or `x` and `y`.
pub fn axes(document: &Document, map: &Map) -> Axes {
    let Some(chosen) = &document.layout.stage.axes else {
        return automatic(document, map);
    };
    let numbers = numbers(document, map);
    let fitting = |fact: &Option<Name>| fact.clone().filter(|fact| numbers.contains(fact));
    Axes {
        x: fitting(&chosen.x),
        y: fitting(&chosen.y),
    }
}

/// Returns the cells of places with initial coordinates, so that neighbours are one cell apart. Of
/// several places at one point, only the first has a cell.
pub fn cells(axes: &Axes, places: &[Name], initial: &State) -> Coordinates {
    let number = |fact: &Option<Name>, place: &Name| {
        let atom = Atom {
            fact: fact.clone()?,
            args: vec![place.clone()],
        };
        match initial.get(&atom) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    };
    // A number that isn't set is 0; places without any number are placed in the grid.
    let points = places.iter().filter_map(|place| {
        let (x, y) = (number(&axes.x, place), number(&axes.y, place));
        let is_known = x.is_some() || y.is_some();
        is_known.then(|| (place, (x.unwrap_or(0.0), y.unwrap_or(0.0))))
    });
    let mut points: Vec<(&Name, (f64, f64))> = points.collect();
    let mut taken = BTreeSet::new();
    points.retain(|(_, (x, y))| taken.insert((x.to_bits(), y.to_bits())));
    let columns = scale(points.iter().map(|(_, (x, _))| *x).collect());
    let rows = scale(points.iter().map(|(_, (_, y))| *y).collect());
    let names = points.iter().map(|(place, _)| Name::clone(place));
    names.zip(columns.into_iter().zip(rows)).collect()
}

/// Scales numbers so that the smallest is 0 and the nearest two are 1 apart; if that takes too much
/// room, numbers them in their order.
fn scale(numbers: Vec<f64>) -> Vec<f64> {
    let mut sorted = numbers.clone();
    sorted.compact_sort_by(f64::total_cmp);
    sorted.dedup();
    let (Some(first), Some(last)) = (sorted.first().copied(), sorted.last().copied()) else {
        return vec![];
    };
    let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
    let gap = gaps.fold(f64::INFINITY, f64::min);
    if !gap.is_finite() {
        return vec![0.0; numbers.len()];
    }
    if (last - first) / gap <= MAX_CELLS {
        return numbers
            .into_iter()
            .map(|number| (number - first) / gap)
            .collect();
    }
    let rank = |number: f64| sorted.partition_point(|other| *other < number) as f64;
    numbers.into_iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::super::maps::Form;
    use super::*;

    #[test]
    fn nearest_coordinates_are_one_cell_apart() {
        assert_eq!(scale(vec![30.0, 10.0, 20.0, 50.0]), [2.0, 0.0, 1.0, 4.0]);
        assert_eq!(scale(vec![7.0, 7.0]), [0.0, 0.0]);
        assert_eq!(
            scale(vec![0.0, 1.0, 900.0]),
            [0.0, 1.0, 2.0],
            "too far apart"
        );
        assert!(scale(vec![]).is_empty());
    }

    #[test]
    fn places_without_coordinates_have_no_cell() {
        let name = |text: &str| text.parse::<Name>().unwrap();
        let value = |fact: &str, place: &str, number: f64| {
            let atom = Atom {
                fact: name(fact),
                args: vec![name(place)],
            };
            (atom, Value::Number(number))
        };
        let initial = [
            value("x", "hall", 1.0),
            value("y", "vault", 1.0),
            value("x", "vault", 1.0),
            value("x", "double", 1.0),
        ];
        let places = ["hall", "vault", "double", "yard"].map(name);
        let axes = |x: Option<&str>, y: Option<&str>| Axes {
            x: x.map(name),
            y: y.map(name),
        };
        let initial = initial.into();
        let cells = |x, y| cells(&axes(x, y), &places, &initial);
        let expected = [(name("hall"), (0.0, 0.0)), (name("vault"), (0.0, 1.0))];
        assert_eq!(cells(Some("x"), Some("y")), expected.into());
        // With one axis, places are in one row.
        assert_eq!(cells(Some("x"), None), [(name("hall"), (0.0, 0.0))].into());
        assert_eq!(cells(None, Some("y")), [(name("vault"), (0.0, 0.0))].into());
        assert!(cells(None, None).is_empty());
    }

    #[test]
    fn axes_are_chosen_or_named_x_and_y() {
        let text = r#"{ "taskloom": 4, "types": { "room": { "parent": "object" } }, "facts": {
            "east": { "params": ["?r: room"], "value": { "number": {} } },
            "lit": { "params": ["?r: room"] },
            "x": { "params": ["?r: room"], "value": { "number": {} } } },
            "layout": { "stage": AXES } }"#;
        let check = |stage: &str, expected: [Option<&str>; 2]| {
            let document = Document::from_json(&text.replace("AXES", stage)).unwrap();
            let map = Map {
                fact: "at".parse().unwrap(),
                signature: String::new(),
                things: "object".parse().unwrap(),
                places: "room".parse().unwrap(),
                form: Form::Value,
                is_seen: false,
                carriers: Default::default(),
            };
            let Axes { x, y } = axes(&document, &map);
            let facts = [x, y].map(|fact| fact.map(|fact| fact.to_string()));
            assert_eq!(facts.each_ref().map(Option::as_deref), expected);
        };
        check("{}", [Some("x"), None]);
        check(r#"{ "axes": {} }"#, [None, None]);
        check(
            r#"{ "axes": { "x": "east", "y": "x" } }"#,
            [Some("east"), Some("x")],
        );
        check(r#"{ "axes": { "y": "lit" } }"#, [None, None]);
    }
}

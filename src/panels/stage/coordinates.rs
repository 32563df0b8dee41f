//! Places on the map by their coordinates: two facts, `x` and `y`, that give each place a number.

use std::collections::{BTreeMap, BTreeSet};

use taskloom::document::{Document, Name, ValueKind};
use taskloom::planner::plan::{Atom, Value};

use super::maps::Map;
use super::play::State;

/// The maximum number of cells in a row or column; beyond it, only the order of coordinates counts.
const MAX_CELLS: f64 = 24.0;

/// The column and row of each place that has coordinates; fractions are between cells.
pub type Coordinates = BTreeMap<Name, (f64, f64)>;

/// Returns the facts `x` and `y` of a map's places, if the document has them.
pub fn axes(document: &Document, map: &Map) -> Option<(Name, Name)> {
    let axis = |name: &str| {
        let (name, fact) = document.facts.iter().find(|(own, _)| **own == name)?;
        let is_number = matches!(fact.value, ValueKind::Number { .. });
        let is_of_places = matches!(fact.params.as_slice(), [param]
            if document.is_kind_of(&map.places, &param.of) || document.is_kind_of(&param.of, &map.places));
        (is_number && is_of_places).then(|| name.clone())
    };
    Some((axis("x")?, axis("y")?))
}

/// Returns the cells of places with initial coordinates, so that neighbours are one cell apart. Of
/// several places at one point, only the first has a cell.
pub fn cells((x, y): &(Name, Name), places: &[Name], initial: &State) -> Coordinates {
    let number = |fact: &Name, place: &Name| {
        let atom = Atom {
            fact: fact.clone(),
            args: vec![place.clone()],
        };
        match initial.get(&atom) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    };
    // A number that isn't set is 0; places with neither number are placed in the grid.
    let points = places.iter().filter_map(|place| {
        let (x, y) = (number(x, place), number(y, place));
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
    sorted.sort_by(f64::total_cmp);
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
        let cells = cells(&(name("x"), name("y")), &places, &initial.into());
        let expected = [(name("hall"), (0.0, 0.0)), (name("vault"), (0.0, 1.0))];
        assert_eq!(cells, expected.into());
    }
}

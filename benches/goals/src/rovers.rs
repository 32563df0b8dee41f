//! Rovers that take samples and photographs, and send results to a base.

use std::fmt::Write;

use fastrand::Rng;

use crate::Pddl;

/// The size of a problem.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Vehicles with different abilities.
    pub rovers: usize,
    /// The places they drive between.
    pub places: usize,
    /// Samples to test.
    pub samples: usize,
    /// Objectives to photograph.
    pub objectives: usize,
}

const fn size(rovers: usize, places: usize, samples: usize, objectives: usize) -> Size {
    Size {
        rovers,
        places,
        samples,
        objectives,
    }
}

/// The sizes of the benchmark.
pub const SIZES: [Size; 10] = [
    size(1, 4, 2, 1),
    size(1, 6, 3, 2),
    size(2, 7, 4, 2),
    size(2, 8, 5, 3),
    size(3, 9, 6, 3),
    size(3, 10, 8, 4),
    size(4, 12, 10, 5),
    size(4, 15, 12, 6),
    size(6, 20, 15, 8),
    size(8, 25, 20, 10),
];

const DOMAIN: &str = "(define (domain survey)
(:types rover place objective material)
(:predicates (at ?r - rover ?p - place) (path ?r - rover ?p ?q - place)
  (lies ?m - material ?p - place) (tests ?r - rover ?m - material) (empty ?r - rover)
  (tested ?r - rover ?m - material ?p - place) (visible ?o - objective ?p - place)
  (camera ?r - rover) (target ?r - rover ?o - objective) (calibrated ?r - rover)
  (taken ?r - rover ?o - objective) (contact ?p - place)
  (sent-test ?m - material ?p - place) (sent-image ?o - objective))
(:action drive :parameters (?r - rover ?p ?q - place)
  :precondition (and (at ?r ?p) (path ?r ?p ?q)) :effect (and (not (at ?r ?p)) (at ?r ?q)))
(:action sample :parameters (?r - rover ?m - material ?p - place)
  :precondition (and (at ?r ?p) (lies ?m ?p) (tests ?r ?m) (empty ?r))
  :effect (and (not (empty ?r)) (not (lies ?m ?p)) (tested ?r ?m ?p)))
(:action discard :parameters (?r - rover) :precondition (not (empty ?r)) :effect (empty ?r))
(:action calibrate :parameters (?r - rover ?o - objective ?p - place)
  :precondition (and (at ?r ?p) (camera ?r) (target ?r ?o) (visible ?o ?p))
  :effect (calibrated ?r))
(:action photograph :parameters (?r - rover ?o - objective ?p - place)
  :precondition (and (at ?r ?p) (calibrated ?r) (visible ?o ?p))
  :effect (and (taken ?r ?o) (not (calibrated ?r))))
(:action send-test :parameters (?r - rover ?m - material ?of ?p - place)
  :precondition (and (at ?r ?p) (contact ?p) (tested ?r ?m ?of)) :effect (sent-test ?m ?of))
(:action send-image :parameters (?r - rover ?o - objective ?p - place)
  :precondition (and (at ?r ?p) (contact ?p) (taken ?r ?o)) :effect (sent-image ?o)))
";

/// Generates a problem. Each rover has its own paths between all places, and the first one can do
/// everything, so that there is a plan.
pub fn rovers(random: &mut Rng, size: Size) -> Pddl {
    let mut objects = "soil - material rock - material ".to_owned();
    let mut initial = "(contact p0) ".to_owned();
    let mut goal = String::new();
    for place in 0..size.places {
        let _ = write!(objects, "p{place} - place ");
    }
    for rover in 0..size.rovers {
        let at = random.usize(..size.places);
        let _ = write!(objects, "r{rover} - rover ");
        let _ = write!(initial, "(at r{rover} p{at}) (empty r{rover}) ");
        for material in ["soil", "rock"] {
            if rover == 0 || random.bool() {
                let _ = write!(initial, "(tests r{rover} {material}) ");
            }
        }
        if rover == 0 || random.bool() {
            let target = random.usize(..size.objectives);
            let _ = write!(initial, "(camera r{rover}) (target r{rover} o{target}) ");
        }
        let mut order: Vec<usize> = (0..size.places).collect();
        random.shuffle(&mut order);
        let tree = (1..size.places).map(|n| (order[n], order[random.usize(..n)]));
        let tree: Vec<(usize, usize)> = tree.collect();
        for (p, q) in tree {
            let _ = write!(
                initial,
                "(path r{rover} p{p} p{q}) (path r{rover} p{q} p{p}) "
            );
        }
    }
    let mut lying = vec![];
    for place in 0..size.places {
        lying.extend([("soil", place), ("rock", place)]);
    }
    random.shuffle(&mut lying);
    for (material, place) in lying.into_iter().take(size.samples) {
        let _ = write!(initial, "(lies {material} p{place}) ");
        let _ = write!(goal, "(sent-test {material} p{place}) ");
    }
    for objective in 0..size.objectives {
        let _ = write!(objects, "o{objective} - objective ");
        let _ = write!(goal, "(sent-image o{objective}) ");
        for _ in 0..1 + random.usize(..3) {
            let place = random.usize(..size.places);
            let _ = write!(initial, "(visible o{objective} p{place}) ");
        }
    }
    Pddl::new(DOMAIN, "survey", &objects, &initial, &goal)
}

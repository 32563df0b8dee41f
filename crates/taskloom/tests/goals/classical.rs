//! Problems of the kind that planning competitions begin with, drawn by chance, as PDDL.

use std::fmt::Write;

use crate::xorshift::Random;

/// A domain and a problem.
pub type Files = (String, String);

fn problem(name: &str, objects: &str, initial: &str, goal: &str) -> String {
    format!(
        "(define (problem p) (:domain {name}) (:objects {objects})\n\
         (:init {initial})\n(:goal (and {goal})))"
    )
}

/// Piles of blocks that one hand builds anew.
pub fn blocks(random: &mut Random, count: usize) -> Files {
    let domain = "(define (domain blocks) (:types block)
(:predicates (on ?a ?b - block) (table ?a - block) (clear ?a - block) (held ?a - block) (empty))
(:action lift :parameters (?a - block) :precondition (and (clear ?a) (table ?a) (empty))
  :effect (and (not (table ?a)) (not (clear ?a)) (not (empty)) (held ?a)))
(:action drop :parameters (?a - block) :precondition (held ?a)
  :effect (and (not (held ?a)) (clear ?a) (empty) (table ?a)))
(:action stack :parameters (?a ?b - block) :precondition (and (held ?a) (clear ?b))
  :effect (and (not (held ?a)) (not (clear ?b)) (clear ?a) (empty) (on ?a ?b)))
(:action take :parameters (?a ?b - block) :precondition (and (on ?a ?b) (clear ?a) (empty))
  :effect (and (held ?a) (clear ?b) (not (clear ?a)) (not (empty)) (not (on ?a ?b)))))";
    let mut piles = || {
        let mut blocks: Vec<usize> = (0..count).collect();
        let mut piles: Vec<Vec<usize>> = vec![];
        while !blocks.is_empty() {
            let block = blocks.swap_remove(random.below(blocks.len()));
            match piles.last_mut() {
                Some(pile) if random.below(4) > 0 => pile.push(block),
                _ => piles.push(vec![block]),
            }
        }
        piles
    };
    let on = |pile: &Vec<usize>| {
        let pairs = pile.windows(2);
        let pairs = pairs.map(|pair| format!("(on b{} b{}) ", pair[1], pair[0]));
        pairs.collect::<String>()
    };
    let mut initial = "(empty) ".to_owned();
    for pile in piles() {
        let (bottom, top) = (pile[0], pile[pile.len() - 1]);
        let _ = write!(initial, "(table b{bottom}) (clear b{top}) {}", on(&pile));
    }
    let goal: String = piles().iter().map(on).collect();
    let objects: String = (0..count).map(|n| format!("b{n} - block ")).collect();
    (
        domain.to_owned(),
        problem("blocks", &objects, &initial, &goal),
    )
}

/// Parcels that go by truck within a town, and by plane from one town to another.
pub fn post(random: &mut Random, towns: usize, places: usize, parcels: usize) -> Files {
    let domain = "(define (domain post)
(:types place parcel vehicle town - object truck plane - vehicle)
(:predicates (at ?v - vehicle ?p - place) (lies ?x - parcel ?p - place)
  (in ?x - parcel ?v - vehicle) (of ?p - place ?t - town) (field ?p - place))
(:action load :parameters (?x - parcel ?v - vehicle ?p - place)
  :precondition (and (at ?v ?p) (lies ?x ?p)) :effect (and (not (lies ?x ?p)) (in ?x ?v)))
(:action unload :parameters (?x - parcel ?v - vehicle ?p - place)
  :precondition (and (at ?v ?p) (in ?x ?v)) :effect (and (lies ?x ?p) (not (in ?x ?v))))
(:action drive :parameters (?v - truck ?p ?q - place ?t - town)
  :precondition (and (at ?v ?p) (of ?p ?t) (of ?q ?t))
  :effect (and (not (at ?v ?p)) (at ?v ?q)))
(:action fly :parameters (?v - plane ?p ?q - place)
  :precondition (and (at ?v ?p) (field ?p) (field ?q))
  :effect (and (not (at ?v ?p)) (at ?v ?q))))";
    let mut objects = "plane - plane ".to_owned();
    let mut initial = "(at plane p0x0) ".to_owned();
    let mut goal = String::new();
    for town in 0..towns {
        let _ = write!(objects, "t{town} - town v{town} - truck ");
        let at = random.below(places);
        let _ = write!(initial, "(field p{town}x0) (at v{town} p{town}x{at}) ");
        for place in 0..places {
            let _ = write!(objects, "p{town}x{place} - place ");
            let _ = write!(initial, "(of p{town}x{place} t{town}) ");
        }
    }
    for parcel in 0..parcels {
        let _ = write!(objects, "x{parcel} - parcel ");
        for part in [&mut initial, &mut goal] {
            let (town, place) = (random.below(towns), random.below(places));
            let _ = write!(part, "(lies x{parcel} p{town}x{place}) ");
        }
    }
    (
        domain.to_owned(),
        problem("post", &objects, &initial, &goal),
    )
}

/// Balls that two hands bring from one room to others.
pub fn hands(balls: usize, rooms: usize) -> Files {
    let domain = "(define (domain hands) (:types room ball hand)
(:predicates (here ?r - room) (at ?b - ball ?r - room) (free ?h - hand) (has ?h - hand ?b - ball))
(:action move :parameters (?a ?b - room) :precondition (here ?a)
  :effect (and (here ?b) (not (here ?a))))
(:action pick :parameters (?b - ball ?r - room ?h - hand)
  :precondition (and (at ?b ?r) (here ?r) (free ?h))
  :effect (and (has ?h ?b) (not (at ?b ?r)) (not (free ?h))))
(:action put :parameters (?b - ball ?r - room ?h - hand) :precondition (and (has ?h ?b) (here ?r))
  :effect (and (at ?b ?r) (free ?h) (not (has ?h ?b)))))";
    let mut objects = "left - hand right - hand ".to_owned();
    let mut initial = "(here r0) (free left) (free right) ".to_owned();
    let mut goal = String::new();
    for room in 0..rooms {
        let _ = write!(objects, "r{room} - room ");
    }
    for ball in 0..balls {
        let _ = write!(objects, "b{ball} - ball ");
        let _ = write!(initial, "(at b{ball} r0) ");
        let _ = write!(goal, "(at b{ball} r{}) ", 1 + ball % (rooms - 1));
    }
    (
        domain.to_owned(),
        problem("hands", &objects, &initial, &goal),
    )
}

/// A grid in which every third row is locked but for what a key opens, and keys that are wanted
/// elsewhere. Each key lies before the first row that it opens.
pub fn keys(random: &mut Random, size: usize) -> Files {
    let domain = "(define (domain keys) (:types cell key shape)
(:predicates (here ?c - cell) (next ?a ?b - cell) (open ?c - cell) (shut ?c - cell)
  (lies ?k - key ?c - cell) (has ?k - key) (free) (fits ?k - key ?s - shape)
  (lock ?c - cell ?s - shape))
(:action move :parameters (?a ?b - cell) :precondition (and (here ?a) (next ?a ?b) (open ?b))
  :effect (and (not (here ?a)) (here ?b)))
(:action unlock :parameters (?a ?b - cell ?k - key ?s - shape)
  :precondition (and (here ?a) (next ?a ?b) (shut ?b) (lock ?b ?s) (has ?k) (fits ?k ?s))
  :effect (and (open ?b) (not (shut ?b))))
(:action pick :parameters (?c - cell ?k - key) :precondition (and (here ?c) (lies ?k ?c) (free))
  :effect (and (has ?k) (not (lies ?k ?c)) (not (free))))
(:action put :parameters (?c - cell ?k - key) :precondition (and (here ?c) (has ?k))
  :effect (and (lies ?k ?c) (not (has ?k)) (free))))";
    let mut objects = String::new();
    let mut initial = "(free) (here c0x0) ".to_owned();
    let mut goal = String::new();
    for y in 0..size {
        let shape = y / 3;
        for x in 0..size {
            let _ = write!(objects, "c{x}x{y} - cell ");
            let is_shut = y % 3 == 2;
            let _ = if is_shut {
                write!(initial, "(shut c{x}x{y}) (lock c{x}x{y} s{shape}) ")
            } else {
                write!(initial, "(open c{x}x{y}) ")
            };
            for (a, b) in [(x + 1, y), (x, y + 1)] {
                if a < size && b < size {
                    let _ = write!(
                        initial,
                        "(next c{x}x{y} c{a}x{b}) (next c{a}x{b} c{x}x{y}) "
                    );
                }
            }
        }
        if y % 3 == 0 {
            let (from, to) = (random.below(size), random.below(size));
            let _ = write!(objects, "s{shape} - shape k{shape} - key ");
            let _ = write!(
                initial,
                "(fits k{shape} s{shape}) (lies k{shape} c{from}x{y}) "
            );
            let _ = write!(goal, "(lies k{shape} c{to}x{}) ", size - 1 - y);
        }
    }
    (
        domain.to_owned(),
        problem("keys", &objects, &initial, &goal),
    )
}

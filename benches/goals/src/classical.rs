//! Classical planning problems: stacking blocks, delivering packages, carrying balls, and locked
//! grids.

use std::fmt::Write;

use fastrand::Rng;

use crate::Pddl;

/// Piles of blocks that one hand rearranges.
pub fn blocks(random: &mut Rng, count: usize) -> Pddl {
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
            let block = blocks.swap_remove(random.usize(..blocks.len()));
            match piles.last_mut() {
                Some(pile) if random.usize(..4) > 0 => pile.push(block),
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
    Pddl::new(domain, "blocks", &objects, &initial, &goal)
}

/// Packages transported by truck within a city, and by plane between cities.
pub fn logistics(random: &mut Rng, cities: usize, places: usize, packages: usize) -> Pddl {
    let domain = "(define (domain logistics)
(:types place package vehicle city - object truck plane - vehicle)
(:predicates (at ?v - vehicle ?p - place) (lies ?x - package ?p - place)
  (in ?x - package ?v - vehicle) (of ?p - place ?t - city) (field ?p - place))
(:action load :parameters (?x - package ?v - vehicle ?p - place)
  :precondition (and (at ?v ?p) (lies ?x ?p)) :effect (and (not (lies ?x ?p)) (in ?x ?v)))
(:action unload :parameters (?x - package ?v - vehicle ?p - place)
  :precondition (and (at ?v ?p) (in ?x ?v)) :effect (and (lies ?x ?p) (not (in ?x ?v))))
(:action drive :parameters (?v - truck ?p ?q - place ?t - city)
  :precondition (and (at ?v ?p) (of ?p ?t) (of ?q ?t))
  :effect (and (not (at ?v ?p)) (at ?v ?q)))
(:action fly :parameters (?v - plane ?p ?q - place)
  :precondition (and (at ?v ?p) (field ?p) (field ?q))
  :effect (and (not (at ?v ?p)) (at ?v ?q))))";
    let mut objects = "plane - plane ".to_owned();
    let mut initial = "(at plane p0x0) ".to_owned();
    let mut goal = String::new();
    for city in 0..cities {
        let _ = write!(objects, "t{city} - city v{city} - truck ");
        let at = random.usize(..places);
        let _ = write!(initial, "(field p{city}x0) (at v{city} p{city}x{at}) ");
        for place in 0..places {
            let _ = write!(objects, "p{city}x{place} - place ");
            let _ = write!(initial, "(of p{city}x{place} t{city}) ");
        }
    }
    for package in 0..packages {
        let _ = write!(objects, "x{package} - package ");
        for part in [&mut initial, &mut goal] {
            let (city, place) = (random.usize(..cities), random.usize(..places));
            let _ = write!(part, "(lies x{package} p{city}x{place}) ");
        }
    }
    Pddl::new(domain, "logistics", &objects, &initial, &goal)
}

/// Balls that two grippers carry from one room to others.
pub fn gripper(balls: usize, rooms: usize) -> Pddl {
    let domain = "(define (domain gripper) (:types room ball hand)
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
    Pddl::new(domain, "gripper", &objects, &initial, &goal)
}

/// A grid in which every third row is locked except where a key opens it, with keys to deliver
/// elsewhere. Each key lies before the first row that it opens.
pub fn grid(random: &mut Rng, size: usize) -> Pddl {
    let domain = "(define (domain grid) (:types cell key shape)
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
            let (from, to) = (random.usize(..size), random.usize(..size));
            let _ = write!(objects, "s{shape} - shape k{shape} - key ");
            let _ = write!(
                initial,
                "(fits k{shape} s{shape}) (lies k{shape} c{from}x{y}) "
            );
            let _ = write!(goal, "(lies k{shape} c{to}x{}) ", size - 1 - y);
        }
    }
    Pddl::new(domain, "grid", &objects, &initial, &goal)
}

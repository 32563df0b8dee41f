; The lighthouse
;
; Written by Taskloom: the actions of a character that plans for a goal. Compound
; tasks, integrity rules, completion conditions and durations have no counterpart
; here.
; the goal is 'home': of 3 goals it is worth most where the scenario begins
; the cost of row is worked out from numbers: planners that know action costs alone cannot read it
; numbers in conditions, effects or costs: planners for numeric fluents (PDDL 2.1), such as ENHSP and Metric-FF, read these files; Fast Downward does not
(define (domain the-lighthouse)
  (:requirements :typing :negative-preconditions :disjunctive-preconditions :equality :numeric-fluents :action-costs)
  (:types
    place - object)
  (:constants
    quay - place
    shed - place
    tower - place)
  (:predicates
    (at ?value - place)
    (boat ?value - place)
    (broken ?p - place)
    (lit)
    (wet))
  (:functions
    (oil)
    (steps ?p - place ?q - place)
    (total-cost))

  ; dry
  (:action dry
    :parameters ()
    :precondition (at tower)
    :effect (and (not (wet)) (increase (total-cost) 3)))

  ; fill
  (:action fill
    :parameters ()
    :precondition (and (at shed) (<= (+ (oil) 2) 5))
    :effect (and (increase (oil) 2) (increase (total-cost) 1)))

  ; light
  (:action light
    :parameters ()
    :precondition (and
      (at tower)
      (>= (oil) 2)
      (not (wet))
      (not (broken quay))
      (not (broken shed))
      (not (broken tower))
      (>= (- (oil) 2) 0))
    :effect (and (lit) (decrease (oil) 2) (increase (total-cost) 1)))

  ; mend(?p)
  (:action mend_case
    :parameters (?p - place)
    :precondition (and (at ?p) (broken ?p) (> (oil) 0) (>= (- (oil) 1) 0))
    :effect (and (not (broken ?p)) (decrease (oil) 1) (increase (total-cost) 1)))

  ; mend(?p)
  (:action mend_case_2
    :parameters (?p - place)
    :precondition (and (at ?p) (broken ?p) (not (> (oil) 0)))
    :effect (and (not (broken ?p)) (increase (total-cost) 1)))

  ; row(?to)
  (:action row_change
    :parameters (?to - place ?before - place ?before_2 - place)
    :precondition (and
      (or
        (and (at quay) (boat quay))
        (and (at shed) (boat shed))
        (and (at tower) (boat tower)))
      (not (boat ?to))
      (boat ?before)
      (not (= ?before ?to))
      (at ?before_2)
      (not (= ?before_2 ?to)))
    :effect (and
      (not (boat ?before))
      (boat ?to)
      (not (at ?before_2))
      (at ?to)
      (increase (total-cost) (+ (* 2 (steps ?before ?to)) 1))))

  ; row(?to)
  (:action row_change_2
    :parameters (?to - place ?before - place)
    :precondition (and
      (or
        (and (at quay) (boat quay))
        (and (at shed) (boat shed))
        (and (at tower) (boat tower)))
      (not (boat ?to))
      (boat ?before)
      (not (= ?before ?to))
      (at ?to))
    :effect (and
      (not (boat ?before))
      (boat ?to)
      (increase (total-cost) (+ (* 2 (steps ?before ?to)) 1))))

  ; walk(quay)
  (:action walk_quay
    :parameters (?before - place)
    :precondition (and (not (at quay)) (at ?before) (not (= ?before quay)))
    :effect (and
      (not (at ?before))
      (at quay)
      (wet)
      (increase (total-cost) (steps ?before quay))))

  ; walk(shed)
  (:action walk_shed
    :parameters (?before - place)
    :precondition (and (not (at shed)) (at ?before) (not (= ?before shed)))
    :effect (and
      (not (at ?before))
      (at shed)
      (increase (total-cost) (steps ?before shed))))

  ; walk(tower)
  (:action walk_tower
    :parameters (?before - place)
    :precondition (and (not (at tower)) (at ?before) (not (= ?before tower)))
    :effect (and
      (not (at ?before))
      (at tower)
      (increase (total-cost) (steps ?before tower))))
)

//! Variables that only one subtask has, in a method below another such method: the grounded search
//! binds each where its subtask is decomposed, and reports the method at the end.

use taskloom_domain::Domain;
use taskloom_hddl::import::read_planning_files;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Engine, Outcome, Progress, validate};
use taskloom_portfolio::Search;

const DOMAIN: &str = "(define (domain gifts)
  (:types child toy wrap)
  (:constants ann bob - child)
  (:predicates (likes ?c - child ?t - toy) (fits ?t - toy ?w - wrap) (wrapped ?t - toy) (given ?c - child))
  (:task celebrate :parameters ())
  (:task please :parameters (?c - child ?t - toy))
  (:task dress :parameters (?t - toy ?w - wrap))
  (:method party :parameters (?a ?b - toy) :task (celebrate)
    :subtasks (and (please ann ?a) (please bob ?b)))
  (:method gift :parameters (?c - child ?t - toy ?w - wrap) :task (please ?c ?t)
    :ordered-subtasks (and (dress ?t ?w) (give ?c ?t)))
  (:method once :parameters (?t - toy ?w - wrap) :task (dress ?t ?w)
    :ordered-subtasks (and (cover ?t ?w)))
  (:action cover :parameters (?t - toy ?w - wrap)
    :precondition (fits ?t ?w) :effect (wrapped ?t))
  (:action give :parameters (?c - child ?t - toy)
    :precondition (and (likes ?c ?t) (wrapped ?t)) :effect (given ?c)))
";

const PROBLEM: &str = "(define (problem two)
  (:domain gifts)
  (:objects ball car doll - toy bag box paper - wrap)
  (:htn :subtasks (and (celebrate)))
  (:init (likes ann doll) (likes bob car) (fits doll paper) (fits car box) (fits ball bag)))
";

#[test]
fn nested_choices_return_to_their_methods() {
    let imported = read_planning_files(DOMAIN, Some(PROBLEM)).expect("the files are right");
    let problem = compile(&Domain::from(&imported.document), &imported.scenario);
    let mut search = Search::grounded(&problem, Budget::default());
    while search.step(1_000) == Progress::Running {}
    let Some(Outcome::Plan(plan)) = search.outcome() else {
        panic!("a plan exists, not {:?}", search.outcome());
    };
    assert_eq!(
        validate(&Domain::from(&imported.document), &imported.scenario, &plan),
        Ok(())
    );
    assert_eq!(plan.steps.len(), 4);
}

//! Problems, searches and their plans.

mod absence;
mod aggregates;
mod cheapest;
mod choices;
mod claims;
mod decimals;
mod goals;
mod known_plans;
mod methods;
mod muting;
mod network;
mod nobody;
mod planning;
mod refactor;
mod reference;
mod rejected;
mod repeats;
mod replanning;
mod serving_tasks;
mod stopping;
mod task_goals;
mod time;
mod traces;
mod validation;

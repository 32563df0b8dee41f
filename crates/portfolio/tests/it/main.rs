//! Searches and their plans. The planner's tests compare these searches with others.

mod nested_choices;
mod portfolio;

//! The strategy `any`: whatever finds a plan soonest.
#![allow(dead_code, reason = "engines come next")]

mod found;
mod lift;
mod model;

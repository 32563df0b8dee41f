//! The commands that align several blocks or cards, and distribute them.

use crate::canvas::arrange::Arrangement;
use crate::canvas::intent::Intent;
use crate::page::{Command, Group, Page, Place, command};

const fn arrange(id: &'static str, title: &'static str, run: fn(&Page) -> bool) -> Command {
    command(id, title, "", Place::Canvas, run)
}

/// The group of these commands.
pub const GROUP: Group = Group {
    title: "Align",
    commands: &[
        arrange("align-left", "Align left", |p| {
            p.perform(Intent::Arrange(Arrangement::Left))
        }),
        arrange("align-center", "Align centers", |p| {
            p.perform(Intent::Arrange(Arrangement::Center))
        }),
        arrange("align-right", "Align right", |p| {
            p.perform(Intent::Arrange(Arrangement::Right))
        }),
        arrange("align-top", "Align top", |p| {
            p.perform(Intent::Arrange(Arrangement::Top))
        }),
        arrange("align-middle", "Align middles", |p| {
            p.perform(Intent::Arrange(Arrangement::Middle))
        }),
        arrange("align-bottom", "Align bottom", |p| {
            p.perform(Intent::Arrange(Arrangement::Bottom))
        }),
        arrange("distribute-across", "Distribute horizontally", |p| {
            p.perform(Intent::Arrange(Arrangement::Across))
        }),
        arrange("distribute-down", "Distribute vertically", |p| {
            p.perform(Intent::Arrange(Arrangement::Down))
        }),
    ],
};

//! A domain, and the worlds and actors of its scenarios.

use std::sync::Arc;

use taskloom_document::diagnostic::{Diagnostic, Severity};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name};
use taskloom_domain::Scene;
use taskloom_domain::check::check;
use taskloom_domain::world::World as NamedWorld;
use taskloom_planner::compile::compile_cancellable;
use taskloom_planner::plan::Validator;

use crate::situation::{Level, Situation};
use crate::{Actor, Dropped, Error, SavedActor, SavedWorld, World};

/// A domain: its objects, facts, tasks and methods, read once. Clones share it.
#[derive(Debug, Clone)]
pub struct Domain {
    document: Arc<Document>,
    domain: taskloom_domain::Domain,
}

impl Domain {
    /// Reads a Taskloom file.
    ///
    /// # Errors
    /// Returns an error if the file is malformed, or the document in it has mistakes.
    pub fn read(text: &str) -> Result<Self, Error> {
        Self::new(Document::from_json(text)?)
    }

    /// Creates a domain from a document of any origin.
    ///
    /// # Errors
    /// Returns the [mistakes](Error::Mistakes) of the document: actors would have no plan, or do something else than
    /// was meant. Warnings are no error.
    pub fn new(document: Document) -> Result<Self, Error> {
        let domain = Self::unchecked(document);
        let found = domain.check().into_iter();
        let errors = found.filter(|found| found.severity == Severity::Error);
        let errors: Vec<Diagnostic> = errors.collect();
        match errors.is_empty() {
            true => Ok(domain),
            false => Err(Error::Mistakes(errors)),
        }
    }

    /// Creates a domain from a document that may have mistakes, such as a half-typed condition, which counts as false:
    /// for editors and other tools. [`check`](Self::check) lists them.
    pub fn unchecked(document: Document) -> Self {
        let document = Arc::new(document);
        Self {
            domain: document.clone().into(),
            document,
        }
    }

    /// Returns the document that the domain was created from.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns the errors and warnings of the document's texts and flowcharts.
    pub fn check(&self) -> Vec<Diagnostic> {
        check(&self.domain)
    }

    /// Returns the initial world of a scenario, without actors. The objects are those of the domain and of the
    /// scenario.
    ///
    /// # Errors
    /// Returns an error if there is no such scenario.
    pub fn world(&self, scenario: &str) -> Result<World, Error> {
        let (name, _) = self.scene(scenario)?;
        let unknown = || Error::UnknownScenario(scenario.to_owned());
        World::new(&self.domain, &name).ok_or_else(unknown)
    }

    /// Returns the initial world of a scenario with all actors of its cast. They do the same as in the editor's
    /// simulator, as long as their bodies and the game do what the scenario says.
    ///
    /// This compiles the domain for each actor, so call it at level load.
    ///
    /// # Errors
    /// Returns an error if there is no such scenario.
    pub fn play(&self, scenario: &str) -> Result<(World, Vec<Actor>), Error> {
        let (_, scene) = self.scene(scenario)?;
        let mut world = self.world(scenario)?;
        let cast = 0..scene.cast.len();
        let actors = cast.filter_map(|number| Actor::new(&mut world, number));
        let actors = actors.collect();
        Ok((world, actors))
    }

    /// Returns a saved world with its actors. Also returns what no longer exists in this domain, which may be
    /// a changed version of the one that they were saved in. An actor that doesn't exist is left out.
    ///
    /// # Errors
    /// Returns an error if there is no such scenario, or the version is unknown.
    pub fn load<'s>(
        &self,
        world: &SavedWorld,
        actors: impl IntoIterator<Item = &'s SavedActor>,
    ) -> Result<(World, Vec<Actor>, Vec<Dropped>), Error> {
        let (mut world, mut dropped) = World::load(&self.domain, world)?;
        let mut loaded = vec![];
        for actor in actors {
            match Actor::load(&mut world, actor) {
                Ok((actor, parts)) => {
                    loaded.push(actor);
                    dropped.extend(parts);
                }
                Err(error @ Error::SavedVersion { .. }) => return Err(error),
                Err(why) => dropped.push(Dropped::Actor {
                    why: why.to_string(),
                }),
            }
        }
        Ok((world, loaded, dropped))
    }

    /// Returns the initial situation of an actor of a scenario, to plan without execution: its object (`?me`), its
    /// beliefs, tasks and goals. The actor is named by its object or, if it has none, by its agent; `None` means
    /// the first one.
    ///
    /// This reads the scenario and compiles the domain for these objects, so call it at level load.
    ///
    /// # Errors
    /// Returns an error if there is no such scenario, or no such actor in its cast.
    pub fn situation(&self, scenario: &str, actor: Option<&str>) -> Result<Situation, Error> {
        let (name, scene) = self.scene(scenario)?;
        let Some(actor) = actor else {
            return Ok(self.situation_of(&name, scene, 0));
        };
        let cast = scene.cast.iter();
        let names: Vec<&str> = cast
            .map(|actor| actor.name().map_or("", Name::as_str))
            .collect();
        let number = names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(actor));
        let number = number.ok_or_else(|| {
            let names = names.iter().filter(|name| !name.is_empty());
            Error::UnknownActor {
                scenario: name.to_string(),
                actor: actor.to_owned(),
                cast: names.map(|name| (*name).to_owned()).collect(),
            }
        })?;
        Ok(self.situation_of(&name, scene, number))
    }

    fn scene(&self, name: &str) -> Result<(Name, &Arc<Scene>), Error> {
        let unknown = || Error::UnknownScenario(name.to_owned());
        let name = Name::new(name).map_err(|_| unknown())?;
        let scene = self.domain.scene(&name).ok_or_else(unknown)?;
        Ok((name, scene))
    }

    fn situation_of(&self, name: &Name, scene: &Arc<Scene>, number: usize) -> Situation {
        let actor = scene.actor(number).clone();
        let strategy = actor.policy().into();
        let problem = compile_cancellable(&self.domain, (name, number), &Stop::default());
        let world = NamedWorld::initial(&self.domain, scene).believed_by(actor);
        Situation {
            level: Arc::new(Level {
                validator: Validator::new(world.clone()),
                problem: problem.expect("nothing cancels it"),
                strategy,
            }),
            inner: world,
        }
    }
}

//! The parts of a domain and a scenario to export.

use std::sync::Arc;

use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::{Block, Document, EffectTiming, Kind, Name, RecordRef, Scenario, Source};
use taskloom_domain::lang::typed::{Call, Effect, Formula, Initial};
use taskloom_domain::records::{Compound, Primitive};
use taskloom_domain::text::values;
use taskloom_domain::{Domain, Scene};

/// The parts of a domain and a scenario to export.
pub struct Input<'d> {
    /// The domain.
    pub domain: &'d Domain,
    /// Its document.
    pub document: &'d Document,
    /// The name of the scenario, if there is one.
    pub scenario: Option<&'d Name>,
    /// The scenario; without content if there is none.
    pub scene: &'d Scene,
    /// The primitive tasks.
    pub primitives: Vec<(&'d Name, &'d Primitive)>,
    /// The compound tasks.
    pub compounds: Vec<(&'d Name, &'d Compound)>,
    /// The initial values.
    pub initial: Vec<Initial>,
    /// The tasks to plan for.
    pub tasks: Vec<&'d Call>,
    /// The goal, and the record that it belongs to.
    pub goal: Option<(RecordRef, &'d Formula)>,
}

/// Returns the executable domain as the scenario's first character knows it, since its planning is exported,
/// and the scenario, without content if none is given.
///
/// # Errors
/// All errors in their texts.
pub fn played(
    domain: &Domain,
    scenario: Option<&Name>,
) -> Result<(Domain, Arc<Scene>), Vec<Diagnostic>> {
    let scene = scenario.and_then(|name| domain.scene(name));
    let domain = scene.map_or_else(|| domain.clone(), |scene| domain.played_by(scene.actor(0)));
    let errors = domain.errors(scenario);
    if !errors.is_empty() {
        return Err(errors);
    }
    let domain = domain.executable().clone();
    let scene = match scenario {
        Some(name) => domain.scene_or_empty(name),
        None => Arc::new(domain.scene_of(Scenario::default())),
    };
    Ok((domain, scene))
}

impl<'d> Input<'d> {
    /// Returns the tasks of a domain, and the contents of a scenario that concern its first
    /// character.
    pub fn new(domain: &'d Domain, scenario: Option<&'d Name>, scene: &'d Scene) -> Self {
        let (actor, texts) = (scene.actor(0), domain.texts());
        let beliefs = actor.counting_beliefs(texts).cloned();
        let is_unknown = |fact: &Name| {
            let record = domain.document().facts.get(fact);
            let is_sensed = record.is_some_and(|record| record.source == Source::Sensor);
            is_sensed && actor.is_unknown_at_first(fact)
        };
        let goal = values(actor.goal_formula(texts)).next();
        let record = |name: &Name| RecordRef::new(Kind::Scenario, name.clone());
        Self {
            domain,
            document: domain.document(),
            scenario,
            scene,
            primitives: domain.primitives().collect(),
            compounds: domain.compounds().collect(),
            initial: scene
                .initial_values(texts)
                .into_iter()
                .filter(|initial| !is_unknown(&initial.atom.fact))
                .chain(beliefs)
                .collect(),
            tasks: values(actor.calls(texts)).collect(),
            goal: scenario.map(record).zip(goal),
        }
    }
}

/// Returns the effects of a primitive task, and when they apply.
pub fn effects(primitive: &Primitive) -> impl Iterator<Item = (EffectTiming, &Effect)> {
    let effects = primitive.effects.iter();
    effects.filter_map(|(timing, effect)| Some((*timing, effect.value.as_ref()?)))
}

/// Returns a warning for each query of a Bind block: other planners can't ask a game.
pub fn queries_warnings(document: &Document) -> Vec<String> {
    let blocks = document.compound_tasks.iter().flat_map(|(name, task)| {
        let blocks = task.method.blocks.values();
        blocks.map(move |block| (name, block))
    });
    let warning = |(name, block): (&Name, &Arc<Block>)| {
        let Block::Bind {
            variable,
            condition,
            query,
            ..
        } = &**block
        else {
            return None;
        };
        let query = Some(query.trim()).filter(|query| !query.is_empty())?;
        let instead = match condition.trim().is_empty() {
            true => format!("any {} may be chosen instead", variable.of),
            false => "the condition of the block decides".to_owned(),
        };
        Some(format!(
            "compound task '{name}': the query '{query}' isn't exported; {instead}"
        ))
    };
    blocks.filter_map(warning).collect()
}

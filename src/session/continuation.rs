//! A new scenario that begins at the shown tick of the run.

use leptos::prelude::GetUntracked;
use taskloom_document::{Edit, Kind, Record, RecordRef};
use taskloom_runtime::continuation;

use super::Session;

impl Session {
    /// Adds a scenario that begins at the end of the shown tick, and shows it. Returns `false` if no tick of
    /// a run is shown.
    pub fn continue_from_here(&self) -> bool {
        let answer = self.plan.answer.get_untracked();
        let (Some(answer), Some(tick)) = (answer, self.tick()) else {
            return false;
        };
        let document = self.document_untracked();
        let next = answer
            .run
            .as_ref()
            .and_then(|run| continuation(&self.domain_untracked(), &answer.scenario, run, tick));
        let Some(mut next) = next else {
            return false;
        };
        let title = match next.title.is_empty() {
            true => answer.scenario.to_string(),
            false => next.title,
        };
        next.note = format!("Begins where '{title}' was at the end of tick {tick}.");
        next.title = format!("{title}, from tick {}", tick.saturating_add(1));
        let name = document.fresh_name(Kind::Scenario, &format!("{}-{tick}", answer.scenario));
        let edit = Edit::Add(name.clone(), Record::Scenario(next.into()));
        if self.commit(&format!("Continue {title} from tick {tick}"), edit) {
            self.choose_scenario(Some(name.clone()));
            self.select(RecordRef::new(Kind::Scenario, name));
        }
        true
    }
}

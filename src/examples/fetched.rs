//! Fetching examples, with the planner's answers that were stored when the page was built.

use taskloom_document::Document;
use taskloom_worker::{Answer, Program, stored_answers};

use super::Example;
use crate::web::{page, worker};

impl Example {
    /// Returns the address of the stored answers, relative to the page.
    fn answers_file(&self) -> String {
        format!("examples/{}.answers", self.name)
    }

    /// Fetches the document and the valid ones of its stored answers. Each file may take `patience`
    /// milliseconds. Returns `None` if the document can't be fetched.
    pub fn fetch(
        &self,
        patience: u32,
    ) -> impl Future<Output = Option<(Document, Vec<Answer>)>> + use<> {
        let document = page::file(&self.file(), patience);
        let answers = page::bytes(&self.answers_file(), patience);
        async move {
            let text = document.await.ok()?.as_string()?;
            let document = Document::from_json(&text).ok()?;
            let program = worker::file_name(Program::Planner);
            let file = answers.await.ok().zip(program);
            let answers = file.map(|(file, program)| stored_answers(&file, &text, &program));
            Some((document, answers.unwrap_or_default()))
        }
    }
}

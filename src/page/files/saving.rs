//! Saves the document to a file. If another program has changed that since, asks what to do.

use leptos::prelude::*;
use leptos::task::spawn_local;
use taskloom_document::FILE_EXTENSION;

use super::{FileState, file_stem};
use crate::session::{ChangedFile, Ending, FileBasis, OpenFile, Session};
use crate::web::platform::{Opened, Target};

/// The message after saving, or `None` if there is nothing to say.
type Saved = Result<Option<String>, String>;

/// A save's turn to write, which ends when it is dropped.
struct Turn(Ending);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl FileState {
    /// Saves the document to its file, or to another one if `elsewhere`.
    pub fn save(self, session: Session, elsewhere: bool) {
        match session.file().filter(|_| !elsewhere) {
            Some(file) => self.save_to(session, file, None),
            None => self.save_elsewhere(session),
        }
    }

    /// Saves the document in place of what another program wrote to its file, unless that has changed again.
    pub fn overwrite(self, session: Session, changed: ChangedFile) {
        match session.file() {
            Some(file) => self.save_to(session, file, Some(changed.found)),
            None => self.save_elsewhere(session),
        }
    }

    /// Opens what another program wrote to the document's file. The open document stays in the list.
    pub fn open_changed(self, session: Session) {
        let Some(OpenFile { handle, .. }) = session.file() else {
            return;
        };
        let opening = session.begin_opening();
        let read = handle.read();
        spawn_local(async move {
            let name = handle.name();
            match read.await {
                Ok((text, stamp)) => {
                    let handle = Some(handle);
                    let file = Opened {
                        name,
                        text,
                        stamp,
                        handle,
                    };
                    self.opened(session, Ok(vec![file]), opening);
                }
                Err(reason) => {
                    session.cancel_opening(opening);
                    self.refuse(format!("Couldn't open {name}"), reason);
                }
            }
        });
    }

    /// Saves the document to the file that it belongs to.
    fn save_to(self, session: Session, file: OpenFile, overwritten: Option<FileBasis>) {
        let (name, text, id) = (file_name(&session), session.file_text(), session.entry().id);
        // Called within the very click or key event: browsers ask for no permission long after one.
        let allowed = file.handle.allow();
        let turn = self.turn();
        let save = async move {
            let _turn = turn.await;
            allowed.await?;
            let Some(found) = file.write(&text, overwritten).await? else {
                // Another document may have been opened in the meantime.
                if file.is_of(&session.entry().id) {
                    session.set_file(file);
                }
                return Ok(Some("Saved to the file.".to_owned()));
            };
            let name = file.handle.name();
            if session.entry().id == id {
                session.ask_about_file(ChangedFile { name, found });
                return Ok(None);
            }
            Err(
                "Another program has changed the file. Open the document and save it again."
                    .to_owned(),
            )
        };
        self.report_save(session, name, save);
    }

    /// Saves the document to a file that the designer picks.
    fn save_elsewhere(self, session: Session) {
        let (name, text, id) = (file_name(&session), session.file_text(), session.entry().id);
        let platform = self.platform.get_value();
        let target = platform.files.pick_target(&name);
        let suggested = name.clone();
        let save = async move {
            let target = target.await;
            let _turn = self.turn().await;
            match target? {
                Target::File(handle) => {
                    let written = handle.write(text.clone(), None).await?;
                    // Another document may have been opened in the meantime.
                    if let Some(stamp) = written.filter(|_| session.entry().id == id) {
                        let basis = FileBasis::of(&text, stamp);
                        session.set_file(OpenFile::new(handle, id, basis));
                    }
                    Ok(Some("Saved to the file.".to_owned()))
                }
                Target::Download => {
                    platform.files.download(&suggested, &text)?;
                    Ok(Some(format!("Downloaded as {suggested}.")))
                }
                Target::Cancelled => Ok(None),
            }
        };
        self.report_save(session, name, save);
    }

    /// Returns a save's turn once all saves before it have ended.
    fn turn(self) -> impl Future<Output = Turn> {
        let turn = Turn(Ending::default());
        let next = Some(turn.0.clone());
        let before = self
            .saving
            .try_update_value(|last| std::mem::replace(last, next));
        async {
            if let Some(before) = before.flatten() {
                before.ended().await;
            }
            turn
        }
    }

    fn report_save(
        self,
        session: Session,
        name: String,
        save: impl Future<Output = Saved> + 'static,
    ) {
        spawn_local(async move {
            match save.await {
                Ok(Some(message)) => session.toast(message, None),
                Ok(None) => {}
                Err(reason) => self.refuse(format!("Couldn't save {name}"), reason),
            }
        });
    }
}

/// Returns the name that is suggested for the open document's file.
fn file_name(session: &Session) -> String {
    format!("{}{FILE_EXTENSION}", file_stem(session))
}

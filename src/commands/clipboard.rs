//! Copying, cutting and pasting: by the browser's own events, which need no permission, so that
//! whatever the browser binds to them works; and by the commands of menus.

use std::time::Duration;

use leptos::ev::{self, ClipboardEvent, MouseEvent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use taskloom_document::{Clip, ClipError, Edit, Name, Pasted, RecordRef};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Element;

use crate::diagram::frames;
use crate::page::in_text;
use crate::session::{Clipboard, LinkTarget, LinkedText, Offer, Selection, Session, View};

/// The time after the keys of a paste within which its event arrives.
const PASTE_DELAY: Duration = Duration::from_millis(60);

/// Listens for the lifetime of the page.
pub fn listen(session: Session) {
    // A paste event doesn't say which keys caused it.
    let shift = StoredValue::new(false);
    let is_due = StoredValue::new(false);
    let keys = window_event_listener(ev::keydown, move |event| {
        shift.set_value(event.shift_key());
        let is_paste = event.key().eq_ignore_ascii_case("v")
            && event.shift_key()
            && (event.ctrl_key() || event.meta_key());
        if is_paste && !in_text(&event) {
            is_due.set_value(true);
            // Firefox has no paste event for these keys outside a text field.
            let unless_pasted = move || {
                if is_due.try_update_value(std::mem::take) == Some(true) {
                    paste_by_command(session, true);
                }
            };
            set_timeout(unless_pasted, PASTE_DELAY);
        }
    });
    let copy = window_event_listener(ev::copy, move |event| {
        put(session, &event, false);
    });
    let cut = window_event_listener(ev::cut, move |event| put(session, &event, true));
    let paste = window_event_listener(ev::paste, move |event| {
        is_due.set_value(false);
        if in_text(&event) {
            return;
        }
        event.prevent_default();
        // The browser hands copied data to the system with a delay: until then, the event holds
        // what was copied before.
        match session.newest_copied() {
            Some(clipboard) => paste_clip(session, &clipboard, shift.get_value()),
            None => {
                let data = event.clipboard_data();
                let text = data.and_then(|data| data.get_data("text/plain").ok());
                paste_text(session, &text.unwrap_or_default(), shift.get_value());
            }
        }
    });
    // The middle button pans. On Linux, Chromium would paste after its release, of which a canvas
    // sees the pointer's alone, and Firefox after its click.
    let lifted = window_event_listener(ev::pointerup, |event| leave_middle_button(event.into()));
    let released = window_event_listener(ev::mouseup, leave_middle_button);
    let clicked = window_event_listener(ev::auxclick, leave_middle_button);
    // Other windows copy only while this one doesn't have the focus.
    let left = window_event_listener(ev::blur, move |_| session.doubt_copied());
    on_cleanup(move || {
        keys.remove();
        left.remove();
        copy.remove();
        cut.remove();
        paste.remove();
        lifted.remove();
        released.remove();
        clicked.remove();
    });
}

/// Keeps the browser from pasting by the middle button, except into a text; links still open.
fn leave_middle_button(event: MouseEvent) {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let is_link = target.is_some_and(|target| matches!(target.closest("a[href]"), Ok(Some(_))));
    if event.button() == 1 && !in_text(&event) && !is_link {
        event.prevent_default();
    }
}

/// Returns the selection: what is selected on the open canvas, or else the records selected in the
/// outline.
fn whole_selection(session: Session) -> Selection {
    match session.open.view.with_untracked(View::is_canvas) {
        true => session.desk.whole_selection(),
        false => Selection {
            records: session
                .open
                .selection
                .with_untracked(|selection| selection.records.clone()),
            ..Selection::default()
        },
    }
}

/// Returns the selection, with all records that it names.
fn selected(session: Session) -> Option<Clip> {
    let document = session.document_untracked();
    let selection = whole_selection(session);
    let blocks = match session.open.view.get_untracked() {
        View::Method(task) => document.copy_blocks(&task, &selection.blocks, &selection.frames),
        _ => None,
    };
    blocks.or_else(|| document.copy_records(&selection.records))
}

/// Copies or cuts the selection by a command. Returns `true` if there was something to copy.
pub fn copy(session: Session, cut: bool) -> bool {
    let Some(clip) = selected(session) else {
        return false;
    };
    let text = copied(session, clip, cut);
    spawn_local(async move {
        let clipboard = window().navigator().clipboard();
        // It is missing on pages that weren't loaded over HTTPS. On this page, pasting works anyway.
        if !clipboard.is_undefined() {
            let _ = JsFuture::from(clipboard.write_text(&text)).await;
        }
    });
    true
}

/// Pastes by a command.
pub fn paste(session: Session) {
    paste_by_command(session, false);
}

fn paste_by_command(session: Session, keep_wires: bool) {
    if let Some(clipboard) = session.newest_copied() {
        return paste_clip(session, &clipboard, keep_wires);
    }
    spawn_local(async move {
        let clipboard = window().navigator().clipboard();
        let text = match clipboard.is_undefined() {
            true => None,
            false => JsFuture::from(clipboard.read_text()).await.ok(),
        };
        match text.and_then(|text| text.as_string()) {
            Some(text) => paste_text(session, &text, keep_wires),
            None => session.toast(
                "The browser doesn't allow reading the clipboard here. Press Ctrl+V.",
                None,
            ),
        }
    });
}

fn put(session: Session, event: &ClipboardEvent, cut: bool) {
    session.doubt_copied();
    // The browser copies text fields and marked text itself.
    let marked = window().get_selection().ok().flatten();
    if in_text(event) || marked.is_some_and(|marked| !marked.is_collapsed()) {
        return;
    }
    let (Some(clip), Some(data)) = (selected(session), event.clipboard_data()) else {
        return;
    };
    event.prevent_default();
    let text = clip.clone().with_source(&session.entry().id).to_text();
    if data.set_data("text/plain", &text).is_err() {
        session.complain("The browser doesn't allow copying.");
        return;
    }
    copied(session, clip, cut);
}

/// Reports what was copied, or removes what was cut. Returns the text for the clipboard.
fn copied(session: Session, clip: Clip, cut: bool) -> String {
    if cut {
        remove(session, &clip);
    } else {
        session.toast(format!("Copied {}.", clip.words()), None);
    }
    session.note_copied(clip)
}

fn remove(session: Session, clip: &Clip) {
    let selection = whole_selection(session);
    match session.open.view.get_untracked() {
        View::Method(task) if clip.has_blocks() => {
            let mut edits = frames::removed(session, &selection.frames);
            // Begin is not copied, and stays.
            edits.push(Edit::RemoveBlocks(task, clip.block_ids()));
            session.commit(&format!("Cut {}", clip.words()), Edit::Batch(edits));
        }
        _ => session.delete(selection.records, vec![]),
    }
}

/// Pastes what a text of the clipboard holds.
fn paste_text(session: Session, text: &str, keep_wires: bool) {
    match session.read_clipboard(text) {
        Ok(clipboard) => paste_clip(session, &clipboard, keep_wires),
        // Something that another application has copied is no mistake.
        Err(error @ ClipError::NotOurs) => session.toast(error.to_string(), None),
        Err(error) => session.complain(error.to_string()),
    }
}

/// Pastes, and selects what was pasted.
fn paste_clip(session: Session, clipboard: &Clipboard, keep_wires: bool) {
    let clip = &clipboard.clip;
    let view = session.open.view.get_untracked();
    if clip.has_blocks() && view.method().is_none() {
        let what = clip.words();
        let text = format!("Open the method of a compound task to paste {what}.");
        return session.toast(text, None);
    }
    // A pointer position in a method is no position on the Board.
    let is_position = match view {
        View::Board => !clip.has_blocks(),
        View::Method(_) => clip.has_blocks(),
        View::Stage | View::Scenarios => false,
    };
    let at = session.desk.pointed().filter(|_| is_position);
    let fresh = &mut || session.fresh_block_id();
    let document = session.document_untracked();
    let pasted = document.paste(clip, view.method(), at, keep_wires, fresh);
    match pasted {
        Ok(pasted) => {
            let label = format!("Paste {}", clip.words());
            if commit(session, &label, &pasted) {
                report(session, clipboard, &pasted);
            }
        }
        Err(refusal) => session.complain(refusal.message),
    }
}

/// Duplicates the selection next to it: Ctrl+D. Returns `true` if there was something to duplicate.
pub fn duplicate(session: Session) -> bool {
    let Some(clip) = selected(session) else {
        return false;
    };
    let fresh = &mut || session.fresh_block_id();
    let document = session.document_untracked();
    let pasted = document.paste(&clip, open_method(session).as_ref(), None, false, fresh);
    let label = format!("Duplicate {}", clip.words());
    pasted.is_ok_and(|pasted| commit(session, &label, &pasted))
}

fn open_method(session: Session) -> Option<Name> {
    let view = session.open.view.get_untracked();
    view.method().cloned()
}

fn commit(session: Session, label: &str, pasted: &Pasted) -> bool {
    let done = session.commit(label, Edit::Batch(pasted.edits.clone()));
    if done {
        session.open.select(Selection {
            records: pasted.records.clone(),
            blocks: pasted.blocks.clone(),
            frames: pasted.frames.clone(),
            ..Selection::default()
        });
    }
    done
}

/// Reports what was also pasted, and what differs from where it was copied.
fn report(session: Session, clipboard: &Clipboard, pasted: &Pasted) {
    let mut text = LinkedText::from(format!("Pasted {}.", clipboard.clip.words()));
    let mut list = |what: &str, names: Vec<LinkedText>| {
        if names.is_empty() {
            return;
        }
        let more = match names.len().saturating_sub(6) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown = LinkedText::joined(names.into_iter().take(6), ", ");
        let whole = std::mem::take(&mut text).text(format!(" {what}: "));
        text = whole.then(shown).text(format!("{more}."));
    };
    let words = |record: &RecordRef| {
        let kind = LinkedText::from(record.kind.label()).text(" ");
        kind.link(&record.name, LinkTarget::Record(record.clone()))
    };
    let brought = match clipboard.is_current {
        true => "Also pasted",
        // They may be here by other names.
        false => "Renamed or deleted since copying, so pasted again",
    };
    list(brought, pasted.brought.iter().map(words).collect());
    list(
        "Already in this document",
        pasted.others.iter().map(words).collect(),
    );
    let unbound = pasted.unbound.iter().map(|name| format!("?{name}").into());
    list("Not bound here", unbound.collect());
    session.toast(text, Some(Offer::Undo));
}

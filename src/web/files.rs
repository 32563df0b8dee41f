//! Opening and saving files: with the File System Access API if the browser has it, otherwise with
//! a file input and a download.

use std::rc::Rc;

use gloo::file::futures::read_as_bytes;
use js_sys::{Array, Object, Promise, Uint8Array};
use leptos::prelude::{document, window};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, Event, File, FileList, FilePickerAcceptType, FileSystemFileHandle,
    FileSystemWritableFileStream, HtmlAnchorElement, HtmlInputElement, OpenFilePickerOptions,
    SaveFilePickerOptions, Url,
};

use super::error::{is_named, message};
use super::platform::{self, Files, Handle, Later, Opened, Target};

struct Picked(FileSystemFileHandle);

impl platform::File for Picked {
    fn write(&self, text: String) -> Later<Result<(), String>> {
        let handle = self.0.clone();
        let write = async move {
            let stream = JsFuture::from(handle.create_writable()).await?;
            let stream: FileSystemWritableFileStream = stream.dyn_into()?;
            JsFuture::from(stream.write_with_str(&text)?).await?;
            JsFuture::from(stream.close()).await?;
            Ok::<_, JsValue>(())
        };
        Box::pin(async { write.await.map_err(refusal) })
    }
}

/// The browser's file pickers.
pub struct Pickers;

impl Files for Pickers {
    fn open(&self) -> Later<Result<Option<Vec<Opened>>, String>> {
        let options = OpenFilePickerOptions::new();
        options.set_types(&kinds_to_open());
        options.set_multiple(true);
        // Called within the click or key event itself: browsers open no picker long after one. A
        // browser without a picker fails at once; the picker's own errors arrive through its
        // promise.
        let Ok(asked) = window().show_open_file_picker_with_options(&options) else {
            return pick_by_input();
        };
        Box::pin(async move {
            let picked = async {
                let mut files: Vec<(File, Option<Handle>)> = vec![];
                for handle in JsFuture::from(asked).await?.iter() {
                    let file = JsFuture::from(handle.get_file()).await?;
                    files.push((file.dyn_into()?, Some(Rc::new(Picked(handle)))));
                }
                Ok::<_, JsValue>(files)
            };
            match picked.await {
                Ok(files) => read_all(files).await.map(Some),
                Err(error) if is_named(&error, "AbortError") => Ok(None),
                Err(error) => Err(refusal(error)),
            }
        })
    }

    fn pick_target(&self, name: &str) -> Later<Result<Target, String>> {
        let options = SaveFilePickerOptions::new();
        options.set_types(&[document_kind()]);
        options.set_suggested_name(Some(name));
        let asked = window().show_save_file_picker_with_options(&options);
        Box::pin(async move {
            let Ok(asked) = asked else {
                return Ok(Target::Download);
            };
            match JsFuture::from(asked).await {
                Ok(handle) => Ok(Target::File(Rc::new(Picked(handle)))),
                Err(error) if is_named(&error, "AbortError") => Ok(Target::Cancelled),
                Err(error) => Err(refusal(error)),
            }
        })
    }

    fn download(&self, name: &str, text: &str) -> Result<(), String> {
        download(name, text)
    }
}

/// Returns what to do about an error, if the browser's own message doesn't say.
fn refusal(error: JsValue) -> String {
    if is_named(&error, "NotAllowedError") {
        return "The browser doesn't let Taskloom use this file. Allow it, or save to another file."
            .to_owned();
    }
    if is_named(&error, "NotFoundError") {
        return "The file or its folder is gone. Save to another file.".to_owned();
    }
    message(&error)
}

/// Returns a file type, in the form that pickers expect.
fn kind(description: &str, media: &str, extensions: &[&str]) -> FilePickerAcceptType {
    let extensions: Array = extensions.iter().map(|e| JsValue::from_str(e)).collect();
    let media = Array::of2(&media.into(), &extensions);
    let accept = Object::from_entries(&Array::of1(&media)).unwrap_or_default();
    let kind = FilePickerAcceptType::new();
    kind.set_description(description);
    kind.set_accept_record_from_str_to_str_sequence(accept.unchecked_ref());
    kind
}

fn document_kind() -> FilePickerAcceptType {
    kind("Taskloom document", "application/json", &[".json"])
}

/// Returns the file types that can be opened: a document, the files of a planning problem together,
/// or a log.
fn kinds_to_open() -> [FilePickerAcceptType; 2] {
    let all = &[".json", ".hddl", ".pddl", ".jsonl"];
    let either = kind("Document, planning files or log", "text/plain", all);
    [either, document_kind()]
}

/// Reads the text of a file, which must be UTF-8.
pub async fn read(file: File, handle: Option<Handle>) -> Result<Opened, String> {
    let name = file.name();
    let bytes = read_as_bytes(&gloo::file::File::from(file))
        .await
        .map_err(|e| format!("{name} can't be read: {e}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} isn't UTF-8 text"))?;
    Ok(Opened { name, text, handle })
}

/// Reads the texts of files, in their order.
pub async fn read_all(files: Vec<(File, Option<Handle>)>) -> Result<Vec<Opened>, String> {
    let mut all = vec![];
    for (file, handle) in files {
        all.push(read(file, handle).await?);
    }
    Ok(all)
}

/// Returns the files of a list.
pub fn of_list(list: Option<FileList>) -> Vec<(File, Option<Handle>)> {
    let list = list.as_ref();
    let files = (0..list.map_or(0, FileList::length)).filter_map(|at| list?.get(at));
    files.map(|file| (file, None)).collect()
}

fn pick_by_input() -> Later<Result<Option<Vec<Opened>>, String>> {
    let input = document()
        .create_element("input")
        .map(|e| e.unchecked_into::<HtmlInputElement>());
    let input = match input {
        Ok(input) => input,
        Err(error) => return Box::pin(async move { Err(message(&error)) }),
    };
    input.set_type("file");
    input.set_accept(".json,application/json,.hddl,.pddl,.jsonl");
    input.set_multiple(true);
    let ended = Promise::new(&mut |resolve, _| {
        input.set_onchange(Some(&resolve));
        input.set_oncancel(Some(&resolve));
    });
    input.click();
    Box::pin(async move {
        // It gets the input from the event: a reference to the input would keep it alive if nothing
        // is picked.
        let event: JsValue = JsFuture::from(ended).await.unwrap_or_default();
        let event: Option<Event> = event.dyn_into().ok();
        let input = event.and_then(|event| event.target()?.dyn_into::<HtmlInputElement>().ok());
        match of_list(input.and_then(|input| input.files())) {
            files if files.is_empty() => Ok(None),
            files => read_all(files).await.map(Some),
        }
    })
}

/// Offers a text as a download.
pub fn download(name: &str, text: &str) -> Result<(), String> {
    download_bytes(name, text.as_bytes())
}

/// Offers bytes as a download: a text, or an archive, according to the name.
pub fn download_bytes(name: &str, bytes: &[u8]) -> Result<(), String> {
    let kind = BlobPropertyBag::new();
    kind.set_type(if name.ends_with(".zip") {
        "application/zip"
    } else {
        "text/plain;charset=utf-8"
    });
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind);
    download_blob(name, &blob.map_err(|error| message(&error))?)
}

/// Offers a blob as a download.
pub fn download_blob(name: &str, blob: &Blob) -> Result<(), String> {
    let refused = |error: JsValue| message(&error);
    let address = Url::create_object_url_with_blob(blob).map_err(refused)?;
    let link: HtmlAnchorElement = document()
        .create_element("a")
        .map_err(refused)?
        .unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser has taken the blob over once the click has been handled.
    gloo::timers::callback::Timeout::new(60_000, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
    Ok(())
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn file(name: &str, bytes: &[u8]) -> File {
        let parts = Array::of1(&Uint8Array::from(bytes));
        File::new_with_u8_array_sequence(&parts, name).unwrap()
    }

    #[wasm_bindgen_test]
    async fn files_are_read_with_their_name() {
        let opened = read(file("box.json", "{ \"é\": 1 }".as_bytes()), None).await;
        let opened = opened.ok().unwrap();
        assert_eq!(opened.name, "box.json");
        assert_eq!(opened.text, "{ \"é\": 1 }");
        assert!(opened.handle.is_none());
    }

    #[wasm_bindgen_test]
    async fn files_that_are_not_text_are_reported_by_name() {
        let reason = read(file("picture.png", &[0x89, b'P', b'N', b'G', 0xff]), None)
            .await
            .err();
        assert_eq!(reason.as_deref(), Some("picture.png isn't UTF-8 text"));
    }
}

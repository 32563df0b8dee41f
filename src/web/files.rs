//! Opening and saving files: with the File System Access API if the browser has it, otherwise with
//! a file input and a download.

use js_sys::{Array, Object, Promise, Uint8Array};
use leptos::prelude::{document, window};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, DataTransfer, Event, File, FileList, FilePickerAcceptType,
    FileSystemFileHandle, HtmlAnchorElement, HtmlInputElement, OpenFilePickerOptions,
    SaveFilePickerOptions, Url,
};

use super::disk_file::{DiskFile, file_of, has_method, read, refusal};
use super::error::{is_named, message};
use super::platform::{Files, Handle, Later, Opened, Target};

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
                    let file = file_of(&handle).await?;
                    files.push((file, Some(Handle::new(DiskFile(handle)))));
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
                Ok(handle) => Ok(Target::File(Handle::new(DiskFile(handle)))),
                Err(error) if is_named(&error, "AbortError") => Ok(Target::Cancelled),
                Err(error) => Err(refusal(error)),
            }
        })
    }

    fn download(&self, name: &str, text: &str) -> Result<(), String> {
        download(name, text)
    }
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

/// Reads the texts of files, in their order.
async fn read_all(files: Vec<(File, Option<Handle>)>) -> Result<Vec<Opened>, String> {
    let mut all = vec![];
    for (file, handle) in files {
        all.push(read(file, handle).await?);
    }
    Ok(all)
}

/// Reads the files that are dropped on the page, with their handles if the browser has them.
pub fn dropped(data: &DataTransfer) -> Option<Later<Result<Vec<Opened>, String>>> {
    // Only while the event is handled: afterwards the browser takes the items back.
    let items = data.items();
    let items = (0..items.length()).filter_map(|at| items.get(at));
    let items = items.filter(|item| item.kind() == "file");
    let items: Vec<_> = items
        .map(|item| {
            let has_handle = has_method(&item, "getAsFileSystemHandle");
            let handle = has_handle.then(|| item.get_as_file_system_handle());
            (item.get_as_file().ok().flatten(), handle)
        })
        .collect();
    if items.is_empty() {
        return None;
    }
    Some(Box::pin(async move {
        let mut files = vec![];
        for (file, handle) in items {
            let handle = match handle {
                Some(handle) => JsFuture::from(handle).await.ok(),
                None => None,
            };
            let handle = handle.and_then(|handle| handle.dyn_into::<FileSystemFileHandle>().ok());
            let handle = handle.map(|handle| Handle::new(DiskFile(handle)));
            files.extend(file.map(|file| (file, handle)));
        }
        read_all(files).await
    }))
}

/// Returns the files of a list, which have no handles.
fn of_list(list: Option<FileList>) -> Vec<(File, Option<Handle>)> {
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

//! IndexedDB: one store of texts by key.

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbOpenDbRequest, IdbRequest, IdbTransaction, IdbTransactionMode};

const NAME: &str = "taskloom";
const STORE: &str = "documents";

/// The browser's own database of this page.
#[derive(Clone)]
pub struct Database(IdbDatabase);

impl Database {
    /// Opens it, and makes it where it does not exist.
    pub async fn open() -> Result<Self, String> {
        let factory = leptos::prelude::window()
            .indexed_db()
            .ok()
            .flatten()
            .ok_or("this browser keeps no data for this page")?;
        let request: IdbOpenDbRequest = factory.open_with_u32(NAME, 1).map_err(reason)?;
        let upgraded = request.clone();
        let on_upgrade = Closure::once_into_js(move |_: web_sys::Event| {
            if let Ok(Ok(database)) = upgraded.result().map(|r| r.dyn_into::<IdbDatabase>()) {
                // A store that exists already is what is wanted.
                let _ = database.create_object_store(STORE);
            }
        });
        request.set_onupgradeneeded(Some(on_upgrade.unchecked_ref()));
        let database = done(&request).await?;
        database
            .dyn_into()
            .map(Self)
            .map_err(|_| "the database did not open".to_owned())
    }

    /// The value of a key.
    pub async fn get(&self, key: &str) -> Result<Option<JsValue>, String> {
        let store = self
            .begin(IdbTransactionMode::Readonly)?
            .object_store(STORE)
            .map_err(reason)?;
        let value = done(&store.get(&key.into()).map_err(reason)?).await?;
        Ok(Some(value).filter(|v| !v.is_undefined()))
    }

    /// All keys, in order.
    pub async fn keys(&self) -> Result<Vec<String>, String> {
        let store = self
            .begin(IdbTransactionMode::Readonly)?
            .object_store(STORE)
            .map_err(reason)?;
        let keys = done(&store.get_all_keys().map_err(reason)?).await?;
        Ok(js_sys::Array::from(&keys)
            .iter()
            .filter_map(|k| k.as_string())
            .collect())
    }

    /// Writes a value, or takes it away; returns once it is on the disk.
    pub async fn put(&self, key: &str, value: Option<&JsValue>) -> Result<(), String> {
        let transaction = self.begin(IdbTransactionMode::Readwrite)?;
        let store = transaction.object_store(STORE).map_err(reason)?;
        match value {
            Some(value) => store.put_with_key(value, &key.into()),
            None => store.delete(&key.into()),
        }
        .map_err(reason)?;
        complete(&transaction).await
    }

    fn begin(&self, mode: IdbTransactionMode) -> Result<IdbTransaction, String> {
        // Complete means on the disk, not only handed to the system.
        let options = Object::new();
        Reflect::set(&options, &"durability".into(), &"strict".into()).map_err(reason)?;
        let transaction: Function = Reflect::get(&self.0, &"transaction".into())
            .map_err(reason)?
            .unchecked_into();
        transaction
            .call3(&self.0, &STORE.into(), &mode.into(), &options)
            .map(JsCast::unchecked_into)
            .map_err(reason)
    }
}

/// The sentence of a browser's error.
fn reason(error: JsValue) -> String {
    let text = |key: &str| {
        Reflect::get(&error, &key.into())
            .ok()
            .and_then(|v| v.as_string())
            .filter(|t| !t.is_empty())
    };
    match (text("name"), text("message")) {
        (Some(name), _) if name == "QuotaExceededError" => "the browser's storage is full".into(),
        (_, Some(message)) => message,
        (Some(name), _) => name,
        _ => "the browser refused".into(),
    }
}

async fn done(request: &IdbRequest) -> Result<JsValue, String> {
    let waiting = js_sys::Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    match JsFuture::from(waiting).await {
        Ok(_) => request.result().map_err(reason),
        Err(_) => Err(match request.error() {
            Ok(Some(error)) => reason(error.into()),
            _ => "the browser refused".to_owned(),
        }),
    }
}

async fn complete(transaction: &IdbTransaction) -> Result<(), String> {
    let waiting = js_sys::Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(Some(&resolve));
        transaction.set_onabort(Some(&reject));
    });
    JsFuture::from(waiting).await.map(|_| ()).map_err(|_| {
        transaction
            .error()
            .map_or_else(|| "the write was aborted".to_owned(), |e| reason(e.into()))
    })
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    async fn what_is_put_is_there_for_whoever_opens_it_next_until_it_is_taken_away() {
        let database = Database::open().await.unwrap();
        let text = |text: &str| JsValue::from_str(text);
        database.put("b", Some(&text("first"))).await.unwrap();
        database.put("b", Some(&text("second"))).await.unwrap();
        database.put("a", Some(&text("\u{1F916} é"))).await.unwrap();

        let other = Database::open().await.unwrap();
        assert_eq!(other.keys().await.unwrap(), ["a", "b"]);
        assert_eq!(other.get("b").await, Ok(Some(text("second"))));
        assert_eq!(other.get("a").await, Ok(Some(text("\u{1F916} é"))));
        assert_eq!(other.get("c").await, Ok(None));

        for key in ["a", "b"] {
            other.put(key, None).await.unwrap();
        }
        assert!(database.keys().await.unwrap().is_empty());
    }

    #[wasm_bindgen_test]
    async fn a_value_that_the_browser_cannot_keep_is_refused_with_its_reason() {
        let database = Database::open().await.unwrap();
        let function = Function::new_no_args("");
        let refused = database.put("f", Some(&function)).await.unwrap_err();
        assert!(refused.contains("could not be cloned"), "{refused}");
        assert!(database.keys().await.unwrap().is_empty());
    }
}

//! Messages between page and worker, as postcard bytes: encoded, transferred and decoded only here.

use std::marker::PhantomData;

use js_sys::{Array, Function, Uint8Array};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent, Worker};

/// One end of a channel of the browser.
pub trait Channel {
    /// Sends a message to the other end, transferring the objects in `transfer`.
    fn send(&self, message: &JsValue, transfer: &Array) -> Result<(), JsValue>;
    /// Sets the listener for the other end's messages.
    fn set_hearer(&self, hearer: Option<&Function>);
}

macro_rules! channel {
    ($($end:ty: $send:ident),*) => {$(
        impl Channel for $end {
            fn send(&self, message: &JsValue, transfer: &Array) -> Result<(), JsValue> {
                self.$send(message, transfer)
            }
            fn set_hearer(&self, hearer: Option<&Function>) {
                self.set_onmessage(hearer);
            }
        }
    )*};
}
channel!(
    Worker: post_message_with_transfer,
    DedicatedWorkerGlobalScope: post_message_with_transfer
);
#[cfg(all(test, target_arch = "wasm32"))]
channel!(web_sys::MessagePort: post_message_with_transferable);

/// An end that sends messages of one type and receives those of another, until it is dropped.
pub struct Port<C: Channel, Out, In> {
    /// The end itself.
    pub channel: C,
    _hearer: Closure<dyn FnMut(MessageEvent)>,
    messages: PhantomData<fn(Out) -> In>,
}

impl<C: Channel, Out: Serialize, In: DeserializeOwned + 'static> Port<C, Out, In> {
    /// Creates a port that passes received messages to `on_message`.
    pub fn new(channel: C, mut on_message: impl FnMut(In) + 'static) -> Self {
        let hearer = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let bytes = Uint8Array::new(&event.data()).to_vec();
            if let Ok(message) = postcard::from_bytes(&bytes) {
                on_message(message);
            }
        });
        channel.set_hearer(Some(hearer.as_ref().unchecked_ref()));
        Self {
            channel,
            _hearer: hearer,
            messages: PhantomData,
        }
    }

    /// Sends a message. If the other end is gone, the message is dropped without an error.
    pub fn post(&self, message: &Out) {
        post(&self.channel, message);
    }
}

/// Sends a message through an end for which there is no port.
pub fn post<Out: Serialize>(channel: &impl Channel, message: &Out) {
    let Ok(bytes) = postcard::to_stdvec(message) else {
        return;
    };
    let array = Uint8Array::from(bytes.as_slice());
    let transfer = Array::of1(&array.buffer());
    let _ = channel.send(&array, &transfer);
}

impl<C: Channel, Out, In> Drop for Port<C, Out, In> {
    fn drop(&mut self) {
        self.channel.set_hearer(None);
    }
}

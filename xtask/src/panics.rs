//! Takes out of the page's program what panics say.
//!
//! A panic tells where in the sources it happened, and what it saw there. In the release page nobody reads that: the
//! functions that begin a panic call `broken` (src/web/panic.rs) instead, which tells the designer, and then trap as
//! before. What only they needed goes by itself when wasm-opt looks at the program next. The browser's console still
//! shows the calls that led there; `target/page-functions.txt` gives their names.

use crate::{
    failure::{Failure, Result},
    module::{Module, put},
};

/// The function that is called instead.
const BROKEN: &[u8] = b"broken";
const UNREACHABLE: u8 = 0;
const CALL: u8 = 0x10;
const END: u8 = 0x0b;

/// Functions that begin a panic, as the standard library and two others name them.
const BEGINNINGS: [&str; 19] = [
    "core::panicking::",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::slice::index::slice_index_fail",
    "core::slice::index::slice_start_index_len_fail",
    "core::slice::index::slice_end_index_len_fail",
    "core::slice::index::slice_index_order_fail",
    "core::slice::copy_from_slice_impl::len_mismatch_fail",
    "core::slice::sort::shared::smallsort::panic_on_ord_violation",
    "core::str::slice_error_fail",
    "core::cell::panic_already",
    "core::cell::lazy::panic_poisoned",
    "alloc::raw_vec::handle_error",
    "alloc::raw_vec::capacity_overflow",
    "alloc::alloc::handle_alloc_error",
    "std::thread::local::panic_access_error",
    "send_wrapper::invalid_deref",
    "wasm_bindgen::__rt::borrow_fail",
];

/// What Leptos brings along for programs that have a server, and exports whether that is so or not.
const OF_SERVERS: [&[u8]; 2] = [b"intounderlying", b"__wbg_intounderlying"];

/// The program as wasm-bindgen leaves it, with panics that say nothing.
pub fn silenced(program: &[u8]) -> Result<Vec<u8>> {
    let mut module = Module::read(program)?;
    let Some(broken) = module.exports.iter().find(|e| e.name == BROKEN) else {
        return Err(Failure::new(
            "the page's program has no function `broken` for panics to call.",
            "export one again in src/web/panic.rs.",
        ));
    };
    let mut body = vec![0, CALL];
    put(&mut body, broken.index);
    body.extend([UNREACHABLE, END]);
    let first = module.imported_functions();
    let names = module.names();
    let begins: Vec<usize> = names
        .into_iter()
        .filter(|(_, name)| begins_a_panic(name))
        .filter_map(|(number, _)| number.checked_sub(first))
        .collect();
    let mut found = 0;
    for number in begins {
        // Whatever returns does more than to panic.
        if let Some(old) = module.bodies.get_mut(number)
            && old.ends_with(&[UNREACHABLE, END])
        {
            *old = body.clone().into();
            found += 1;
        }
    }
    if found < BEGINNINGS.len() / 2 {
        return Err(Failure::new(
            format!("only {found} functions of the page's program begin a panic."),
            "if the standard library names them in another way now, teach xtask/src/panics.rs the new names.",
        ));
    }
    module
        .exports
        .retain(|export| !OF_SERVERS.iter().any(|name| export.name.starts_with(name)));
    forget_places(&mut module);
    let order: Vec<usize> = (0..module.bodies.len()).collect();
    module.write(&order, str::to_owned)
}

/// Whether a function of this name, with or without hashes, is one of [`BEGINNINGS`].
fn begins_a_panic(name: &str) -> bool {
    let mut plain = String::new();
    let mut rest = name;
    // `core[0123456789abcdef]::panicking::panic_fmt`
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        match after.split_once(']') {
            Some((hash, after)) if hash.len() == 16 => rest = after,
            _ => return false,
        }
    }
    plain.push_str(rest);
    BEGINNINGS.iter().any(|begin| plain.starts_with(begin))
        || plain.ends_with("::assert_failed") && plain.starts_with("<alloc::vec::Vec<")
}

/// Empties the places in the sources (`core::panic::Location`: the address and length of a file's name, line, column)
/// that panics would tell, and the files' names.
fn forget_places(module: &mut Module) {
    let Some(pieces) = module.data() else { return };
    let pieces: Vec<(usize, Vec<u8>)> = pieces
        .into_iter()
        .map(|(address, bytes)| (address, bytes.to_vec()))
        .collect();
    let at = |address: usize, length: usize| {
        pieces
            .iter()
            .enumerate()
            .find_map(|(piece, (start, bytes))| {
                let from = address.checked_sub(*start)?;
                let span = from..from.checked_add(length)?;
                Some((piece, span.clone(), bytes.get(span)?))
            })
    };
    let mut emptied = vec![];
    for (piece, (start, bytes)) in pieces.iter().enumerate() {
        // The standard library's layout of a place: four numbers of 32 bits.
        for from in (start.wrapping_neg() % 4..bytes.len()).step_by(4) {
            let Some(place) = bytes.get(from..from + 16) else {
                break;
            };
            let [name, length, line, column] = [0, 4, 8, 12].map(|at| {
                place[at..at + 4]
                    .iter()
                    .rev()
                    .fold(0, |number, byte| number << 8 | usize::from(*byte))
            });
            if (1..100_000).contains(&line)
                && (1..1_000).contains(&column)
                && (4..300).contains(&length)
                && let Some((file, span, text)) = at(name, length)
                && text.ends_with(b".rs")
            {
                emptied.extend([(piece, from..from + 16), (file, span)]);
            }
        }
    }
    let mut pieces = pieces;
    for (piece, span) in emptied {
        pieces[piece].1[span].fill(0);
    }
    module.set_data(&pieces);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_are_known_by_their_names() {
        assert!(begins_a_panic(
            "core[c5930c85a12de822]::panicking::panic_fmt"
        ));
        assert!(begins_a_panic(
            "core::panicking::panic_const::panic_const_div_by_zero"
        ));
        assert!(begins_a_panic(
            "send_wrapper::invalid_deref::h7992939d3fe922da"
        ));
        assert!(begins_a_panic(
            "<alloc[3ca501edff3f0c7c]::vec::Vec<_, _>>::remove::assert_failed"
        ));
        assert!(!begins_a_panic(
            "hashbrown::raw::Fallibility::capacity_overflow"
        ));
        assert!(!begins_a_panic(
            "core::ptr::drop_in_place<core::panic::Location>"
        ));
    }
}

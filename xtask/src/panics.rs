//! Takes out of the page's program what panics say.
//!
//! A panic tells where in the sources it happened, and what it saw there. In the release page nobody reads that: the
//! functions that begin a panic call `broken` (src/web/panic.rs) instead, which tells the designer, and then trap as
//! before. What only they needed goes by itself when wasm-opt looks at the program next. The browser's console still
//! shows the calls that led there; `target/page-functions.txt` gives their names.

use crate::{
    failure::{Failure, Result},
    module::{CALL, END, Module, UNREACHABLE, put},
};

/// The function that is called instead.
const BROKEN: &[u8] = b"broken";

/// The one that nearly all of them come to.
const FORMATTED: &str = "core::panicking::panic_fmt";

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

/// Has the panics of a program, as wasm-bindgen leaves it, say nothing.
pub fn silence(module: &mut Module) -> Result<()> {
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
    let mut beginnings = vec![];
    let mut is_complete = false;
    for (number, name) in module.names() {
        let name = without_hashes(name);
        if begins_a_panic(&name) {
            beginnings.extend(number.checked_sub(first));
            is_complete |= name == FORMATTED;
        }
    }
    if !is_complete {
        return Err(Failure::new(
            format!("the page's program has no function `{FORMATTED}`."),
            "if the standard library names what begins a panic in another way now, teach xtask/src/panics.rs the names.",
        ));
    }
    for number in beginnings {
        // Whatever returns does more than to panic.
        if let Some(old) = module.bodies.get_mut(number)
            && old.ends_with(&[UNREACHABLE, END])
        {
            *old = body.clone().into();
        }
    }
    forget_places(module);
    Ok(())
}

/// A function's name as the sources have it: `core[0123456789abcdef]::panicking::panic_fmt` or `core::panicking::panic_fmt::h0123…`
/// without the hashes.
fn without_hashes(name: &str) -> String {
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let name = match name.rsplit_once("::h") {
        Some((name, hash)) if is_hash(hash) => name,
        _ => name,
    };
    let mut plain = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        rest = match after.split_once(']') {
            Some((hash, after)) if is_hash(hash) => after,
            _ => {
                plain.push('[');
                after
            }
        };
    }
    plain + rest
}

/// Whether a function of this name, without hashes, is one of [`BEGINNINGS`].
fn begins_a_panic(name: &str) -> bool {
    BEGINNINGS.iter().any(|begin| name.starts_with(begin))
        || name.ends_with("::assert_failed") && name.starts_with("<alloc::vec::Vec<")
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
        let begins = |name| begins_a_panic(&without_hashes(name));
        assert!(begins("core[c5930c85a12de822]::panicking::panic_fmt"));
        assert!(begins(
            "core::panicking::panic_const::panic_const_div_by_zero"
        ));
        assert!(begins("send_wrapper::invalid_deref::h7992939d3fe922da"));
        assert!(begins(
            "<alloc[3ca501edff3f0c7c]::vec::Vec<_, _>>::remove::assert_failed"
        ));
        assert!(!begins("hashbrown::raw::Fallibility::capacity_overflow"));
        assert!(!begins("core::ptr::drop_in_place<core::panic::Location>"));
        assert_eq!(without_hashes("<[u8]>::f::h0123456789abcdef"), "<[u8]>::f");
    }

    /// Exports `broken`, the first of three functions. The second begins a panic, the third returns 7. Memory holds the
    /// place line 5, column 9 of `a.rs`, that file's name, and another text.
    fn program() -> Vec<u8> {
        let mut program = b"\0asm\x01\0\0\0\
            \x01\x08\x02\x60\0\0\x60\0\x01\x7f\
            \x03\x04\x03\0\0\x01\
            \x05\x03\x01\0\x01\
            \x07\x0a\x01\x06broken\0\0\
            \x0a\x0f\x03\x02\0\x0b\x05\0\x10\0\0\x0b\x04\0\x41\x07\x0b\
            \x0b\x20\x01\0\x41\x08\x0b\x1a\
            \x18\0\0\0\x04\0\0\0\x05\0\0\0\x09\0\0\0a.rstwo.rs"
            .to_vec();
        let names = [
            "broken",
            "core::panicking::panic_fmt",
            "core::panicking::seven",
        ];
        let mut functions = vec![names.len() as u8];
        for (number, name) in names.iter().enumerate() {
            functions.extend([number as u8, name.len() as u8]);
            functions.extend(name.bytes());
        }
        let mut section = b"\x04name\x01".to_vec();
        section.push(functions.len() as u8);
        section.extend(functions);
        program.extend([0, section.len() as u8]);
        program.extend(section);
        program
    }

    #[test]
    fn what_begins_a_panic_calls_broken_and_traps() {
        let mut program = program();
        // It calls itself before.
        let call = program.windows(4).position(|w| w == [CALL, 0, 0, END]);
        program[call.expect("a call") + 1] = 1;
        let mut module = Module::read(&program).expect("a module");
        silence(&mut module).expect("a program with panics");
        let bodies: Vec<&[u8]> = module.bodies.iter().map(|body| &**body).collect();
        let expected: [&[u8]; 3] = [
            &[0, END],
            &[0, CALL, 0, UNREACHABLE, END],
            &[0, 0x41, 7, END],
        ];
        assert_eq!(bodies, expected);
    }

    #[test]
    fn places_are_forgotten_and_other_texts_are_not() {
        let program = program();
        let mut module = Module::read(&program).expect("a module");
        silence(&mut module).expect("a program with panics");
        let mut left = vec![0; 20];
        left.extend(b"two.rs");
        assert_eq!(module.data().expect("data"), [(8, &*left)]);
        let order = [0, 1, 2];
        let written = module.write(&order, str::to_owned).expect("a program");
        assert_eq!(written.len(), program.len());
        assert_eq!(Module::read(&written).expect("a module").names().len(), 3);
    }

    #[test]
    fn a_program_whose_panics_are_unknown_is_refused() {
        let text = String::from_utf8_lossy(&program()).replace("panic_fmt", "panic_xyz");
        let mut module = Module::read(text.as_bytes()).expect("a module");
        let failure = silence(&mut module).expect_err("no panic is known");
        assert!(failure.to_string().contains("panic_fmt"), "{failure}");
    }
}

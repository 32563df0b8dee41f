//! Instructions, and which functions they name.

use super::bytes::{Reader, put};

/// The code of `unreachable`: a trap.
pub const UNREACHABLE: u8 = 0x00;
/// The code of `call`; the function's number follows.
pub const CALL: u8 = 0x10;
/// The code that ends a function's body, and an initial value.
pub const END: u8 = 0x0b;

/// A function's body with other numbers for the functions that it names.
pub fn renumbered(body: &[u8], renumber: &dyn Fn(usize) -> Option<usize>) -> Option<Vec<u8>> {
    let mut reader = Reader(body);
    let locals = reader.spanned(|reader| {
        for _ in 0..reader.number()? {
            reader.number()?;
            reader.byte()?;
        }
        Some(())
    })?;
    let mut new = locals.to_vec();
    while !reader.is_empty() {
        instruction(&mut reader, &mut new, renumber)?;
    }
    Some(new)
}

/// Instructions up to the `end` of an initial value.
pub fn expression(
    reader: &mut Reader,
    new: &mut Vec<u8>,
    renumber: &dyn Fn(usize) -> Option<usize>,
) -> Option<()> {
    while instruction(reader, new, renumber)? != END {}
    Some(())
}

/// Copies an instruction; its code. The numbers are those of the specification's binary format, section 5.4.
fn instruction(
    reader: &mut Reader,
    new: &mut Vec<u8>,
    renumber: &dyn Fn(usize) -> Option<usize>,
) -> Option<u8> {
    let code = reader.byte()?;
    new.push(code);
    // The others are `return_call` and `ref.func`.
    if matches!(code, CALL | 0x12 | 0xd2) {
        put(new, renumber(reader.number()?)?);
        return Some(code);
    }
    let numbers = |reader: &mut Reader, count: usize| (0..count).try_for_each(|_| reader.skip());
    let operands = reader.spanned(|reader| match code {
        UNREACHABLE | 0x01 | 0x05 | END | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => Some(()),
        0x02..=0x04 | 0x0c | 0x0d | 0x20..=0x26 | 0x3f..=0x42 | 0xd0 => numbers(reader, 1),
        0x0e => {
            let count = reader.number()?;
            numbers(reader, count + 1)
        }
        0x11 | 0x13 => numbers(reader, 2),
        0x1c => {
            let count = reader.number()?;
            numbers(reader, count)
        }
        0x28..=0x3e => match reader.number()? {
            // With the number of one of several memories.
            alignment if alignment & 0x40 != 0 => numbers(reader, 2),
            _ => numbers(reader, 1),
        },
        0x43 => reader.take(4).map(drop),
        0x44 => reader.take(8).map(drop),
        0xfc => match reader.number()? {
            0..=7 => Some(()),
            9 | 11 | 13 | 15..=17 => numbers(reader, 1),
            8 | 10 | 12 | 14 => numbers(reader, 2),
            _ => None,
        },
        _ => None,
    })?;
    new.extend(operands);
    Some(code)
}

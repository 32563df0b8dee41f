//! A WebAssembly module rewritten so that it compresses well: its functions in another order, its imports under short
//! names. What it does stays the same.

use crate::failure::{Failure, Result};

const IMPORT: u8 = 2;
const FUNCTION: u8 = 3;
const GLOBAL: u8 = 6;
const EXPORT: u8 = 7;
const START: u8 = 8;
const ELEMENT: u8 = 9;
const CODE: u8 = 10;
const CUSTOM: u8 = 0;
const HEADER: usize = 8;

/// A module, cut into sections and functions.
pub struct Module<'a> {
    header: &'a [u8],
    sections: Vec<(u8, &'a [u8])>,
    imports: Vec<Import<'a>>,
    /// The type of each function that it defines, as it stands in the file.
    types: Vec<&'a [u8]>,
    /// The locals and instructions of each function that it defines.
    pub bodies: Vec<&'a [u8]>,
}

struct Import<'a> {
    module: &'a [u8],
    name: &'a [u8],
    /// What is imported: its kind and type.
    rest: &'a [u8],
}

impl<'a> Module<'a> {
    /// Reads a module as wasm-opt writes it.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        Self::parse(bytes).ok_or_else(|| {
            Failure::new(
                "the page's program is no WebAssembly that this build knows how to write shorter.",
                "if rustc, wasm-bindgen or wasm-opt are newer than those of Cargo.lock and `cargo xtask setup`, use \
                 those; otherwise teach xtask/src/module.rs the new instruction.",
            )
        })
    }

    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (header, rest) = bytes.split_at_checked(HEADER)?;
        let mut module = Self {
            header,
            sections: vec![],
            imports: vec![],
            types: vec![],
            bodies: vec![],
        };
        let mut reader = Reader(rest);
        while let Some(id) = reader.byte() {
            let content = reader.sized()?;
            module.sections.push((id, content));
            let mut inside = Reader(content);
            match id {
                IMPORT => {
                    for _ in 0..inside.number()? {
                        let (module_name, name) = (inside.sized()?, inside.sized()?);
                        let rest = inside.spanned(Reader::import)?;
                        module.imports.push(Import {
                            module: module_name,
                            name,
                            rest,
                        });
                    }
                }
                FUNCTION => {
                    for _ in 0..inside.number()? {
                        let own = inside.spanned(|reader| reader.number().map(drop))?;
                        module.types.push(own);
                    }
                }
                CODE => {
                    for _ in 0..inside.number()? {
                        module.bodies.push(inside.sized()?);
                    }
                }
                _ => {}
            }
        }
        (module.types.len() == module.bodies.len()).then_some(module)
    }

    /// The names of what is imported.
    pub fn import_names(&self) -> impl Iterator<Item = &'a str> {
        let names = self.imports.iter();
        names.filter_map(|import| std::str::from_utf8(import.name).ok())
    }

    /// The module with its functions in this order, and names for its imports. Debugging names are left out.
    pub fn write(&self, order: &[usize], import_name: impl Fn(&str) -> String) -> Result<Vec<u8>> {
        self.rewritten(order, import_name).ok_or_else(|| {
            Failure::new(
                "the page's program holds an instruction that this build does not know.",
                "teach xtask/src/module.rs the instruction.",
            )
        })
    }

    fn rewritten(&self, order: &[usize], import_name: impl Fn(&str) -> String) -> Option<Vec<u8>> {
        let imported = self.imports.iter();
        let imported = imported.filter(|import| import.rest.first() == Some(&0));
        let imported = imported.count();
        let mut places = vec![0; order.len()];
        for (place, &function) in order.iter().enumerate() {
            *places.get_mut(function)? = place;
        }
        let renumber = |function: usize| match function.checked_sub(imported) {
            Some(own) => places.get(own).map(|place| place + imported),
            None => Some(function),
        };
        let mut module = self.header.to_vec();
        for &(id, content) in &self.sections {
            let mut reader = Reader(content);
            let mut new = vec![];
            match id {
                CUSTOM if Reader(content).sized()? == b"name" => continue,
                IMPORT => {
                    put(&mut new, self.imports.len());
                    for import in &self.imports {
                        let name = import_name(std::str::from_utf8(import.name).ok()?);
                        put_sized(&mut new, import.module);
                        put_sized(&mut new, name.as_bytes());
                        new.extend(import.rest);
                    }
                }
                FUNCTION => {
                    put(&mut new, order.len());
                    for &function in order {
                        new.extend(*self.types.get(function)?);
                    }
                }
                CODE => {
                    put(&mut new, order.len());
                    for &function in order {
                        let body = renumbered(self.bodies.get(function)?, &renumber)?;
                        put_sized(&mut new, &body);
                    }
                }
                EXPORT => {
                    let count = reader.number()?;
                    put(&mut new, count);
                    for _ in 0..count {
                        put_sized(&mut new, reader.sized()?);
                        let kind = reader.byte()?;
                        let index = reader.number()?;
                        new.push(kind);
                        put(&mut new, if kind == 0 { renumber(index)? } else { index });
                    }
                }
                START => put(&mut new, renumber(reader.number()?)?),
                ELEMENT => {
                    let count = reader.number()?;
                    put(&mut new, count);
                    for _ in 0..count {
                        element(&mut reader, &mut new, &renumber)?;
                    }
                }
                GLOBAL => {
                    let count = reader.number()?;
                    put(&mut new, count);
                    for _ in 0..count {
                        new.extend(reader.take(2)?);
                        expression(&mut reader, &mut new, &renumber)?;
                    }
                }
                _ => new.extend(content),
            }
            module.push(id);
            put_sized(&mut module, &new);
        }
        Some(module)
    }
}

/// One segment of a table. Functions stand in it as numbers, or, by its highest flag, as expressions.
fn element(
    reader: &mut Reader,
    new: &mut Vec<u8>,
    renumber: &dyn Fn(usize) -> Option<usize>,
) -> Option<()> {
    let flags = reader.number()?;
    put(new, flags);
    let (has_table, is_active) = (flags & 2 != 0, flags & 1 == 0);
    if is_active && has_table {
        put(new, reader.number()?);
    }
    if is_active {
        expression(reader, new, renumber)?;
    }
    if flags & 3 != 0 {
        new.push(reader.byte()?);
    }
    let count = reader.number()?;
    put(new, count);
    for _ in 0..count {
        match flags & 4 {
            0 => put(new, renumber(reader.number()?)?),
            _ => expression(reader, new, renumber)?,
        }
    }
    Some(())
}

/// A function's body with other numbers for the functions that it names.
fn renumbered(body: &[u8], renumber: &dyn Fn(usize) -> Option<usize>) -> Option<Vec<u8>> {
    let mut reader = Reader(body);
    let locals = reader.spanned(|reader| {
        for _ in 0..reader.number()? {
            reader.number()?;
            reader.byte()?;
        }
        Some(())
    })?;
    let mut new = locals.to_vec();
    while !reader.0.is_empty() {
        instruction(&mut reader, &mut new, renumber)?;
    }
    Some(new)
}

/// Instructions up to the `end` of an initial value.
fn expression(
    reader: &mut Reader,
    new: &mut Vec<u8>,
    renumber: &dyn Fn(usize) -> Option<usize>,
) -> Option<()> {
    while instruction(reader, new, renumber)? != END {}
    Some(())
}

const END: u8 = 0x0b;

/// Copies an instruction; its code. The numbers are those of the specification's binary format, section 5.4.
fn instruction(
    reader: &mut Reader,
    new: &mut Vec<u8>,
    renumber: &dyn Fn(usize) -> Option<usize>,
) -> Option<u8> {
    let code = reader.byte()?;
    new.push(code);
    // `call`, `return_call`, `ref.func`.
    if matches!(code, 0x10 | 0x12 | 0xd2) {
        put(new, renumber(reader.number()?)?);
        return Some(code);
    }
    let numbers = |reader: &mut Reader, count: usize| (0..count).try_for_each(|_| reader.skip());
    let operands = reader.spanned(|reader| match code {
        0x00 | 0x01 | 0x05 | END | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => Some(()),
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

/// What is left of the bytes that are read.
#[derive(Clone, Copy)]
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number in LEB128, of 32 bits.
    fn number(&mut self) -> Option<usize> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number in LEB128 of whatever size.
    fn skip(&mut self) -> Option<()> {
        while self.byte()? >= 0x80 {}
        Some(())
    }

    /// Bytes behind their count.
    fn sized(&mut self) -> Option<&'a [u8]> {
        let count = self.number()?;
        self.take(count)
    }

    /// The bytes that `read` goes over.
    fn spanned(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<&'a [u8]> {
        let before = self.0;
        read(self)?;
        before.get(..before.len() - self.0.len())
    }

    /// The kind and type of something imported.
    fn import(&mut self) -> Option<()> {
        let limits = |reader: &mut Self| {
            let has_most = reader.number()? & 1 == 1;
            reader.skip()?;
            if has_most { reader.skip() } else { Some(()) }
        };
        match self.byte()? {
            0 => self.skip(),
            1 => {
                self.byte()?;
                limits(self)
            }
            2 => limits(self),
            3 => self.take(2).map(drop),
            _ => None,
        }
    }
}

/// Writes a number in LEB128.
fn put(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_sized(bytes: &mut Vec<u8>, content: &[u8]) {
    put(bytes, content.len());
    bytes.extend(content);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Imports `f`; defines a function that calls `f` and the next one, and one that returns the constant 7.
    const MODULE: &[u8] = b"\0asm\x01\0\0\0\
        \x01\x08\x02\x60\0\0\x60\0\x01\x7f\
        \x02\x09\x01\x03env\x01f\0\0\
        \x03\x03\x02\0\x01\
        \x07\x05\x01\x01g\0\x02\
        \x08\x01\x01\
        \x0a\x0e\x02\x07\0\x10\0\x10\x02\x1a\x0b\x04\0\x41\x07\x0b";

    #[test]
    fn functions_change_places_and_are_still_called() {
        let module = Module::read(MODULE).expect("a module");
        let same = module.write(&[0, 1], str::to_owned).expect("a module");
        assert_eq!(same, MODULE);
        let turned = module.write(&[1, 0], |_| "i".into()).expect("a module");
        let expected = b"\0asm\x01\0\0\0\
            \x01\x08\x02\x60\0\0\x60\0\x01\x7f\
            \x02\x09\x01\x03env\x01i\0\0\
            \x03\x03\x02\x01\0\
            \x07\x05\x01\x01g\0\x01\
            \x08\x01\x02\
            \x0a\x0e\x02\x04\0\x41\x07\x0b\x07\0\x10\0\x10\x01\x1a\x0b";
        assert_eq!(turned, expected);
    }

    #[test]
    fn an_unknown_instruction_is_told() {
        let mut module = MODULE.to_vec();
        let constant = module.len() - 3;
        module[constant] = 0xff;
        let module = Module::read(&module).expect("a module");
        let message = module.write(&[0, 1], str::to_owned).expect_err("unknown");
        assert!(message.to_string().contains("instruction"), "{message}");
        assert!(Module::read(&MODULE[..MODULE.len() - 1]).is_err());
    }
}

//! A WebAssembly module that can be written anew: with its functions in another order, its imports under other names,
//! without some of its exports, or with other functions and data.

mod bytes;
mod code;

use std::{borrow::Cow, collections::HashMap};

use bytes::{Reader, put_signed, put_sized};
use code::{expression, renumbered};

pub use bytes::put;
pub use code::{CALL, END, UNREACHABLE};

use crate::failure::{Failure, Result};

const IMPORT: u8 = 2;
const FUNCTION: u8 = 3;
const GLOBAL: u8 = 6;
const EXPORT: u8 = 7;
const START: u8 = 8;
const ELEMENT: u8 = 9;
const CODE: u8 = 10;
const DATA: u8 = 11;
const CUSTOM: u8 = 0;
const HEADER: usize = 8;

/// A module, cut into sections and functions.
pub struct Module<'a> {
    header: &'a [u8],
    sections: Vec<(u8, Cow<'a, [u8]>)>,
    imports: Vec<Import<'a>>,
    /// What others may use.
    pub exports: Vec<Export<'a>>,
    /// The type of each function that it defines, as it stands in the file.
    types: Vec<&'a [u8]>,
    /// The locals and instructions of each function that it defines.
    pub bodies: Vec<Cow<'a, [u8]>>,
}

/// Something that others may use.
pub struct Export<'a> {
    pub name: &'a [u8],
    kind: u8,
    /// Its number among its kind; functions that are imported come first.
    pub index: usize,
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
            exports: vec![],
            types: vec![],
            bodies: vec![],
        };
        let mut reader = Reader(rest);
        while let Some(id) = reader.byte() {
            let content = reader.sized()?;
            module.sections.push((id, Cow::Borrowed(content)));
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
                EXPORT => {
                    for _ in 0..inside.number()? {
                        module.exports.push(Export {
                            name: inside.sized()?,
                            kind: inside.byte()?,
                            index: inside.number()?,
                        });
                    }
                }
                CODE => {
                    for _ in 0..inside.number()? {
                        module.bodies.push(Cow::Borrowed(inside.sized()?));
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

    /// How many functions it imports: the first that it defines has this number.
    pub fn imported_functions(&self) -> usize {
        let imports = self.imports.iter();
        imports.filter(|i| i.rest.first() == Some(&0)).count()
    }

    /// The functions' names for debugging, by their numbers.
    pub fn names(&self) -> HashMap<usize, &str> {
        let sections = self.sections.iter().filter(|(id, _)| *id == CUSTOM);
        sections
            .filter_map(|(_, content)| function_names(content))
            .flatten()
            .collect()
    }

    /// What memory holds at first: of each piece its address and its bytes. None if one has no address of its own.
    pub fn data(&self) -> Option<Vec<(usize, &[u8])>> {
        let mut pieces = vec![];
        for (_, content) in self.sections.iter().filter(|(id, _)| *id == DATA) {
            let mut reader = Reader(content);
            for _ in 0..reader.number()? {
                let (flags, constant) = (reader.number()?, reader.byte()?);
                let address = reader.number()?;
                if flags != 0 || constant != 0x41 || reader.byte()? != END {
                    return None;
                }
                pieces.push((address, reader.sized()?));
            }
        }
        Some(pieces)
    }

    /// Puts other bytes, as many, into memory at first.
    pub fn set_data(&mut self, pieces: &[(usize, Vec<u8>)]) {
        let mut content = vec![];
        put(&mut content, pieces.len());
        for (address, bytes) in pieces {
            content.extend([0, 0x41]);
            put_signed(&mut content, *address);
            content.push(END);
            put_sized(&mut content, bytes);
        }
        let sections = self.sections.iter_mut();
        for (_, old) in sections.filter(|(id, _)| *id == DATA) {
            *old = Cow::Owned(content.clone());
        }
    }

    /// The module with its functions in this order, and names for its imports. Names for debugging are left out where
    /// functions change places.
    pub fn write(&self, order: &[usize], import_name: impl Fn(&str) -> String) -> Result<Vec<u8>> {
        self.rewritten(order, import_name).ok_or_else(|| {
            Failure::new(
                "the page's program holds an instruction that this build does not know.",
                "teach xtask/src/module.rs the instruction.",
            )
        })
    }

    fn rewritten(&self, order: &[usize], import_name: impl Fn(&str) -> String) -> Option<Vec<u8>> {
        let imported = self.imported_functions();
        let is_same = order.iter().copied().eq(0..self.bodies.len());
        let mut places = vec![0; order.len()];
        for (place, &function) in order.iter().enumerate() {
            *places.get_mut(function)? = place;
        }
        let renumber = |function: usize| match function.checked_sub(imported) {
            Some(own) => places.get(own).map(|place| place + imported),
            None => Some(function),
        };
        let mut module = self.header.to_vec();
        for (id, content) in &self.sections {
            let id = *id;
            let content: &[u8] = content;
            let mut reader = Reader(content);
            let mut new = vec![];
            match id {
                CUSTOM if !is_same && Reader(content).sized()? == b"name" => continue,
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
                    put(&mut new, self.exports.len());
                    for Export { name, kind, index } in &self.exports {
                        put_sized(&mut new, name);
                        new.push(*kind);
                        put(
                            &mut new,
                            if *kind == 0 {
                                renumber(*index)?
                            } else {
                                *index
                            },
                        );
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

/// Of the section of names those of functions.
fn function_names(section: &[u8]) -> Option<Vec<(usize, &str)>> {
    const FUNCTIONS: u8 = 1;
    let mut reader = Reader(section);
    if reader.sized()? != b"name" {
        return None;
    }
    while let Some(id) = reader.byte() {
        let mut names = Reader(reader.sized()?);
        if id == FUNCTIONS {
            let count = names.number()?;
            return (0..count)
                .map(|_| Some((names.number()?, std::str::from_utf8(names.sized()?).ok()?)))
                .collect();
        }
    }
    None
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

//! `#[derive(Record)]`: how a record is read from a JSON value and written.
//!
//! It follows the attributes of `serde` that records have (and that the file's
//! schema is made from), but what it makes is a few calls a record, where
//! serde's own derive makes some kilobytes of WebAssembly for each. In exchange
//! it knows JSON alone, and what it makes calls `crate::json`.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Code;
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::token::Comma;
use syn::{
    Attribute, Data, DeriveInput, Error, Field, Fields, Ident, LitStr, Path, Result, Variant,
};

/// Implements `Read` and `Write` of `crate::json`.
///
/// Knows `deny_unknown_fields` (which a record has to have), `tag` and
/// `rename_all = "snake_case"` of a type; `default`, `rename` and
/// `skip_serializing_if` of a field.
#[proc_macro_derive(Record, attributes(serde))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    record(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

fn record(input: &DeriveInput) -> Result<Code> {
    let name = &input.ident;
    let Words { tag, .. } = Words::read(&input.attrs)?;
    let (read, write) = match (&input.data, tag) {
        (Data::Struct(data), None) => structure(name, &data.fields)?,
        (Data::Enum(data), None) => choice(name, &data.variants)?,
        (Data::Enum(data), Some(tag)) => tagged(name, &data.variants, &tag)?,
        _ => return Err(Error::new_spanned(name, "a record is a struct or an enum")),
    };
    Ok(quote! {
        impl crate::json::Read for #name {
            fn read(
                value: &crate::json::Value,
            ) -> std::result::Result<Self, crate::json::Faults> {
                use crate::json::{Fields, Variant};
                #read
            }
        }
        impl crate::json::Write for #name {
            fn write(&self, out: &mut crate::json::Writer) {
                #write
            }
        }
    })
}

/// What `#[serde(...)]` says of a type or a field.
#[derive(Default)]
struct Words {
    tag: Option<String>,
    rename: Option<String>,
    default: bool,
    skip_if: Option<Path>,
}

impl Words {
    fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut words = Self::default();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| {
                let word = meta.path.get_ident().map(Ident::to_string);
                match word.unwrap_or_default().as_str() {
                    "deny_unknown_fields" => {}
                    "default" => words.default = true,
                    "tag" => words.tag = Some(meta.value()?.parse::<LitStr>()?.value()),
                    "rename" => words.rename = Some(meta.value()?.parse::<LitStr>()?.value()),
                    "skip_serializing_if" => {
                        words.skip_if = Some(meta.value()?.parse::<LitStr>()?.parse()?);
                    }
                    "rename_all" if meta.value()?.parse::<LitStr>()?.value() == "snake_case" => {}
                    _ => return Err(meta.error("a record does not know this attribute")),
                }
                Ok(())
            })?;
        }
        Ok(words)
    }
}

/// A field: its identifier, its key in the file, and what is said of it.
fn field(field: &Field) -> Result<(&Ident, String, Words)> {
    let name = field.ident.as_ref();
    let name = name.ok_or_else(|| Error::new_spanned(field, "a record's fields have names"))?;
    let words = Words::read(&field.attrs)?;
    let key = words.rename.clone().unwrap_or_else(|| name.to_string());
    Ok((name, key, words))
}

/// How the fields of a record are read and written.
struct Members {
    /// Statements that take each field out of `fields` into a variable, none where it could not be read.
    take: Code,
    /// The initialisers of the fields from these variables, which end with none where one is missing.
    fields: Code,
    /// Statements that write the fields.
    write: Code,
    /// The fields' keys.
    keys: Vec<String>,
}

/// What `place` makes of a field is what is written.
fn members(fields: &Fields, place: impl Fn(&Ident) -> Code) -> Result<Members> {
    let mut members = Members {
        take: Code::new(),
        fields: Code::new(),
        write: Code::new(),
        keys: vec![],
    };
    for member in fields {
        let (name, key, words) = field(member)?;
        let variable = format_ident!("read_{name}");
        members.take.extend(if words.default {
            quote!(let #variable = fields.or_default(#key);)
        } else {
            quote!(let #variable = fields.required(#key);)
        });
        members.fields.extend(quote!(#name: #variable?,));
        let value = place(name);
        let written = quote!(out.field(#key, #value););
        members.write.extend(match words.skip_if {
            Some(skip) => quote!(if !#skip(#value) { #written }),
            None => written,
        });
        members.keys.push(key);
    }
    Ok(members)
}

fn structure(name: &Ident, fields: &Fields) -> Result<(Code, Code)> {
    let members = members(fields, |name| quote!(&self.#name))?;
    let Members {
        take,
        fields,
        write,
        keys,
    } = members;
    let what = format!("struct {name}");
    Ok((
        quote! {
            let mut fields = Fields::of(value, #what, &[#(#keys),*], "")?;
            #take
            fields.end((|| Some(Self { #fields }))())
        },
        quote! {
            out.begin("{");
            #write
            out.end("}");
        },
    ))
}

type Variants = Punctuated<Variant, Comma>;

/// An enum whose variants are `"name"` or `{ "name": content }`.
fn choice(name: &Ident, variants: &Variants) -> Result<(Code, Code)> {
    let keys: Vec<String> = variants.iter().map(|v| snake_case(&v.ident)).collect();
    let (mut read, mut write) = (Code::new(), Code::new());
    for (number, variant) in variants.iter().enumerate() {
        let (ident, key) = (&variant.ident, &keys[number]);
        match &variant.fields {
            Fields::Unit => {
                read.extend(quote!(#number => variant.nothing(Self::#ident),));
                write.extend(quote!(Self::#ident => out.text(#key),));
            }
            Fields::Unnamed(_) => {
                read.extend(quote!(#number => variant.one().map(Self::#ident),));
                write.extend(quote!(Self::#ident(content) => out.variant(#key, content),));
            }
            Fields::Named(_) => {
                let members = members(&variant.fields, |name| quote!(#name))?;
                let Members {
                    take,
                    fields,
                    write: written,
                    keys: own,
                } = members;
                let what = format!("struct variant {name}::{ident}");
                let names = variant.fields.iter().map(|field| &field.ident);
                read.extend(quote! {
                    #number => variant.fields(#what, &[#(#own),*], |fields| {
                        #take
                        Some(Self::#ident { #fields })
                    }),
                });
                write.extend(quote! {
                    Self::#ident { #(#names),* } => {
                        out.begin("{");
                        out.key(#key);
                        out.begin("{");
                        #written
                        out.end("}");
                        out.end("}");
                    }
                });
            }
        }
    }
    Ok((
        quote! {
            let variant = Variant::of(value, &[#(#keys),*])?;
            match variant.number {
                #read
                _ => Err(variant.unknown()),
            }
        },
        quote!(match self { #write }),
    ))
}

/// An enum whose variants are `{ "tag": "name", fields }`.
fn tagged(name: &Ident, variants: &Variants, tag: &str) -> Result<(Code, Code)> {
    let keys: Vec<String> = variants.iter().map(|v| snake_case(&v.ident)).collect();
    let (mut read, mut write) = (Code::new(), Code::new());
    for (number, variant) in variants.iter().enumerate() {
        let (ident, key) = (&variant.ident, &keys[number]);
        let members = members(&variant.fields, |name| quote!(#name))?;
        let Members {
            take,
            fields,
            write: written,
            keys: own,
        } = members;
        let what = format!("struct variant {name}::{ident}");
        let names = variant.fields.iter().map(|field| &field.ident);
        read.extend(quote! {
            #number => {
                let mut fields = Fields::of(value, #what, &[#(#own),*], #tag)?;
                #take
                fields.end((|| Some(Self::#ident { #fields }))())
            }
        });
        write.extend(quote! {
            Self::#ident { #(#names),* } => {
                out.field(#tag, &#key);
                #written
            }
        });
    }
    let what = format!("enum {name}");
    Ok((
        quote! {
            let variant = Variant::tagged(value, #what, #tag, &[#(#keys),*])?;
            match variant.number {
                #read
                _ => Err(variant.unknown()),
            }
        },
        quote! {
            out.begin("{");
            match self { #write }
            out.end("}");
        },
    ))
}

/// `PlanExists` is `plan_exists` in the file.
fn snake_case(name: &Ident) -> String {
    let mut snake = String::new();
    for letter in name.to_string().chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

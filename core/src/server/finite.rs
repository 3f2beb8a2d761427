//! Numbers that JSON does not have. Owns: finding them in a value that was written, where
//! they became `null`. Must not know: tools.

use std::fmt;

use serde::ser::{self, Serialize};

/// Where such a number is, and which.
#[derive(Debug)]
pub(super) struct NotFinite(String);

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotFinite {}

impl ser::Error for NotFinite {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// What is wrong with a value that was written as `text`. What is not finite was written as
/// `null`, and null is rare: most values are not looked at again.
pub(super) fn not_finite<T: Serialize>(value: &T, text: &str) -> Option<NotFinite> {
    if !text.contains("null") {
        return None;
    }
    value.serialize(&mut Walk { place: "structuredContent".to_owned() }).err()
}

/// Goes through a value and writes nothing.
struct Walk {
    place: String,
}

impl Walk {
    fn number(&self, number: f64) -> Result<(), NotFinite> {
        if number.is_finite() {
            return Ok(());
        }
        let place = &self.place;
        Err(NotFinite(format!("{place} is {number}: JSON has no such number; use null or text in its place")))
    }

    fn within<T: Serialize + ?Sized>(&mut self, step: &str, value: &T) -> Result<(), NotFinite> {
        let length = self.place.len();
        self.place.push_str(step);
        value.serialize(&mut *self)?;
        self.place.truncate(length);
        Ok(())
    }
}

/// The parts of a list or an object.
struct Parts<'a> {
    walk: &'a mut Walk,
    next: usize,
    key: String,
}

impl Parts<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        self.next += 1;
        self.walk.within(&format!("[{}]", self.next - 1), value)
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), NotFinite> {
        self.walk.within(&format!(".{name}"), value)
    }
}

macro_rules! nothing_to_see {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, _: $type) -> Result<(), NotFinite> {
            Ok(())
        })*
    };
}

impl<'a> ser::Serializer for &'a mut Walk {
    type Ok = ();
    type Error = NotFinite;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    nothing_to_see! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_unit_struct: &'static str
    }

    fn serialize_f32(self, number: f32) -> Result<(), NotFinite> {
        self.number(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<(), NotFinite> {
        self.number(number)
    }

    fn serialize_none(self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), NotFinite> {
        self.within(&format!(".{variant}"), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, NotFinite> {
        Ok(Parts { walk: self, next: 0, key: String::new() })
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, NotFinite> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, NotFinite> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, NotFinite> {
        self.serialize_seq(None)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, NotFinite> {
        self.serialize_seq(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, NotFinite> {
        self.serialize_seq(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, NotFinite> {
        self.serialize_seq(None)
    }
}

macro_rules! parts {
    ($($trait:ident: $name:ident),*) => {
        $(impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = NotFinite;

            fn $name<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
                self.element(value)
            }

            fn end(self) -> Result<(), NotFinite> {
                Ok(())
            }
        })*
    };
}

parts!(
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
);

macro_rules! members {
    ($($trait:ident),*) => {
        $(impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = NotFinite;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), NotFinite> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), NotFinite> {
                Ok(())
            }
        })*
    };
}

members!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = NotFinite;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotFinite> {
        // Numbers are names too, in quotes.
        self.key = serde_json::to_value(key).map_or_else(
            |_| String::new(),
            |key| match key {
                serde_json::Value::String(name) => name,
                other => other.to_string(),
            },
        );
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        let name = std::mem::take(&mut self.key);
        self.member(&name, value)
    }

    fn end(self) -> Result<(), NotFinite> {
        Ok(())
    }
}

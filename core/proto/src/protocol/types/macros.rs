//! Macros for the shapes the protocol repeats: open string enums, constant `type`
//! members, setters.
//!
//! Owns: what each of them writes. Must not know: any particular type.

/// An enum of known strings that keeps unknown ones in `Other`.
macro_rules! open_enum {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $vdoc:literal])* $variant:ident = $text:literal,)+ }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $vdoc])* $variant,)+
            /// A value this engine does not know, as it was on the wire.
            Other(String),
        }

        impl $name {
            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)+
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <std::borrow::Cow<'de, str>>::deserialize(deserializer).map(|text| Self::from(&*text))
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "description": concat!($($doc, "\n"),*).trim(),
                    "anyOf": [
                        $({"const": $text, "description": concat!($($vdoc, "\n"),*).trim()},)+
                        {"type": "string"},
                    ],
                })
            }
        }
    };
}

/// A type with one value, the constant of a `type` or `mode` member.
macro_rules! constant {
    ($(#[$meta:meta])* $name:ident = $text:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct $name;

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($text)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                if text == $text {
                    Ok(Self)
                } else {
                    Err(serde::de::Error::custom(concat!("expected \"", $text, "\"")))
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "string", "const": $text})
            }
        }
    };
}

/// Setters for optional members, to chain after a constructor.
macro_rules! setters {
    ($($(#[$meta:meta])* $field:ident: $kind:ty,)+) => {
        $(
            $(#[$meta])*
            #[must_use]
            pub fn $field(mut self, $field: impl Into<$kind>) -> Self {
                self.$field = Some($field.into());
                self
            }
        )+
    };
}

/// Setters that every field of a form has.
macro_rules! labels {
    ($($more:tt)*) => {
        setters! {
            /// Sets the label.
            title: String,
            /// Sets the explanation.
            description: String,
            $($more)*
        }
    };
}

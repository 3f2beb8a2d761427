//! `Methods.kt`: the names of methods, those of the table and any other.
//!
//! Must not know: what their requests and notifications are made of.

use super::messages::name_of;
use super::names::Names;
use super::text::{literal, upper};
use crate::api::{Api, MethodRow};
use std::fmt::Write as _;

const HEAD: &str = "package dev.mcpbolt

// The names of methods. Written by `cargo xtask generate`; do not edit.

/** The name of a method. */
public sealed interface Method {
    /** As it is sent. */
    public val value: String

    /** Those of the protocol. */
    public enum class Defined(override val value: String) : Method {
";

const TAIL: &str = "        ;

        override fun toString(): String = value
    }

    /** One that the protocol does not have. */
    public data class Custom(override val value: String) : Method {
        override fun toString(): String = value
    }

    public companion object {
        private val known = Defined.entries.associateBy { it.value }

        /** The method of a name: a [Defined] one, if the protocol has it. */
        public fun of(value: String): Method = known[value] ?: Custom(value)
    }
}
";

/// The file's text.
pub(super) fn write(api: &Api, names: &Names) -> String {
    let mut out = HEAD.to_owned();
    for row in &api.methods {
        let _ = writeln!(out, "        /** See [{}]. */", name_of(names, row));
        let _ = writeln!(out, "        {}({}),", upper(row.name), literal(row.name));
    }
    out.push_str(TAIL);
    out
}

/// What a method of the table is called.
pub(super) fn constant(row: &MethodRow) -> String {
    format!("Method.Defined.{}", upper(row.name))
}

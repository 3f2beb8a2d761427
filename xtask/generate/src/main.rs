//! Writes the generated files, or with `--check` says which are out of date.
//!
//! A program of its own, so that `cargo xtask` does not wait for the engine to
//! compile. Owns: which files there are. What they say is in the modules.
#![allow(clippy::print_stdout, reason = "a command line tool talks on stdout")]

mod api;
mod differences;
mod errors;
mod kotlin;
mod limits;
mod methods;
mod python;
mod swift;
mod typescript;
mod words;

use std::path::Path;
use std::process::ExitCode;

/// A generated file: path from the top, and what it says.
type Product = (String, String);

fn products() -> Result<Vec<Product>, String> {
    let api = api::read()?;
    let mut products = vec![
        ("docs/reference/methods.md".to_owned(), methods::page()),
        ("docs/reference/limits.md".to_owned(), limits::page()),
        ("docs/reference/errors.md".to_owned(), errors::page()),
        ("docs/differences.md".to_owned(), differences::page()?),
        ("core/api.json".to_owned(), api.to_json()),
    ];
    products.extend(python::products(&api)?);
    products.extend(typescript::products(&api)?);
    products.extend(swift::products(&api)?);
    products.extend(kotlin::products(&api)?);
    Ok(products)
}

fn main() -> ExitCode {
    let check = std::env::args().nth(1).is_some_and(|arg| arg == "--check");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let products = match products() {
        Ok(products) => products,
        Err(why) => {
            println!("    generate: {why}");
            return ExitCode::FAILURE;
        }
    };
    let mut good = true;
    for (path, text) in products {
        let file = root.join(&path);
        if std::fs::read_to_string(&file).is_ok_and(|found| found == text) {
            continue;
        }
        if check {
            println!("    {path} is out of date");
            good = false;
        } else if let Err(why) = std::fs::write(&file, text) {
            println!("    {path}: {why}");
            good = false;
        } else {
            println!("    wrote {path}");
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

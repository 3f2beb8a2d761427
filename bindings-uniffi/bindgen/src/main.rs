//! Writes the Kotlin and Swift sources of a built library: `mcpbolt-bindgen LIBRARY
//! CONFIG OUT`. A program of its own, so that nothing of the generator is linked into the
//! library.

use std::process::ExitCode;

use uniffi_bindgen::bindings::{GenerateOptions, TargetLanguage, generate};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, config, out] = arguments.as_slice() else {
        eprintln!("usage: mcpbolt-bindgen LIBRARY CONFIG OUT");
        return ExitCode::from(2);
    };
    for (language, folder) in [(TargetLanguage::Kotlin, "kotlin"), (TargetLanguage::Swift, "swift")] {
        let options = GenerateOptions {
            languages: vec![language],
            source: library.into(),
            out_dir: format!("{out}/{folder}").into(),
            config_override: Some(config.into()),
            ..GenerateOptions::default()
        };
        if let Err(e) = generate(options) {
            eprintln!("{folder}: {e:?}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

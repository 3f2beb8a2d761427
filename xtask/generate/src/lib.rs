//! The examples of the READMEs and of the guide, as documentation tests: they compile
//! and hold.

/// README.md
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// README.zh-CN.md
#[doc = include_str!("../../../README.zh-CN.md")]
pub struct ReadmeZh;

/// The chapters of docs/guide.
pub mod guide {
    macro_rules! chapters {
        ($($name:ident = $file:literal,)*) => {
            $(
                #[doc = include_str!(concat!("../../../docs/guide/", $file))]
                pub struct $name;
            )*

            /// Their files.
            pub const FILES: &[&str] = &[$($file),*];
        };
    }

    chapters! {
        Readme = "README.md",
        CoreArchitecture = "core-architecture.md",
        Tools = "tools.md",
        Resources = "resources.md",
        Prompts = "prompts.md",
        Sampling = "sampling.md",
        Roots = "roots.md",
        Elicitation = "elicitation.md",
        Extensions = "extensions.md",
        Transports = "transports.md",
        Security = "security.md",
        Authorization = "authorization.md",
        Skills = "skills.md",
        Tasks = "tasks.md",
        Debugging = "debugging.md",
        CommandLine = "command-line.md",
        Deploy = "deploy.md",
        Nodes = "nodes.md",
    }
}

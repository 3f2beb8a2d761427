//! The examples of the READMEs, as documentation tests: they compile and hold.

/// README.md
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// README.zh-CN.md
#[doc = include_str!("../../../README.zh-CN.md")]
pub struct ReadmeZh;

//! What both programs do alike.
//!
//! Owns: where they log. Must not know: what they do.

/// Logs everything to standard error where `LOG_EVERYTHING` is set: the test looks for secrets
/// in it.
pub fn log() {
    if std::env::var_os("LOG_EVERYTHING").is_some() {
        let subscriber = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false);
        subscriber.with_max_level(tracing_subscriber::filter::LevelFilter::TRACE).init();
    }
}

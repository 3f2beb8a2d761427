//! What a peer claims, kept apart from what is believed.
//!
//! Owns: the wrapper, and the caps on what a server may hand a client. Must not know:
//! who decides whom to trust.

/// A claim of a peer's, and whether the program trusts that peer. Its value cannot be
/// used by mistake: [`Untrusted::believed`] has it only if the peer is trusted,
/// [`Untrusted::claimed`] says in code that a mere claim is used.
///
/// ```
/// use mcpbolt_proto::policy::trust::Untrusted;
///
/// let read_only = Untrusted::new(true);
/// assert_eq!(read_only.believed(), None);
/// assert_eq!(read_only.claimed(), &true);
/// assert_eq!(Untrusted::trusted(true).believed(), Some(&true));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untrusted<T> {
    value: T,
    trusted: bool,
}

impl<T> Untrusted<T> {
    /// A claim that any server may make.
    pub const fn new(value: T) -> Self {
        Self { value, trusted: false }
    }

    /// A claim of a peer that the program trusts.
    pub const fn trusted(value: T) -> Self {
        Self { value, trusted: true }
    }

    /// What is claimed, true or not: to show it, never to decide by it.
    pub const fn claimed(&self) -> &T {
        &self.value
    }

    /// What is claimed, if the peer is trusted.
    pub fn believed(&self) -> Option<&T> {
        self.trusted.then_some(&self.value)
    }

    /// Whether the peer is trusted.
    pub const fn is_trusted(&self) -> bool {
        self.trusted
    }
}

/// Most that a server may hand a client.
///
/// ```
/// use mcpbolt_proto::policy::trust::ResultCaps;
///
/// let caps = ResultCaps { max_list_items: 500, ..ResultCaps::default() };
/// assert!(caps.list(500).is_ok() && caps.list(501).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultCaps {
    /// Largest result in bytes. Only the cap on messages by default.
    pub max_result_bytes: Option<u64>,
    /// Most items of a list, all pages together. 100,000.
    pub max_list_items: usize,
    /// Most pages of a list. 10,000.
    pub max_pages: usize,
    /// How deep sampling may nest: a model that a server asked calls a tool, whose
    /// server asks a model, and so on. 4.
    pub max_nested_sampling: usize,
}

impl Default for ResultCaps {
    fn default() -> Self {
        Self { max_result_bytes: None, max_list_items: 100_000, max_pages: 10_000, max_nested_sampling: 4 }
    }
}

impl ResultCaps {
    /// Whether a result of so many bytes may be taken.
    ///
    /// # Errors
    /// What is too large.
    pub fn result(&self, bytes: usize) -> Result<(), String> {
        match self.max_result_bytes {
            Some(most) if bytes as u64 > most => {
                Err(format!("the result of {bytes} bytes is larger than max_result_bytes, {most}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether a list may have so many items.
    ///
    /// # Errors
    /// What is too long.
    pub fn list(&self, items: usize) -> Result<(), String> {
        let most = self.max_list_items;
        if items > most {
            Err(format!("the list has more items than max_list_items, {most}"))
        } else {
            Ok(())
        }
    }

    /// Whether sampling may go so deep.
    pub fn nests(&self, depth: usize) -> bool {
        depth <= self.max_nested_sampling
    }
}

//! Signing in at servers that want a token. Owns: which connections it is for. Must not know:
//! browsers and keychains, which the inbox asks for, and how tokens are got.

use std::sync::Arc;

use mcpbolt::bridge::{HostDpopKey, HostSignIn};

use crate::client::EngineClient;
use crate::error::{Result, raw};
use crate::inbox::EngineInbox;

/// Signs in for any number of connections, which share the tokens of their server.
#[derive(uniffi::Object)]
pub struct EngineSignIn(HostSignIn);

#[uniffi::export]
impl EngineSignIn {
    /// Options as JSON text. What the program has to do is asked on this inbox.
    #[uniffi::constructor]
    pub fn new(options: String, inbox: Arc<EngineInbox>) -> Result<Self> {
        Ok(Self(HostSignIn::new(&raw(options)?, &inbox.inner)?))
    }

    /// As the client's `open`, for a URL; requests carry a token once the server wants one.
    pub fn open(&self, client: Arc<EngineClient>, target: String) -> Result<u64> {
        Ok(self.0.open(&client.0, &raw(target)?)?)
    }

    /// Forgets the tokens for a target's server and has them revoked; a `response` with the
    /// number returned says whether that could be done.
    pub fn sign_out(&self, target: String) -> Result<u64> {
        Ok(self.0.sign_out(&raw(target)?)?)
    }
}

/// A key that tokens are bound to (DPoP, RFC 9449).
#[derive(uniffi::Record)]
pub struct EngineDpopKey {
    /// Private and public part in DER (PKCS#8).
    pub pkcs8: Vec<u8>,
    /// The thumbprint of its public part (RFC 7638).
    pub thumbprint: String,
}

/// Reads the key in this DER (PKCS#8); without one makes a new key.
#[uniffi::export]
pub fn dpop_key(pkcs8: Option<Vec<u8>>) -> Result<EngineDpopKey> {
    let key = HostDpopKey::new(pkcs8.as_deref())?;
    Ok(EngineDpopKey { pkcs8: key.pkcs8().to_vec(), thumbprint: key.thumbprint() })
}

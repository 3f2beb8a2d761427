//! Signed states of a program, in the official format.

use mcpbolt::seal;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

/// Signs text with a key of the program's.
#[napi]
pub struct Signer(seal::Signer);

#[napi]
impl Signer {
    /// A signer with a secret key.
    #[napi(constructor)]
    pub fn new(key: Uint8Array) -> Self {
        Self(seal::Signer::new(&key))
    }

    /// Signs a body. The result is text for URLs.
    #[napi]
    pub fn sign(&self, body: String) -> String {
        self.0.sign(body.as_bytes())
    }

    /// Opens signed text. Its error says `malformed` or `mac`.
    #[napi]
    pub fn open(&self, text: String) -> napi::Result<String> {
        let body = self.0.open(&text).map_err(|why| napi::Error::from_reason(why.to_string()))?;
        String::from_utf8(body).map_err(|_| napi::Error::from_reason("malformed"))
    }

    /// A digest of an owner's name.
    #[napi]
    pub fn owner(&self, name: String) -> String {
        self.0.owner(&name)
    }

    /// Whether a digest is that of an owner's name.
    #[napi]
    pub fn is_owner(&self, digest: String, name: String) -> bool {
        self.0.is_owner(&digest, &name)
    }
}

//! Proofs that the sender of a token has the key it is bound to (DPoP, RFC 9449).
//!
//! Owns: what a proof has to say. Must not know: signatures, which proofs were seen before.

use std::time::Duration;

use serde_json::{Map, Value};
use url::Url;

use super::refusal::TokenRefusal;
use crate::auth::dpop::{thumbprint, token_hash};

/// Longest proof that is looked at, in bytes.
pub const MAX_PROOF: usize = 8 * 1024;
/// How far the time of a proof may be from the server's, before and after.
pub const PROOF_WINDOW: Duration = Duration::from_mins(5);
/// Longest id of a proof, in bytes.
const MAX_ID: usize = 256;

/// What a proof has to fit.
///
/// ```
/// use mcpbolt_proto::auth::dpop::token_hash;
/// use mcpbolt_proto::auth::resource_server::ProofRules;
/// use std::time::Duration;
///
/// let rules = ProofRules {
///     method: "POST",
///     url: "https://mcp.example.com/mcp",
///     token: "mF_9.Bxf-4.JqM",
///     key_thumbprint: Some("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"),
///     now: Duration::from_secs(1_800_000_000),
/// };
/// let claims = serde_json::json!({
///     "jti": "e1j3V_bKic8-LAEB", "htm": "POST", "htu": "https://mcp.example.com/mcp?x",
///     "iat": 1_800_000_100, "ath": token_hash(rules.token),
/// });
/// let key = serde_json::json!({
///     "kty": "EC", "crv": "P-256",
///     "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
///     "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
/// });
/// let proof = rules.judge(key.as_object().unwrap(), claims.as_object().unwrap())?;
/// assert_eq!(proof.id, "e1j3V_bKic8-LAEB");
/// # Ok::<(), mcpbolt_proto::auth::resource_server::TokenRefusal>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ProofRules<'a> {
    /// The method of the request.
    pub method: &'a str,
    /// The URL of the request as its sender knows it; query and fragment do not count.
    pub url: &'a str,
    /// The token that came with the proof.
    pub token: &'a str,
    /// The thumbprint of the key that the token is bound to. A token that is bound to none
    /// cannot be proved.
    pub key_thumbprint: Option<&'a str>,
    /// The time since 1970.
    pub now: Duration,
}

/// A proof that fits.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::AcceptedProof;
/// use std::time::Duration;
///
/// let proof = AcceptedProof { id: "e1j3V".into(), nonce: None, ends_in: Duration::from_secs(300) };
/// assert!(proof.nonce.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedProof {
    /// Its id: within the time below another proof of this key may not have it.
    pub id: String,
    /// The server's nonce that it repeats.
    pub nonce: Option<String>,
    /// How long the proof would still be taken.
    pub ends_in: Duration,
}

impl ProofRules<'_> {
    /// Judges the claims of a proof that was signed with this key.
    pub fn judge(
        &self,
        key: &Map<String, Value>,
        claims: &Map<String, Value>,
    ) -> Result<AcceptedProof, TokenRefusal> {
        let refused = |why| Err(TokenRefusal::Proof(why));
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let Some(thumbprint) = thumbprint(key).filter(|_| !key.contains_key("d")) else {
            return refused("its jwk has to be a public key for signatures");
        };
        if self.key_thumbprint != Some(&thumbprint) {
            return refused("it is by another key than the token is bound to");
        }
        if text("ath") != Some(&token_hash(self.token)) {
            return refused("ath has to be the hash of this token");
        }
        if text("htm") != Some(self.method) {
            return refused("htm has to be the method of this request");
        }
        if text("htu").and_then(bare).is_none_or(|url| Some(url) != bare(self.url)) {
            return refused("htu has to be the URL of this request");
        }
        let made = claims.get("iat").and_then(Value::as_f64).unwrap_or(f64::NEG_INFINITY);
        let (age, window) = (self.now.as_secs_f64() - made, PROOF_WINDOW.as_secs_f64());
        if age.is_nan() || age.abs() > window {
            return refused("iat has to be the present time");
        }
        let Some(id) = text("jti").filter(|id| (1..=MAX_ID).contains(&id.len())) else {
            return refused("jti has to be a text of 1 to 256 bytes");
        };
        Ok(AcceptedProof {
            id: id.to_owned(),
            nonce: text("nonce").map(str::to_owned),
            ends_in: Duration::from_secs_f64(window - age),
        })
    }
}

/// A URL in its usual spelling, without query and fragment.
fn bare(text: &str) -> Option<Url> {
    let mut url = Url::parse(text).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(change: &Value) -> Result<AcceptedProof, TokenRefusal> {
        let key = json!({"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
        let rules = ProofRules {
            method: "POST",
            url: "https://r.example/mcp",
            token: "t",
            key_thumbprint: Some("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
            now: Duration::from_secs(1000),
        };
        let mut claims = json!({
            "jti": "1", "htm": "POST", "htu": "https://r.example/mcp", "iat": 1000, "ath": token_hash("t"),
        });
        claims.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        rules.judge(key.as_object().unwrap(), claims.as_object().unwrap())
    }

    #[test]
    fn proofs_that_fit() {
        for change in [
            json!({}),
            json!({"htu": "HTTPS://R.example:443/mcp?a=b#c"}),
            json!({"iat": 1300}),
            json!({"iat": 700.5}),
        ] {
            assert!(judged(&change).is_ok(), "{change}");
        }
        assert_eq!(judged(&json!({"iat": 800})).unwrap().ends_in, Duration::from_secs(100));
        assert_eq!(judged(&json!({"iat": 1200})).unwrap().ends_in, Duration::from_secs(500));
    }

    #[test]
    fn proofs_that_do_not() {
        for change in [
            json!({"htm": "GET"}),
            json!({"htu": "https://r.example/other"}),
            json!({"htu": "http://r.example/mcp"}),
            json!({"htu": "/mcp"}),
            json!({"iat": 1301}),
            json!({"iat": 699}),
            json!({"iat": "1000"}),
            json!({"ath": token_hash("u")}),
            json!({"ath": null}),
            json!({"jti": ""}),
            json!({"jti": "x".repeat(257)}),
        ] {
            assert_eq!(judged(&change).unwrap_err().error_code(), Some("invalid_dpop_proof"), "{change}");
        }
    }
}

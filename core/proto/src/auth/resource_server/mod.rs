//! What a resource server decides: whether a token is meant for it, and what it says if not.
//!
//! Owns: reading the token of a request, the claims of a token, the rules they have to meet,
//! refusals with their status and challenge, and the document by which the server names itself
//! and those it trusts. Must not know: signatures, key sets, HTTP, which operation needs which
//! scope.

mod bearer;
mod claims;
mod document;
mod presented;
mod proof;
mod refusal;
mod rules;

pub use bearer::BearerRules;
pub use claims::TokenClaims;
pub use document::ResourceDocument;
pub use presented::{MAX_TOKEN, Presented};
pub use proof::{AcceptedProof, MAX_PROOF, PROOF_WINDOW, ProofRules};
pub use refusal::{Challenger, TokenRefusal};
pub use rules::{TokenRules, missing};

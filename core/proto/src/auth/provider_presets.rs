//! Identity providers that many programs use, as data: how their issuer is named, and in what
//! they differ from a plain OpenID Connect provider.
//!
//! Owns: the table. Must not know: how tokens are verified; no code depends on a provider. What
//! the rows say is what the providers document; only Keycloak is tested here.

use super::error::AuthError;

/// What a provider's access tokens are to others.
///
/// ```
/// use mcpbolt_proto::auth::provider_presets::{ProviderPreset, TokenForm};
///
/// let google = ProviderPreset::named("google").map(|preset| preset.tokens);
/// assert_eq!(google, Some(TokenForm::Opaque));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenForm {
    /// Signed JWTs, whose keys the metadata name.
    Signed,
    /// Opaque, or meant for the provider's own interfaces: they cannot be verified by others. Put an
    /// authorization server of your own in front, which signs users in there.
    Opaque,
}

/// One provider.
///
/// ```
/// use mcpbolt_proto::auth::provider_presets::{PRESETS, ProviderPreset, TokenForm};
///
/// let entra = ProviderPreset::named("entra").unwrap();
/// let issuer = entra.issuer(&[("tenant", "contoso")])?;
/// assert_eq!(issuer, "https://login.microsoftonline.com/contoso/v2.0");
/// assert_eq!(entra.tokens, TokenForm::Signed);
/// assert!(PRESETS.iter().filter(|preset| preset.tested).all(|preset| preset.name == "keycloak"));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderPreset {
    /// The name in options.
    pub name: &'static str,
    /// The issuer, with the names of what is to be filled in between braces.
    pub issuer: &'static str,
    /// What its access tokens are.
    pub tokens: TokenForm,
    /// Whether tokens name the server they are for. Where not, say under `audiences` what they
    /// name instead.
    pub names_resource: bool,
    /// What is different, for people.
    pub note: &'static str,
    /// Whether it is tested here.
    pub tested: bool,
}

/// The table.
pub const PRESETS: &[ProviderPreset] = &[
    ProviderPreset {
        name: "oidc",
        issuer: "{issuer}",
        tokens: TokenForm::Signed,
        names_resource: true,
        note: "Any OpenID Connect provider, by its issuer URL.",
        tested: false,
    },
    ProviderPreset {
        name: "auth0",
        issuer: "https://{domain}/",
        tokens: TokenForm::Signed,
        names_resource: false,
        note: "The issuer ends with a slash. Tokens are opaque unless the client asks for the audience of an API; \
               name that API under audiences.",
        tested: false,
    },
    ProviderPreset {
        name: "cognito",
        issuer: "https://cognito-idp.{region}.amazonaws.com/{pool}",
        tokens: TokenForm::Signed,
        names_resource: false,
        note: "Access tokens have an audience only where resource binding is switched on for the user pool; \
               without it they are refused.",
        tested: false,
    },
    ProviderPreset {
        name: "entra",
        issuer: "https://login.microsoftonline.com/{tenant}/v2.0",
        tokens: TokenForm::Signed,
        names_resource: false,
        note: "The audience is the application's id or its App ID URI: name it under audiences. Ask for version 2 \
               tokens in the manifest. Clients do not register themselves.",
        tested: false,
    },
    ProviderPreset {
        name: "github",
        issuer: "https://github.com/login/oauth",
        tokens: TokenForm::Opaque,
        names_resource: false,
        note: "No OpenID Connect for users, and tokens are for GitHub's own interfaces.",
        tested: false,
    },
    ProviderPreset {
        name: "google",
        issuer: "https://accounts.google.com",
        tokens: TokenForm::Opaque,
        names_resource: false,
        note: "Access tokens are for Google's own interfaces.",
        tested: false,
    },
    ProviderPreset {
        name: "keycloak",
        issuer: "{url}/realms/{realm}",
        tokens: TokenForm::Signed,
        names_resource: false,
        note: "Tokens name a server only through an audience mapper of the client scope; name what it writes under \
               audiences.",
        tested: true,
    },
    ProviderPreset {
        name: "okta",
        issuer: "https://{domain}/oauth2/{server}",
        tokens: TokenForm::Signed,
        names_resource: false,
        note: "Use a custom authorization server, such as default; its audience is api://default unless changed. \
               Tokens of the organization's own server are opaque.",
        tested: false,
    },
    ProviderPreset {
        name: "workos",
        issuer: "https://{domain}",
        tokens: TokenForm::Signed,
        names_resource: true,
        note: "AuthKit; the domain is that of the environment. Clients may register themselves.",
        tested: false,
    },
];

impl ProviderPreset {
    /// The row of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The issuer with these values filled in.
    ///
    /// # Errors
    /// `Url` if one is missing, empty or would leave its place in the URL.
    pub fn issuer(&self, values: &[(&str, &str)]) -> Result<String, AuthError> {
        let wrong = |why| AuthError::Url { field: "issuer", why };
        let mut text = self.issuer.to_owned();
        for (name, value) in values {
            let whole = matches!(*name, "issuer" | "url");
            if value.is_empty() || (!whole && value.contains(['/', '?', '#', '@', '\\', '{'])) {
                return Err(wrong("a value for the provider is empty, or has characters that no name has"));
            }
            text = text.replace(
                &format!("{{{name}}}"),
                value.strip_suffix('/').filter(|_| *name == "url").unwrap_or(value),
            );
        }
        if text.contains('{') {
            return Err(wrong(
                "a value for the provider is missing; its issuer names what is to be filled in",
            ));
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuers_are_filled_in_and_nothing_else_is() {
        let keycloak = ProviderPreset::named("keycloak").unwrap();
        let values = [("url", "https://id.example/"), ("realm", "main")];
        assert_eq!(keycloak.issuer(&values).unwrap(), "https://id.example/realms/main");
        assert!(keycloak.issuer(&values[..1]).is_err());
        assert!(keycloak.issuer(&[("url", "https://id.example"), ("realm", "../x")]).is_err());
        let auth0 = ProviderPreset::named("auth0").unwrap();
        assert_eq!(auth0.issuer(&[("domain", "a.example")]).unwrap(), "https://a.example/");
        assert!(auth0.issuer(&[("domain", "a.example@evil.example")]).is_err());
    }

    #[test]
    fn names_are_in_order_and_come_once() {
        let names: Vec<&str> = PRESETS.iter().skip(1).map(|preset| preset.name).collect();
        assert!(names.is_sorted() && names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

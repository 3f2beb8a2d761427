//! The phases that find out whose tokens a server takes.
//!
//! Owns: going from place to place, the choice among several authorization servers, and
//! what is assumed of servers without metadata. Must not know: clients and tokens.

use super::machine::{Machine, Next, Phase, ResourceSearch, Role, ServerSearch};
use super::options::{DefaultEndpoints, FailureEnds, GrantFlow};
use super::step::{Event, KnownServer, Step};
use crate::auth::discovery::{
    IssuerMatch, PlaceKind, Verdict, is_same_issuer, judge_resource, judge_server, origin_places,
    resource_places, server_places,
};
use crate::auth::endpoint;
use crate::auth::error::{AuthError, Document};
use crate::auth::fetch::{Answer, Fetch, Rules};
use crate::auth::metadata::{AuthorizationServerMetadata, ProtectedResourceMetadata};
use crate::auth::registration::ClientOrigin;
use crate::protocol::Revision;

impl Machine {
    /// Begins with the metadata of the resource.
    pub(super) fn find_resource(&mut self, challenge: Option<&str>) -> Next {
        if let Some(issuer) = self.options.issuer.clone().filter(|_| self.options.skip_resource) {
            self.state.server = None;
            let resource = self.stored.resource.clone();
            if let Some(metadata) = &resource {
                let (url, matching) = (&self.options.server_url, self.options.compatibility.resource);
                if !matching.holds(&metadata.resource, url, PlaceKind::Root) {
                    return Err(AuthError::ResourceMismatch { expected: self.resource.clone() });
                }
            }
            return self.find_named(issuer, resource);
        }
        let found = resource_places(challenge, &self.options.server_url, &self.guard)?;
        self.state.server = None;
        self.look_for_resource(ResourceSearch { places: found.places, at: 0, problem: found.refused })
    }

    fn look_for_resource(&mut self, search: ResourceSearch) -> Next {
        if let Some(place) = search.places.get(search.at) {
            let step = self.document(&place.url);
            self.state.phase = Phase::FindResource(search);
            return Ok(step);
        }
        if let Some(problem) = search.problem.filter(|problem| self.is_telling(problem)) {
            return Err(problem);
        }
        if self.options.compatibility.default_endpoints == DefaultEndpoints::Never {
            return Err(AuthError::NoResourceMetadata);
        }
        let origin = endpoint::origin(&endpoint::read("server URL", &self.options.server_url)?);
        let issuer = self.chosen(&[origin])?;
        let places = if self.options.compatibility.origin_as_issuer {
            server_places(&issuer, &self.guard)?
        } else {
            origin_places(&issuer)
        };
        self.look_for_server(ServerSearch {
            role: Role::Itself,
            issuer,
            resource: None,
            places,
            at: 0,
            problem: None,
        })
    }

    /// Whether a problem of a search means more than that there is no document. Servers that
    /// answer every path with a page are taken for servers without metadata where endpoints
    /// may be assumed.
    fn is_telling(&self, problem: &AuthError) -> bool {
        let assumed = self.options.compatibility.default_endpoints;
        let of_resource = matches!(
            problem,
            AuthError::Url { field: "resource_metadata", .. }
                | AuthError::Malformed { document: Document::ProtectedResource, .. }
                | AuthError::Unavailable { document: Document::ProtectedResource, .. }
        );
        if of_resource && self.options.compatibility.origin_as_issuer {
            return false;
        }
        let always = matches!(assumed, DefaultEndpoints::Always | DefaultEndpoints::AtServer);
        let failing =
            matches!(problem, AuthError::Unavailable { document: Document::AuthorizationServer, .. });
        let ignored = matches!(problem, AuthError::Malformed { .. })
            || (failing && assumed == DefaultEndpoints::AtServer);
        !(always && ignored)
    }

    /// The endpoints of 2025-03-26 for an issuer.
    fn assumed(&self, issuer: &str) -> Result<AuthorizationServerMetadata, AuthError> {
        let base = match self.options.compatibility.default_endpoints {
            DefaultEndpoints::AtServer => &self.options.server_url,
            _ => issuer,
        };
        Ok(AuthorizationServerMetadata::assumed(&endpoint::origin(&endpoint::read("issuer", base)?)))
    }

    pub(super) fn resource_came(&mut self, event: Event, mut search: ResourceSearch) -> Next {
        let verdict = match came(event, Document::ProtectedResource)? {
            Ok(answer) => {
                let (url, kind) = (&self.options.server_url, search.places[search.at].kind);
                let rules = Rules::document(self.guard);
                judge_resource(&answer, kind, url, self.options.compatibility.resource, &rules)
            }
            Err(unreachable) => Verdict::Elsewhere(Some(unreachable)),
        };
        match verdict {
            Verdict::Use(metadata) => self.resource_found(metadata),
            Verdict::Elsewhere(more) => {
                search.at += 1;
                search.problem = graver(search.problem, more);
                self.look_for_resource(search)
            }
            Verdict::Stop(why) => Err(why),
        }
    }

    fn resource_found(&mut self, metadata: ProtectedResourceMetadata) -> Next {
        let issuer = self.chosen(&metadata.authorization_servers)?;
        self.find_named(issuer, Some(metadata))
    }

    fn find_named(&mut self, issuer: String, resource: Option<ProtectedResourceMetadata>) -> Next {
        let places = server_places(&issuer, &self.guard)?;
        self.look_for_server(ServerSearch {
            role: Role::Named,
            issuer,
            resource,
            places,
            at: 0,
            problem: None,
        })
    }

    /// The issuer that the program wants; else one that a configured client is registered
    /// at; else the first.
    fn chosen(&self, issuers: &[String]) -> Result<String, AuthError> {
        let first = issuers.first().cloned().unwrap_or_default();
        let late = self.options.compatibility.late_issuer;
        if let Some(wanted) = &self.options.issuer {
            let found = issuers.iter().find(|issuer| is_same_issuer(issuer, wanted));
            return match found {
                Some(issuer) => Ok(issuer.clone()),
                None if late => Ok(first),
                None => Err(AuthError::ClientBoundElsewhere { bound: wanted.clone(), current: first }),
            };
        }
        let registered = |issuer: &&String| {
            self.stored.clients.iter().any(|client| {
                client.origin == ClientOrigin::PreRegistered
                    && client.issuer.as_deref().is_some_and(|of| is_same_issuer(of, issuer))
            })
        };
        Ok(issuers.iter().find(registered).cloned().unwrap_or(first))
    }

    /// Looks for the company's identity provider.
    pub(super) fn find_identity_provider(&mut self, issuer: &str) -> Next {
        let places = server_places(issuer, &self.guard)?;
        self.look_for_server(ServerSearch {
            role: Role::IdentityProvider,
            issuer: issuer.to_owned(),
            resource: None,
            places,
            at: 0,
            problem: None,
        })
    }

    fn look_for_server(&mut self, search: ServerSearch) -> Next {
        if let Some(url) = search.places.get(search.at) {
            let step = self.document(url);
            self.state.phase = Phase::FindServer(Box::new(search));
            return Ok(step);
        }
        if let Some(problem) = search.problem.filter(|problem| self.is_telling(problem)) {
            return Err(problem);
        }
        let assumed = match self.options.compatibility.default_endpoints {
            DefaultEndpoints::Never | DefaultEndpoints::Published => false,
            DefaultEndpoints::OldServers => search.role == Role::Itself,
            DefaultEndpoints::Always | DefaultEndpoints::AtServer => search.role != Role::IdentityProvider,
        };
        if !assumed {
            return Err(AuthError::NoServerMetadata { issuer: search.issuer });
        }
        let paths = self.assumed(&search.issuer)?;
        let metadata = AuthorizationServerMetadata { issuer: search.issuer, ..paths };
        self.server_found(KnownServer { metadata, is_assumed: true, resource: search.resource })
    }

    pub(super) fn server_came(&mut self, event: Event, mut search: ServerSearch) -> Next {
        let verdict = match came(event, Document::AuthorizationServer)? {
            Ok(answer) => {
                let rules = Rules::document(self.guard);
                judge_server(&answer, &search.issuer, self.issuer_match(&search), &rules)
            }
            Err(unreachable) => Verdict::Elsewhere(Some(unreachable)),
        };
        match verdict {
            Verdict::Use(metadata) if search.role == Role::IdentityProvider => {
                let missing = AuthError::Unsupported { field: "token_endpoint", missing: "an endpoint" };
                self.state.exchange_at = Some(metadata.token_endpoint.ok_or(missing)?);
                self.exchange_identity()
            }
            Verdict::Use(mut metadata) => {
                let registers = match self.options.compatibility.default_endpoints {
                    DefaultEndpoints::Never | DefaultEndpoints::OldServers | DefaultEndpoints::Published => {
                        false
                    }
                    DefaultEndpoints::Always => search.role == Role::Itself,
                    DefaultEndpoints::AtServer => true,
                };
                if registers && metadata.registration_endpoint.is_none() {
                    metadata.registration_endpoint = self.assumed(&search.issuer)?.registration_endpoint;
                }
                self.server_found(KnownServer { metadata, is_assumed: false, resource: search.resource })
            }
            Verdict::Elsewhere(more) => {
                let ends = self.options.compatibility.failure_ends;
                let ends = match &more {
                    Some(AuthError::Unavailable { status: Some(status), .. }) => ends.ends(*status),
                    Some(AuthError::IssuerMismatch { .. }) => ends != FailureEnds::Never,
                    _ => false,
                };
                search.at = if ends { search.places.len() } else { search.at + 1 };
                search.problem = graver(search.problem, more);
                self.look_for_server(search)
            }
            Verdict::Stop(why) => Err(why),
        }
    }

    /// Takes the metadata, if the endpoints that will be used may be, and goes on to the
    /// client.
    fn server_found(&mut self, server: KnownServer) -> Next {
        if let Some(wanted) = self.options.issuer.clone().filter(|_| self.options.compatibility.late_issuer) {
            let document = Document::AuthorizationServer;
            if server.is_assumed {
                return Err(AuthError::NoServerMetadata { issuer: wanted });
            }
            if !is_same_issuer(&wanted, &server.metadata.issuer) {
                return Err(AuthError::IssuerMismatch { document, expected: wanted });
            }
        }
        let lacks = |field| AuthError::Unsupported { field, missing: "an endpoint" };
        let check = |field, url: Option<&String>| -> Result<(), AuthError> {
            endpoint::check(field, url.ok_or(lacks(field))?, &self.guard).map(|_| ())
        };
        check("token_endpoint", server.metadata.token_endpoint.as_ref())?;
        if self.options.grant == GrantFlow::AuthorizationCode {
            check("authorization_endpoint", server.metadata.authorization_endpoint.as_ref())?;
            if !server.is_assumed {
                // Before the client registers for nothing.
                let methods = server.metadata.code_challenge_methods_supported.as_deref();
                self.options.compatibility.pkce.check(methods)?;
            }
        }
        if let Some(url) = &server.metadata.registration_endpoint {
            // Whether it is used or not: a server has no business pointing there.
            endpoint::check_place("registration_endpoint", url, self.guard)?;
        }
        self.stored.server = Some(server.clone());
        self.state.server = Some(server);
        if !self.options.loads {
            return self.become_known();
        }
        self.state.phase = Phase::Loading;
        Ok(Step::Load { issuer: self.issuer()?.to_owned(), resource: self.resource_parameter() })
    }

    /// Takes what the caller keeps for the authorization server.
    pub(super) fn loaded(&mut self, event: Event) -> Next {
        let Event::Loaded(kept) = event else {
            return Err(AuthError::Unexpected { expected: "what is kept for the authorization server" });
        };
        self.stored.clients = kept.clients;
        self.stored.tokens = kept.tokens;
        self.options.resource = kept.resource;
        self.become_known()
    }

    /// How the issuer of a document is compared. One that nobody published is the caller's own
    /// text, which may have got a slash.
    fn issuer_match(&self, search: &ServerSearch) -> IssuerMatch {
        let compatibility = self.options.compatibility;
        let published = search
            .resource
            .as_ref()
            .is_some_and(|metadata| metadata.authorization_servers.contains(&search.issuer));
        let own = compatibility.origin_as_issuer && !published;
        if own && compatibility.issuer == IssuerMatch::Identical {
            IssuerMatch::OriginSlash
        } else {
            compatibility.issuer
        }
    }

    fn document(&self, url: &str) -> Step {
        let revision = Revision::LATEST_MODERN.as_str();
        Step::Fetch(Box::new(Fetch::document(url.to_owned(), revision, Rules::document(self.guard))))
    }
}

/// The answer to a request; an error that the search survives if there was none.
pub(super) fn came(event: Event, document: Document) -> Result<Result<Answer, AuthError>, AuthError> {
    match event {
        Event::Answered(answer) => Ok(Ok(answer)),
        Event::Unreachable => Ok(Err(AuthError::Unavailable { document, status: None })),
        _ => Err(AuthError::Unexpected { expected: "the answer to the request" }),
    }
}

/// What is told if nothing is found: a mismatch rather than anything else, else what was
/// first.
fn graver(before: Option<AuthError>, now: Option<AuthError>) -> Option<AuthError> {
    let mismatch = |error: &AuthError| matches!(error, AuthError::IssuerMismatch { .. });
    match (before, now) {
        (Some(before), Some(now)) if mismatch(&now) && !mismatch(&before) => Some(now),
        (before, now) => before.or(now),
    }
}

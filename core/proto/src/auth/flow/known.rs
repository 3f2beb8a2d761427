//! The phases in which a client becomes known to the authorization server.
//!
//! Owns: carrying out the way that was chosen, and keeping what came of it. Must not know:
//! tokens.

use super::find::came;
use super::machine::{Machine, Next, Phase};
use super::options::GrantFlow;
use super::step::{Change, Event, Step};
use crate::auth::discovery::is_same_issuer;
use crate::auth::endpoint;
use crate::auth::error::{AuthError, Document};
use crate::auth::fetch::{Body, Fetch, Rules};
use crate::auth::metadata::ClientMetadata;
use crate::auth::registration::{
    ClientInformation, ClientOrigin, Situation, Way, read_registration, registration_body,
};
use crate::auth::scope::Scopes;

impl Machine {
    /// Goes the first way that is open.
    pub(super) fn become_known(&mut self) -> Next {
        if self.options.grant == GrantFlow::WorkloadIdentity {
            // The assertion says who it is.
            self.state.client = None;
            return self.obtain();
        }
        let server = self.server()?;
        let situation = Situation {
            issuer: &server.metadata.issuer,
            server: &server.metadata,
            clients: &self.stored.clients,
            metadata: &self.options.client,
            metadata_url: self.options.client_metadata_url.as_deref(),
            unbound: self.options.compatibility.unbound,
            now: self.now,
        };
        match situation.way()? {
            Way::Known(client) => {
                self.state.client = Some(client);
                self.obtain()
            }
            _ if self.state.quiet => Ok(self.send_unexpired()),
            // Only clients that act for users register by themselves.
            Way::Register
                if self.options.grant == GrantFlow::AuthorizationCode
                    || self.options.compatibility.anyone_registers =>
            {
                self.register()
            }
            Way::Register => Err(AuthError::NoClient { issuer: self.issuer()?.to_owned() }),
            Way::AskUser => {
                let issuer = self.issuer()?.to_owned();
                let metadata = Box::new(self.options.client.complete());
                self.state.phase = Phase::AskingUser;
                Ok(Step::AskUserForClient { issuer, metadata })
            }
        }
    }

    fn register(&mut self) -> Next {
        let metadata = &self.server()?.metadata;
        let field = "registration_endpoint";
        let missing = AuthError::Unsupported { field, missing: "an endpoint" };
        let url =
            endpoint::check(field, metadata.registration_endpoint.as_deref().ok_or(missing)?, &self.guard)?;
        let any = self.options.compatibility.any_redirect_uri;
        for uri in self.options.client.redirect_uris.iter().filter(|_| !any) {
            endpoint::check_redirect_uri(uri, self.options.private_use_redirects)?;
        }
        let mut body = registration_body(&self.options.client, metadata, &self.scopes_to_register());
        if self.options.compatibility.leave_method
            && self.options.client.token_endpoint_auth_method.is_none()
            && let Some(members) = body.as_object_mut()
        {
            members.remove("token_endpoint_auth_method");
        }
        let body = Body::Json(body);
        self.state.phase = Phase::Registering;
        Ok(Step::Fetch(Box::new(Fetch::post(url.into(), body, Rules::credentials(self.guard)))))
    }

    /// The scopes that a registration names: those of this flow and all that the resource lists.
    /// Some authorization servers grant a client no others later, whatever it asks for.
    fn scopes_to_register(&self) -> Scopes {
        let scopes = self.scopes();
        let resource = self.state.server.as_ref().and_then(|server| server.resource.as_ref());
        let listed = resource.and_then(|metadata| metadata.scopes_supported.as_ref());
        match listed.filter(|_| !self.options.compatibility.narrow_registration) {
            Some(listed) => scopes.union(listed),
            None => scopes,
        }
    }

    pub(super) fn registration_came(&mut self, event: Event) -> Next {
        if let Event::RegisterAs(metadata) = event {
            self.options.client = ClientMetadata::clone(&metadata);
            return self.register();
        }
        let answer = came(event, Document::Registration)??;
        let issuer = self.issuer()?.to_owned();
        let client = read_registration(&answer, &issuer, &Rules::credentials(self.guard));
        if matches!(client, Err(AuthError::RegistrationRefused { .. })) {
            // It may be tried again with other metadata.
            self.state.phase = Phase::Registering;
        }
        let mut client = client?;
        if client.redirect_uris.is_empty() {
            client.redirect_uris.clone_from(&self.options.client.redirect_uris);
        }
        Ok(self.keep_client(issuer, client))
    }

    pub(super) fn client_given(&mut self, event: Event) -> Next {
        let issuer = self.issuer()?.to_owned();
        match event {
            Event::ClientGiven(client) if !client.client_id.is_empty() => {
                let origin = ClientOrigin::PreRegistered;
                let client = ClientInformation { issuer: Some(issuer.clone()), origin, ..client };
                Ok(self.keep_client(issuer, client))
            }
            Event::GaveUp | Event::ClientGiven(_) => Err(AuthError::NoClient { issuer }),
            _ => Err(AuthError::Unexpected { expected: "a client" }),
        }
    }

    fn keep_client(&mut self, issuer: String, client: ClientInformation) -> Step {
        self.forget_client(&issuer);
        self.stored.clients.push(client.clone());
        self.state.client = Some(client.clone());
        self.state.phase = Phase::StoringClient;
        Step::Store(Box::new(Change::Client { issuer, client }))
    }

    /// Lets go of a client that registered by itself; one of the program's stays.
    pub(super) fn forget_client(&mut self, issuer: &str) {
        self.stored.clients.retain(|client| {
            client.origin != ClientOrigin::Dynamic
                || client.issuer.as_deref().is_none_or(|of| !is_same_issuer(of, issuer))
        });
    }
}

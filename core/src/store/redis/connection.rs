//! A connection: to one server, to the one that Sentinels name, or to a cluster.
//!
//! Owns: how each is made, and that they are used alike. Must not know: what is sent, or when one
//! is given up.

use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster::ClusterClientBuilder;
use redis::cluster_async::ClusterConnection;
use redis::sentinel::{SentinelClientBuilder, SentinelServerType};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, Pipeline, ProtocolVersion, PushInfo, RedisFuture,
    RedisResult, TlsMode, Value,
};
use tokio::sync::mpsc::UnboundedSender;

use super::place::{Kind, Place};

/// Clones share the connection.
#[derive(Clone)]
pub(super) enum Connection {
    /// Gone when it is lost.
    One(MultiplexedConnection),
    /// Finds its nodes again by itself, and its subscriptions.
    Cluster(ClusterConnection),
}

impl Place {
    /// Opens a connection. Messages, and that the connection is lost, go to `pushed`.
    pub(super) async fn connect(&self, pushed: UnboundedSender<PushInfo>) -> RedisResult<Connection> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.timeout))
            .set_response_timeout(Some(self.timeout))
            .set_push_sender(pushed.clone());
        match &self.kind {
            Kind::Server => {
                let client = self.client()?;
                client.get_multiplexed_async_connection_with_config(&config).await.map(Connection::One)
            }
            Kind::Sentinels { service, user, password } => {
                let login = (user.as_deref(), password.as_deref());
                let mut sentinels = self.sentinels(service, login)?.build()?;
                sentinels.get_async_connection_with_config(&config).await.map(Connection::One)
            }
            Kind::Cluster => {
                let mut builder = ClusterClientBuilder::new(self.nodes.clone())
                    .connection_timeout(self.timeout)
                    .response_timeout(self.timeout)
                    .overall_response_timeout(Some(self.timeout))
                    .use_protocol(ProtocolVersion::RESP3)
                    .push_sender(pushed);
                if let Some(certificates) = &self.certificates {
                    builder = builder.certs(certificates.clone());
                }
                builder.build()?.get_async_connection().await.map(Connection::Cluster)
            }
        }
    }

    fn client(&self) -> RedisResult<Client> {
        let node = self.nodes[0].clone();
        match &self.certificates {
            Some(certificates) => Client::build_with_tls(node, certificates.clone()),
            None => Client::open(node),
        }
    }

    /// The URL's credentials are the server's. Sentinels are asked anew for each connection, so
    /// that it goes to the server they have chosen meanwhile.
    fn sentinels(
        &self,
        service: &str,
        (user, password): (Option<&str>, Option<&str>),
    ) -> RedisResult<SentinelClientBuilder> {
        let addresses: Vec<_> = self.nodes.iter().map(|node| node.addr().clone()).collect();
        let tls = matches!(addresses[0], ConnectionAddr::TcpTls { .. });
        let mut builder = SentinelClientBuilder::new(addresses, service, SentinelServerType::Master)?
            .set_client_to_redis_protocol(ProtocolVersion::RESP3);
        let settings = self.nodes[0].redis_settings();
        builder = builder.set_client_to_redis_db(settings.db());
        if let Some(name) = settings.username() {
            builder = builder.set_client_to_redis_username(name);
        }
        if let Some(secret) = settings.password() {
            builder = builder.set_client_to_redis_password(secret);
        }
        if let Some(name) = user {
            builder = builder.set_client_to_sentinel_username(name);
        }
        if let Some(secret) = password {
            builder = builder.set_client_to_sentinel_password(secret);
        }
        if tls {
            builder = builder.set_client_to_redis_tls_mode(TlsMode::Secure);
            builder = builder.set_client_to_sentinel_tls_mode(TlsMode::Secure);
        }
        if let Some(certificates) = &self.certificates {
            builder = builder.set_client_to_redis_certificates(certificates.clone());
            builder = builder.set_client_to_sentinel_certificates(certificates.clone());
        }
        Ok(builder)
    }
}

impl Connection {
    /// Whether it is of no more use once it says that it was lost.
    pub(super) fn ends_when_lost(&self) -> bool {
        matches!(self, Self::One(_))
    }

    pub(super) async fn subscribe(&mut self, channels: &[String]) -> RedisResult<()> {
        match self {
            Self::One(connection) => connection.subscribe(channels).await,
            Self::Cluster(connection) => connection.subscribe(channels).await,
        }
    }

    pub(super) async fn unsubscribe(&mut self, channel: &str) -> RedisResult<()> {
        match self {
            Self::One(connection) => connection.unsubscribe(channel).await,
            Self::Cluster(connection) => connection.unsubscribe(channel).await,
        }
    }
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::One(connection) => connection.req_packed_command(command),
            Self::Cluster(connection) => connection.req_packed_command(command),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::One(connection) => connection.req_packed_commands(commands, offset, count),
            Self::Cluster(connection) => connection.req_packed_commands(commands, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::One(connection) => connection.get_db(),
            Self::Cluster(connection) => connection.get_db(),
        }
    }
}

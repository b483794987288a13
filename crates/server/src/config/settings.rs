//! The table of settings: name, type, default, environment variable, flag, meaning. Adding a line here is all it takes.

use std::net::SocketAddr;
use std::path::PathBuf;

use ipnet::IpNet;
use url::Url;

use super::database::Database;
use super::declare::{Setting, preset, settings};
use super::origin::Origin;
use super::redis::Redis;
use super::secret::{RootKey, WebhookSecret};
use super::span::Span;
use super::value::{Link, Value};
use super::words::{
    AccessFormat, ClientCertificates, Introspection, LogFormat, SigningAlgorithm, Switch, WithoutRedis,
};

settings! {
    /// Where the server lives, what it serves, and whom it trusts.
    Config {
        /// Folder for what the server keeps: the database file and the root key.
        data: PathBuf = "./valetkey-data", "VALETKEY_DATA", "--data";
        /// Address and port to listen on. Anything but loopback needs `tls.certificate` or `trusted_proxies`.
        listen: SocketAddr = "127.0.0.1:8080", "VALETKEY_LISTEN", "--listen";
        /// The origin that clients and browsers use, such as `https://id.example.com`. Empty: derived from `listen`.
        public_url: Option<Origin> = "", "VALETKEY_PUBLIC_URL", "--public-url";
        /// YAML file that declares the REST API; `docs/api-declaration.md` explains it. Empty: the demonstration, a small shop.
        api: Option<PathBuf> = "", "VALETKEY_API", "--api";
        /// `postgres://…` or `sqlite:PATH`. Empty: the SQLite file `valetkey.db` in `data`.
        database: Option<Database> = "", "VALETKEY_DATABASE", "--database";
        /// How many connections to PostgreSQL are kept open at most.
        database_pool: usize = "16", "VALETKEY_DATABASE_POOL";
        /// PEM file with an authority to trust for the connection to PostgreSQL. Naming one makes TLS required; `sslmode=disable` beside it is refused.
        database_ca: Option<PathBuf> = "", "VALETKEY_DATABASE_CA";
        /// The key that wraps all stored keys: 32 bytes in base64. Give it in the environment rather than in the file.
        root_key: Option<RootKey> = "", "VALETKEY_ROOT_KEY";
        /// File that holds the root key. Empty: `root.key` in `data` with SQLite, which is made when it is missing.
        root_key_file: Option<PathBuf> = "", "VALETKEY_ROOT_KEY_FILE";
        /// Whether to make the demonstration user and client. `auto`: only when there is no configuration file, and clients reach the server on loopback.
        demo: Switch = "auto", "VALETKEY_DEMO";
        /// `redis://…` or `rediss://…` of a Redis or Valkey that counts requests for all nodes together. Empty: each node counts alone.
        redis: Option<Redis> = "", "VALETKEY_REDIS";
        /// Web origins whose scripts may call the API and the token endpoint. Each one is named; `*` is refused.
        cors_origins: Vec<Origin> = "", "VALETKEY_CORS_ORIGINS";
        /// Addresses or networks of proxies in front of the server, whose `Forwarded` and `X-Forwarded-*` are believed.
        trusted_proxies: Vec<IpNet> = "", "VALETKEY_TRUSTED_PROXIES";
    }

    /// Certificates. Files are watched, and a new certificate is used without a restart.
    tls: Tls {
        /// PEM file with the certificate chain, the server's own certificate first.
        certificate: Option<PathBuf> = "", "VALETKEY_TLS_CERTIFICATE";
        /// PEM file with the private key of the certificate.
        key: Option<PathBuf> = "", "VALETKEY_TLS_KEY";
        /// PEM file with the authorities that issue client certificates. Without it, clients can prove themselves only by
        /// certificates that are registered one by one.
        client_ca: Option<PathBuf> = "", "VALETKEY_TLS_CLIENT_CA";
        /// PEM file with the lists of client certificates that their authorities have revoked. Replaced like the others.
        client_crl: Option<PathBuf> = "", "VALETKEY_TLS_CLIENT_CRL";
        /// `optional` asks clients for a certificate (mutual TLS, RFC 8705), and believes `Client-Cert` (RFC 9440) of
        /// `trusted_proxies`, which must replace what clients write there; `off` does neither.
        client_certificates: ClientCertificates = "off", "VALETKEY_TLS_CLIENT_CERTIFICATES";
    }

    /// How much a client may send, and how long it may take.
    limits: Limits {
        /// Size of all request headers together, in bytes. Larger is answered with 431.
        header_bytes: usize = "16384", "VALETKEY_LIMITS_HEADER_BYTES";
        /// Number of request headers. More is answered with 431.
        headers: usize = "100", "VALETKEY_LIMITS_HEADERS";
        /// Size of a form sent to an OAuth endpoint, in bytes.
        body_bytes: usize = "65536", "VALETKEY_LIMITS_BODY_BYTES";
        /// Size of a body sent to the declared API, and of what a PATCH makes of a row, in bytes. Larger is answered with 413.
        document_bytes: usize = "1048576", "VALETKEY_LIMITS_DOCUMENT_BYTES";
        /// Requests to the declared API that each client and user may make in one window. More are answered with 429.
        api_requests: usize = "1000000", "VALETKEY_LIMITS_API_REQUESTS";
        /// Length of that window.
        api_window: Span = "1m", "VALETKEY_LIMITS_API_WINDOW";
        /// Requests to the token endpoint that each client may make in one window, or each address, with IPv6 each network of 64 bits, that no client proved itself from.
        token_requests: usize = "1000000", "VALETKEY_LIMITS_TOKEN_REQUESTS";
        /// Length of that window.
        token_window: Span = "1m", "VALETKEY_LIMITS_TOKEN_WINDOW";
        /// While Redis is away: `open` lets each node count alone, `closed` answers 503 to whatever would be counted.
        without_redis: WithoutRedis = "open", "VALETKEY_LIMITS_WITHOUT_REDIS";
        /// Time to send the request headers.
        header_timeout: Span = "10s", "VALETKEY_LIMITS_HEADER_TIMEOUT";
        /// Time for a request as a whole, its body included. A body that comes too slowly is answered with 408.
        request_timeout: Span = "30s", "VALETKEY_LIMITS_REQUEST_TIMEOUT";
        /// How long a connection may stay open between two requests.
        idle_timeout: Span = "1m", "VALETKEY_LIMITS_IDLE_TIMEOUT";
        /// Time for the TLS handshake.
        handshake_timeout: Span = "10s", "VALETKEY_LIMITS_HANDSHAKE_TIMEOUT";
        /// How many connections are open at once. Further ones wait.
        connections: usize = "10000", "VALETKEY_LIMITS_CONNECTIONS";
        /// How long proxies are given to notice that the server was told to stop: so long `/readyz` answers 503 and all is served; then the port is closed, and connections that rest stay open as long again, at most for `limits.drain`, so that no request on its way is lost. `0s`: at once.
        notice: Span = "0s", "VALETKEY_LIMITS_NOTICE";
        /// How long running requests may go on after the port was closed, beside the resting connections. Whatever supervises the server has to wait for `limits.notice`, `limits.drain` and two seconds more.
        drain: Span = "30s", "VALETKEY_LIMITS_DRAIN";
    }

    /// What is issued, and for how long.
    tokens: Tokens {
        /// Lifetime of an access token, from `1m` to `24h`; 5 to 60 minutes is recommended.
        access_lifetime: Span = "15m", "VALETKEY_TOKENS_ACCESS_LIFETIME";
        /// `opaque` tokens can be revoked at once; `jwt` (RFC 9068) can be checked by others without asking.
        access_format: AccessFormat = "opaque", "VALETKEY_TOKENS_ACCESS_FORMAT";
        /// How long a session can be refreshed, counted from the login.
        refresh_lifetime: Span = "30d", "VALETKEY_TOKENS_REFRESH_LIFETIME";
        /// How long a session lives without being refreshed.
        refresh_idle: Span = "14d", "VALETKEY_TOKENS_REFRESH_IDLE";
        /// With PostgreSQL: `strict` asks the database for each token, `fast` learns of a revocation within one second.
        introspection: Introspection = "strict", "VALETKEY_TOKENS_INTROSPECTION";
    }

    /// The keys that sign and seal tokens. They rotate by themselves.
    keys: Keys {
        /// What signs access tokens that are JWTs, unless their client has its own: `es256`, `rs256` or `eddsa`. Keys of all three exist.
        signing: SigningAlgorithm = "es256", "VALETKEY_KEYS_SIGNING";
        /// How long a key signs before the next one takes over.
        rotate_signing: Span = "90d", "VALETKEY_KEYS_ROTATE_SIGNING";
        /// How long a key seals opaque tokens before the next one takes over.
        rotate_sealing: Span = "30d", "VALETKEY_KEYS_ROTATE_SEALING";
        /// How long a new key is published before it signs, so that every cache has seen it.
        publish_ahead: Span = "10m", "VALETKEY_KEYS_PUBLISH_AHEAD";
    }

    /// What the server writes about itself.
    log: Log {
        /// `pretty` for people, `json` for machines; `auto` is `pretty` on a terminal and `json` elsewhere.
        format: LogFormat = "auto", "VALETKEY_LOG_FORMAT";
        /// `error`, `warn`, `info`, `debug` or `trace`, also per module: `info,valetkey=debug`.
        level: String = "info", "VALETKEY_LOG_LEVEL";
    }

    /// What the server tells monitoring.
    telemetry: Telemetry {
        /// Where traces are sent with OTLP over HTTP, such as `http://127.0.0.1:4318`. Empty: nowhere.
        otlp_endpoint: Option<Url> = "", "VALETKEY_TELEMETRY_OTLP_ENDPOINT";
        /// Whether `/metrics` is served.
        metrics: bool = "true", "VALETKEY_TELEMETRY_METRICS";
    }

    /// The record of alerts: what someone should know of. `valetkey audit list` shows it.
    audit: Audit {
        /// How long an alert stays on record.
        keep: Span = "400d", "VALETKEY_AUDIT_KEEP";
    }

    /// Where alerts are sent to, signed and tried again until they arrive; `docs/alerts.md` says how to check them.
    webhook: Webhook {
        /// Where alerts are posted to. Empty: nowhere.
        url: Option<Url> = "", "VALETKEY_WEBHOOK_URL";
        /// What signs them: 24 to 64 bytes in base64, with or without `whsec_` in front. Give it in the environment rather than in the file.
        secret: Option<WebhookSecret> = "", "VALETKEY_WEBHOOK_SECRET";
    }

    /// Services that do the work of declared actions; `docs/actions.md` says how they are called.
    handlers: Handlers {
        /// What signs the calls: 24 to 64 bytes in base64, with or without `whsec_` in front. Give it in the environment rather than in the file.
        secret: Option<WebhookSecret> = "", "VALETKEY_HANDLERS_SECRET";
    }

    /// How people sign in. Other providers have tables of their own; see the end of this page and `docs/sign-on.md`.
    sign_in: SignIn {
        /// Whether people may sign in with a password. `false`: only through the providers.
        passwords: bool = "true", "VALETKEY_SIGN_IN_PASSWORDS";
    }

    /// Calls that the server itself makes: webhooks, back-channel logout, action handlers, and other providers at sign-in.
    outbound: Outbound {
        /// Private, loopback or link-local addresses or networks that may be called nevertheless, also without TLS.
        allow: Vec<IpNet> = "", "VALETKEY_OUTBOUND_ALLOW";
        /// PEM file with authorities to trust beside those of the system.
        extra_ca: Option<PathBuf> = "", "VALETKEY_OUTBOUND_EXTRA_CA";
    }

    /// What people see on the pages.
    brand: Brand {
        /// The name in titles and headings.
        name: String = "Valetkey", "VALETKEY_BRAND_NAME";
        /// Picture at the top of each page instead of the name: PNG, JPEG, WebP or SVG, at most 256 KiB. Empty: the built-in one.
        logo: Option<PathBuf> = "", "VALETKEY_BRAND_LOGO";
        /// Colour of buttons and links, written `#rrggbb`. Empty: the built-in one.
        accent: String = "", "VALETKEY_BRAND_ACCENT";
        /// Links at the foot of each page, each written `Label=https://…`.
        links: Vec<Link> = "", "VALETKEY_BRAND_LINKS";
    }
}

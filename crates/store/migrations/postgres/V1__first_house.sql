-- Moments are milliseconds since 1970. Ids are UUIDv7: new rows land beside each other.
-- COLLATE "C": the order of bytes, the same on each server and in SQLite.

CREATE TABLE clients (
    id          text COLLATE "C" PRIMARY KEY,
    document    text NOT NULL,
    created_at  bigint NOT NULL
);

CREATE TABLE client_secrets (
    client_id   text COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    digest      bytea NOT NULL,
    created_at  bigint NOT NULL,
    expires_at  bigint,
    PRIMARY KEY (client_id, digest)
);

CREATE TABLE users (
    id            uuid PRIMARY KEY,
    username      text NOT NULL,
    username_key  text COLLATE "C" NOT NULL UNIQUE,
    password_hash text NOT NULL,
    email         text,
    name          text,
    admin         boolean NOT NULL,
    created_at    bigint NOT NULL
);

-- A rotation changes generation and used_at, which no index holds. The free fifth of each page keeps the new version
-- beside the old one, so that no index is touched either.
CREATE TABLE sessions (
    id               uuid PRIMARY KEY,
    client_id        text COLLATE "C" NOT NULL,
    subject          text COLLATE "C" NOT NULL,
    scope            text NOT NULL,
    resource         text,
    authenticated_at bigint NOT NULL,
    methods          text NOT NULL,
    generation       bigint NOT NULL,
    key_binding      text,
    created_at       bigint NOT NULL,
    used_at          bigint NOT NULL,
    expires_at       bigint NOT NULL,
    ended            text
) WITH (fillfactor = 80);
CREATE INDEX sessions_by_subject ON sessions (subject, id);
CREATE INDEX sessions_by_client ON sessions (client_id, id);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- Many writers: a later seq may be committed earlier. The feed therefore asks which transactions it has not seen.
CREATE TABLE revocations (
    seq         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind        text COLLATE "C" NOT NULL,
    target      text COLLATE "C" NOT NULL,
    moment      bigint,
    expires_at  bigint NOT NULL,
    txid        xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX revocations_by_target ON revocations (target, kind);
CREATE INDEX revocations_by_end ON revocations (expires_at);
CREATE INDEX revocations_by_txid ON revocations (txid);

CREATE TABLE keys (
    purpose     text COLLATE "C" NOT NULL,
    generation  bigint NOT NULL,
    id          text NOT NULL,
    created_at  bigint NOT NULL,
    active_from bigint NOT NULL,
    wrapped     bytea NOT NULL,
    PRIMARY KEY (purpose, generation)
);

-- Moments are milliseconds since 1970. Ids are UUIDv7 in 16 bytes: new rows land beside each other.

CREATE TABLE clients (
    id          TEXT PRIMARY KEY,
    document    TEXT NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE client_secrets (
    client_id   TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    digest      BLOB NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    PRIMARY KEY (client_id, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
    id            BLOB PRIMARY KEY,
    username      TEXT NOT NULL,
    username_key  TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    email         TEXT,
    name          TEXT,
    admin         INTEGER NOT NULL,
    created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id               BLOB PRIMARY KEY,
    client_id        TEXT NOT NULL,
    subject          TEXT NOT NULL,
    scope            TEXT NOT NULL,
    resource         TEXT,
    authenticated_at INTEGER NOT NULL,
    methods          TEXT NOT NULL,
    generation       INTEGER NOT NULL,
    key_binding      TEXT,
    created_at       INTEGER NOT NULL,
    used_at          INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL,
    ended            TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_subject ON sessions (subject, id);
CREATE INDEX sessions_by_client ON sessions (client_id, id);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- One writer: the order of seq is the order of commits.
CREATE TABLE revocations (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT NOT NULL,
    target      TEXT NOT NULL,
    moment      INTEGER,
    expires_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX revocations_by_target ON revocations (target, kind);
CREATE INDEX revocations_by_end ON revocations (expires_at);

CREATE TABLE keys (
    purpose     TEXT NOT NULL,
    generation  INTEGER NOT NULL,
    id          TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    active_from INTEGER NOT NULL,
    wrapped     BLOB NOT NULL,
    PRIMARY KEY (purpose, generation)
) STRICT, WITHOUT ROWID;

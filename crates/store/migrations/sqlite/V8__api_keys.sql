-- Keys of services. The document holds what only people and the rules read.
CREATE TABLE api_keys (
    id            BLOB NOT NULL PRIMARY KEY,
    document      TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER,
    revoked_at    INTEGER,
    last_used_at  INTEGER
) STRICT, WITHOUT ROWID;

-- What is presented, by its digest. More than one while a rotation overlaps.
CREATE TABLE api_key_secrets (
    digest      BLOB NOT NULL PRIMARY KEY,
    key_id      BLOB NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_secrets_of_key ON api_key_secrets (key_id);

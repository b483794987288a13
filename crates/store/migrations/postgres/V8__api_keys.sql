-- Keys of services. The document holds what only people and the rules read.
CREATE TABLE api_keys (
    id            uuid NOT NULL PRIMARY KEY,
    document      text NOT NULL,
    created_at    bigint NOT NULL,
    expires_at    bigint,
    revoked_at    bigint,
    last_used_at  bigint
);

-- What is presented, by its digest. More than one while a rotation overlaps.
CREATE TABLE api_key_secrets (
    digest      bytea NOT NULL PRIMARY KEY,
    key_id      uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    created_at  bigint NOT NULL,
    expires_at  bigint
);

CREATE INDEX api_key_secrets_of_key ON api_key_secrets (key_id);

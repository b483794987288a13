-- Sign-ins, consents, and answers kept for a retry.

ALTER TABLE users ADD COLUMN profile TEXT NOT NULL DEFAULT '{}';

ALTER TABLE sessions ADD COLUMN claims TEXT;
ALTER TABLE sessions ADD COLUMN sign_in BLOB;
ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN agent TEXT;

CREATE TABLE sign_ins (
    id               BLOB PRIMARY KEY,
    user_id          BLOB NOT NULL,
    cookie           BLOB NOT NULL UNIQUE,
    authenticated_at INTEGER NOT NULL,
    methods          TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL,
    address          TEXT,
    agent            TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_ins_by_user ON sign_ins (user_id, id);
CREATE INDEX sign_ins_by_end ON sign_ins (expires_at);

CREATE TABLE consents (
    subject    TEXT NOT NULL,
    client_id  TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    scope      TEXT NOT NULL,
    given_at   INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (subject, client_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX consents_by_client ON consents (client_id);

CREATE TABLE answers (
    id         BLOB PRIMARY KEY,
    sealed     BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_by_end ON answers (expires_at);

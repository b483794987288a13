-- What every declared API needs, whatever it declares. The tables of its resources follow from the declaration and are
-- made when a server starts with it. Moments here are microseconds since 1970.

-- What was last applied of a declaration: one resource, its fields and columns as JSON.
CREATE TABLE api_tables (
    resource    TEXT PRIMARY KEY,
    shape       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Answers under an Idempotency-Key. A client that speaks for nobody has an empty subject.
CREATE TABLE kept_answers (
    client      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    word        TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    state       TEXT NOT NULL,
    location    TEXT,
    etag        TEXT,
    body        BLOB,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (client, subject, word)
) STRICT;
CREATE INDEX kept_answers_by_end ON kept_answers (expires_at);

CREATE TABLE tasks (
    id          BLOB PRIMARY KEY,
    resource    TEXT NOT NULL,
    row_id      BLOB NOT NULL,
    action      TEXT NOT NULL,
    input       TEXT NOT NULL,
    client      TEXT NOT NULL,
    subject     TEXT,
    version     TEXT NOT NULL,
    key_client  TEXT,
    key_subject TEXT,
    key_word    TEXT,
    created_at  INTEGER NOT NULL,
    due_at      INTEGER NOT NULL,
    until       INTEGER NOT NULL,
    state       TEXT NOT NULL,
    status      INTEGER,
    detail      TEXT,
    attempts    INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_by_due ON tasks (due_at) WHERE state = 'pending';
CREATE INDEX tasks_by_end ON tasks (until) WHERE state <> 'pending';

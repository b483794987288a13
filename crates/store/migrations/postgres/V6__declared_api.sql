-- What every declared API needs, whatever it declares. The tables of its resources follow from the declaration and are
-- made when a server starts with it. Moments here are microseconds since 1970.

-- What was last applied of a declaration: one resource, its fields and columns as JSON.
CREATE TABLE api_tables (
    resource    text COLLATE "C" PRIMARY KEY,
    shape       text NOT NULL
);

-- Answers under an Idempotency-Key. A client that speaks for nobody has an empty subject.
CREATE TABLE kept_answers (
    client      text COLLATE "C" NOT NULL,
    subject     text COLLATE "C" NOT NULL,
    word        text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    state       text NOT NULL,
    location    text,
    etag        text,
    body        bytea,
    expires_at  bigint NOT NULL,
    PRIMARY KEY (client, subject, word)
);
CREATE INDEX kept_answers_by_end ON kept_answers (expires_at);

CREATE TABLE tasks (
    id          uuid PRIMARY KEY,
    resource    text NOT NULL,
    row_id      uuid NOT NULL,
    action      text NOT NULL,
    input       text NOT NULL,
    client      text NOT NULL,
    subject     text,
    version     text NOT NULL,
    key_client  text,
    key_subject text,
    key_word    text,
    created_at  bigint NOT NULL,
    due_at      bigint NOT NULL,
    until       bigint NOT NULL,
    state       text NOT NULL,
    status      bigint,
    detail      text,
    attempts    bigint NOT NULL,
    updated_at  bigint NOT NULL
);
CREATE INDEX tasks_by_due ON tasks (due_at) WHERE state = 'pending';
CREATE INDEX tasks_by_end ON tasks (until) WHERE state <> 'pending';

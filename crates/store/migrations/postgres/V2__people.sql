-- Sign-ins, consents, and answers kept for a retry.

ALTER TABLE users ADD COLUMN profile text NOT NULL DEFAULT '{}';

ALTER TABLE sessions ADD COLUMN claims text;
ALTER TABLE sessions ADD COLUMN sign_in uuid;
ALTER TABLE sessions ADD COLUMN address text;
ALTER TABLE sessions ADD COLUMN agent text;

CREATE TABLE sign_ins (
    id               uuid PRIMARY KEY,
    user_id          uuid NOT NULL,
    cookie           bytea NOT NULL UNIQUE,
    authenticated_at bigint NOT NULL,
    methods          text NOT NULL,
    created_at       bigint NOT NULL,
    expires_at       bigint NOT NULL,
    address          text,
    agent            text
);
CREATE INDEX sign_ins_by_user ON sign_ins (user_id, id);
CREATE INDEX sign_ins_by_end ON sign_ins (expires_at);

CREATE TABLE consents (
    subject    text COLLATE "C" NOT NULL,
    client_id  text COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    scope      text NOT NULL,
    given_at   bigint NOT NULL,
    changed_at bigint NOT NULL,
    PRIMARY KEY (subject, client_id)
);
CREATE INDEX consents_by_client ON consents (client_id);

CREATE TABLE answers (
    id         bytea PRIMARY KEY,
    sealed     bytea NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX answers_by_end ON answers (expires_at);

-- Who people are at other providers. A person there has one account; an account is one person at each issuer.
CREATE TABLE upstream_links (
    issuer   text COLLATE "C" NOT NULL,
    subject  text COLLATE "C" NOT NULL,
    user_id  uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    maker    text NOT NULL,
    made_at  bigint NOT NULL,
    used_at  bigint,
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
);

-- Answers of providers that were used, until they are too old to be used again.
CREATE TABLE upstream_answers (
    digest      bytea NOT NULL PRIMARY KEY,
    expires_at  bigint NOT NULL
);

CREATE INDEX upstream_answers_by_end ON upstream_answers (expires_at);

CREATE INDEX users_by_email ON users (lower(email COLLATE "C"));

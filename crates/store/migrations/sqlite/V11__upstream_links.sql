-- Who people are at other providers. A person there has one account; an account is one person at each issuer.
CREATE TABLE upstream_links (
    issuer   TEXT NOT NULL,
    subject  TEXT NOT NULL,
    user_id  BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    maker    TEXT NOT NULL,
    made_at  INTEGER NOT NULL,
    used_at  INTEGER,
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
) STRICT, WITHOUT ROWID;

-- Answers of providers that were used, until they are too old to be used again.
CREATE TABLE upstream_answers (
    digest      BLOB NOT NULL PRIMARY KEY,
    expires_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX upstream_answers_by_end ON upstream_answers (expires_at);

CREATE INDEX users_by_email ON users (lower(email));

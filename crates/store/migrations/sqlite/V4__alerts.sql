-- What someone should know of, and messages on their way to other servers.

-- `once` names what an alert is about where one alert is enough, however often it happens.
CREATE TABLE alerts (
    id                 BLOB PRIMARY KEY,
    at                 INTEGER NOT NULL,
    kind               TEXT NOT NULL,
    client_id          TEXT,
    session_id         BLOB,
    subject            TEXT,
    address            TEXT,
    generation         INTEGER,
    current_generation INTEGER,
    failures           INTEGER,
    key_purpose        TEXT,
    once               TEXT UNIQUE,
    expires_at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX alerts_by_subject ON alerts (subject, id);
CREATE INDEX alerts_by_end ON alerts (expires_at);

CREATE TABLE deliveries (
    id           BLOB PRIMARY KEY,
    kind         TEXT NOT NULL,
    url          TEXT NOT NULL,
    content_type TEXT NOT NULL,
    body         BLOB NOT NULL,
    created_at   INTEGER NOT NULL,
    due_at       INTEGER NOT NULL,
    attempts     INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_by_due ON deliveries (due_at);
CREATE INDEX deliveries_by_end ON deliveries (expires_at);

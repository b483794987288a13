-- Devices that ask for access and wait for a person.

CREATE TABLE devices (
    id               BLOB PRIMARY KEY,
    user_code        BLOB NOT NULL UNIQUE,
    client_id        TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    scope            TEXT NOT NULL,
    resource         TEXT,
    address          TEXT,
    agent            TEXT,
    asked_at         INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL,
    pause            INTEGER NOT NULL,
    polled_at        INTEGER,
    state            TEXT NOT NULL,
    subject          TEXT,
    authenticated_at INTEGER,
    methods          TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_by_asker ON devices (client_id, address);
CREATE INDEX devices_by_subject ON devices (subject) WHERE subject IS NOT NULL;
CREATE INDEX devices_by_end ON devices (expires_at);

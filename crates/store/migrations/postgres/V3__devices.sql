-- Devices that ask for access and wait for a person.

CREATE TABLE devices (
    id               uuid PRIMARY KEY,
    user_code        bytea NOT NULL UNIQUE,
    client_id        text COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    scope            text NOT NULL,
    resource         text,
    address          text,
    agent            text,
    asked_at         bigint NOT NULL,
    expires_at       bigint NOT NULL,
    pause            bigint NOT NULL,
    polled_at        bigint,
    state            text NOT NULL,
    subject          text COLLATE "C",
    authenticated_at bigint,
    methods          text
);
CREATE INDEX devices_by_asker ON devices (client_id, address);
CREATE INDEX devices_by_subject ON devices (subject) WHERE subject IS NOT NULL;
CREATE INDEX devices_by_end ON devices (expires_at);

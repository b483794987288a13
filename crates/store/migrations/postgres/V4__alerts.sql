-- What someone should know of, and messages on their way to other servers.

-- `once` names what an alert is about where one alert is enough, however often it happens.
CREATE TABLE alerts (
    id                 uuid PRIMARY KEY,
    at                 bigint NOT NULL,
    kind               text NOT NULL,
    client_id          text COLLATE "C",
    session_id         uuid,
    subject            text COLLATE "C",
    address            text,
    generation         bigint,
    current_generation bigint,
    failures           bigint,
    key_purpose        text,
    once               text COLLATE "C" UNIQUE,
    expires_at         bigint NOT NULL
);
CREATE INDEX alerts_by_subject ON alerts (subject, id);
CREATE INDEX alerts_by_end ON alerts (expires_at);

CREATE TABLE deliveries (
    id           uuid PRIMARY KEY,
    kind         text NOT NULL,
    url          text NOT NULL,
    content_type text NOT NULL,
    body         bytea NOT NULL,
    created_at   bigint NOT NULL,
    due_at       bigint NOT NULL,
    attempts     bigint NOT NULL,
    expires_at   bigint NOT NULL
);
CREATE INDEX deliveries_by_due ON deliveries (due_at);
CREATE INDEX deliveries_by_end ON deliveries (expires_at);

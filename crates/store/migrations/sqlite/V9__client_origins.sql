-- Web origins that clients have registered, by the origin: a browser that asks names no client.
CREATE TABLE client_origins (
    origin     TEXT NOT NULL,
    client_id  TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    PRIMARY KEY (origin, client_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX client_origins_of_client ON client_origins (client_id);

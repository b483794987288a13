-- Web origins that clients have registered, by the origin: a browser that asks names no client.
CREATE TABLE client_origins (
    origin     text COLLATE "C" NOT NULL,
    client_id  text COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    PRIMARY KEY (origin, client_id)
);

CREATE INDEX client_origins_of_client ON client_origins (client_id);

-- Who called which version of the declared API, by the day (as YYYY-MM-DD).
CREATE TABLE api_usage (
    day         text COLLATE "C" NOT NULL,
    version     bigint NOT NULL,
    client      text COLLATE "C" NOT NULL,
    requests    bigint NOT NULL,
    last_at     bigint NOT NULL,
    PRIMARY KEY (day, version, client)
);

-- Who called which version of the declared API, by the day (as YYYY-MM-DD).
CREATE TABLE api_usage (
    day         TEXT NOT NULL,
    version     INTEGER NOT NULL,
    client      TEXT NOT NULL,
    requests    INTEGER NOT NULL,
    last_at     INTEGER NOT NULL,
    PRIMARY KEY (day, version, client)
) STRICT, WITHOUT ROWID;

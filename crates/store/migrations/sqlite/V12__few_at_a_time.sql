-- Devices that wait, by who asks: those that were decided, or whose time is over, are not walked over.
DROP INDEX devices_by_asker;
CREATE INDEX devices_waiting ON devices (client_id, address, expires_at) WHERE state = 'pending';
-- A client that is removed takes its devices along.
CREATE INDEX devices_by_client ON devices (client_id);

-- What an app has of a person at this moment.
CREATE INDEX sessions_living ON sessions (subject, client_id, id) WHERE ended IS NULL;

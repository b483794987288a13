-- When a browser that someone is signed in with was last seen, to the nearest minutes.

ALTER TABLE sign_ins ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
UPDATE sign_ins SET seen_at = authenticated_at;

-- What a person may let apps do at most; NULL means whatever they like.
ALTER TABLE users ADD COLUMN scope TEXT;

//! Settings: one typed structure, one table of defaults, and the order flags > environment > file.

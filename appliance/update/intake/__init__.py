"""A bundle on a stick: read, trusted, verified and staged beside what is served."""

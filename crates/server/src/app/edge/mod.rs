//! The edge: sockets, TLS, limits on slow and large clients, trusted proxies, graceful drain. Knows nothing of OAuth.

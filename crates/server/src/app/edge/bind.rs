//! Takes the port, and explains to a person why it could not be taken.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::net::TcpListener;

use super::tls::TlsError;

/// Why the edge cannot open.
#[derive(Debug, thiserror::Error)]
pub enum EdgeError {
    /// Another program has the port.
    #[error("{0} is in use by another program; choose another with --listen or VALETKEY_LISTEN")]
    Busy(SocketAddr),
    /// The system reserves the port.
    #[error(
        "this user may not listen on {0}; choose a port above 1023 with --listen or VALETKEY_LISTEN, \
         or grant the capability CAP_NET_BIND_SERVICE"
    )]
    Forbidden(SocketAddr),
    /// The address belongs to no interface here.
    #[error("{0} is not an address of this machine; choose another with --listen or VALETKEY_LISTEN")]
    NotHere(SocketAddr),
    /// Any other reason.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// What was asked for.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The system has no more threads or descriptors to give.
    #[error(
        "cannot start a thread for each core: {0}; let this user have more threads and open files (ulimit -u, ulimit -n)"
    )]
    Halls(io::Error),
    /// The certificate files cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// Starts to listen on an address.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, EdgeError> {
    TcpListener::bind(address).await.map_err(|source| match source.kind() {
        ErrorKind::AddrInUse => EdgeError::Busy(address),
        ErrorKind::PermissionDenied => EdgeError::Forbidden(address),
        ErrorKind::AddrNotAvailable => EdgeError::NotHere(address),
        _ => EdgeError::Bind { address, source },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_busy_port_is_refused_with_the_flag_that_chooses_another() {
        let first = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = first.local_addr().unwrap();

        let refused = bind(address).await.unwrap_err().to_string();

        let expected =
            format!("{address} is in use by another program; choose another with --listen or VALETKEY_LISTEN");
        assert_eq!(refused, expected);
    }

    #[tokio::test]
    async fn an_address_of_another_machine_is_refused_by_name() {
        let refused = bind("192.0.2.1:0".parse().unwrap()).await.unwrap_err();

        assert!(matches!(refused, EdgeError::NotHere(_)), "{refused}");
    }
}

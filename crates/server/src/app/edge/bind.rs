//! Takes the port, and explains to a person why it could not be taken.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

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

/// How many connections wait to be accepted; what tokio takes by itself.
const BACKLOG: u32 = 1024;

/// A port that is ours, and at which nobody is let in yet.
#[derive(Debug)]
pub struct Reserved {
    socket: TcpSocket,
    asked: SocketAddr,
}

impl Reserved {
    /// Which one it is; port 0 was asked of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Lets connections in. Of two that reserved the same port at once, the second is refused here.
    pub fn listen(self) -> Result<TcpListener, EdgeError> {
        let asked = self.asked;
        self.socket.listen(BACKLOG).map_err(|source| explain(asked, source))
    }
}

/// Takes the port of an address, for a server that is not ready yet: whoever knocks is refused by the system, as at a port
/// without a server, and goes to another node or tries again.
pub fn reserve(address: SocketAddr) -> Result<Reserved, EdgeError> {
    let reserved = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // A server that starts again has its port at once.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        Ok(Reserved { socket, asked: address })
    };
    reserved().map_err(|source| explain(address, source))
}

/// Starts to listen on an address.
pub fn bind(address: SocketAddr) -> Result<TcpListener, EdgeError> {
    reserve(address)?.listen()
}

fn explain(address: SocketAddr, source: io::Error) -> EdgeError {
    match source.kind() {
        ErrorKind::AddrInUse => EdgeError::Busy(address),
        ErrorKind::PermissionDenied => EdgeError::Forbidden(address),
        ErrorKind::AddrNotAvailable => EdgeError::NotHere(address),
        _ => EdgeError::Bind { address, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_busy_port_is_refused_with_the_flag_that_chooses_another() {
        let first = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.local_addr().unwrap();

        let refused = bind(address).unwrap_err().to_string();

        let expected =
            format!("{address} is in use by another program; choose another with --listen or VALETKEY_LISTEN");
        assert_eq!(refused, expected);
    }

    #[tokio::test]
    async fn of_two_that_reserve_one_port_at_once_one_listens() {
        let first = reserve("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.address().unwrap();
        let second = reserve(address).unwrap();

        let _listening = first.listen().unwrap();
        let refused = second.listen().unwrap_err();

        assert!(matches!(refused, EdgeError::Busy(at) if at == address), "{refused}");
    }

    #[tokio::test]
    async fn an_address_of_another_machine_is_refused_by_name() {
        let refused = bind("192.0.2.1:0".parse().unwrap()).unwrap_err();

        assert!(matches!(refused, EdgeError::NotHere(_)), "{refused}");
    }
}

//! Tells a supervisor that asks for it, such as systemd, how far the server is. Nobody may be there, and that is well.

use std::collections::BTreeMap;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// Where the supervisor listens.
const VARIABLE: &str = "NOTIFY_SOCKET";

/// Whoever started this process, if they want to hear of it. The protocol is that of `sd_notify(3)`.
pub(super) struct Supervisor(Option<(UnixDatagram, SocketAddr)>);

impl Supervisor {
    /// The one that the environment names.
    pub(super) fn find(environment: &BTreeMap<String, String>) -> Self {
        let named = environment.get(VARIABLE).and_then(|name| address(name).ok());
        Self(named.and_then(|address| Some((UnixDatagram::unbound().ok()?, address))))
    }

    /// The server takes requests.
    pub(super) fn ready(&self) {
        self.tell("READY=1");
    }

    /// The server finishes what it has and ends.
    pub(super) fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    fn tell(&self, state: &str) {
        if let Some((socket, address)) = &self.0 {
            // A supervisor that cannot be told finds out by waiting, as with programs that never tell.
            let _ = socket.send_to_addr(state.as_bytes(), address);
        }
    }
}

/// A path, or after an `@` a name that stands in no folder.
fn address(name: &str) -> std::io::Result<SocketAddr> {
    match name.strip_prefix('@') {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, listening: &UnixDatagram) -> Vec<String> {
        let supervisor = Supervisor::find(&BTreeMap::from([(VARIABLE.to_owned(), name.to_owned())]));
        supervisor.ready();
        supervisor.stopping();
        let mut buffer = [0; 64];
        let mut next = || {
            let length = listening.recv(&mut buffer).unwrap();
            String::from_utf8(buffer[..length].to_vec()).unwrap()
        };
        vec![next(), next()]
    }

    #[test]
    fn a_supervisor_hears_of_both_at_a_path_and_at_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify").display().to_string();
        let name = format!("@valetkey-test-{}", std::process::id());

        for place in [path, name] {
            let listening = UnixDatagram::bind_addr(&address(&place).unwrap()).unwrap();
            assert_eq!(told(&place, &listening), ["READY=1", "STOPPING=1"]);
        }
    }

    #[test]
    fn where_nobody_listens_nothing_happens() {
        for name in ["", "/nowhere/at/all"] {
            Supervisor::find(&BTreeMap::from([(VARIABLE.to_owned(), name.to_owned())])).ready();
        }
        Supervisor::find(&BTreeMap::new()).stopping();
    }
}

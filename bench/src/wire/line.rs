//! One connection that stays open: a request goes out, its answer comes back.

use std::io::{Error, ErrorKind};
use std::net::{IpAddr, SocketAddr};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use super::answer::{Answer, measure};

/// More than any answer of a work needs.
const ROOM: usize = 64 * 1024;

/// A connection to one server.
pub struct Line {
    stream: TcpStream,
    inbox: Vec<u8>,
    filled: usize,
}

impl Line {
    /// Calls a server; from this address of our own, if it matters.
    pub async fn open(to: SocketAddr, from: Option<IpAddr>) -> std::io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        if let Some(from) = from {
            socket.bind(SocketAddr::new(from, 0))?;
        }
        let stream = socket.connect(to).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, inbox: vec![0; ROOM], filled: 0 })
    }

    /// Sends a request and waits for all of its answer.
    pub async fn ask(&mut self, request: &[u8]) -> std::io::Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.filled = 0;
        let (head, whole) = loop {
            if self.filled == self.inbox.len() {
                self.inbox.resize(self.inbox.len() * 2, 0);
            }
            let read = self.stream.read(&mut self.inbox[self.filled..]).await?;
            if read == 0 {
                return Err(Error::new(ErrorKind::UnexpectedEof, "the server closed the connection"));
            }
            self.filled += read;
            if let Some(found) = measure(&self.inbox[..self.filled]) {
                break found;
            }
        };
        let status = self.inbox.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        let status = status.ok_or_else(|| Error::new(ErrorKind::InvalidData, "no status"))?;
        Ok(Answer { status, head: &self.inbox[..head], body: &self.inbox[head..whole] })
    }
}

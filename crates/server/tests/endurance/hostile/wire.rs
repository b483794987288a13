//! Answers as they come over a raw socket.

use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// No answer takes longer than this.
const PATIENCE: Duration = Duration::from_secs(20);

/// One answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub media_type: String,
    pub body: Vec<u8>,
}

/// What is wrong with an answer to a hostile request. `parsed`: the request is one that HTTP can read.
pub fn complaint(answer: &Answer, head: bool, parsed: bool) -> Option<&'static str> {
    if answer.status >= 500 {
        return Some("the server blames itself");
    }
    if answer.status < 400 || head {
        return None;
    }
    if answer.body.is_empty() {
        return parsed.then_some("an error without a body");
    }
    match answer.media_type.as_str() {
        "application/problem+json" | "application/json" => {
            let problem: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            (problem["status"] != answer.status).then_some("an error that is no problem")
        }
        "text/html" => None,
        _ => Some("an error in plain text"),
    }
}

/// A connection, with what came and was not read yet.
pub struct Wire {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// It carried a body that the server may not have read.
    pub may_close: bool,
}

impl Wire {
    pub async fn connect(address: &str) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), buffer: Vec::new(), may_close: false }
    }

    /// Sends what it can. The server may hang up in the middle; its answer tells why.
    pub async fn send(&mut self, bytes: &[u8]) {
        let _ = timeout(PATIENCE, self.stream.write_all(bytes)).await.expect("the server reads or hangs up");
    }

    /// Says that nothing more will come.
    pub async fn finish(&mut self) {
        let _ = self.stream.shutdown().await;
    }

    /// The next answer. `Ok(None)`: the server hung up.
    pub async fn answer(&mut self, head: bool) -> io::Result<Option<Answer>> {
        loop {
            if let Some((answer, length)) = parse(&self.buffer, head) {
                self.buffer.drain(..length);
                if answer.status >= 200 {
                    return Ok(Some(answer));
                }
            } else if !self.more().await? {
                return Ok(None);
            }
        }
    }

    /// All answers until the server hangs up, or has nothing to say for a moment and is told that nothing more comes.
    pub async fn answers(&mut self, moment: Duration, head: bool) -> io::Result<Vec<Answer>> {
        let mut answers = Vec::new();
        let mut waiting = true;
        loop {
            if let Some((answer, length)) = parse(&self.buffer, head) {
                self.buffer.drain(..length);
                answers.push(answer);
                continue;
            }
            if waiting {
                match timeout(moment, self.more()).await {
                    Ok(Ok(true)) => {}
                    Ok(_) => return Ok(answers),
                    Err(_) => {
                        waiting = false;
                        self.finish().await;
                    }
                }
            } else {
                match self.more().await {
                    Ok(true) => {}
                    Ok(false) => return Ok(answers),
                    Err(error) if error.kind() == io::ErrorKind::TimedOut => return Err(error),
                    Err(_) => return Ok(answers),
                }
            }
        }
    }

    async fn more(&mut self) -> io::Result<bool> {
        let read = timeout(PATIENCE, self.stream.read_buf(&mut self.buffer)).await;
        Ok(read.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?? > 0)
    }
}

/// The first answer in the buffer and its length, if it is there as a whole.
fn parse(buffer: &[u8], head: bool) -> Option<(Answer, usize)> {
    let end = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&buffer[..end]);
    let status = text.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()?;
    let header = |name: &str| {
        let mut lines = text.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned())
    };
    let media_type = header("content-type").unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default().to_owned();
    let no_body = head || status < 200 || status == 204 || status == 304;
    let length = header("content-length").map_or(0, |length| length.parse().unwrap());
    let length = if no_body { 0 } else { length };
    assert!(no_body || header("transfer-encoding").is_none(), "these answers have a length: {text}");
    let body = buffer.get(end..end + length)?.to_vec();
    Some((Answer { status, media_type, body }, end + length))
}

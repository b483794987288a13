//! What is not HTTP never reaches a router: the library answers it with a bare status. Here that answer gets a body.
//!
//! An answer of ours always bears a request id, so a head without one, and without content, is the library's own.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::FutureExt;
use http::{Method, StatusCode, Uri};
use http_body_util::BodyExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::refusal::{Asked, Refusal, Renderer};

/// A socket on which a bare refusal leaves dressed.
pub(super) struct Dressed<I> {
    inner: I,
    renderer: Renderer,
    /// What goes out in place of a bare answer, and how much of it has.
    answer: Vec<u8>,
    sent: usize,
}

impl<I> Dressed<I> {
    pub fn new(inner: I, renderer: Renderer) -> Self {
        Self { inner, renderer, answer: Vec::new(), sent: 0 }
    }

    /// The answer to send in place of these bytes, if they are a bare refusal.
    fn dress(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if !bytes.starts_with(b"HTTP/1.1 4") || !bytes.ends_with(b"\r\n\r\n") {
            return None;
        }
        let head = std::str::from_utf8(bytes).ok()?;
        if !head.contains("content-length: 0") || head.contains("x-request-id") {
            return None;
        }
        let refusal = match StatusCode::from_bytes(bytes.get(9..12)?).ok()? {
            StatusCode::BAD_REQUEST => Refusal::Malformed,
            StatusCode::URI_TOO_LONG => Refusal::UriTooLong,
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Refusal::HeadTooLarge,
            _ => return None,
        };
        self.write(refusal)
    }

    fn write(&self, refusal: Refusal) -> Option<Vec<u8>> {
        let method = Method::from_bytes(b"UNREADABLE").unwrap_or_default();
        let asked = Asked { method, uri: Uri::default(), accept: None, origin: None, version: None };
        let (parts, body) = (self.renderer)(refusal, &asked).into_parts();
        let body = body.collect().now_or_never()?.ok()?.to_bytes();
        let status = refusal.status();
        let mut bytes = format!("HTTP/1.1 {}\r\n", status.as_str()).into_bytes();
        for (name, value) in &parts.headers {
            if *name != http::header::CONTENT_LENGTH {
                bytes.extend_from_slice(name.as_str().as_bytes());
                bytes.extend_from_slice(b": ");
                bytes.extend_from_slice(value.as_bytes());
                bytes.extend_from_slice(b"\r\n");
            }
        }
        bytes.extend_from_slice(format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len()).as_bytes());
        bytes.extend_from_slice(&body);
        Some(bytes)
    }
}

impl<I: AsyncWrite + Unpin> Dressed<I> {
    fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.sent < self.answer.len() {
            let written = ready!(Pin::new(&mut self.inner).poll_write(cx, &self.answer[self.sent..]))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.sent += written;
        }
        Poll::Ready(Ok(()))
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Dressed<I> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buf)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Dressed<I> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_answer(cx))?;
        if let Some(answer) = self.dress(buf) {
            (self.answer, self.sent) = (answer, 0);
            // What does not fit now leaves with the flush that follows.
            if let Poll::Ready(Err(error)) = self.poll_answer(cx) {
                return Poll::Ready(Err(error));
            }
            return Poll::Ready(Ok(buf.len()));
        }
        Pin::new(&mut self.inner).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_answer(cx))?;
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_answer(cx))?;
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match bufs {
            [only] => self.poll_write(cx, only),
            several => {
                ready!(self.poll_answer(cx))?;
                Pin::new(&mut self.inner).poll_write_vectored(cx, several)
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }
}

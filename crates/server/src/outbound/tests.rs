//! Against real listeners: what is refused, what is not followed, and what is not read to its end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

use super::*;

/// What a listener does after it has heard a request.
#[derive(Clone)]
enum Manner {
    /// Says this.
    Says(String),
    /// Promises a body and never comes to its end, as fast as it can.
    Endless,
    /// Promises a body and sends a byte now and then.
    Slow,
    /// Says nothing.
    Silent,
}

/// Answers its address and how many have called.
async fn listen(manner: Manner) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, calls) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
    let count = calls.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(answer(stream, manner.clone()));
        }
    });
    (address, calls)
}

async fn answer(mut stream: TcpStream, manner: Manner) {
    let mut heard = [0; 4096];
    let _ = stream.read(&mut heard).await;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n";
    match manner {
        Manner::Says(text) => drop(stream.write_all(text.as_bytes()).await),
        Manner::Silent => sleep(Duration::from_secs(60)).await,
        Manner::Endless | Manner::Slow => {
            let _ = stream.write_all(head.as_bytes()).await;
            let part = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
            let (part, pause) = match manner {
                Manner::Endless => (part.as_str(), Duration::ZERO),
                _ => ("1\r\nx\r\n", Duration::from_millis(500)),
            };
            while stream.write_all(part.as_bytes()).await.is_ok() {
                sleep(pause).await;
            }
        }
    }
}

fn ok(body: &str) -> Manner {
    Manner::Says(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
}

fn allowing(networks: &[&str]) -> Outbound {
    let allow: Vec<IpNet> = networks.iter().map(|network| network.parse().unwrap()).collect();
    Outbound::new(&allow, None).unwrap()
}

#[tokio::test]
async fn an_address_of_our_own_is_not_called_however_it_is_written() {
    let (address, calls) = listen(ok("secret")).await;
    let outbound = allowing(&[]);

    let port = address.port();
    let hosts =
        ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "localhost", "localhost.", "[::ffff:7f00:1]"];
    for host in hosts.iter().chain(&["[::1]", "[::127.0.0.1]", "0.0.0.0", "0"]) {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            let fetched = outbound.fetch(&url, HeaderMap::new()).await.unwrap_err();
            let posted = outbound.post(&url, HeaderMap::new(), Vec::new()).await.unwrap_err();
            for error in [fetched, posted] {
                let is_refused = matches!(error, CallError::Refused(_) | CallError::NotSecure);
                // Where a name has no address at all, the system says so before we do.
                assert!(is_refused || matches!(error, CallError::Failed(_)), "{url}: {error}");
            }
        }
    }
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_name_is_as_good_as_its_addresses() {
    let (address, _) = listen(ok("hello")).await;
    let url = format!("http://localhost:{}/", address.port());

    let allowed = allowing(&["127.0.0.0/8", "::1/128"]).fetch(&url, HeaderMap::new()).await;
    let refused = allowing(&["10.0.0.0/8"]).fetch(&url, HeaderMap::new()).await;
    let secure = allowing(&[]).fetch(&url.replace("http:", "https:"), HeaderMap::new()).await;

    assert_eq!(allowed.unwrap(), "hello");
    assert!(matches!(refused, Err(CallError::NotSecure)), "{refused:?}");
    assert!(matches!(secure, Err(CallError::Refused(name)) if name == "localhost"));
}

#[test]
fn of_many_addresses_of_a_name_only_those_are_left_that_may_be_called() {
    let found = ["8.8.8.8:0", "127.0.0.1:0", "[fd00::1]:0", "10.1.1.1:0", "[2606:4700::1]:0"];
    let found: Vec<SocketAddr> = found.iter().map(|text| text.parse().unwrap()).collect();
    let reach = Reach::new(&["10.1.0.0/16".parse().unwrap()]);

    let secure = resolver::keep(&reach, true, found.iter().copied());
    let plain = resolver::keep(&reach, false, found.iter().copied());

    assert_eq!(secure, [found[0], found[3], found[4]]);
    assert_eq!(plain, [found[3]]);
}

#[tokio::test]
async fn what_is_no_web_address_is_not_called() {
    let outbound = allowing(&["127.0.0.0/8"]);

    for url in ["", "x", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "data:,x", "http:///x"] {
        let error = outbound.fetch(url, HeaderMap::new()).await.unwrap_err();
        assert!(matches!(error, CallError::BadUrl | CallError::NotSecure | CallError::Failed(_)), "{url}: {error}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (inside, calls) = listen(ok("secret")).await;
    let head = format!("HTTP/1.1 302 Found\r\nlocation: http://{inside}/\r\ncontent-length: 0\r\n\r\n");
    let (outside, _) = listen(Manner::Says(head)).await;
    let outbound = allowing(&["127.0.0.0/8"]);

    let fetched = outbound.fetch(&format!("http://{outside}/"), HeaderMap::new()).await;
    let posted = outbound.post(&format!("http://{outside}/"), HeaderMap::new(), Vec::new()).await;

    assert!(matches!(fetched, Err(CallError::Failed(why)) if why.contains("302")));
    assert_eq!(posted.unwrap(), 302);
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_endless_answer_is_not_read_to_its_end() {
    let (address, _) = listen(Manner::Endless).await;
    let (outbound, url) = (allowing(&["127.0.0.1/32"]), format!("http://{address}/"));

    let fetched = outbound.fetch(&url, HeaderMap::new()).await;
    let posted = outbound.post(&url, HeaderMap::new(), b"news".to_vec()).await;

    assert!(matches!(fetched, Err(CallError::TooLong)), "{fetched:?}");
    assert_eq!(posted.unwrap(), 200);
}

#[tokio::test]
async fn a_slow_or_silent_answer_is_given_up_in_time() {
    let (slow, _) = listen(Manner::Slow).await;
    let (silent, _) = listen(Manner::Silent).await;
    let outbound = allowing(&["127.0.0.1/32"]);
    let begun = Instant::now();

    let (slow, silent) = (format!("http://{slow}/"), format!("http://{silent}/?token=hidden"));
    let (slow, silent) =
        tokio::join!(outbound.fetch(&slow, HeaderMap::new()), outbound.post(&silent, HeaderMap::new(), Vec::new()));

    for error in [slow.unwrap_err(), silent.unwrap_err()] {
        assert!(matches!(&error, CallError::Failed(why) if why == "no answer in time"), "{error}");
    }
    assert!(begun.elapsed() < PATIENCE + Duration::from_secs(5));
}

#[tokio::test]
async fn a_failure_does_not_tell_what_stands_in_the_url() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();

    let url = format!("http://user:hidden1@{gone}/?token=hidden2");
    let error = allowing(&["127.0.0.1/32"]).fetch(&url, HeaderMap::new()).await.unwrap_err();

    assert!(!format!("{error} {error:?}").contains("hidden"), "{error:?}");
}

/// A listener that speaks TLS with a certificate nobody vouches for; answers its address and the certificate.
async fn listen_over_tls() -> (SocketAddr, String) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if let Ok(mut stream) = acceptor.accept(stream).await {
                let mut heard = [0; 4096];
                let _ = stream.read(&mut heard).await;
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").await;
            }
        }
    });
    (address, made.cert.pem())
}

#[tokio::test]
async fn a_certificate_is_trusted_if_its_authority_is() {
    let (address, certificate) = listen_over_tls().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    std::fs::write(&path, certificate).unwrap();
    let allow = ["127.0.0.1".parse::<std::net::IpAddr>().unwrap().into()];
    let url = format!("https://localhost:{}/", address.port());

    let stranger = Outbound::new(&allow, None).unwrap().fetch(&url, HeaderMap::new()).await;
    let known = Outbound::new(&allow, Some(&path)).unwrap().fetch(&url, HeaderMap::new()).await;

    assert!(matches!(stranger, Err(CallError::Failed(_))), "{stranger:?}");
    assert_eq!(known.unwrap(), "hello");
}

#[test]
fn a_file_without_an_authority_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");

    let missing = Outbound::new(&[], Some(&path)).err().unwrap();
    std::fs::write(&path, "Dear reader").unwrap();
    let empty = Outbound::new(&[], Some(&path)).err().unwrap();

    assert!(missing.to_string().contains("ca.pem") && empty.to_string().contains("no certificate"), "{empty}");
}

//! Whom the edge believes, header by header.

use super::*;

const PROXY: &str = "10.0.0.1";

fn public() -> Trust {
    Trust { proxies: vec!["10.0.0.0/8".parse().unwrap()], tls: false, loopback: false, public: Scheme::Https }
}

fn trace(trust: &Trust, peer: &str, pairs: &[(&'static str, &str)]) -> Result<(String, Scheme), Refusal> {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(*name, value.parse().unwrap());
    }
    let outcome = trust.trace(peer.parse().unwrap(), &mut headers);
    assert!(headers.is_empty(), "headers of proxies are removed");
    outcome.map(|ClientAddress(client, scheme)| (client.to_string(), scheme))
}

fn client(pairs: &[(&'static str, &str)]) -> String {
    trace(&public(), PROXY, pairs).unwrap().0
}

#[test]
fn a_stranger_cannot_choose_its_address_or_scheme() {
    let trust = Trust { tls: true, ..public() };
    let forged =
        [("x-forwarded-for", "1.2.3.4"), ("forwarded", "for=1.2.3.4;proto=http"), ("x-forwarded-proto", "http")];

    assert_eq!(trace(&trust, "192.0.2.9", &forged), Ok(("192.0.2.9".to_owned(), Scheme::Https)));
}

#[test]
fn behind_a_proxy_the_right_most_stranger_is_the_client() {
    assert_eq!(client(&[("x-forwarded-for", "1.2.3.4, 192.0.2.9")]), "192.0.2.9");
    assert_eq!(client(&[("x-forwarded-for", "1.2.3.4, 192.0.2.9, 10.9.9.9")]), "192.0.2.9");
    assert_eq!(client(&[("x-forwarded-for", "1.2.3.4"), ("x-forwarded-for", "192.0.2.9")]), "192.0.2.9");
    assert_eq!(
        client(&[("forwarded", "for=1.2.3.4, for=\"[2001:db8::9]:4711\";proto=https;by=10.0.0.1")]),
        "2001:db8::9"
    );
}

#[test]
fn addresses_may_carry_a_port() {
    assert_eq!(client(&[("x-forwarded-for", "192.0.2.9:5000")]), "192.0.2.9");
    assert_eq!(client(&[("x-forwarded-for", "[2001:db8::9]")]), "2001:db8::9");
    assert_eq!(client(&[("x-forwarded-for", "::ffff:192.0.2.9")]), "192.0.2.9");
}

#[test]
fn what_cannot_be_read_hides_everything_to_its_left() {
    assert_eq!(client(&[("x-forwarded-for", "1.2.3.4, unknown")]), PROXY);
    assert_eq!(client(&[("x-forwarded-for", "1.2.3.4, _hidden, 10.9.9.9")]), "10.9.9.9");
    assert_eq!(client(&[("forwarded", "for=1.2.3.4, for=\"a,b\"")]), PROXY);
    assert_eq!(client(&[]), PROXY);
}

#[test]
fn two_headers_that_disagree_vouch_for_nobody() {
    assert_eq!(client(&[("x-forwarded-for", "192.0.2.9"), ("forwarded", "for=1.2.3.4")]), PROXY);
    assert_eq!(client(&[("x-forwarded-for", "unix:"), ("forwarded", "for=1.2.3.4")]), PROXY);
    assert_eq!(client(&[("x-forwarded-for", "192.0.2.9"), ("forwarded", "for=192.0.2.9")]), "192.0.2.9");
}

#[test]
fn plain_http_from_a_peer_that_is_no_proxy_is_refused_unless_on_loopback() {
    assert_eq!(trace(&public(), "192.0.2.9", &[]), Err(Refusal::NotAProxy));

    let local = Trust { loopback: true, ..public() };
    assert_eq!(trace(&local, "127.0.0.1", &[]), Ok(("127.0.0.1".to_owned(), Scheme::Http)));
}

#[test]
fn a_proxy_that_was_spoken_to_in_the_clear_is_refused() {
    for said in ["http", "https, http", "HTTP", "wss"] {
        assert_eq!(trace(&public(), PROXY, &[("x-forwarded-proto", said)]), Err(Refusal::NotHttps), "{said}");
    }
    assert_eq!(trace(&public(), PROXY, &[("forwarded", "for=192.0.2.9;proto=http")]), Err(Refusal::NotHttps));
    assert_eq!(trace(&public(), PROXY, &[("x-forwarded-proto", "https")]).unwrap().1, Scheme::Https);
}

#[test]
fn a_proxy_that_names_no_scheme_is_taken_at_the_public_url() {
    let plain = Trust { public: Scheme::Http, ..public() };

    assert_eq!(trace(&public(), PROXY, &[]).unwrap().1, Scheme::Https);
    assert_eq!(trace(&plain, PROXY, &[]).unwrap().1, Scheme::Http);
    assert_eq!(trace(&plain, PROXY, &[("x-forwarded-proto", "http")]).unwrap().1, Scheme::Http);
}

#[test]
fn a_mapped_address_is_the_address_it_maps() {
    assert_eq!(trace(&public(), "::ffff:10.0.0.1", &[("x-forwarded-for", "192.0.2.9")]).unwrap().0, "192.0.2.9");
}

//! Signatures of webhooks, as Standard Webhooks writes them: over id, time and body, with a secret that both sides know.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue};
use jiff::Timestamp;

use crate::config::WebhookSecret;

/// The three headers. The time is that of the attempt, so that a receiver can refuse old recordings; the id stays.
pub fn sign(secret: &WebhookSecret, id: &str, now: Timestamp, body: &[u8]) -> HeaderMap {
    let now = now.as_second().to_string();
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, secret.expose()));
    for part in [id.as_bytes(), b".", now.as_bytes(), b".", body] {
        context.update(part);
    }
    let signature = format!("v1,{}", STANDARD.encode(context.sign()));
    let texts = [("webhook-id", id), ("webhook-timestamp", &now), ("webhook-signature", &signature)];
    texts.into_iter().filter_map(|(name, text)| Some((name.parse().ok()?, HeaderValue::from_str(text).ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Value as _;

    #[test]
    fn a_signature_is_the_one_of_the_specification() {
        // The example of the Standard Webhooks libraries.
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let now = Timestamp::from_second(1_614_265_330).unwrap();

        let headers = sign(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", now, br#"{"test": 2432232314}"#);

        assert_eq!(headers["webhook-id"], "msg_p5jXN8AQM9LWM0D4loKWxJek");
        assert_eq!(headers["webhook-timestamp"], "1614265330");
        assert_eq!(headers["webhook-signature"], "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}

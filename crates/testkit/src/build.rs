//! Builders: sound values, to be bent by each test.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use valetkey_oauth::model::{
    AccessToken, Alert, AlertId, AlertKind, Algorithm, ApiKey, ApiKeyId, ApiKeySecret, Approval, Client, ClientId,
    ClientKind, ClientSecret, Consent, Delivery, DeliveryId, DeliveryKind, Device, DeviceId, DeviceState,
    IntrospectionReach, KeyPurpose, Link, LinkMaker, Revocation, RevocationTarget, Secret, SecretDigest, Session,
    SessionId, SessionOrigin, SessionState, SignIn, SignInId, StoredKey, SubjectNames, TokenId, User, UserId,
};
use valetkey_oauth::ports::{Grounds, OpeningRules, PollRules, RotationRules};
use valetkey_oauth::protocol::{GrantType, Scope};

use crate::clock::moment;

/// An id from a number; larger numbers sort later.
pub fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0000 + number)
}

/// A confidential client whose secret is `<id>-secret`.
pub fn client(id: &str) -> Client {
    let secret = Secret::new(format!("{id}-secret"));
    Client {
        id: ClientId::new(id),
        name: format!("The {id} app"),
        kind: ClientKind::Confidential,
        redirect_uris: vec!["https://app.example/callback".to_owned()],
        loopback_any_port: false,
        grants: vec![GrantType::ClientCredentials],
        scope: Scope::parse("read:orders write:orders").unwrap(),
        access_token_format: None,
        id_token_algorithm: Algorithm::Rs256,
        rotates_refresh_tokens: true,
        refresh_retry_window: Duration::ZERO,
        introspection: IntrospectionReach::Own,
        subject_names: SubjectNames::Public,
        post_logout_redirect_uris: Vec::new(),
        backchannel_logout_uri: None,
        version_pin: None,
        tls: None,
        binds_tokens: false,
        origins: Vec::new(),
        secrets: vec![ClientSecret { digest: secret.digest(), created_at: moment(0), expires_at: None }],
        created_at: moment(0),
    }
}

/// A key for a private network, whose secret is `vk_ak_<number>`.
pub fn api_key(number: u128) -> ApiKey {
    let digest = Secret::new(format!("vk_ak_{number}")).digest();
    ApiKey {
        id: ApiKeyId(id(number)),
        name: format!("Service {number}"),
        scope: Scope::parse("read:orders").unwrap(),
        networks: vec!["10.0.0.0/8".parse().unwrap()],
        version_pin: Some("1".to_owned()),
        created_at: moment(0),
        expires_at: Some(moment(1000)),
        revoked_at: None,
        last_used_at: None,
        secrets: vec![ApiKeySecret { digest, created_at: moment(0), expires_at: None }],
    }
}

/// An account.
pub fn user(number: u128, username: &str) -> User {
    User {
        id: UserId(id(number)),
        username: username.to_owned(),
        password_hash: "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA".to_owned(),
        email: Some(format!("{username}@example.org")),
        name: None,
        profile: serde_json::Map::new(),
        admin: false,
        scope: None,
        created_at: moment(0),
    }
}

/// What `user(number)` is at an issuer: the person `sub-<number>`.
pub fn link(number: u128, issuer: &str) -> Link {
    Link {
        user: UserId(id(number)),
        issuer: issuer.to_owned(),
        subject: format!("sub-{number}"),
        maker: LinkMaker::Email,
        made_at: moment(0),
        used_at: None,
    }
}

/// A living session of `alice` in `app`, first generation, for 30 days.
pub fn session(number: u128) -> Session {
    Session {
        id: SessionId(id(number)),
        client: ClientId::new("app"),
        subject: "alice".to_owned(),
        scope: Scope::parse("openid read:orders").unwrap(),
        resource: None,
        authenticated_at: moment(-5),
        methods: vec!["pwd".to_owned()],
        generation: 1,
        key_binding: None,
        claims: None,
        origin: SessionOrigin::default(),
        created_at: moment(0),
        used_at: moment(0),
        expires_at: moment(30 * 86_400),
        state: SessionState::Active,
    }
}

/// An access token of `session(number)`.
pub fn access_token(number: u128) -> AccessToken {
    AccessToken {
        id: TokenId(id(1_000_000 + number)),
        session: Some(SessionId(id(number))),
        client: ClientId::new("app"),
        subject: "alice".to_owned(),
        scope: Scope::parse("read:orders").unwrap(),
        audience: "https://api.example/api".to_owned(),
        issued_at: moment(0),
        expires_at: moment(900),
        version_pin: None,
        key_binding: None,
        authenticated_at: None,
    }
}

/// A revocation that matters for a day.
pub fn revocation(target: RevocationTarget) -> Revocation {
    Revocation { target, expires_at: moment(86_400) }
}

/// A wrapped key of nonsense bytes.
pub fn key(purpose: KeyPurpose, generation: u32) -> StoredKey {
    StoredKey {
        id: format!("{}-{generation}", purpose.as_str()),
        purpose,
        generation,
        created_at: moment(0),
        active_from: moment(60),
        wrapped: vec![1, 2, 3, generation.to_be_bytes()[3]],
    }
}

/// The rules of an opening: on no grounds, and no answer is kept.
pub fn opening() -> OpeningRules {
    OpeningRules { tokens_until: moment(900), grounds: Grounds::default(), answer: None }
}

/// The rules of a rotation at this moment: voiding, no retry, idle for at most 14 days.
pub fn rotation(now: Timestamp) -> RotationRules {
    let seconds = SignedDuration::from_secs;
    RotationRules {
        now,
        tokens_until: now.checked_add(seconds(900)).unwrap(),
        idle_since: now.checked_sub(seconds(14 * 86_400)).unwrap(),
        retry_since: None,
        voids: true,
        answer: None,
    }
}

/// A sign-in of `user(number)` whose cookie is `cookie-<number>`, for a day.
pub fn sign_in(number: u128) -> SignIn {
    SignIn {
        id: SignInId(id(number)),
        user: UserId(id(1)),
        cookie: Secret::new(format!("cookie-{number}")).digest(),
        authenticated_at: moment(0),
        methods: vec!["pwd".to_owned()],
        seen_at: moment(0),
        created_at: moment(0),
        expires_at: moment(86_400),
        address: Some("192.0.2.7".to_owned()),
        agent: Some("A browser".to_owned()),
    }
}

/// A consent of `alice` to `app`.
pub fn consent(scope: &str) -> Consent {
    Consent {
        subject: "alice".to_owned(),
        client: ClientId::new("app"),
        scope: Scope::parse(scope).unwrap(),
        given_at: moment(0),
        changed_at: moment(0),
    }
}

/// A message that is due at once and keeps for a day.
pub fn delivery(number: u128) -> Delivery {
    Delivery {
        id: DeliveryId(id(number)),
        kind: DeliveryKind::Webhook,
        url: "https://ops.example/hook?key=1".to_owned(),
        content_type: "application/json".to_owned(),
        body: b"{}".to_vec(),
        created_at: moment(0),
        due_at: moment(0),
        attempts: 0,
        expires_at: moment(86_400),
    }
}
/// What stands in the place of the user code of `device(number)`.
pub fn user_code(number: u128) -> SecretDigest {
    Secret::new(format!("code-{number}")).digest()
}

/// A device with `app` on it that waits for ten minutes.
pub fn device(number: u128) -> Device {
    Device {
        id: DeviceId(id(number)),
        client: ClientId::new("app"),
        user_code: user_code(number),
        scope: Scope::parse("openid read:orders").unwrap(),
        resource: Some("https://auth.example/api".to_owned()),
        origin: SessionOrigin {
            sign_in: None,
            address: Some("192.0.2.9".to_owned()),
            agent: Some("A television".to_owned()),
        },
        asked_at: moment(0),
        expires_at: moment(600),
        interval: 5,
        polled_at: None,
        state: DeviceState::Pending,
    }
}

/// What alice says to a device.
pub fn approval() -> Approval {
    Approval {
        subject: "alice".to_owned(),
        authenticated_at: moment(-5),
        methods: vec!["pwd".to_owned()],
        scope: Scope::parse("openid read:orders").unwrap(),
    }
}

/// The rules of a poll at this moment: a session would last a day.
pub fn poll(now: Timestamp) -> PollRules {
    let later = |seconds| now.checked_add(SignedDuration::from_secs(seconds)).unwrap();
    PollRules { now, session_until: later(86_400), tokens_until: later(900), key_binding: None, answer: None }
}

/// Someone presented an old refresh token of `session(number)`, so many seconds after the beginning of all tests.
pub fn alert(number: u128) -> Alert {
    let at = moment(i64::try_from(number).unwrap());
    let mut alert = Alert::new(AlertId::floor(at), at, AlertKind::RefreshReused);
    alert.concerns(&session(number));
    alert.address = Some("192.0.2.7".to_owned());
    alert.generation = Some(1);
    alert
}

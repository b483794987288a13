//! Where people leave for another provider and come back from it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::directory::Directory;
use super::exchange::Exchange;
use super::freshness::{freshness, methods};
use super::identity::Identity;
use super::metadata::Metadata;
use super::pending::{self, Errand, Pending};
use super::refusal::protocol_word;
use super::{Provider, UpstreamRefusal, account, encode};
use crate::accounts::{Arrival, Browser, Carried, SignInDesk, SignedIn};
use crate::authorize::Interaction;
use crate::backoff::{Backoff, Count, network};
use crate::model::SecretDigest;
use crate::moment::later;
use crate::ports::UpstreamCalls;
use crate::protocol::{Challenge, Prompt};
use crate::{Authority, Event};

/// A provider need not say when someone signed in, unless it is asked.
const WHEN: &str = r#"{"id_token":{"auth_time":{"essential":true}}}"#;
/// So many mistakes are free in one browser.
const FREE_IN_BROWSER: u32 = 10;
/// So many are from one address: an office has many people, and one of them must not keep the others out.
const FREE_FROM_ADDRESS: u32 = 300;

/// Signs people in through other providers.
#[derive(Clone)]
pub struct UpstreamDesk {
    desk: SignInDesk,
    directories: Arc<[Directory]>,
    calls: Arc<dyn UpstreamCalls>,
    mistakes: Arc<Backoff>,
}

/// Someone wants to go.
#[derive(Debug)]
pub struct Start<'a> {
    /// Where to.
    pub provider: &'a str,
    /// The request of an app that waits, sealed; empty for none.
    pub request: &'a str,
    /// What else waits; empty for nothing.
    pub next: &'a str,
    /// That request, opened.
    pub interaction: Option<&'a Interaction>,
}

/// Someone goes.
#[derive(Debug)]
pub struct Departure {
    /// The provider's address.
    pub location: String,
    /// What the browser takes along.
    pub carried: Carried,
    /// For how long.
    pub patience: Duration,
    /// What it need not carry any more.
    pub dropped: Vec<String>,
}

/// What a browser brings back. Empty parameters are absent.
#[derive(Debug, Default)]
pub struct Return<'a> {
    /// `code`
    pub code: Option<&'a str>,
    /// `state`
    pub state: Option<&'a str>,
    /// `iss` (RFC 9207)
    pub iss: Option<&'a str>,
    /// `error`
    pub error: Option<&'a str>,
}

/// Someone is back: what they wanted to go on with, and whether they are in.
#[derive(Debug)]
pub struct Returned {
    /// The request of an app that waits, sealed.
    pub request: String,
    /// What else waits.
    pub next: String,
    /// What the browser need not carry any more.
    pub dropped: String,
    /// Are they in?
    pub outcome: Result<SignedIn, UpstreamRefusal>,
}

impl UpstreamDesk {
    /// A desk for these providers.
    pub fn new(desk: SignInDesk, providers: Vec<Provider>, calls: Arc<dyn UpstreamCalls>) -> Self {
        let directories = providers.into_iter().map(Directory::new).collect();
        Self { desk, directories, calls, mistakes: Arc::default() }
    }

    /// The providers, in the order of the settings.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.directories.iter().map(|directory| &directory.provider)
    }

    /// Sends someone to a provider.
    pub async fn begin(&self, browser: &Browser, start: &Start<'_>) -> Result<Departure, UpstreamRefusal> {
        let authority = self.authority();
        let begun = async {
            let directory = self.directory(start.provider)?;
            self.wait(browser)?;
            let metadata = directory.metadata(&*self.calls, authority.now()).await?;
            let errand = errand(start);
            let (pending, state, carried) = pending::begin(authority, browser, &errand)?;
            let location = self.address(&directory.provider, &metadata, &pending, &state, start.interaction);
            let dropped = pending::crowd(browser);
            Ok(Departure { location, carried, patience: pending::PATIENCE, dropped })
        };
        let begun = begun.await;
        if let Err(refusal) = &begun {
            self.tell(start.provider, browser, refusal);
        }
        begun
    }

    /// Takes someone back. An error means that nobody went from here.
    pub async fn finish(
        &self,
        provider: &str,
        browser: &Browser,
        back: &Return<'_>,
    ) -> Result<Returned, UpstreamRefusal> {
        let found = self.recognise(provider, browser, back).await;
        let (directory, pending, request) = match found {
            Ok(found) => found,
            Err(refusal) => {
                self.tell(provider, browser, &refusal);
                return Err(refusal);
            }
        };
        let outcome = self.admit(directory, &pending, browser, back).await;
        if let Err(refusal) = &outcome {
            self.tell(provider, browser, refusal);
        }
        let dropped = pending::name(back.state.unwrap_or_default());
        Ok(Returned { request, next: pending.next, dropped, outcome })
    }

    /// Did this browser go to this provider, and is it back for the first time?
    async fn recognise(
        &self,
        provider: &str,
        browser: &Browser,
        back: &Return<'_>,
    ) -> Result<(&Directory, Pending, String), UpstreamRefusal> {
        let directory = self.directory(provider)?;
        self.wait(browser)?;
        let (authority, state) = (self.authority(), back.state.unwrap_or_default());
        let found = pending::find(authority, browser, state).filter(|(pending, _)| pending.provider == provider);
        let (pending, request) = found.ok_or(UpstreamRefusal::NotPending)?;
        let until = later(pending.began_at, pending::PATIENCE);
        if !authority.ports.links.spend(&SecretDigest::of(state), until, authority.now()).await? {
            return Err(UpstreamRefusal::NotPending);
        }
        Ok((directory, pending, request))
    }

    async fn admit(
        &self,
        directory: &Directory,
        pending: &Pending,
        browser: &Browser,
        back: &Return<'_>,
    ) -> Result<SignedIn, UpstreamRefusal> {
        let (authority, provider) = (self.authority(), &directory.provider);
        let metadata = directory.metadata(&*self.calls, authority.now()).await?;
        // RFC 9207: an answer that another provider gave must not be taken to this one, and errors are answers too.
        let is_from_there = match back.iss {
            Some(iss) => iss == provider.issuer,
            None => !metadata.authorization_response_iss_parameter_supported,
        };
        if !is_from_there {
            return Err(UpstreamRefusal::Untrusted("the answer is of another issuer"));
        }
        match back.error {
            Some("access_denied") => return Err(UpstreamRefusal::Denied),
            Some(word) => return Err(UpstreamRefusal::Failed(protocol_word(word))),
            None => {}
        }
        let code = back.code.ok_or(UpstreamRefusal::Untrusted("the answer has no code"))?;
        let exchange = Exchange {
            directory,
            metadata: &metadata,
            pending,
            calls: &*self.calls,
            redirect_uri: &self.redirect_uri(provider),
            now: authority.now(),
        };
        let claims = exchange.claims(code).await?;
        let authenticated_at = freshness(&claims, pending, authority.now())?;
        let subject = claims.get("sub").and_then(Value::as_str).unwrap_or_default();
        let identity = Identity::read(provider, subject, &claims);
        let address = browser.address.as_deref();
        let (user, link) = account::find(authority, provider, &identity, address).await?;
        let arrival = Arrival {
            address: browser.address.clone(),
            agent: browser.agent.clone(),
            before: browser.sign_in.clone(),
            authenticated_at,
            methods: methods(&claims),
        };
        let renewed = match provider.renews_claims {
            true => Some(identity.renew(&user, account::may_take(authority, provider, &identity, &user).await?)),
            false => None,
        };
        let mut signed_in = self.desk.begin(user, arrival).await?;
        authority.ports.links.note_link_used(&link, authority.now(), renewed.as_ref()).await?;
        signed_in.user = renewed.unwrap_or(signed_in.user);
        let user = signed_in.user.id;
        authority.observer.observe(&Event::LinkUsed { user, issuer: &provider.issuer });
        authority.observer.observe(&Event::SignedIn { user, address });
        Ok(signed_in)
    }

    fn address(
        &self,
        provider: &Provider,
        metadata: &Metadata,
        pending: &Pending,
        state: &str,
        interaction: Option<&Interaction>,
    ) -> String {
        let back = self.redirect_uri(provider);
        let challenge = Challenge::of(&pending.verifier);
        // Whoever is asked for an age must say when (OpenID Connect Core §3.1.2.1).
        let is_anew = interaction.is_some_and(|interaction| interaction.asks(Prompt::Login));
        let max_age = pending.max_age.or(is_anew.then_some(0)).map(|age| age.to_string());
        let query = encode::pairs(&[
            ("response_type", Some("code")),
            ("client_id", Some(&provider.client_id)),
            ("redirect_uri", Some(&back)),
            ("scope", Some(&provider.scopes)),
            ("state", Some(state)),
            ("nonce", Some(&pending.nonce)),
            ("code_challenge", Some(challenge.as_str())),
            ("code_challenge_method", Some("S256")),
            ("prompt", prompt(metadata, interaction)),
            ("claims", metadata.claims_parameter_supported.then_some(WHEN)),
            ("max_age", max_age.as_deref()),
            ("login_hint", interaction.and_then(|interaction| interaction.login_hint.as_deref())),
            ("ui_locales", interaction.and_then(|interaction| interaction.ui_locales.as_deref())),
        ]);
        encode::onto(&metadata.authorization_endpoint, &query)
    }

    /// One for each provider: an answer that went to another one's does not come back here.
    fn redirect_uri(&self, provider: &Provider) -> String {
        format!("{}/login/{}/callback", self.authority().policy.issuer, provider.id)
    }

    pub(super) fn authority(&self) -> &Authority {
        self.desk.authority()
    }

    pub(super) fn issuers(&self) -> impl Iterator<Item = &str> {
        self.providers().map(|provider| provider.issuer.as_str())
    }

    pub(super) fn name_of(&self, issuer: &str) -> Option<&str> {
        self.providers().find(|provider| provider.issuer == issuer).map(|provider| provider.name.as_str())
    }

    fn directory(&self, id: &str) -> Result<&Directory, UpstreamRefusal> {
        let found = self.directories.iter().find(|directory| directory.provider.id == id);
        found.ok_or(UpstreamRefusal::ProviderUnknown)
    }

    fn wait(&self, browser: &Browser) -> Result<(), UpstreamRefusal> {
        let wait = self.mistakes.wait(&counts(browser), self.authority().now());
        wait.map_or(Ok(()), |wait| Err(UpstreamRefusal::Throttled(wait)))
    }

    fn tell(&self, provider: &str, browser: &Browser, refusal: &UpstreamRefusal) {
        if refusal.is_mistake() {
            self.mistakes.failed(&counts(browser), self.authority().now());
        }
        // A name that is in no settings is a stranger's word.
        let provider = self.directory(provider).map_or("", |directory| &directory.provider.id);
        let (address, why) = (browser.address.as_deref(), refusal.to_string());
        self.authority().observer.observe(&Event::SignOnFailed { provider, address, why: &why });
    }
}

fn counts(browser: &Browser) -> [Count; 2] {
    let address = network(browser.address.as_deref());
    [(format!("{address} {}", browser.key), FREE_IN_BROWSER), (address, FREE_FROM_ADDRESS)]
}

fn errand<'a>(start: &Start<'a>) -> Errand<'a> {
    let asks = |prompt| start.interaction.is_some_and(|interaction| interaction.asks(prompt));
    let max_age = start.interaction.and_then(|interaction| interaction.max_age);
    Errand {
        provider: start.provider,
        request: start.request,
        next: start.next,
        anew: asks(Prompt::Login) || asks(Prompt::SelectAccount),
        is_counted_on: asks(Prompt::Login) || max_age.is_some(),
        max_age,
    }
}

/// What the app wants asked, as far as it is the provider's to ask. Consent is ours.
fn prompt(metadata: &Metadata, interaction: Option<&Interaction>) -> Option<&'static str> {
    let asks = |prompt| interaction.is_some_and(|interaction| interaction.asks(prompt));
    if asks(Prompt::Login) {
        return Some("login");
    }
    asks(Prompt::SelectAccount).then(|| metadata.choice())
}

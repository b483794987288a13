//! One person with a browser: signs in and consents once; after that, each visit brings a code.

use std::collections::BTreeMap;
use std::process::Stdio;

use anyhow::{Context as _, bail};
use tokio::io::AsyncWriteExt as _;
use url::Url;

use super::House;
use super::serving::Settings;
use crate::wire::{Line, Request, encode};

/// Where codes are sent. Nobody listens there.
pub const CALLBACK: &str = "https://app.example/callback";
/// One proof key for all codes: what is measured is the server.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// What the person is called.
pub const NAME: &str = "ada";
const PASSWORD: &str = "correct horse battery staple";

/// Makes the account.
pub async fn add(settings: &Settings) -> anyhow::Result<()> {
    let mut command = settings.command();
    command.args(["user", "add", NAME, "--password-stdin", "--json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut entry = child.stdin.take().context("no standard input")?;
    entry.write_all(PASSWORD.as_bytes()).await?;
    drop(entry);
    let made = child.wait_with_output().await?;
    if !made.status.success() {
        bail!("user add: {}", String::from_utf8_lossy(&made.stderr));
    }
    Ok(())
}

fn visit() -> String {
    let query = encode(&[
        ("response_type", "code"),
        ("client_id", "web"),
        ("redirect_uri", CALLBACK),
        ("scope", "offline_access read:orders"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "af0ifjsldkj"),
    ]);
    format!("/authorize?{query}")
}

impl House {
    /// A code, as the browser of the person brings it: signed in, and asked before.
    pub async fn code(&self, line: &mut Line) -> anyhow::Result<String> {
        let answer = line.ask(&self.get(&visit()).header("cookie", &self.cookie).bare()).await?;
        let place = answer.header("location").with_context(|| format!("no code: {}", answer.text()))?;
        code_in(place).with_context(|| format!("no code in {place}"))
    }
}

impl House {
    /// So many browsers, each with the sign-in page open: what they send for this person is what their next attempt is. Nobody
    /// is signed in there, and nobody stays so.
    pub async fn sign_in_pages(&self, count: usize) -> anyhow::Result<Vec<SignInForm>> {
        let mut pages = Vec::with_capacity(count);
        for _ in 0..count {
            let line = Line::open(self.address, None).await?;
            let mut browser = Browser { house: self, line, cookies: BTreeMap::new() };
            let Page::Form(html) = browser.open("/login?next=account", None).await? else {
                bail!("there is no form to sign in");
            };
            let fields = hidden(&html).into_iter().collect();
            let origin = format!("http://{}", self.address);
            let head = self.post("/login").header("accept", "text/html").header("cookie", &browser.cookie());
            pages.push(SignInForm { head: head.header("origin", &origin), fields });
        }
        Ok(pages)
    }
}

/// The sign-in page as one browser has it open.
pub struct SignInForm {
    head: Request,
    fields: Vec<(String, String)>,
}

impl SignInForm {
    /// What the browser sends when this person has typed name and password.
    pub fn filled_in(&self, name: &str) -> Vec<u8> {
        let mut pairs: Vec<(&str, &str)> =
            self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        pairs.extend([("username", name), ("password", PASSWORD)]);
        self.head.clone().form(&pairs)
    }
}

fn code_in(place: &str) -> Option<String> {
    let url = Url::parse(place).ok()?;
    url.query_pairs().find(|(name, _)| name == "code").map(|(_, code)| code.into_owned())
}

/// Walks through the pages until a code comes; answers with the cookies that are left then.
pub async fn sign_in(house: &House) -> anyhow::Result<String> {
    let mut browser = Browser { house, line: Line::open(house.address, None).await?, cookies: BTreeMap::new() };
    let mut page = browser.open(&visit(), None).await?;
    for _ in 0..4 {
        let Page::Form(html) = &page else { break };
        let mut fields = hidden(html);
        let place = if html.contains("id=\"login-submit\"") {
            fields.extend([("username".to_owned(), NAME.to_owned()), ("password".to_owned(), PASSWORD.to_owned())]);
            "/login"
        } else {
            fields.insert("decision".to_owned(), "approve".to_owned());
            "/consent"
        };
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        page = browser.open(place, Some(&fields)).await?;
    }
    match page {
        Page::Left(place) if code_in(&place).is_some() => Ok(browser.cookie()),
        Page::Left(place) => bail!("the person was sent to {place}"),
        Page::Form(html) => bail!("the person is still asked: {}", html.chars().take(2000).collect::<String>()),
    }
}

enum Page {
    Form(String),
    Left(String),
}

struct Browser<'a> {
    house: &'a House,
    line: Line,
    cookies: BTreeMap<String, String>,
}

impl Browser<'_> {
    fn cookie(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    async fn open(&mut self, path: &str, form: Option<&[(&str, &str)]>) -> anyhow::Result<Page> {
        let origin = format!("http://{}", self.house.address);
        let mut place = path.to_owned();
        let mut form = form;
        for _ in 0..6 {
            let dress = |request: Request| request.header("accept", "text/html").header("cookie", &self.cookie());
            let request = match form.take() {
                None => dress(self.house.get(&place)).bare(),
                Some(pairs) => dress(self.house.post(&place)).header("origin", &origin).form(pairs),
            };
            let answer = self.line.ask(&request).await?;
            for line in answer.headers("set-cookie") {
                if let Some((name, value)) = line.split(';').next().and_then(|pair| pair.split_once('=')) {
                    self.cookies.insert(name.to_owned(), value.to_owned());
                }
            }
            match answer.header("location") {
                None if answer.status == 200 => return Ok(Page::Form(answer.text())),
                None => bail!("{place}: {} {}", answer.status, answer.text()),
                Some(next) if next.starts_with(CALLBACK) => return Ok(Page::Left(next.to_owned())),
                Some(next) => place = next.strip_prefix(&origin).unwrap_or(next).to_owned(),
            }
        }
        bail!("sent round and round, lastly to {place}")
    }
}

/// The hidden fields of a page. Where it has two forms, both say the same.
fn hidden(html: &str) -> BTreeMap<String, String> {
    html.split("<input type=\"hidden\" name=\"")
        .skip(1)
        .filter_map(|rest| {
            let (name, rest) = rest.split_once('"')?;
            let value = rest.split_once("value=\"")?.1.split('"').next()?;
            Some((name.to_owned(), value.replace("&#38;", "&").replace("&amp;", "&")))
        })
        .collect()
}

//! A person with a browser: cookies, forms and redirects, one step at a time.

use std::collections::BTreeMap;
use std::sync::Mutex;

use reqwest::header::{COOKIE, HeaderMap, LOCATION, SET_COOKIE};
use reqwest::{Client, RequestBuilder};
use url::Url;

use crate::app::App;
use crate::house::House;

/// What each person types.
pub const PASSWORD: &str = "correct horse battery staple";

/// Someone in front of a browser of their own. No redirect is followed unasked.
pub struct Person {
    pub name: String,
    http: Client,
    origin: String,
    cookies: Mutex<BTreeMap<String, String>>,
}

impl Person {
    /// Makes an account, and a browser that nobody has signed in with yet.
    pub fn new(house: &House, name: &str) -> Self {
        let address = format!("{name}@example.org");
        let add = ["user", "add", name, "--password-stdin", "--email", &address, "--name", "Ada Lovelace", "--json"];
        let output = house.run_with_input(&add, &format!("{PASSWORD}\n"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self::at(house, name)
    }

    /// Another browser; whoever sits there types this name.
    pub fn at(house: &House, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            http: house.http.clone(),
            origin: house.origin.clone(),
            cookies: Mutex::default(),
        }
    }

    /// The same, from an address of its own.
    pub fn from(house: &House, name: &str, address: [u8; 4]) -> Self {
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).local_address(Some(address.into()));
        Self { http: http.build().unwrap(), ..Self::at(house, name) }
    }

    /// Finds the server again after a restart.
    pub fn move_to(&mut self, house: &House) {
        self.origin.clone_from(&house.origin);
    }

    /// A cookie that the browser holds.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    /// Puts a cookie into the browser that the server did not set.
    pub fn plant(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    /// A request for a page, to which a test may add.
    pub fn get(&self, path: &str) -> RequestBuilder {
        self.http.get(format!("{}{path}", self.origin)).header("accept", "text/html")
    }

    /// A form to a page, to which a test may add.
    pub fn post(&self, path: &str, form: &[(&str, &str)]) -> RequestBuilder {
        self.http.post(format!("{}{path}", self.origin)).header("accept", "text/html").form(form)
    }

    /// Sends with the browser's cookies, and keeps those that come back.
    pub async fn send(&self, request: RequestBuilder) -> Page {
        let held: Vec<_> = self.cookies.lock().unwrap().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = if held.is_empty() { request } else { request.header(COOKIE, held.join("; ")) };
        let answer = request.send().await.unwrap();
        for line in answer.headers().get_all(SET_COOKIE) {
            let (pair, rules) = line.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            let mut cookies = self.cookies.lock().unwrap();
            if rules.contains("Max-Age=0") {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        Page { status, headers, text: answer.text().await.unwrap() }
    }

    /// Goes on while the server sends the browser to another page of its own.
    pub async fn follow(&self, mut page: Page) -> Page {
        while let Some(path) = page.location().filter(|location| location.starts_with('/')).map(str::to_owned) {
            page = self.send(self.get(&path)).await;
        }
        page
    }

    /// Opens a page, wherever that leads in this server.
    pub async fn open(&self, path: &str) -> Page {
        let page = self.send(self.get(path)).await;
        self.follow(page).await
    }

    /// Arrives from an app.
    pub async fn arrive(&self, app: &App, more: &[(&str, &str)]) -> Page {
        self.open(&app.link(more)).await
    }

    /// Fills in the sign-in form of this page and sends it.
    pub async fn type_password(&self, page: &Page, password: &str) -> Page {
        let (csrf, request) = (page.field("csrf").unwrap(), page.field("request").unwrap_or_default());
        let next = page.field("next").unwrap_or_default();
        let form = [
            ("csrf", &*csrf),
            ("request", &request),
            ("next", &next),
            ("username", &self.name),
            ("password", password),
        ];
        self.send(self.post("/login", &form)).await
    }

    /// Signs in on this page, and goes on.
    pub async fn sign_in(&self, page: &Page) -> Page {
        let next = self.type_password(page, PASSWORD).await;
        assert_eq!(next.status, 303, "{}", next.text);
        self.follow(next).await
    }

    /// Presses a button of the consent page, and goes on.
    pub async fn decide(&self, page: &Page, decision: &str) -> Page {
        let (csrf, request) = (page.field("csrf").unwrap(), page.field("request").unwrap());
        let form = [("csrf", &*csrf), ("request", &request), ("decision", decision)];
        let next = self.send(self.post("/consent", &form)).await;
        self.follow(next).await
    }

    /// Lets an app do what it asks for, with as many pages as that takes.
    pub async fn allow(&self, app: &App, more: &[(&str, &str)]) -> Answer {
        let mut page = self.arrive(app, more).await;
        if page.shows("login-submit") {
            page = self.sign_in(&page).await;
        }
        if page.shows("consent-approve") {
            page = self.decide(&page, "approve").await;
        }
        page.answer()
    }
}

/// What the browser shows.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Page {
    /// Where the browser is sent.
    pub fn location(&self) -> Option<&str> {
        self.headers.get(LOCATION).map(|value| value.to_str().unwrap())
    }

    /// A header; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Is there an element of this id?
    pub fn shows(&self, id: &str) -> bool {
        self.text.contains(&format!("id=\"{id}\""))
    }

    /// The value of an input.
    pub fn field(&self, name: &str) -> Option<String> {
        self.fields().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn fields(&self) -> impl Iterator<Item = (String, String)> {
        let inputs = self.text.split("<input ").skip(1).map(|rest| rest.split('>').next().unwrap());
        inputs.filter_map(|input| Some((attribute(input, "name")?, attribute(input, "value").unwrap_or_default())))
    }

    /// What reaches the app, by redirect or by a form.
    pub fn answer(&self) -> Answer {
        if let Some(location) = self.location() {
            assert_eq!(self.status, 303);
            let (to, query) = location.split_once('?').unwrap();
            let pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            return Answer { to: to.to_owned(), pairs };
        }
        assert!(self.shows("form-post"), "nothing reaches the app: {} {}", self.status, self.text);
        let form = self.text.split("<form ").nth(1).unwrap();
        Answer { to: attribute(form.split('>').next().unwrap(), "action").unwrap(), pairs: self.fields().collect() }
    }
}

/// The parameters that reached an app.
#[derive(Debug)]
pub struct Answer {
    pub to: String,
    pub pairs: Vec<(String, String)>,
}

impl Answer {
    /// A parameter, which must not stand there twice.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut found = self.pairs.iter().filter(|(known, _)| known == name);
        let first = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "{name} stands twice");
        first
    }

    /// The code.
    pub fn code(&self) -> &str {
        self.get("code").unwrap_or_else(|| panic!("no code: {self:?}"))
    }

    /// The error, with which no code may come.
    pub fn error(&self) -> &str {
        assert!(self.get("code").is_none(), "{self:?}");
        self.get("error").unwrap_or_else(|| panic!("no error: {self:?}"))
    }
}

/// An attribute as a browser reads it.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split_once(&format!("{name}=\""))?.1.split('"').next()?;
    let mut parts = value.split("&#");
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (number, rest) = part.split_once(';')?;
        text.push(char::from_u32(number.parse().ok()?)?);
        text.push_str(rest);
    }
    Some(text)
}

/// A link to a path of this server.
pub fn link(path: &str, parameters: &[(&str, &str)]) -> String {
    let url = Url::parse_with_params(&format!("http://server{path}"), parameters).unwrap();
    url.as_str().trim_start_matches("http://server").to_owned()
}

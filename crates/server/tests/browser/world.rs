//! A server, an app and a browser for one test, and pictures of what was there when it failed.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::PathBuf;

use futures_util::FutureExt;
use serde_json::Value;
use url::Url;

use crate::app::App;
use crate::driver;
use crate::house::{Engine, House};
use crate::tab::{Setup, Tab};

pub const PASSWORD: &str = "correct horse battery staple";
/// A verifier and its challenge, from RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub struct World {
    pub house: House,
    pub app: App,
    pub tab: Tab,
}

/// Runs a test in a browser of its own. Without one it says so, and passes.
pub async fn browse(setup: Setup, test: impl AsyncFnOnce(&World)) {
    run(setup, &[], test).await;
}

/// The same against a demonstration, whose user is `demo` and whose password is that of everyone here.
pub async fn browse_demonstration(setup: Setup, test: impl AsyncFnOnce(&World)) {
    run(setup, &[("VALETKEY_DEMO", "1")], test).await;
}

/// The same against a server with these settings.
pub async fn browse_with(setup: Setup, settings: &[(&str, &str)], test: impl AsyncFnOnce(&World)) {
    run(setup, settings, test).await;
}

async fn run(setup: Setup, settings: &[(&str, &str)], test: impl AsyncFnOnce(&World)) {
    let Some(driver) = driver::shared() else { return };
    let mut house = House::unstarted(Engine::Sqlite, settings).await.unwrap();
    let (app, listener) = App::listen().await;
    let is_demonstration = settings.iter().any(|(name, _)| *name == "VALETKEY_DEMO");
    add_user(&house, if is_demonstration { "demo" } else { "ada" });
    let addresses = ["/cb", "/on", "/stay"].map(|path| app.at(path));
    let mut client = vec!["client", "add", "--id", "app", "--name", "Harbour Photos", "--public"];
    client.extend(["--scope", "openid profile email read:orders"]);
    client.extend(["authorization_code", "refresh_token", "device_code"].iter().flat_map(|grant| ["--grant", grant]));
    client.extend(["--post-logout-redirect-uri", &addresses[0]]);
    client.extend(addresses.iter().flat_map(|address| ["--redirect-uri", address]));
    house.json(&client);
    house.start().await;
    app.serve(listener, &house.origin);
    let tab = Tab::open(driver, &house.origin, setup).await;
    let world = World { house, app, tab };

    let outcome = AssertUnwindSafe(test(&world)).catch_unwind().await;

    let failed = outcome.is_err();
    if failed {
        let picture = picture_file();
        world.tab.picture(&picture).await;
        eprintln!("the browser was at {}; a picture of it: {}", world.tab.address().await, picture.display());
    }
    let World { tab, .. } = world;
    if failed {
        let _ = tab.web.quit().await;
    } else {
        tab.give_back(driver).await;
    }
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

/// Someone whose password is that of everyone here.
pub fn add_user(house: &House, name: &str) {
    let add = ["user", "add", name, "--password-stdin", "--email", "ada@example.org", "--name", "Ada Lovelace"];
    assert!(house.run_with_input(&add, &format!("{PASSWORD}\n")).status.success());
}

/// A file named after the test that runs in this thread.
fn picture_file() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("valetkey-browser-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
    folder.join(format!("{name}.png"))
}

/// An address of the server with parameters.
pub fn link(origin: &str, path: &str, parameters: &[(&str, &str)]) -> String {
    Url::parse_with_params(&format!("{origin}{path}"), parameters).unwrap().to_string()
}

impl World {
    /// The address with which the app sends people here. A value in `more` takes the place of the usual one.
    pub fn request(&self, more: &[(&str, &str)]) -> String {
        let callback = self.app.at("/cb");
        let usual = [
            ("response_type", "code"),
            ("client_id", "app"),
            ("redirect_uri", &*callback),
            ("scope", "openid profile read:orders"),
            ("state", "s t&te"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        let kept = usual.into_iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
        let pairs = kept.chain(more.iter().copied());
        link(&self.house.origin, "/authorize", &pairs.collect::<Vec<_>>())
    }

    /// Fills in the sign-in page, and sends it.
    pub async fn sign_in(&self, name: &str, password: &str) {
        self.tab.fill("#username", name).await;
        self.tab.fill("#password", password).await;
        self.tab.press("#login-submit").await;
    }

    /// Signs in without an app, and waits until that is done.
    pub async fn sign_in_alone(&self) {
        self.tab.go("/login").await;
        self.sign_in("ada", PASSWORD).await;
        self.tab.reads("h1", "You are signed in").await;
    }

    /// Arrives from the app, signs in, and is asked.
    pub async fn arrive_and_sign_in(&self, more: &[(&str, &str)]) {
        self.tab.go(&self.request(more)).await;
        self.sign_in("ada", PASSWORD).await;
        self.tab.see("#consent-approve").await;
    }

    /// What the app gets for its code.
    pub async fn redeem(&self, code: &str, callback: &str) -> Value {
        let form = [
            ("grant_type", "authorization_code"),
            ("client_id", "app"),
            ("code", code),
            ("redirect_uri", callback),
            ("code_verifier", VERIFIER),
        ];
        self.house.bare("/token").form(&form).send().await.unwrap().json().await.unwrap()
    }
}

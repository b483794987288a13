//! What a person does with a browser: look, type, press. Waits for what must come, and fails with what is there instead.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use url::Url;

use crate::driver::Driver;

/// Nothing on these pages takes this long, unless the machine is busy.
const PATIENCE: Duration = Duration::from_secs(15);
const GLANCE: Duration = Duration::from_millis(25);

/// How a browser is set up.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// What the person reads.
    pub languages: Option<&'static str>,
    /// Whether pages may run scripts.
    pub without_script: bool,
}

/// A browser with one open page and no cookies.
pub struct Tab {
    pub web: WebDriver,
    origin: String,
    setup: Setup,
}

impl Tab {
    /// A browser, new or as good as new. Paths are those of `origin`.
    pub async fn open(driver: &Driver, origin: &str, setup: Setup) -> Self {
        let web = match driver.take(setup) {
            Some(web) => web,
            None => start(driver, setup).await,
        };
        Self { web, origin: origin.to_owned(), setup }
    }

    /// Removes every trace, and leaves the browser to the next test.
    pub async fn give_back(self, driver: &Driver) {
        self.web.enter_default_frame().await.unwrap();
        // Pages without scripts keep nothing there, and some have no storage at all.
        let _ = self.web.execute("sessionStorage.clear()", vec![]).await;
        self.web.goto("about:blank").await.unwrap();
        self.web.cdp().send_raw("Network.clearBrowserCookies", json!({})).await.unwrap();
        self.web.cdp().send_raw("Emulation.clearDeviceMetricsOverride", json!({})).await.unwrap();
        self.web.cdp().send_raw("Emulation.setEmulatedMedia", json!({ "features": [] })).await.unwrap();
        self.complaints().await;
        driver.keep(self.setup, self.web);
    }
    /// Opens a page of the server, or any other by its whole address.
    pub async fn go(&self, path: &str) {
        let address = if path.starts_with('/') { format!("{}{path}", self.origin) } else { path.to_owned() };
        self.web.goto(address).await.unwrap();
    }

    /// Waits until this can be seen.
    pub async fn see(&self, css: &str) -> WebElement {
        let found = self.web.query(By::Css(css)).wait(PATIENCE, GLANCE).and_displayed().first().await;
        match found {
            Ok(found) => found,
            Err(_) => panic!("{css} is not on {}:\n{}", self.address().await, self.text("body").await),
        }
    }

    /// Waits until these words can be read there.
    pub async fn reads(&self, css: &str, words: &str) {
        let has = async || self.web.query(By::Css(css)).nowait().and_displayed().first().await?.text().await;
        let began = tokio::time::Instant::now();
        while !has().await.is_ok_and(|text| text.contains(words)) {
            assert!(began.elapsed() < PATIENCE, "{words:?} is not in {css}: {}", self.text(css).await);
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Is this to be seen now?
    pub async fn sees(&self, css: &str) -> bool {
        self.web.query(By::Css(css)).nowait().and_displayed().exists().await.unwrap()
    }

    /// Presses a button or a link.
    pub async fn press(&self, css: &str) {
        self.see(css).await;
        self.web
            .query(By::Css(css))
            .wait(PATIENCE, GLANCE)
            .and_clickable()
            .first()
            .await
            .unwrap()
            .click()
            .await
            .unwrap();
    }

    /// Types into a field, or whatever takes keys.
    pub async fn fill(&self, css: &str, text: &str) {
        self.see(css).await.send_keys(text).await.unwrap();
    }

    /// Types where the cursor is.
    pub async fn keys(&self, text: impl Into<TypingData>) {
        self.web.active_element().await.unwrap().send_keys(text).await.unwrap();
    }

    /// The words of an element, as they can be seen; empty if there is none.
    pub async fn text(&self, css: &str) -> String {
        match self.web.find(By::Css(css)).await {
            Ok(found) => found.text().await.unwrap(),
            Err(_) => String::new(),
        }
    }

    /// An attribute, or what a field holds.
    pub async fn property(&self, css: &str, name: &str) -> Option<String> {
        self.see(css).await.prop(name.to_owned()).await.unwrap()
    }

    /// Where the browser is.
    pub async fn address(&self) -> Url {
        self.web.current_url().await.unwrap()
    }

    /// What a script in the page answers.
    pub async fn run(&self, script: &str) -> Value {
        self.web.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// Looks at the page on a screen of this width, by day or by night.
    pub async fn look(&self, width: u32, dark: bool) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.web.cdp().send_raw("Emulation.setDeviceMetricsOverride", size).await.unwrap();
        self.web.cdp().send_raw("Emulation.setEmulatedMedia", media).await.unwrap();
    }

    /// What the policies of the pages have kept the browser from doing, or a script from ending well.
    pub async fn complaints(&self) -> Vec<String> {
        let lines = self.web.browser_log().await.unwrap().into_iter().map(|entry| entry.message);
        lines.filter(|line| line.contains("Content Security Policy") || line.contains("Uncaught")).collect()
    }

    /// Keeps a picture of the page.
    pub async fn picture(&self, file: &Path) {
        let _ = self.web.screenshot(file).await;
    }
}

/// Starts a browser.
async fn start(driver: &Driver, setup: Setup) -> WebDriver {
    let mut preferences = json!({ "intl.accept_languages": setup.languages.unwrap_or("en-US,en") });
    if setup.without_script {
        preferences["profile.managed_default_content_settings.javascript"] = json!(2);
    }
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-extensions",
        "--no-first-run",
        "--no-proxy-server",
        "--hide-scrollbars",
        "--window-size=1280,900",
    ];
    let mut capabilities = Capabilities::new();
    capabilities.set("browserName", "chrome").unwrap();
    let options = json!({ "args": arguments, "prefs": preferences });
    capabilities.set("goog:chromeOptions", options).unwrap();
    capabilities.set("goog:loggingPrefs", json!({ "browser": "ALL" })).unwrap();
    // Each test has a runtime of its own, which takes its connections with it when it ends.
    let client = reqwest::Client::builder().pool_max_idle_per_host(0).no_proxy().build().unwrap();
    WebDriver::builder(&driver.address, capabilities).client(client).connect().await.unwrap()
}

//! One chromedriver for all tests that run at the moment, and the browsers that wait for the next. All end with the last.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};

use thirtyfour::WebDriver;
use valetkey_testkit::services;

use crate::tab::Setup;

/// A running chromedriver on a port of its own.
pub struct Driver {
    pub address: String,
    /// Browsers that a test has given back: starting one costs more than most tests do.
    idle: Mutex<Vec<(Setup, WebDriver)>>,
    process: Child,
    /// Open as long as it may want to say something.
    _words: BufReader<ChildStdout>,
}

/// The chromedriver that others use already, or a new one; `None` where there is no browser.
pub fn shared() -> Option<Arc<Driver>> {
    static RUNNING: Mutex<Weak<Driver>> = Mutex::new(Weak::new());
    let program = services::chromedriver()?;
    let mut running = RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let driver = running.upgrade().unwrap_or_else(|| Arc::new(Driver::start(&program)));
    *running = Arc::downgrade(&driver);
    Some(driver)
}

impl Driver {
    fn start(program: &str) -> Self {
        let mut process = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start: {error}"));
        let mut words = BufReader::new(process.stdout.take().unwrap());
        let lines = words.by_ref().lines().map_while(Result::ok);
        // "ChromeDriver was started successfully on port 40123."
        let port = lines
            .into_iter()
            .find_map(|line| Some(line.rsplit_once("successfully on port ")?.1.trim_end_matches('.').to_owned()));
        Self {
            address: format!("http://127.0.0.1:{}", port.expect("chromedriver says where it is")),
            idle: Mutex::default(),
            process,
            _words: words,
        }
    }
}

impl Driver {
    /// A browser of this kind that nobody uses, if there is one.
    pub fn take(&self, setup: Setup) -> Option<WebDriver> {
        let mut idle = self.idle.lock().unwrap();
        let at = idle.iter().position(|(known, _)| *known == setup)?;
        Some(idle.swap_remove(at).1)
    }

    /// Keeps a browser for the next test.
    pub fn keep(&self, setup: Setup, browser: WebDriver) {
        self.idle.lock().unwrap().push((setup, browser));
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Dropping a browser ends it, which needs the driver.
        if let Ok(idle) = self.idle.get_mut() {
            idle.clear();
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

//! One chromedriver for all tests of this process, and the browsers that wait for the next test. All end with the process.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use thirtyfour::WebDriver;
use valetkey_testkit::services;

use crate::tab::Setup;

/// Runs chromedriver (`$0`) in a process group and a temporary folder of its own until standard input closes, which it does
/// however the tests end. Then everything of the group is ended, browsers included, and the folder removed.
const KEEPER: &str = r#"
folder=$(mktemp -d) || exit 1
TMPDIR=$folder "$0" --port=0 </dev/null 2>/dev/null &
cat >/dev/null
trap '' TERM
kill -s TERM -- "-$$"
sleep 1
rm -rf "$folder"
kill -s KILL -- "-$$"
"#;

/// A running chromedriver on a port of its own.
pub struct Driver {
    pub address: String,
    /// Browsers that a test has given back: starting one costs more than most tests do.
    idle: Mutex<Vec<(Setup, WebDriver)>>,
    /// Its standard input stays open as long as this process lives.
    _keeper: Child,
    /// Open as long as it may want to say something.
    _words: BufReader<ChildStdout>,
}

/// The chromedriver of this process; `None` where there is no browser.
pub fn shared() -> Option<&'static Driver> {
    static RUNNING: OnceLock<Driver> = OnceLock::new();
    let program = services::chromedriver()?;
    Some(RUNNING.get_or_init(|| Driver::start(&program)))
}

impl Driver {
    fn start(program: &str) -> Self {
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, program])
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start: {error}"));
        let mut words = BufReader::new(keeper.stdout.take().unwrap());
        let lines = words.by_ref().lines().map_while(Result::ok);
        // "ChromeDriver was started successfully on port 40123."
        let port = lines
            .into_iter()
            .find_map(|line| Some(line.rsplit_once("successfully on port ")?.1.trim_end_matches('.').to_owned()));
        Self {
            address: format!("http://127.0.0.1:{}", port.expect("chromedriver says where it is")),
            idle: Mutex::default(),
            _keeper: keeper,
            _words: words,
        }
    }

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

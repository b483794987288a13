//! `valetkey serve`: everything from the settings to the last drained request.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::header::ACCEPT;
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::{JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;
use valetkey_oauth::accounts::SignInDesk;
use valetkey_oauth::ports::{Observer, StoreError};
use valetkey_resources::declaration::Declared;
use valetkey_resources::model::Api;
use valetkey_rest::problem::{Problem, for_status, render};
use valetkey_rest::request_id::{RequestId, X_REQUEST_ID};
use valetkey_rest::version::{Versions, X_API_VERSION};
use valetkey_store::Share;

use super::Failure;
use super::banner::Banner;
use super::output::{Output, complain};
use super::progress::Bar;
use super::supervisor::Supervisor;
use crate::app::brand::{self, BrandError};
use crate::app::edge::{self, Asked, Edge, EdgeEvent, Halls, Refusal};
use crate::app::engine::{Filling, Shaping};
use crate::app::limits::Counting;
use crate::app::system::{SystemClock, request_id};
use crate::app::{api, authority, cors, declared, demo, engine, health, router};
use crate::bridge::handlers::OutboundHandlers;
use crate::bridge::upstream;
use crate::config::{self as settings, Config, Level, Loaded, LogFormat};
use crate::jobs::{self, Pace};
use crate::outbound::Outbound;
use crate::telemetry::current::{self, GivenUp, Route};
use crate::telemetry::event::{UNMATCHED, method_word};
use crate::telemetry::{self, Event, Finished, Note, Telemetry};

/// Jobs get this long to finish what they hold after the last request.
const JOBS_END: Duration = Duration::from_secs(2);

/// What a shell says of a program that SIGTERM ended.
const TERMINATED: i32 = 143;

pub(super) async fn run(loaded: Loaded, output: Output) -> Result<ExitCode, Failure> {
    // Before anyone can know of this server: a signal that comes while someone begins to listen for it is lost.
    let mut signals = Signals::listen()?;
    let (begun, told) = (Arc::new(AtomicBool::new(false)), CancellationToken::new());
    let mut serving = on_its_own({
        let (begun, told) = (begun.clone(), told.clone());
        move || serve(loaded, output, begun, told)
    });
    tokio::select! {
        served = &mut serving => return ended(served),
        () = signals.next() => {}
    }
    if !begun.load(Ordering::Relaxed) {
        // There is nobody to say goodbye to, and what is under way ends as with a power cut.
        std::process::exit(TERMINATED);
    }
    told.cancel();
    tokio::select! {
        served = serving => ended(served),
        // Whoever says it twice does not want to wait.
        () = signals.next() => std::process::exit(TERMINATED),
    }
}

/// Runs the server on a thread of its own: a start on SQLite works and waits without letting anyone else run, and a signal
/// would not be heard until it is done.
fn on_its_own<F: Future<Output = Served>>(server: impl FnOnce() -> F + Send + 'static) -> JoinHandle<Served> {
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || runtime.block_on(server()))
}

type Served = Result<ExitCode, Failure>;

fn ended(served: Result<Served, JoinError>) -> Served {
    served.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(error) => Err(error.into()),
    })
}

async fn serve(
    mut loaded: Loaded,
    output: Output,
    begun: Arc<AtomicBool>,
    told: CancellationToken,
) -> Result<ExitCode, Failure> {
    refuse_unsound(&loaded)?;
    let telemetry = Telemetry::install(&telemetry_settings(&loaded.config), Arc::new(SystemClock))?;
    let declared = declare(&loaded.config)?;
    edge::check_tls(&loaded.config)?;
    let outbound = Outbound::new(&loaded.config.outbound.allow, loaded.config.outbound.extra_ca.as_deref())?;
    let brand = brand::open(&loaded.config)
        .map_err(|error| anyhow::anyhow!("{}: {error} {}", BrandError::KEY, BrandError::REMEDY))?;
    let providers = upstream::providers(&loaded.config)?;
    // The port first: what would fail soon should fail before anything is made.
    let port = edge::reserve(loaded.config.listen)?;
    let halls = Halls::open()?;
    // Port 0 asks the system for a free one; the addresses that are told must name it.
    loaded.config.listen = port.address()?;
    let config = &loaded.config;
    let listen = config.listen;
    let lock = engine::lock(config)?;
    let observer: Arc<dyn Observer> = Arc::new(telemetry.clone());
    let mut bar = Bar::new("migrating");
    let opened = authority::open(config, &declared.api.scopes, observer, &mut |step| bar.step(step)).await?;
    bar.finish();
    let is_left = prepare(config, &declared.api, opened.shaping, &opened.filling, &telemetry).await?;
    let filling = Some(opened.filling.clone()).filter(|_| is_left);
    let (authority, engine) = (Arc::new(opened.authority), opened.engine);
    let api = Arc::new(declared.api);
    let handlers = OutboundHandlers { outbound: outbound.clone(), secret: config.handlers.secret.clone() };
    let service = api::open(api.clone(), opened.resources, &authority, handlers, &config.limits)?;
    let demonstration = if loaded.demo() { Some(demo::prepare(&authority).await?) } else { None };

    let desk = SignInDesk::new(authority.clone(), router::passwords_at_once());
    let upstream = upstream::desk(providers, desk.clone(), outbound.clone());
    let leaving = CancellationToken::new();
    let router = router::build(router::Parts {
        config,
        service: &service,
        brand: Arc::new(brand),
        authority: authority.clone(),
        desk,
        upstream,
        counting: &Counting::open(config, &telemetry)?,
        filling: opened.filling.clone(),
        telemetry: &telemetry,
        demo: loaded.demo(),
        leaving: leaving.clone(),
    })?;
    // Not before: a proxy would send requests to a node that cannot answer yet.
    let listener = port.listen()?;
    let stop = CancellationToken::new();
    let jobs = jobs::start(&authority, &service, &telemetry, outbound, config.webhook.secret.clone(), filling, &stop);
    telemetry.observe(&Event::Started { listen: &listen.to_string(), engine, version: env!("CARGO_PKG_VERSION") });
    let banner = Banner {
        origin: &authority.policy.issuer,
        listen: listen.to_string(),
        engine,
        data: config.database_or_default().to_string(),
        demonstration: demonstration.as_ref(),
    };
    begun.store(true, Ordering::Relaxed);
    if let Err(error) = output.print(&banner.value(), || banner.text()) {
        complain(&format!("valetkey: {error}"));
    }
    let supervisor = Supervisor::find(&settings::environment());
    supervisor.ready();
    let stopped = async move {
        told.cancelled().await;
        supervisor.stopping();
    };

    let mut edge = edge_settings(config, &telemetry, service.versions.clone());
    edge.leaving = leaving;
    let served = edge::serve(vec![listener], router, edge, halls.clone(), stopped).await;
    stop.cancel();
    // A job that hangs on a store that is away must not keep the process.
    let _ = tokio::time::timeout(JOBS_END, jobs.wait()).await;
    telemetry.observe(&Event::Stopped);
    telemetry.shutdown().await;
    // Not before: what jobs do at last may go over connections that began there.
    drop(halls);
    drop(lock);
    served?;
    Ok(ExitCode::SUCCESS)
}

/// Makes the tables that the declaration asks for, and does what cannot wait until requests come. Answers whether something
/// is left to do beside them.
async fn prepare(
    config: &Config,
    api: &Api,
    shaping: Shaping,
    filling: &Filling,
    telemetry: &Telemetry,
) -> Result<bool, Failure> {
    let mut pace = Pace::new(telemetry);
    let mut tell = |done, total, what: &str| pace.tell(done, total, what);
    shaping.begin(config, api, &mut tell).await?;
    let failed = |error: StoreError| anyhow::anyhow!("the tables of the declared API could not be made: {error}");
    filling.prepare(api).await.map_err(failed)?;
    filling.run(api, Share::Urgent, &mut tell).await.map_err(failed)?;
    Ok(filling.prepare(api).await.map_err(failed)?)
}

/// The API that is served. One that cannot be is refused with every reason at once; doubts are told.
pub(super) fn declare(config: &Config) -> Result<Declared, Failure> {
    let declared = declared::load(config).map_err(|error| Failure::Usage(error.explain()))?;
    for doubt in declared::doubts(config, &declared) {
        complain(&format!("valetkey: {doubt}"));
    }
    Ok(declared)
}

/// Settings that cannot work are refused with every reason at once; doubtful ones are told.
fn refuse_unsound(loaded: &Loaded) -> Result<(), Failure> {
    let findings = loaded.config.check();
    for warning in loaded
        .warnings
        .iter()
        .cloned()
        .chain(findings.iter().filter(|finding| finding.level == Level::Warning).map(ToString::to_string))
    {
        complain(&format!("valetkey: {warning}"));
    }
    let errors: Vec<String> =
        findings.iter().filter(|finding| finding.level == Level::Error).map(ToString::to_string).collect();
    if errors.is_empty() { Ok(()) } else { Err(Failure::Usage(errors.join("\n"))) }
}

fn telemetry_settings(config: &Config) -> telemetry::Settings {
    telemetry::Settings {
        log_format: match config.log.format {
            LogFormat::Auto => telemetry::LogFormat::Auto,
            LogFormat::Pretty => telemetry::LogFormat::Pretty,
            LogFormat::Json => telemetry::LogFormat::Json,
        },
        level: config.log.level.clone(),
        otlp_endpoint: config.telemetry.otlp_endpoint.as_ref().map(ToString::to_string),
        metrics: config.telemetry.metrics,
        service_name: "valetkey".to_owned(),
    }
}

fn edge_settings(config: &Config, telemetry: &Telemetry, versions: Arc<Versions>) -> Edge {
    let mut edge = Edge::new(config);
    edge.open = health::PATHS;
    let ear = telemetry.clone();
    edge.observer = Arc::new(move |event| tell(&ear, event));
    let (ear, origin, origins) = (telemetry.clone(), config.origin(), config.cors_origins.clone());
    edge.renderer = Arc::new(move |refusal, asked| {
        let problem = Problem::new(for_status(refusal.status())).detail(refusal.detail());
        // One that others have worked on is told as theirs, under the id that their lines bear.
        let given_up = current::given_up();
        let id = given_up.as_ref().and_then(|request| request.id).unwrap_or_else(|| RequestId(request_id()));
        ear.observe(&Event::RequestFinished(refused(refusal, asked, &problem, id, given_up.as_ref())));
        let head = asked.method == http::Method::HEAD;
        let mut answer = render(&problem, origin.as_str(), Some(id), head, asked.accept.as_ref());
        answer.headers_mut().insert(X_REQUEST_ID, id.into());
        let said = [(ACCEPT, &asked.accept), (X_API_VERSION, &asked.version)];
        let said = said.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect();
        versions.mark(asked.uri.path(), &said, answer.headers_mut());
        cors::mark(&origins, asked.origin.as_ref(), answer.headers_mut());
        answer
    });
    edge
}

/// What the log says of a request that never reached the router, or never came back from there.
fn refused<'a>(
    refusal: Refusal,
    asked: &Asked,
    problem: &'a Problem,
    id: RequestId,
    given_up: Option<&'a GivenUp>,
) -> Finished<'a> {
    Finished {
        method: method_word(&asked.method),
        route: given_up.and_then(|request| request.route.as_ref()).map_or(UNMATCHED, Route::as_str),
        status: refusal.status().as_u16(),
        elapsed: given_up.map_or(Duration::ZERO, |request| request.started.elapsed()),
        request_id: Some(id),
        client_address: given_up.and_then(|request| request.client_address),
        problem: Some(Note { slug: problem.kind().slug, detail: problem.detail_text() }),
        parent: given_up.and_then(|request| request.parent),
    }
}

fn tell(telemetry: &Telemetry, event: &EdgeEvent) {
    match event {
        EdgeEvent::ConnectionOpened { .. } => telemetry.observe(&Event::ConnectionOpened),
        EdgeEvent::ConnectionClosed { .. } => telemetry.observe(&Event::ConnectionClosed),
        EdgeEvent::RequestGivenUp => current::give_up(),
        EdgeEvent::HandshakeFailed { reason, .. } => telemetry.observe(&Event::HandshakeFailed { reason }),
        EdgeEvent::CertificateReloaded => telemetry.observe(&Event::CertificateReloaded),
        EdgeEvent::CertificateRefused { reason, .. } => telemetry.observe(&Event::CertificateRefused { reason }),
        EdgeEvent::ForwardedCertificateRefused { reason, .. } => {
            telemetry.observe(&Event::ForwardedCertificateRefused { reason });
        }
        EdgeEvent::Draining { .. } => telemetry.observe(&Event::Draining),
        EdgeEvent::AcceptFailed { reason, .. } => {
            telemetry.observe(&Event::JobFailed { job: "accept", why: reason });
        }
        EdgeEvent::ConnectionCut { reason, .. } => telemetry.observe(&Event::ConnectionFailed { reason }),
        EdgeEvent::ConnectionFailed { reason, .. } => telemetry.observe(&Event::ConnectionFailed { reason }),
        EdgeEvent::DrainExpired { connections } => {
            let why = format!("{connections} connections were closed before they had finished");
            telemetry.observe(&Event::JobFailed { job: "drain", why: &why });
        }
        EdgeEvent::Listening { .. } => {}
    }
}

/// SIGTERM from a supervisor, Ctrl-C from a person, or SIGHUP from a terminal that is closed; unless the server was started to
/// outlive it, with `nohup`.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Option<Signal>,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: if outlives_terminals() { None } else { Some(signal(SignalKind::hangup())?) },
        })
    }

    /// Waits to be told to stop.
    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            Some(_) = async { self.hangup.as_mut()?.recv().await } => {}
        }
    }
}

/// Is SIGHUP ignored, as whoever started this process wanted it?
fn outlives_terminals() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).is_some_and(|bits| bits & 1 == 1)
}

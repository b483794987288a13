//! The layer and its service: the choice goes into the request, the path loses its version, the answer tells which it was.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::response::{IntoResponse, Response};
use http::{Extensions, HeaderMap, Request, Uri, uri::PathAndQuery};
use pin_project_lite::pin_project;
use tower::{Layer, Service};

use super::told::Spoken;
use super::{Indicator, Unchosen, VersionChoice, Versions, indicator};
use crate::{bearer::Caller, problem::Problem};

/// Hears of a request for a version that is gone, before it is refused: what it brought along, and which version.
pub type GoneHeard = Arc<dyn Fn(&HeaderMap, &Extensions, u32) -> Hearing + Send + Sync>;
/// Done when it was heard.
pub type Hearing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Chooses the version of every request.
#[derive(Clone)]
pub struct VersionLayer {
    versions: Arc<Versions>,
    keeps_path: bool,
    only_tells: bool,
    is_quiet: bool,
    gone: Option<GoneHeard>,
}

impl fmt::Debug for VersionLayer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("VersionLayer").field("versions", &self.versions).finish_non_exhaustive()
    }
}

impl VersionLayer {
    /// Chooses among these.
    pub fn new(versions: impl Into<Arc<Versions>>) -> Self {
        Self { versions: versions.into(), keeps_path: false, only_tells: false, is_quiet: false, gone: None }
    }

    /// Leaves the version in the path, for routes that have it there.
    #[must_use]
    pub fn keeping_path(mut self) -> Self {
        self.keeps_path = true;
        self
    }

    /// Refuses nothing and leaves the path as it is. It marks those answers of the API that no layer further in has marked, and
    /// belongs around every layer that may answer by itself.
    #[must_use]
    pub fn only_telling(mut self) -> Self {
        self.only_tells = true;
        self
    }

    /// Chooses and refuses, and leaves it to [a layer further out](Self::only_telling) to mark the answers.
    #[must_use]
    pub fn quietly(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    /// Tells `gone` of each request for a version that is gone. Other requests pay nothing for it.
    #[must_use]
    pub fn telling_of_gone(mut self, gone: GoneHeard) -> Self {
        self.gone = Some(gone);
        self
    }

    /// What layers further in will choose, unless a pin says otherwise. They need not choose again, but for what they may have
    /// to take out of the path.
    fn foresee<B>(&self, request: &mut Request<B>) -> Spoken {
        match self.versions.choose(request.uri().path(), request.headers(), None) {
            Ok(choice) => {
                let spoken = Spoken::from(&choice);
                if choice.by != Indicator::Path {
                    request.extensions_mut().insert(choice);
                }
                spoken
            }
            Err(unchosen) => Spoken::from(&unchosen),
        }
    }

    fn resolve<B>(&self, request: &mut Request<B>) -> Result<VersionChoice, Unchosen> {
        let pin = request.extensions().get::<Arc<Caller>>().and_then(|caller| caller.version_pin.clone());
        // Chosen further out, where the caller was not known yet: only a pin can change it.
        if let Some(choice) = request.extensions().get::<VersionChoice>()
            && (choice.by != Indicator::Default || pin.is_none())
        {
            return Ok(choice.clone());
        }
        let choice = self.versions.choose(request.uri().path(), request.headers(), pin.as_deref())?;
        if choice.by == Indicator::Path
            && !self.keeps_path
            && let Some(uri) = without_version(request.uri(), &self.versions.base)
        {
            *request.uri_mut() = uri;
        }
        request.extensions_mut().insert(choice.clone());
        Ok(choice)
    }
}

/// The same address without `/v<N>`.
fn without_version(uri: &Uri, base: &str) -> Option<Uri> {
    let (_, rest) = indicator::in_path(uri.path(), base)?;
    let path = if base.is_empty() && rest.is_empty() { "/" } else { rest };
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("{base}{path}{query}")).ok()?);
    Uri::from_parts(parts).ok()
}

impl<S> Layer<S> for VersionLayer {
    type Service = VersionService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        VersionService { inner, layer: Arc::new(self.clone()) }
    }
}

/// Made by [`VersionLayer`].
#[derive(Debug, Clone)]
pub struct VersionService<S> {
    inner: S,
    layer: Arc<VersionLayer>,
}

impl<S, B> Service<Request<B>> for VersionService<S>
where
    S: Service<Request<B>>,
    S::Response: IntoResponse,
{
    type Response = Response;
    type Error = S::Error;
    type Future = VersionFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let versions = self.layer.versions.clone();
        if self.layer.only_tells {
            let telling = versions.covers(request.uri().path()).then(|| self.layer.foresee(&mut request));
            let inner = Some(self.inner.call(request));
            return VersionFuture { inner, refusal: None, telling, versions };
        }
        match self.layer.resolve(&mut request) {
            Ok(choice) => {
                let telling = (!self.layer.is_quiet).then(|| Spoken::from(&choice));
                let inner = Some(self.inner.call(request));
                VersionFuture { inner, refusal: None, telling, versions }
            }
            Err(unchosen) => {
                let telling = (!self.layer.is_quiet).then(|| Spoken::from(&unchosen));
                let gone = self.layer.gone.as_ref().zip(unchosen.version);
                let hearing = gone.map(|(gone, version)| gone(request.headers(), request.extensions(), version));
                let refusal = Some(Box::new(Refusal { problem: unchosen.problem, hearing }));
                VersionFuture { inner: None, refusal, telling, versions }
            }
        }
    }
}

/// Why there is no answer of the service. Only where it is of a version that is gone, somebody hears of it first.
struct Refusal {
    problem: Problem,
    hearing: Option<Hearing>,
}

pin_project! {
    /// Made by [`VersionService`].
    pub struct VersionFuture<F> {
        // Absent when the request was refused.
        #[pin]
        inner: Option<F>,
        refusal: Option<Box<Refusal>>,
        // None outside of the API, and where a layer further out tells it.
        telling: Option<Spoken>,
        versions: Arc<Versions>,
    }
}

impl<F, R, E> Future for VersionFuture<F>
where
    F: Future<Output = Result<R, E>>,
    R: IntoResponse,
{
    type Output = Result<Response, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Some(hearing) = this.refusal.as_mut().and_then(|refusal| refusal.hearing.as_mut()) {
            ready!(hearing.as_mut().poll(cx));
        }
        let mut response = match (this.inner.as_pin_mut(), this.refusal.take()) {
            (Some(inner), _) => ready!(inner.poll(cx))?.into_response(),
            (None, Some(refusal)) => refusal.problem.into_response(),
            (None, None) => Response::default(),
        };
        if let Some(spoken) = *this.telling {
            this.versions.tell(response.headers_mut(), spoken);
        }
        Poll::Ready(Ok(response))
    }
}

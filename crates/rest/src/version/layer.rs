//! The layer and its service: the choice goes into the request, the path loses its version, the answer tells which it was.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Request, Uri, header, uri::PathAndQuery};
use pin_project_lite::pin_project;
use tower::{Layer, Service};

use super::{Indicator, Unchosen, VersionChoice, Versions, X_API_VERSION, indicator};
use crate::{bearer::Caller, problem::Problem};

/// Chooses the version of every request.
#[derive(Debug, Clone)]
pub struct VersionLayer {
    versions: Arc<Versions>,
    keeps_path: bool,
}

impl VersionLayer {
    /// Chooses among these.
    pub fn new(versions: impl Into<Arc<Versions>>) -> Self {
        Self { versions: versions.into(), keeps_path: false }
    }

    /// Leaves the version in the path, for routes that have it there.
    #[must_use]
    pub fn keeping_path(mut self) -> Self {
        self.keeps_path = true;
        self
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

    /// What the answer says about its version; further in, it may have been said already.
    fn tell(&self, headers: &mut HeaderMap, outcome: &Result<VersionChoice, Option<u32>>) {
        if headers.contains_key(X_API_VERSION) {
            return;
        }
        let today = self.versions.today();
        let (number, by) = match outcome {
            Ok(choice) => (Some(choice.version), choice.by),
            Err(number) => (*number, Indicator::Default),
        };
        let named = number.and_then(|number| self.versions.version(number));
        let Some(version) = named.or_else(|| self.versions.default_version(today)) else { return };
        headers.insert(X_API_VERSION, HeaderValue::from(version.number));
        if named.is_some() {
            self.versions.tell_state(headers, version, today);
        }
        // `Vary` names what decided; where nothing did, it names what could have.
        let names: &[&str] = match by {
            Indicator::Path => &[],
            Indicator::Accept => &["Accept"],
            Indicator::Header => &["X-API-Version"],
            Indicator::Pin => &["Accept", "X-API-Version", "Authorization"],
            Indicator::Default => &["Accept", "X-API-Version"],
        };
        vary_by(headers, names);
    }
}

/// Adds to `Vary` what does not stand there yet.
fn vary_by(headers: &mut HeaderMap, names: &[&str]) {
    let lines = headers.get_all(header::VARY).iter().filter_map(|line| line.to_str().ok());
    let known: Vec<String> = lines.flat_map(|line| line.split(',')).map(|name| name.trim().to_lowercase()).collect();
    let missing = names.iter().filter(|name| !known.contains(&name.to_lowercase())).copied();
    let missing = missing.collect::<Vec<_>>().join(", ");
    if let Some(value) = HeaderValue::try_from(missing).ok().filter(|value| !value.is_empty()) {
        headers.append(header::VARY, value);
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
        VersionService { inner, layer: self.clone() }
    }
}

/// Made by [`VersionLayer`].
#[derive(Debug, Clone)]
pub struct VersionService<S> {
    inner: S,
    layer: VersionLayer,
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
        match self.layer.resolve(&mut request) {
            Ok(choice) => {
                let inner = Some(self.inner.call(request));
                VersionFuture { inner, refusal: None, outcome: Ok(choice), layer: self.layer.clone() }
            }
            Err(Unchosen { version, problem }) => {
                let refusal = Some(problem);
                VersionFuture { inner: None, refusal, outcome: Err(version), layer: self.layer.clone() }
            }
        }
    }
}

pin_project! {
    /// Made by [`VersionService`].
    pub struct VersionFuture<F> {
        // Absent when the request was refused.
        #[pin]
        inner: Option<F>,
        refusal: Option<Problem>,
        outcome: Result<VersionChoice, Option<u32>>,
        layer: VersionLayer,
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
        let mut response = match this.inner.as_pin_mut() {
            Some(inner) => ready!(inner.poll(cx))?.into_response(),
            None => axum::http::Response::default(),
        };
        if let Some(problem) = this.refusal.take() {
            response = problem.into_response();
        }
        this.layer.tell(response.headers_mut(), this.outcome);
        Poll::Ready(Ok(response))
    }
}

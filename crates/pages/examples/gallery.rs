//! Serves every sample of every page at `http://127.0.0.1:8391`, with the headers of the real server.
//!
//! A colour such as `0b7a6f` as argument shows all pages in that accent.

use std::sync::Arc;

use axum::{Router, response::Html, routing::get};
use http::StatusCode;
use valetkey_pages::{Brand, ErrorPage, Landing, ProblemIndex, ProblemPage, View, assets, respond};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let colour = std::env::args().nth(1).and_then(|digits| format!("#{digits}").parse().ok());
    let brand = Brand { accent: colour.unwrap_or_default(), ..Brand::default() };
    let mut gallery = Gallery { routes: assets::routes(Arc::new(brand)), index: String::new() };
    gallery.hang::<Landing>("landing");
    gallery.hang::<ProblemIndex>("problems");
    gallery.hang::<ProblemPage>("problem");
    gallery.hang::<ErrorPage>("error-page");

    let index = gallery.index;
    let app = gallery.routes.route("/", get(move || async move { Html(index) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8391").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await
}

struct Gallery {
    routes: Router,
    index: String,
}

impl Gallery {
    fn hang<V: View + Send + Sync + 'static>(&mut self, name: &str) {
        for (number, sample) in V::samples().into_iter().enumerate() {
            let path = format!("/{name}/{number}");
            let sample = Arc::new(sample);
            self.index.push_str(&format!("<p><a href=\"{path}\">{path}</a>"));
            let show = get(move || async move { respond::html(StatusCode::OK, &*sample) });
            self.routes = std::mem::take(&mut self.routes).route(&path, show);
        }
    }
}

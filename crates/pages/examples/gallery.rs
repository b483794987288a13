//! Serves every sample of every page at `http://127.0.0.1:8391`, with the headers of the real server.
//!
//! A colour such as `0b7a6f` as argument shows all pages in that accent.

use std::sync::Arc;

use axum::{Router, response::Html, routing::get};
use http::StatusCode;
use valetkey_pages::{
    AccountPage, ApiDocsPage, Brand, ConsentPage, DeviceConfirmPage, DeviceDonePage, DevicePage, ErrorPage,
    FormPostPage, Landing, Language, PlaygroundPage, ProblemIndex, ProblemPage, SignInPage, SignOutPage, SignedInPage,
    SignedOutPage, Spoken, View, assets, respond,
};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let colour = std::env::args().nth(1).and_then(|digits| format!("#{digits}").parse().ok());
    let brand = Brand { accent: colour.unwrap_or_default(), ..Brand::default() };
    let mut gallery = Gallery { routes: assets::routes(Arc::new(brand)), index: String::new() };
    gallery.hang::<Landing>("landing");
    gallery.hang::<ProblemIndex>("problems");
    gallery.hang::<ProblemPage>("problem");
    gallery.hang_spoken::<ErrorPage>("error-page");
    gallery.hang_spoken::<SignInPage>("sign-in");
    gallery.hang_spoken::<SignedInPage>("signed-in");
    gallery.hang_spoken::<ConsentPage>("consent");
    gallery.hang_spoken::<SignOutPage>("sign-out");
    gallery.hang_spoken::<SignedOutPage>("signed-out");
    gallery.hang_spoken::<FormPostPage>("form-post");
    gallery.hang_spoken::<DevicePage>("device");
    gallery.hang_spoken::<DeviceConfirmPage>("device-confirm");
    gallery.hang_spoken::<DeviceDonePage>("device-done");
    gallery.hang_spoken::<AccountPage>("account");
    gallery.hang_spoken::<PlaygroundPage>("playground");
    gallery.hang_spoken::<ApiDocsPage>("api-docs");

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
        self.hang_all(&format!("/{name}"), V::samples());
    }

    fn hang_spoken<V: Spoken + Send + Sync + 'static>(&mut self, name: &str) {
        for language in Language::ALL {
            let samples = V::samples().into_iter().map(|sample| sample.spoken_in(language)).collect();
            self.hang_all(&format!("/{}/{name}", language.tag()), samples);
        }
    }

    fn hang_all<V: View + Send + Sync + 'static>(&mut self, name: &str, samples: Vec<V>) {
        for (number, sample) in samples.into_iter().enumerate() {
            let path = format!("{name}/{number}");
            let sample = Arc::new(sample);
            self.index.push_str(&format!("<p><a href=\"{path}\">{path}</a>"));
            let show = get(move || async move { respond::html(StatusCode::OK, &*sample) });
            self.routes = std::mem::take(&mut self.routes).route(&path, show);
        }
    }
}

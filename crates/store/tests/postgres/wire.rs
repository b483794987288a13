//! A wire to the server that breaks where it hurts: after something was committed, and before anyone is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use valetkey_store::postgres::Settings;

use crate::schema::Schema;

/// Passes everything on, until it is told to break.
pub struct Wire {
    breaks: Arc<AtomicBool>,
    is_silent: Arc<AtomicBool>,
    settings: Settings,
}

impl Wire {
    /// One to the server of this schema. It breaks, once it is told to, at the first answer that has this in it.
    pub async fn to(schema: &Schema, at: &'static str) -> Self {
        let Settings { url, pool_size, extra_ca } = schema.settings();
        let (before, rest) = url.rsplit_once('@').unwrap();
        let (address, database) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap();
        let (breaks, is_silent) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let (server, told, says_nothing) = (address.to_owned(), breaks.clone(), is_silent.clone());
        tokio::spawn(async move {
            let mut unheard = Vec::new();
            while let Ok((near, _)) = listener.accept().await {
                if says_nothing.load(Ordering::SeqCst) {
                    unheard.push(near);
                    continue;
                }
                let (server, told) = (server.clone(), told.clone());
                tokio::spawn(async move { pass(near, &server, at.as_bytes(), &told).await });
            }
        });
        // What is encrypted cannot be watched.
        let url = format!("{before}@{own}/{database}&sslmode=disable&connect_timeout=3");
        Self { breaks, is_silent, settings: Settings { url, pool_size, extra_ca } }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Breaks once, at the next answer.
    pub fn break_once(&self) {
        self.breaks.store(true, Ordering::SeqCst);
    }

    /// From now on, whoever comes anew hears nothing. Those who are there go on.
    pub fn fall_silent(&self) {
        self.is_silent.store(true, Ordering::SeqCst);
    }

    pub fn is_broken(&self) -> bool {
        !self.breaks.load(Ordering::SeqCst)
    }
}

async fn pass(near: TcpStream, server: &str, at: &[u8], breaks: &AtomicBool) {
    let far = TcpStream::connect(server).await.unwrap();
    let ((mut from_near, mut to_near), (mut from_far, mut to_far)) = (near.into_split(), far.into_split());
    let asking = tokio::spawn(async move { copy(&mut from_near, &mut to_far).await });
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from_far.read(&mut bytes).await {
        let has_it = bytes[..count].windows(at.len()).any(|window| window == at);
        if has_it && breaks.swap(false, Ordering::SeqCst) {
            break;
        }
        if to_near.write_all(&bytes[..count]).await.is_err() {
            break;
        }
    }
    asking.abort();
}

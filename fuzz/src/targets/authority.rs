//! An authority without a disk, for properties that need one: a client `app`, and alice who is signed in.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use valetkey_oauth::Authority;
use valetkey_oauth::accounts::Browser;
use valetkey_oauth::model::{Client, ClientId};
use valetkey_oauth::protocol::{GrantType, Scope};
use valetkey_testkit::authority::policy;
use valetkey_testkit::memory::Memory;
use valetkey_testkit::{Ear, FixedClock, authority, build};

pub struct Desk {
    pub runtime: Runtime,
    pub authority: Authority,
    pub alice: Browser,
}

impl Desk {
    pub fn open() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let authority = runtime.block_on(async {
            let ports = Memory::ports();
            let mut client = build::client("app");
            client.grants = vec![
                GrantType::ClientCredentials,
                GrantType::AuthorizationCode,
                GrantType::RefreshToken,
                GrantType::DeviceCode,
            ];
            client.scope = Scope::parse("openid read:orders").unwrap();
            ports.clients.register(&client).await.unwrap();
            let user = build::user(1, "alice");
            ports.users.add(&user).await.unwrap();
            ports.sign_ins.begin(&build::sign_in(1), &user.password_hash).await.unwrap();
            let (clock, ear) = (Arc::new(FixedClock::default()), Arc::new(Ear::default()));
            authority(ports, clock, ear, policy()).await.unwrap()
        });
        let alice = Browser { sign_in: Some(build::sign_in(1)), key: "key".to_owned(), ..Browser::default() };
        Self { runtime, authority, alice }
    }

    pub async fn client(&self) -> Arc<Client> {
        self.authority.ports.clients.find(&ClientId::new("app")).await.unwrap().unwrap()
    }
}

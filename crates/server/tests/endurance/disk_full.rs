//! A database on a disk that fills up: nothing is answered that is not kept, and reading goes on.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::house::{Engine, House, eventually};
use crate::load::{active, is_unavailable};
use crate::outage::house_on;
use crate::own_postgres::OwnPostgres;

/// A disk of a few megabytes, in memory.
struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// Only root may mount; `None` says so on standard error.
    fn mount(megabytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={megabytes}m,mode=0711"), "valetkey-test"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        if !mounted {
            eprintln!("skipped: needs the right to mount a small disk");
        }
        mounted.then_some(Self { folder })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes until nothing more fits; removing the file gives the space back.
    fn fill(&self) -> PathBuf {
        let path = self.path().join("ballast");
        let mut file = File::create(&path).unwrap();
        for size in [4096, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[tokio::test]
async fn a_full_disk_refuses_what_must_be_kept_and_reading_goes_on() {
    let Some(disk) = SmallDisk::mount(3) else { return };
    let database = format!("sqlite:{}", disk.path().join("valetkey.db").display());
    let house = House::with(Engine::Sqlite, &[("VALETKEY_DATABASE", &database)]).await.unwrap();
    fills_up(house, &disk).await;
}

/// Room for a new PostgreSQL, whose log of what it does takes the most of it, and not for much more.
#[tokio::test]
async fn a_full_disk_under_postgres_refuses_what_must_be_kept_and_reading_goes_on() {
    let Some(disk) = SmallDisk::mount(96) else { return };
    let Some(postgres) = OwnPostgres::start_on(disk.path()).await else { return };
    fills_up(house_on(&postgres).await, &disk).await;
}

async fn fills_up(mut house: House, disk: &SmallDisk) {
    let client = house.client("till", &[]);
    let good = house.token(&client).await;
    let (mut revoked, mut refused) = (Vec::new(), Vec::new());

    let ballast = disk.fill();
    // The log of the database may have room left in what it already holds, so the first few may still succeed.
    while refused.len() < 20 {
        assert!(revoked.len() < 20_000, "the disk never filled up");
        let token = house.token(&client).await;
        let answer = house.post("/revoke", &client, &[("token", &token)]).send().await.unwrap();
        if answer.status() == 200 {
            revoked.push(token);
        } else {
            assert!(is_unavailable(&answer), "{answer:?}");
            refused.push(token);
        }
    }
    assert_eq!(house.introspect(&client, &good).await["active"], true);
    assert_eq!(active(&house, &client, &refused).await.len(), refused.len());
    assert_eq!(house.get("/healthz").send().await.unwrap().status(), 200);

    fs::remove_file(ballast).unwrap();
    eventually(Duration::from_secs(5), async || {
        house.post("/revoke", &client, &[("token", &refused[0])]).send().await.unwrap().status() == 200
    })
    .await;
    revoked.push(refused.remove(0));
    for token in refused {
        let answer = house.post("/revoke", &client, &[("token", &token)]).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        revoked.push(token);
    }
    eprintln!("{} revocations held", revoked.len());
    house.kill();
    house.start().await;
    assert_eq!(active(&house, &client, &revoked).await, [""; 0]);
    assert_eq!(house.introspect(&client, &good).await["active"], true);
    house.kill();
}

/// `/dev/full` answers each write as a full disk does.
#[tokio::test]
async fn a_log_that_cannot_be_written_stops_nobody() {
    let mut house = House::unstarted(Engine::Sqlite, &[("VALETKEY_LOG_LEVEL", "debug")]).await.unwrap();
    house.mute = true;
    house.start().await;
    let client = house.client("till", &[]);

    for _ in 0..20 {
        let token = house.token(&client).await;
        assert_eq!(house.introspect(&client, &token).await["active"], true);
        assert_eq!(house.get("/api/orders").send().await.unwrap().status(), 401);
        assert_eq!(house.get("/nowhere").send().await.unwrap().status(), 404);
    }
    assert_eq!(house.stop().await, Some(0), "it also ends in good order");
}

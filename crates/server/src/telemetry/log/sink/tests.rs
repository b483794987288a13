//! A slow stderr, and who waits for it.

use std::{
    io::{self, Write},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    time::{Duration, Instant},
};

use prometheus_client::metrics::counter::Counter;

use super::Sink;

const LONG: Duration = Duration::from_secs(20);

/// Says when it is asked to write, and writes when it is let.
struct Gate {
    asked: SyncSender<()>,
    go: Receiver<()>,
    written: Arc<Mutex<Vec<u8>>>,
}

impl Write for Gate {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.asked.send(()).ok();
        // Once the other end is gone, everything passes.
        self.go.recv().ok();
        self.written.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct World {
    sink: Sink,
    dropped: Counter,
    asked: Receiver<()>,
    go: SyncSender<()>,
    written: Arc<Mutex<Vec<u8>>>,
}

fn world(capacity: usize) -> World {
    let (asked, was_asked) = sync_channel(100);
    let (go, may_go) = sync_channel(100);
    let (dropped, written) = (Counter::default(), Arc::default());
    let gate = Gate { asked, go: may_go, written: Arc::clone(&written) };
    let sink = Sink::with_capacity(gate, dropped.clone(), capacity).unwrap();
    World { sink, dropped, asked: was_asked, go, written }
}

#[test]
fn lines_are_written_whole_and_in_order() {
    let mut world = world(1000);
    drop(world.go);

    for line in [b"one\n", b"two\n", b"six\n"] {
        world.sink.write_all(line).unwrap();
    }

    assert!(world.sink.flush(LONG));
    assert_eq!(*world.written.lock().unwrap(), b"one\ntwo\nsix\n");
}

#[test]
fn when_nobody_takes_lines_away_they_are_dropped_and_counted() {
    let mut world = world(8);
    world.sink.write_all(b"first\n").unwrap();
    world.asked.recv().unwrap();

    let began = Instant::now();
    for _ in 0..1000 {
        world.sink.write_all(b"more\n").unwrap();
    }

    assert!(began.elapsed() < LONG / 10);
    assert_eq!(world.dropped.get(), 999);
    drop(world.go);
    assert!(world.sink.flush(LONG));
    assert_eq!(*world.written.lock().unwrap(), b"first\nmore\n");
}

#[test]
fn a_flush_gives_up_on_a_writer_that_is_stuck() {
    let mut world = world(1000);
    world.sink.write_all(b"first\n").unwrap();

    assert!(!world.sink.flush(Duration::from_millis(20)));
}

#[test]
fn the_last_lines_are_written_after_the_last_clone_is_gone() {
    let mut world = world(1000);
    world.sink.write_all(b"first\n").unwrap();
    world.asked.recv().unwrap();
    world.sink.write_all(b"last\n").unwrap();

    drop(world.sink);
    world.go.send(()).unwrap();
    world.go.send(()).unwrap();

    // The thread drops its end when it has written everything.
    while world.asked.recv().is_ok() {}
    assert_eq!(*world.written.lock().unwrap(), b"first\nlast\n");
}

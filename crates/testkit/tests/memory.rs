//! The engine for tests passes the suite of the real ones.

use valetkey_testkit::memory::Memory;

valetkey_testkit::conformance!(Some((Memory::ports(), ())));

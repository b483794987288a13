//! `/` and `/problems`.

use crate::tab::Setup;
use crate::world::{browse, browse_demonstration};

#[tokio::test]
async fn the_landing_page_leads_to_what_is_there() {
    browse(Setup::default(), async |world| {
        world.tab.go("/").await;
        assert!(world.tab.text("main").await.contains(&world.house.origin));
        assert!(!world.tab.sees("a[href='/playground']").await, "there is no playground outside a demonstration");

        world.tab.press("a[href='/problems']").await;
        world.tab.press("a[href='/problems/invalid-grant']").await;

        world.tab.reads("main .eyebrow", "invalid-grant").await;
        assert_eq!(world.tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_demonstration_leads_to_its_playground() {
    browse_demonstration(Setup::default(), async |world| {
        world.tab.go("/").await;

        world.tab.press("a[href='/playground']").await;

        world.tab.see("#pkce-start").await;
    })
    .await;
}

//! Pages of ours inside pages of others.

use thirtyfour::By;

use crate::tab::Setup;
use crate::world::browse;

#[tokio::test]
async fn no_page_shows_itself_in_a_frame() {
    browse(Setup::default(), async |world| {
        world.tab.go(&world.app.at("/frame")).await;
        world.tab.see("#frame").await.enter_frame().await.unwrap();

        assert!(world.tab.web.find(By::Css("#login-submit")).await.is_err());
    })
    .await;
}

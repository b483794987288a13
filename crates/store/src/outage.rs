//! A store that failed, in the words of the other crate: authorization and resources each declare their own error.

use valetkey_oauth::ports::StoreError;

/// The same failure for the ports of resources.
pub(crate) fn told(error: StoreError) -> valetkey_resources::ports::StoreError {
    use valetkey_resources::ports::StoreError as Told;
    match error {
        StoreError::Unavailable(why) => Told::Unavailable(why),
        StoreError::Failed(why) => Told::Failed(why),
    }
}

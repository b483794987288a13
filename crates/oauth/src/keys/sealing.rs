//! Sealing keys: authenticated encryption of what only this server reads.

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use jiff::Timestamp;
use zeroize::Zeroizing;

use super::KeyError;
use super::root::derive;
use crate::ports::Random;

/// Length of the nonce that stands before the sealed bytes.
pub const NONCE: usize = 12;

/// What is sealed. Each purpose has a key of its own: a refresh token cannot pass for an access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealPurpose {
    /// `vk_at_…`
    AccessToken,
    /// `vk_rt_…`
    RefreshToken,
    /// `vk_ac_…`: an authorization code.
    Code,
    /// `vk_dc_…`: a device code.
    DeviceCode,
    /// `vk_in_…`: an authorization request on its way through the pages.
    Interaction,
    /// `vk_ft_…`: proof that a form came from our own page in the same browser.
    FormToken,
    /// `vk_lo_…`: a wish to sign out on its way through the page.
    Departure,
    /// `vk_up_…`: a sign-in that waits for another provider.
    Upstream,
    /// `vk_lt_…`: what a logout token will say.
    LogoutToken,
}

impl SealPurpose {
    /// What the sealed text begins with.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::AccessToken => "vk_at_",
            Self::RefreshToken => "vk_rt_",
            Self::Code => "vk_ac_",
            Self::DeviceCode => "vk_dc_",
            Self::Interaction => "vk_in_",
            Self::FormToken => "vk_ft_",
            Self::Departure => "vk_lo_",
            Self::Upstream => "vk_up_",
            Self::LogoutToken => "vk_lt_",
        }
    }
}

/// One sealing key, ready for use.
pub struct SealingKey {
    pub(super) generation: u32,
    pub(super) active_from: Timestamp,
    access: LessSafeKey,
    refresh: LessSafeKey,
    code: LessSafeKey,
    device_code: LessSafeKey,
    interaction: LessSafeKey,
    form_token: LessSafeKey,
    departure: LessSafeKey,
    upstream: LessSafeKey,
    logout_token: LessSafeKey,
}

impl SealingKey {
    /// 32 random bytes: the secret half of a new sealing key.
    pub(super) fn generate(random: &dyn Random) -> Zeroizing<Vec<u8>> {
        let mut secret = Zeroizing::new(vec![0; 32]);
        random.fill(&mut secret);
        secret
    }

    pub(super) fn new(generation: u32, active_from: Timestamp, secret: &[u8]) -> Result<Self, KeyError> {
        let cipher = |purpose: SealPurpose| {
            let key = derive(secret, purpose.prefix())?;
            UnboundKey::new(&AES_256_GCM_SIV, &key[..]).map(LessSafeKey::new).map_err(|_| KeyError::Crypto("seal key"))
        };
        Ok(Self {
            generation,
            active_from,
            access: cipher(SealPurpose::AccessToken)?,
            refresh: cipher(SealPurpose::RefreshToken)?,
            code: cipher(SealPurpose::Code)?,
            device_code: cipher(SealPurpose::DeviceCode)?,
            interaction: cipher(SealPurpose::Interaction)?,
            form_token: cipher(SealPurpose::FormToken)?,
            departure: cipher(SealPurpose::Departure)?,
            upstream: cipher(SealPurpose::Upstream)?,
            logout_token: cipher(SealPurpose::LogoutToken)?,
        })
    }

    fn cipher(&self, purpose: SealPurpose) -> &LessSafeKey {
        match purpose {
            SealPurpose::AccessToken => &self.access,
            SealPurpose::RefreshToken => &self.refresh,
            SealPurpose::Code => &self.code,
            SealPurpose::DeviceCode => &self.device_code,
            SealPurpose::Interaction => &self.interaction,
            SealPurpose::FormToken => &self.form_token,
            SealPurpose::Departure => &self.departure,
            SealPurpose::Upstream => &self.upstream,
            SealPurpose::LogoutToken => &self.logout_token,
        }
    }

    /// The number that stands in front of what it sealed.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Seals `buffer[start..]` in place: the nonce must fit in the [`NONCE`] bytes before `start`; the tag is appended.
    pub fn seal(
        &self,
        purpose: SealPurpose,
        buffer: &mut Vec<u8>,
        start: usize,
        random: &dyn Random,
    ) -> Result<(), KeyError> {
        let mut nonce = [0; NONCE];
        random.fill(&mut nonce);
        buffer[start - NONCE..start].copy_from_slice(&nonce);
        let tag = self
            .cipher(purpose)
            .seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut buffer[start..])
            .map_err(|_| KeyError::Crypto("seal"))?;
        buffer.extend_from_slice(tag.as_ref());
        Ok(())
    }

    /// Opens nonce, sealed bytes and tag in place. `None` for anything this key did not seal for this purpose.
    pub fn open<'a>(&self, purpose: SealPurpose, sealed: &'a mut [u8]) -> Option<&'a [u8]> {
        let (nonce, body) = sealed.split_at_mut_checked(NONCE)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let opened = self.cipher(purpose).open_in_place(nonce, Aad::empty(), body).ok()?;
        Some(opened)
    }
}

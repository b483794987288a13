package interop

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// site is an app as the documentation of both modules shows it.
type site struct {
	oauth2.Config
	provider *oidc.Provider
}

func newSite(t *testing.T, name string, style oauth2.AuthStyle) *site {
	t.Helper()
	provider, err := oidc.NewProvider(context.Background(), issuer)
	must(t, err)
	who := registered(name)
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = style
	return &site{oauth2.Config{
		ClientID: who.id, ClientSecret: who.secret, Endpoint: endpoint, RedirectURL: os.Getenv("CALLBACK"),
		Scopes: []string{oidc.ScopeOpenID, "email", "read:orders"},
	}, provider}
}

// begin sends a person to the server, and answers with what came back and the verifier.
func (s *site) begin(t *testing.T, decision string, more ...oauth2.AuthCodeOption) (url.Values, string) {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	more = append(more, oauth2.S256ChallengeOption(verifier), oidc.Nonce("n-1"))
	back := newBrowser(t).visit(s.AuthCodeURL("s-1", more...), decision)
	if back.Get("state") != "s-1" || back.Get("iss") != issuer {
		t.Errorf("the answer is not for this request: %v", back)
	}
	return back, verifier
}

func (s *site) signIn(t *testing.T) *oauth2.Token {
	t.Helper()
	back, verifier := s.begin(t, "approve")
	token, err := s.Exchange(context.Background(), back.Get("code"), oauth2.VerifierOption(verifier))
	must(t, err)
	return token
}

// identity verifies the id_token that came with a token.
func (s *site) identity(t *testing.T, token *oauth2.Token) *oidc.IDToken {
	t.Helper()
	text, _ := token.Extra("id_token").(string)
	identity, err := s.provider.Verifier(&oidc.Config{ClientID: s.ClientID}).Verify(context.Background(), text)
	must(t, err)
	must(t, identity.VerifyAccessToken(token.AccessToken))
	return identity
}

func TestAPersonSignsInByEveryStyle(t *testing.T) {
	t.Parallel()
	// The style that is found out tries Basic and then the form, with the same code.
	for name, style := range styles {
		app := newSite(t, "WEB", style)

		token := app.signIn(t)

		identity := app.identity(t, token)
		info, err := app.provider.UserInfo(context.Background(), app.TokenSource(context.Background(), token))
		must(t, err)
		if identity.Nonce != "n-1" || identity.Subject != info.Subject {
			t.Errorf("%s: nonce %q, subjects %q and %q", name, identity.Nonce, identity.Subject, info.Subject)
		}
		if info.Email != os.Getenv("PERSON_EMAIL") {
			t.Errorf("%s: email is %q", name, info.Email)
		}
	}
}

func TestAPersonSignsInToAnAppWithoutASecret(t *testing.T) {
	t.Parallel()
	for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleInParams, oauth2.AuthStyleAutoDetect} {
		app := newSite(t, "SPA", style)

		token := app.signIn(t)

		if !token.Valid() || token.RefreshToken == "" {
			t.Errorf("not a usable token: %v", token.Extra("scope"))
		}
	}
}

func TestAWrongSecretDoesNotBurnTheCode(t *testing.T) {
	t.Parallel()
	app := newSite(t, "WEB", oauth2.AuthStyleInHeader)
	back, verifier := app.begin(t, "approve")
	wrong := *app
	wrong.ClientSecret = "wrong"

	_, err := wrong.Exchange(context.Background(), back.Get("code"), oauth2.VerifierOption(verifier))
	token, late := app.Exchange(context.Background(), back.Get("code"), oauth2.VerifierOption(verifier))

	if refused := retrieveError(t, err); refused.ErrorCode != "invalid_client" {
		t.Errorf("the app was told %s", refused.ErrorCode)
	}
	must(t, late)
	app.identity(t, token)
}

func TestEveryAlgorithmOfIdTokensHolds(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"WEB", "PAIRWISE", "TOLD"} {
		app := newSite(t, name, oauth2.AuthStyleInHeader)

		token := app.signIn(t)

		if app.identity(t, token).AccessTokenHash == "" {
			t.Errorf("%s: nothing binds the id_token to the access token", name)
		}
	}
}

func TestAnExpiredTokenIsRenewedInPassing(t *testing.T) {
	t.Parallel()
	app := newSite(t, "WEB", oauth2.AuthStyleAutoDetect)
	first := app.signIn(t)
	expired := *first
	expired.Expiry = time.Now().Add(-time.Hour)

	source := app.TokenSource(context.Background(), &expired)
	answer, err := oauth2.NewClient(context.Background(), source).Get(issuer + "/userinfo")
	must(t, err)
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	second, err := source.Token()
	must(t, err)

	if answer.StatusCode != http.StatusOK || second.RefreshToken == first.RefreshToken {
		t.Errorf("status %d, and the refresh token should have changed", answer.StatusCode)
	}
	if app.identity(t, second).Subject != app.identity(t, first).Subject {
		t.Error("the subject changed")
	}
	_, err = app.TokenSource(context.Background(), &expired).Token()
	if refused := retrieveError(t, err); refused.ErrorCode != "invalid_grant" {
		t.Errorf("the first refresh token again: %s", refused.ErrorCode)
	}
}

func TestAWrongVerifierIsInvalidGrant(t *testing.T) {
	t.Parallel()
	app := newSite(t, "SPA", oauth2.AuthStyleInParams)
	back, _ := app.begin(t, "approve")

	_, err := app.Exchange(context.Background(), back.Get("code"), oauth2.VerifierOption(oauth2.GenerateVerifier()))

	if refused := retrieveError(t, err); refused.ErrorCode != "invalid_grant" {
		t.Errorf("the app was told %s", refused.ErrorCode)
	}
}

func TestANoIsAccessDenied(t *testing.T) {
	t.Parallel()
	app := newSite(t, "WEB", oauth2.AuthStyleInHeader)

	back, _ := app.begin(t, "deny", oauth2.SetAuthURLParam("prompt", "consent"))

	if back.Get("error") != "access_denied" || back.Has("code") {
		t.Errorf("the app was told %v", back)
	}
}

package interop

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var styles = map[string]oauth2.AuthStyle{
	"basic":  oauth2.AuthStyleInHeader,
	"post":   oauth2.AuthStyleInParams,
	"either": oauth2.AuthStyleAutoDetect,
}

func config(style oauth2.AuthStyle, scopes ...string) *clientcredentials.Config {
	who := registered("OPAQUE")
	return &clientcredentials.Config{
		ClientID: who.id, ClientSecret: who.secret, TokenURL: issuer + "/token", Scopes: scopes, AuthStyle: style,
	}
}

func TestATokenComesByEveryStyle(t *testing.T) {
	for name, style := range styles {
		token, err := config(style, "read:orders").Token(context.Background())
		must(t, err)

		if !token.Valid() || token.Type() != "Bearer" || token.Expiry.IsZero() {
			t.Errorf("%s: not a usable bearer token: type %s, expires %s", name, token.Type(), token.Expiry)
		}
		if scope := token.Extra("scope"); scope != "read:orders" {
			t.Errorf("%s: scope is %v", name, scope)
		}
	}
}

func TestAWrongSecretIsInvalidClient(t *testing.T) {
	for name, style := range styles {
		wrong := config(style)
		wrong.ClientSecret = "wrong"

		_, err := wrong.Token(context.Background())

		refused := retrieveError(t, err)
		if refused.ErrorCode != "invalid_client" || refused.Response.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %s with status %d", name, refused.ErrorCode, refused.Response.StatusCode)
		}
		if !strings.Contains(refused.ErrorDescription, "secret") {
			t.Errorf("%s: %q does not say what to check", name, refused.ErrorDescription)
		}
	}
}

func TestAnUnknownScopeIsInvalidScopeAndIsNamed(t *testing.T) {
	_, err := config(oauth2.AuthStyleInHeader, "read:everything").Token(context.Background())

	refused := retrieveError(t, err)
	if refused.ErrorCode != "invalid_scope" || !strings.Contains(refused.ErrorDescription, "read:everything") {
		t.Errorf("%s: %s", refused.ErrorCode, refused.ErrorDescription)
	}
	if !strings.HasPrefix(refused.ErrorURI, issuer) {
		t.Errorf("error_uri is %q", refused.ErrorURI)
	}
}

func TestAResourceMayBeNamed(t *testing.T) {
	named := config(oauth2.AuthStyleInHeader)
	named.EndpointParams = url.Values{"resource": {audience}}

	token, err := named.Token(context.Background())
	must(t, err)

	seen := post(t, "/introspect", registered("RESOURCE_SERVER"), url.Values{"token": {token.AccessToken}})
	if seen["active"] != true || seen["aud"] != audience {
		t.Errorf("introspection says %v", seen)
	}
}

func retrieveError(t *testing.T, err error) *oauth2.RetrieveError {
	t.Helper()
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		t.Fatalf("not a refusal: %v", err)
	}
	return refused
}

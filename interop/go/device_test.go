package interop

import (
	"context"
	"testing"

	"golang.org/x/oauth2"
)

func television() *oauth2.Config {
	return &oauth2.Config{
		ClientID: registered("TELEVISION").id,
		Scopes:   []string{"openid", "read:orders"},
		Endpoint: oauth2.Endpoint{
			DeviceAuthURL: issuer + "/device/code", TokenURL: issuer + "/token", AuthStyle: oauth2.AuthStyleInParams,
		},
	}
}

func TestADeviceGetsItsTokensOnceAPersonSaidYes(t *testing.T) {
	t.Parallel()
	app := television()
	question, err := app.DeviceAuth(context.Background())
	must(t, err)

	person(t, question.VerificationURIComplete, "approve")
	token, err := app.DeviceAccessToken(context.Background(), question)
	must(t, err)

	if !token.Valid() || token.RefreshToken == "" || token.Extra("id_token") == nil {
		t.Errorf("not all tokens came: %v", token.Extra("scope"))
	}
}

func TestADeviceHearsTheNoOfAPerson(t *testing.T) {
	t.Parallel()
	app := television()
	question, err := app.DeviceAuth(context.Background())
	must(t, err)

	person(t, question.VerificationURIComplete, "deny")
	_, err = app.DeviceAccessToken(context.Background(), question)

	if refused := retrieveError(t, err); refused.ErrorCode != "access_denied" {
		t.Errorf("the device was told %s", refused.ErrorCode)
	}
}

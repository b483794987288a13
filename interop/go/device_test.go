package interop

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"testing"

	"golang.org/x/oauth2"
)

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// person follows the link that a device shows, signs in, and decides about the device.
func person(t *testing.T, link, decision string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	browser := &http.Client{Jar: jar}
	read := func(answer *http.Response, err error) string {
		must(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		must(t, err)
		return string(text)
	}
	// The form of a page: its hidden fields, and what the person adds.
	send := func(page, path string, form url.Values) string {
		for _, field := range hidden.FindAllStringSubmatch(page, -1) {
			if !form.Has(field[1]) {
				form.Set(field[1], field[2])
			}
		}
		return read(browser.PostForm(issuer+path, form))
	}
	at, err := url.Parse(link)
	must(t, err)
	page := read(browser.Get(link))
	name, password := os.Getenv("PERSON_NAME"), os.Getenv("PERSON_PASSWORD")
	page = send(page, "/login", url.Values{"username": {name}, "password": {password}})
	page = send(page, "/device", url.Values{"user_code": {at.Query().Get("user_code")}})
	send(page, "/device", url.Values{"decision": {decision}})
}

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

// Package interop speaks to a running server with the libraries that programs in Go use.
//
// This file owns what the tests know of the server: where it is, who is registered, and how an operator speaks to it.
// Everything comes from the environment that interop/run sets. It knows no client library.
package interop

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

var (
	issuer   = os.Getenv("ISSUER")
	audience = issuer + "/api"
)

type client struct{ id, secret string }

// registered is a client that interop/run made, by the name it has there.
func registered(name string) client {
	return client{os.Getenv(name + "_ID"), os.Getenv(name + "_SECRET")}
}

var signing = map[string]client{
	"ES256": registered("ES256"),
	"RS256": registered("RS256"),
	"EdDSA": registered("EDDSA"),
}

// post sends a form by Basic and reads a JSON object.
func post(t *testing.T, path string, who client, form url.Values) map[string]any {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, issuer+path, strings.NewReader(form.Encode()))
	must(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(who.id, who.secret)
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	defer answer.Body.Close()
	var value map[string]any
	must(t, json.NewDecoder(answer.Body).Decode(&value))
	return value
}

// issue gets a token by the plainest request there is, for tests that are about what comes after it.
func issue(t *testing.T, who client) string {
	t.Helper()
	token, _ := post(t, "/token", who, url.Values{"grant_type": {"client_credentials"}})["access_token"].(string)
	return token
}

func kidOf(t *testing.T, token string) string {
	t.Helper()
	head, _, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(head)
	must(t, err)
	var header struct{ Kid string }
	must(t, json.Unmarshal(text, &header))
	return header.Kid
}

// rotate replaces the key of an algorithm, and answers with a token that the new one signed. A running server sees what
// an operator did within a second.
func rotate(t *testing.T, algorithm string) string {
	t.Helper()
	old := kidOf(t, issue(t, signing[algorithm]))
	must(t, exec.Command(os.Getenv("VALETKEY"), "key", "rotate", strings.ToLower(algorithm), "--now", "--json").Run())
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if token := issue(t, signing[algorithm]); kidOf(t, token) != old {
			return token
		}
	}
	t.Fatalf("the new %s key did not sign within 10 s", algorithm)
	return ""
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

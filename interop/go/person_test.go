package interop

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
)

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// browser is one that nobody has signed in with yet: cookies, forms and the pages that an app never sees. It goes where
// the server sends it, and stops where the server ends.
type browser struct {
	t    *testing.T
	http *http.Client
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	home := func(next *http.Request, _ []*http.Request) error {
		if !strings.HasPrefix(next.URL.String(), issuer) {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &browser{t, &http.Client{Jar: jar, CheckRedirect: home}}
}

// read answers with the page, or with the address elsewhere to which the server sent the browser.
func (b *browser) read(answer *http.Response, err error) (page string, left *url.URL) {
	b.t.Helper()
	must(b.t, err)
	defer answer.Body.Close()
	if left, err := answer.Location(); err == nil {
		return "", left
	}
	text, err := io.ReadAll(answer.Body)
	must(b.t, err)
	return string(text), nil
}

// send sends the form of a page: its hidden fields, and what the person adds.
func (b *browser) send(page, path string, form url.Values) (string, *url.URL) {
	b.t.Helper()
	for _, field := range hidden.FindAllStringSubmatch(page, -1) {
		if !form.Has(field[1]) {
			form.Set(field[1], html.UnescapeString(field[2]))
		}
	}
	return b.read(b.http.PostForm(issuer+path, form))
}

func (b *browser) signIn(page string) (string, *url.URL) {
	b.t.Helper()
	name, password := os.Getenv("PERSON_NAME"), os.Getenv("PERSON_PASSWORD")
	return b.send(page, "/login", url.Values{"username": {name}, "password": {password}})
}

// visit follows the link of an app, signs in if asked to, and decides if asked to. What reaches the app is its answer.
func (b *browser) visit(link, decision string) url.Values {
	b.t.Helper()
	page, left := b.read(b.http.Get(link))
	if strings.Contains(page, `id="login-submit"`) {
		page, left = b.signIn(page)
	}
	if strings.Contains(page, `id="consent-approve"`) {
		page, left = b.send(page, "/consent", url.Values{"decision": {decision}})
	}
	if left == nil {
		b.t.Fatalf("nothing reaches the app: %s", page)
	}
	return left.Query()
}

// person follows the link that a device shows, signs in, and decides about the device.
func person(t *testing.T, link, decision string) {
	t.Helper()
	at, err := url.Parse(link)
	must(t, err)
	b := newBrowser(t)
	page, _ := b.read(b.http.Get(link))
	page, _ = b.signIn(page)
	page, _ = b.send(page, "/device", url.Values{"user_code": {at.Query().Get("user_code")}})
	b.send(page, "/device", url.Values{"decision": {decision}})
}

package interop

import (
	"context"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
)

func TestTheProviderIsDiscovered(t *testing.T) {
	provider, err := oidc.NewProvider(context.Background(), issuer)
	must(t, err)

	if endpoint := provider.Endpoint(); endpoint.TokenURL != issuer+"/token" {
		t.Errorf("the token endpoint is %s", endpoint.TokenURL)
	}
}

func TestAnIssuerWithASlashAtTheEndIsAnotherIssuer(t *testing.T) {
	_, err := oidc.NewProvider(context.Background(), issuer+"/")

	if err == nil || !strings.Contains(err.Error(), "did not match") {
		t.Errorf("the issuers should differ: %v", err)
	}
}

// The verifier that a resource server makes from the address of the keys, or from discovery.
func verifiers(t *testing.T, audience string) map[string]*oidc.IDTokenVerifier {
	t.Helper()
	provider, err := oidc.NewProvider(context.Background(), issuer)
	must(t, err)
	keys := oidc.NewRemoteKeySet(context.Background(), issuer+"/jwks")
	algorithms := []string{oidc.ES256, oidc.RS256, oidc.EdDSA}
	return map[string]*oidc.IDTokenVerifier{
		"keys":      oidc.NewVerifier(issuer, keys, &oidc.Config{ClientID: audience, SupportedSigningAlgs: algorithms}),
		"discovery": provider.Verifier(&oidc.Config{ClientID: audience}),
	}
}

func TestASignedAccessTokenIsValid(t *testing.T) {
	for algorithm, who := range signing {
		for name, verifier := range verifiers(t, audience) {
			token, err := verifier.Verify(context.Background(), issue(t, who))
			if err != nil {
				t.Errorf("%s by %s: %v", algorithm, name, err)
				continue
			}

			if token.Subject != who.id || token.Issuer != issuer {
				t.Errorf("%s by %s: sub is %s, iss is %s", algorithm, name, token.Subject, token.Issuer)
			}
		}
	}
}

func TestAnotherAudienceIsRefused(t *testing.T) {
	for name, verifier := range verifiers(t, "https://elsewhere.example") {
		_, err := verifier.Verify(context.Background(), issue(t, signing["RS256"]))

		if err == nil {
			t.Errorf("%s took a token for someone else", name)
		}
	}
}

func TestCachedKeysFollowARotation(t *testing.T) {
	for algorithm, who := range signing {
		keys := oidc.NewRemoteKeySet(context.Background(), issuer+"/jwks")
		old := issue(t, who)
		_, err := keys.VerifySignature(context.Background(), old)
		must(t, err)

		fresh := rotate(t, algorithm)

		for name, token := range map[string]string{"new": fresh, "old": old} {
			if _, err := keys.VerifySignature(context.Background(), token); err != nil {
				t.Errorf("%s: the %s token: %v", algorithm, name, err)
			}
		}
	}
}

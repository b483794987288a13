import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.authentication.OAuth2LoginAuthenticationToken;
import org.springframework.security.oauth2.client.endpoint.OAuth2RefreshTokenGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientRefreshTokenTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationExchange;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationResponse;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.SpringOpaqueTokenIntrospector;
import org.springframework.web.util.UriComponentsBuilder;

/** Spring Security: the parts of its oauth2Login and of its resource server, without the container around them. */
class SpringTest {
    /** A site that is only given the issuer. */
    private static ClientRegistration site(String name, ClientAuthenticationMethod method) {
        World.Registered who = World.client(name);
        return ClientRegistrations.fromIssuerLocation(World.ISSUER)
                .registrationId("valetkey")
                .clientId(who.id())
                .clientSecret(who.secret())
                .clientAuthenticationMethod(method)
                .redirectUri(World.CALLBACK.toString())
                .scope("openid", "profile", "email", "read:orders")
                .build();
    }

    private static ClientRegistration site() {
        return site("WEB", ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
    }

    private static OAuth2LoginAuthenticationToken signIn(ClientRegistration site, Person person) throws Exception {
        var resolver = new DefaultOAuth2AuthorizationRequestResolver(
                new InMemoryClientRegistrationRepository(site), "/oauth2/authorization");
        resolver.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
        var question = resolver.resolve(new MockHttpServletRequest(), "valetkey");
        URI back = person.visit(URI.create(question.getAuthorizationRequestUri()));
        var answer = UriComponentsBuilder.fromUri(back).build(true).getQueryParams();
        var success = OAuth2AuthorizationResponse.success(answer.getFirst("code"))
                .state(URLDecoder.decode(answer.getFirst("state"), StandardCharsets.UTF_8))
                .redirectUri(World.CALLBACK.toString())
                .build();
        var provider = new OidcAuthorizationCodeAuthenticationProvider(
                new RestClientAuthorizationCodeTokenResponseClient(), new OidcUserService());
        var login = new OAuth2LoginAuthenticationToken(site, new OAuth2AuthorizationExchange(question, success));
        return (OAuth2LoginAuthenticationToken) provider.authenticate(login);
    }

    @Test
    void aVisitorSignsInWithEveryMethodAndTheTokensAreRenewed() throws Exception {
        for (ClientRegistration site : List.of(
                site(),
                site("WEB", ClientAuthenticationMethod.CLIENT_SECRET_POST),
                site("SPA", ClientAuthenticationMethod.NONE))) {
            var entered = signIn(site, new Person());

            OidcUser user = (OidcUser) entered.getPrincipal();
            assertEquals(World.EMAIL, user.getUserInfo().getEmail());
            assertEquals(user.getIdToken().getSubject(), user.getUserInfo().getSubject());
            var again = new OAuth2RefreshTokenGrantRequest(site, entered.getAccessToken(), entered.getRefreshToken());
            var renewals = new RestClientRefreshTokenTokenResponseClient();
            var renewed = renewals.getTokenResponse(again);
            assertNotEquals(entered.getRefreshToken().getTokenValue(), renewed.getRefreshToken().getTokenValue());
            var refused = assertThrows(OAuth2AuthorizationException.class, () -> renewals.getTokenResponse(again));
            assertEquals("invalid_grant", refused.getError().getErrorCode());
        }
    }

    @Test
    void aVisitorSignsOutAndComesBack() throws Exception {
        ClientRegistration site = site();
        Person person = new Person();
        OidcUser user = (OidcUser) signIn(site, person).getPrincipal();
        var handler = new OidcClientInitiatedLogoutSuccessHandler(new InMemoryClientRegistrationRepository(site));
        handler.setPostLogoutRedirectUri(World.GOODBYE.toString());
        var answer = new MockHttpServletResponse();
        var entered = new OAuth2AuthenticationToken(user, user.getAuthorities(), "valetkey");

        handler.onLogoutSuccess(new MockHttpServletRequest(), answer, entered);

        assertEquals(World.GOODBYE, person.leave(URI.create(answer.getRedirectedUrl())));
    }

    @Test
    void aResourceServerReadsSignedTokensOfPeople() throws Exception {
        var entered = signIn(site("SPA", ClientAuthenticationMethod.NONE), new Person());
        var decoder = NimbusJwtDecoder.withJwkSetUri(World.ISSUER + "/jwks")
                .jwsAlgorithm(SignatureAlgorithm.ES256)
                .validateType(false)
                .build();
        decoder.setJwtValidator(JwtValidators.createAtJwtValidator()
                .issuer(World.ISSUER)
                .audience(World.AUDIENCE)
                .clientId(World.client("SPA").id())
                .build());

        var token = decoder.decode(entered.getAccessToken().getTokenValue());

        assertEquals(entered.getPrincipal().getName(), token.getSubject());
        assertTrue(token.getClaimAsString("scope").contains("read:orders"));
    }

    @Test
    void aResourceServerAsksAboutSealedTokensOfPeople() throws Exception {
        var entered = signIn(site(), new Person());
        World.Registered guard = World.client("RESOURCE_SERVER");
        var introspector = SpringOpaqueTokenIntrospector.withIntrospectionUri(World.ISSUER + "/introspect")
                .clientId(guard.id())
                .clientSecret(guard.secret())
                .build();

        var seen = introspector.introspect(entered.getAccessToken().getTokenValue());

        assertEquals(entered.getPrincipal().getName(), seen.getAttribute("sub"));
        assertTrue(seen.getAuthorities().stream().anyMatch(held -> held.getAuthority().equals("SCOPE_read:orders")));
    }
}

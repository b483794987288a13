import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseMode;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenErrorResponse;
import com.nimbusds.oauth2.sdk.TokenIntrospectionRequest;
import com.nimbusds.oauth2.sdk.TokenIntrospectionResponse;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.BackChannelLogoutRequest;
import com.nimbusds.openid.connect.sdk.LogoutRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.Prompt;
import com.nimbusds.openid.connect.sdk.UserInfoRequest;
import com.nimbusds.openid.connect.sdk.UserInfoResponse;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import com.nimbusds.openid.connect.sdk.validators.AccessTokenValidator;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import com.nimbusds.openid.connect.sdk.validators.LogoutTokenValidator;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The SDK of nimbus, which reads every message into a type and throws at what does not fit. */
class NimbusTest {
    private static final Scope SCOPE = new Scope("openid", "email", "read:orders");

    private static OIDCProviderMetadata server;

    @BeforeAll
    static void discover() throws Exception {
        server = OIDCProviderMetadata.resolve(new Issuer(World.ISSUER));
    }

    /** An app, and what it keeps while its user is away. */
    private static final class App {
        final ClientID id;
        final ClientAuthentication authentication;
        final JWSAlgorithm algorithm;
        final CodeVerifier verifier = new CodeVerifier();
        final State state = new State();
        final Nonce nonce = new Nonce();

        App(ClientID id, ClientAuthentication authentication, JWSAlgorithm algorithm) {
            this.id = id;
            this.authentication = authentication;
            this.algorithm = algorithm;
        }

        static App web() {
            return new App(id("WEB"), basic("WEB"), JWSAlgorithm.RS256);
        }

        AuthenticationRequest.Builder question() {
            return new AuthenticationRequest.Builder(ResponseType.CODE, SCOPE, id, World.CALLBACK)
                    .endpointURI(server.getAuthorizationEndpointURI())
                    .codeChallenge(verifier, CodeChallengeMethod.S256)
                    .state(state)
                    .nonce(nonce);
        }

        AuthenticationResponse answer(URI back) throws Exception {
            AuthenticationResponse answer = AuthenticationResponseParser.parse(back);
            assertEquals(state, answer.getState());
            assertEquals(server.getIssuer(), answer.getIssuer());
            return answer;
        }

        HTTPResponse ask(AuthorizationGrant grant) throws Exception {
            URI endpoint = server.getTokenEndpointURI();
            TokenRequest request = authentication == null
                    ? new TokenRequest.Builder(endpoint, id, grant).build()
                    : new TokenRequest.Builder(endpoint, authentication, grant).build();
            return request.toHTTPRequest().send();
        }

        HTTPResponse redeem(AuthorizationCode code, CodeVerifier shown) throws Exception {
            return ask(new AuthorizationCodeGrant(code, World.CALLBACK, shown));
        }

        OIDCTokens signIn(Person person) throws Exception {
            URI back = person.visit(question().build().toURI());
            AuthorizationCode code = answer(back).toSuccessResponse().getAuthorizationCode();
            return tokens(redeem(code, verifier));
        }

        /** Everything that the specification lets an app check of an id_token. */
        IDTokenClaimsSet identity(OIDCTokens tokens, Nonce expected) throws Exception {
            var keys = server.getJWKSetURI().toURL();
            var validator = new IDTokenValidator(server.getIssuer(), id, algorithm, keys);
            var claims = validator.validate(tokens.getIDToken(), expected);
            AccessTokenValidator.validate(tokens.getAccessToken(), algorithm, claims.getAccessTokenHash());
            return claims;
        }
    }

    private static ClientID id(String name) {
        return new ClientID(World.client(name).id());
    }

    private static ClientAuthentication basic(String name) {
        return new ClientSecretBasic(id(name), new Secret(World.client(name).secret()));
    }

    private static OIDCTokens tokens(HTTPResponse answer) throws Exception {
        var parsed = OIDCTokenResponseParser.parse(answer);
        assertTrue(parsed.indicatesSuccess(), answer.getBody());
        return (OIDCTokens) parsed.toSuccessResponse().getTokens();
    }

    private static String code(HTTPResponse answer) throws Exception {
        return TokenErrorResponse.parse(answer).getErrorObject().getCode();
    }

    @Test
    void everyAnswerOfTheFlowIsSound() throws Exception {
        ClientAuthentication post = new ClientSecretPost(id("WEB"), new Secret(World.client("WEB").secret()));
        for (App app : List.of(
                App.web(),
                new App(id("WEB"), post, JWSAlgorithm.RS256),
                new App(id("PAIRWISE"), basic("PAIRWISE"), JWSAlgorithm.ES256),
                new App(id("SPA"), null, JWSAlgorithm.RS256))) {
            OIDCTokens tokens = app.signIn(new Person());

            IDTokenClaimsSet identity = app.identity(tokens, app.nonce);
            var asked = new UserInfoRequest(server.getUserInfoEndpointURI(), tokens.getAccessToken());
            var info = UserInfoResponse.parse(asked.toHTTPRequest().send()).toSuccessResponse().getUserInfo();
            assertEquals(identity.getSubject(), info.getSubject());
            assertEquals(World.EMAIL, info.getEmailAddress());
            assertEquals(SCOPE, tokens.getAccessToken().getScope());
            OIDCTokens next = tokens(app.ask(new RefreshTokenGrant(tokens.getRefreshToken())));
            assertNotEquals(tokens.getRefreshToken(), next.getRefreshToken());
            assertEquals(identity.getSubject(), app.identity(next, null).getSubject());
        }
    }

    @Test
    void aWrongVerifierAndACodeUsedTwiceAreInvalidGrant() throws Exception {
        App app = App.web();
        Person person = new Person();
        AuthorizationCode wrong = app.answer(person.visit(app.question().build().toURI()))
                .toSuccessResponse().getAuthorizationCode();
        AuthorizationCode twice = app.answer(person.visit(app.question().build().toURI()))
                .toSuccessResponse().getAuthorizationCode();

        HTTPResponse guessed = app.redeem(wrong, new CodeVerifier());
        tokens(app.redeem(twice, app.verifier));
        HTTPResponse again = app.redeem(twice, app.verifier);

        assertEquals("invalid_grant", code(guessed));
        assertEquals("invalid_grant", code(again));
    }

    @Test
    void aNoAndASilentRequestOfAStrangerAreErrorsWithStateAndIssuer() throws Exception {
        App app = App.web();

        URI denied = new Person().visit(app.question().prompt(new Prompt(Prompt.Type.CONSENT)).build().toURI(), "deny");
        URI stranger = new Person().visit(app.question().prompt(new Prompt(Prompt.Type.NONE)).build().toURI());

        assertEquals("access_denied", app.answer(denied).toErrorResponse().getErrorObject().getCode());
        assertEquals("login_required", app.answer(stranger).toErrorResponse().getErrorObject().getCode());
        assertEquals(ResponseMode.QUERY, app.answer(stranger).impliedResponseMode());
    }

    @Test
    void aRevokedRefreshTokenIsInactiveAndSoIsItsAccessToken() throws Exception {
        App app = App.web();
        OIDCTokens tokens = app.signIn(new Person());

        new TokenRevocationRequest(server.getRevocationEndpointURI(), app.authentication, tokens.getRefreshToken())
                .toHTTPRequest().send().ensureStatusCode(200);

        for (var token : List.of(tokens.getAccessToken(), tokens.getRefreshToken())) {
            var asked = new TokenIntrospectionRequest(server.getIntrospectionEndpointURI(), app.authentication, token);
            var answer = TokenIntrospectionResponse.parse(asked.toHTTPRequest().send());
            assertFalse(answer.toSuccessResponse().isActive());
        }
        assertEquals("invalid_grant", code(app.ask(new RefreshTokenGrant(tokens.getRefreshToken()))));
    }

    @Test
    void aSignOutBringsTheBrowserBackWithItsState() throws Exception {
        App app = App.web();
        Person person = new Person();
        OIDCTokens tokens = app.signIn(person);

        URI end = server.getEndSessionEndpointURI();
        URI back = person.leave(new LogoutRequest(end, tokens.getIDToken(), World.GOODBYE, app.state).toURI());

        assertEquals(URI.create(World.GOODBYE + "?state=" + app.state), back);
    }

    @Test
    void anAppIsToldOfASignOutByATokenThatHolds() throws Exception {
        App app = new App(id("PAIRWISE"), basic("PAIRWISE"), JWSAlgorithm.ES256);
        var received = new LinkedBlockingQueue<String>();
        HttpServer listener = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        listener.createContext("/out", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        listener.start();
        try {
            String address = "http://127.0.0.1:" + listener.getAddress().getPort() + "/out";
            World.operate("client", "edit", app.id.getValue(), "--backchannel-logout-uri", address);
            Person person = new Person();
            OIDCTokens tokens = app.signIn(person);
            IDTokenClaimsSet identity = app.identity(tokens, app.nonce);

            person.leave(new LogoutRequest(server.getEndSessionEndpointURI(), tokens.getIDToken()).toURI());
            String body = received.poll(10, TimeUnit.SECONDS);

            HTTPRequest message = new HTTPRequest(HTTPRequest.Method.POST, URI.create(address));
            message.setContentType("application/x-www-form-urlencoded");
            message.setBody(body);
            var keys = server.getJWKSetURI().toURL();
            var validator = new LogoutTokenValidator(server.getIssuer(), app.id, app.algorithm, keys);
            var claims = validator.validate(BackChannelLogoutRequest.parse(message).getLogoutToken());
            assertEquals(identity.getSubject(), claims.getSubject());
            assertEquals(identity.getSessionID(), claims.getSessionID());
        } finally {
            listener.stop(0);
        }
    }
}

import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A person with a browser that nobody has signed in with yet: cookies, forms and the pages that an app never sees. It
 * goes where the server sends it, and stops where the server ends. Knows no client library.
 */
final class Person {
    private static final Pattern HIDDEN =
            Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\"");

    private final HttpClient http = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    /** What the browser shows, or the address elsewhere to which the server sent it. */
    private record Page(String text, URI left) {
        boolean shows(String id) {
            return text.contains("id=\"" + id + "\"");
        }
    }

    private Page open(HttpRequest request) throws Exception {
        var answer = http.send(request, BodyHandlers.ofString());
        var location = answer.headers().firstValue("location");
        if (location.isEmpty()) {
            return new Page(answer.body(), null);
        }
        URI next = request.uri().resolve(location.get());
        boolean home = next.getAuthority().equals(request.uri().getAuthority());
        return home ? open(HttpRequest.newBuilder(next).build()) : new Page("", next);
    }

    /** Sends the form of a page: its hidden fields, and what the person adds. */
    private Page send(Page page, String path, Map<String, String> more) throws Exception {
        Map<String, String> form = new LinkedHashMap<>();
        HIDDEN.matcher(page.text).results().forEach(field -> form.put(field.group(1), field.group(2)));
        form.putAll(more);
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return open(HttpRequest.newBuilder(URI.create(World.ISSUER + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    /** Follows the link of an app, signs in if asked to, and decides if asked to. Answers with what reaches the app. */
    URI visit(URI link, String decision) throws Exception {
        Page page = open(HttpRequest.newBuilder(link).build());
        if (page.shows("login-submit")) {
            String name = System.getenv("PERSON_NAME");
            String password = System.getenv("PERSON_PASSWORD");
            page = send(page, "/login", Map.of("username", name, "password", password));
        }
        if (page.shows("consent-approve")) {
            page = send(page, "/consent", Map.of("decision", decision));
        }
        if (page.left == null) {
            throw new AssertionError("nothing reaches the app: " + page.text);
        }
        return page.left;
    }

    URI visit(URI link) throws Exception {
        return visit(link, "approve");
    }

    /** Follows a link to the page of sign-outs and says yes if asked. Answers with where the browser is sent then. */
    URI leave(URI link) throws Exception {
        Page page = open(HttpRequest.newBuilder(link).build());
        return page.shows("logout-confirm") ? send(page, "/logout", Map.of()).left : page.left;
    }
}

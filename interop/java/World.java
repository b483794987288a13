import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * What the tests know of the server: where it is, who is registered, and how an operator speaks to it. Everything comes
 * from the environment that interop/run sets. Knows no client library.
 */
final class World {
    static final String ISSUER = System.getenv("ISSUER");
    static final String AUDIENCE = ISSUER + "/api";
    /** Where apps get their codes, and where they get a browser back after a sign-out. */
    static final URI CALLBACK = URI.create(System.getenv("CALLBACK"));
    static final URI GOODBYE = URI.create(System.getenv("GOODBYE"));
    static final String EMAIL = System.getenv("PERSON_EMAIL");

    record Registered(String id, String secret) {}

    /** A client that interop/run made, by the name it has there. */
    static Registered client(String name) {
        return new Registered(System.getenv(name + "_ID"), System.getenv(name + "_SECRET"));
    }

    /** Runs a command of the operator beside the running server. */
    static void operate(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getenv("VALETKEY")));
        command.addAll(List.of(arguments));
        command.add("--json");
        Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(new String(process.getErrorStream().readAllBytes()));
        }
    }

    private World() {}
}

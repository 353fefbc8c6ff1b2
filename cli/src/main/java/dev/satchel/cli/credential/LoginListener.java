package dev.satchel.cli.credential;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;

/**
 * Receives the browser of a person after a login, on this machine only (RFC 8252). The answer goes
 * to a queue; one with another state is refused.
 */
final class LoginListener implements AutoCloseable {
    private static final String PATH = "/callback";

    private final HttpServer http;

    private LoginListener(HttpServer http) {
        this.http = http;
    }

    /** Listens, but refuses every answer before {@link #accept}; port 0 takes a free one. */
    static LoginListener start(int port) throws IOException {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        return new LoginListener(HttpServer.create(new InetSocketAddress(here, port), 0));
    }

    String redirectUri() {
        return "http://127.0.0.1:" + http.getAddress().getPort() + PATH;
    }

    void accept(String state, BlockingQueue<LoginAnswer> answers) {
        http.createContext(PATH, exchange -> receive(exchange, state, answers));
        http.start();
    }

    private static void receive(
            HttpExchange exchange, String state, BlockingQueue<LoginAnswer> answers)
            throws IOException {
        Optional<LoginAnswer> answer =
                LoginAnswer.parse(exchange.getRequestURI().toString())
                        .filter(found -> found.state().equals(state));
        boolean isExpected = answer.isPresent() && exchange.getRequestMethod().equals("GET");
        byte[] text =
                (isExpected
                                ? "Satchel has your login. The terminal says whether it worked;"
                                        + " you can close this window.\n"
                                : "This is not the login for which the terminal waits.\n")
                        .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
        exchange.sendResponseHeaders(isExpected ? 200 : 400, text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
        if (isExpected) {
            answers.add(answer.get());
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }
}

package dev.satchel.cli.credential;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.output.Output;
import dev.satchel.client.Credentials;
import dev.satchel.client.model.Credential;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A login at a service for a credential. Its answer comes from a browser on this machine, or a
 * person pastes the address to which the service has sent a browser elsewhere.
 */
final class TerminalLogin {
    /** A login of the server is valid for this long. */
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private static final Duration POLL = Duration.ofSeconds(1);

    private final Credentials credentials;
    private final Output output;
    private final String name;
    private final BlockingQueue<LoginAnswer> answers = new LinkedBlockingQueue<>();

    TerminalLogin(Credentials credentials, Output output, String name) {
        this.credentials = credentials;
        this.output = output;
        this.name = name;
    }

    /** The service sends the browser to a port of this machine. */
    Credential here(int port) throws IOException, InterruptedException {
        try (LoginListener listener = LoginListener.start(port)) {
            String address = credentials.beginLogin(name, listener.redirectUri());
            String state = LoginAnswer.stateIn(address);
            listener.accept(state, answers);
            show(address, "Open this address in a browser on this machine and log in:");
            return await(state, credentials.find(name).orElse(null));
        }
    }

    /** The service sends the browser to the page of the server. */
    Credential elsewhere() throws IOException, InterruptedException {
        Credential before = credentials.find(name).orElse(null);
        String address = credentials.beginLogin(name);
        show(
                address,
                "Open this address in a browser and log in. If the page then shows an address,"
                        + " paste it here:");
        return await(LoginAnswer.stateIn(address), before);
    }

    private void show(String address, String request) {
        output.note(request);
        output.value(Map.of("authorizationUrl", address), address);
    }

    private Credential await(String state, @Nullable Credential before)
            throws IOException, InterruptedException {
        Thread.ofPlatform().daemon().name("pasted").start(() -> readPasted(state));
        Instant end = Instant.now().plus(LONGEST);
        while (Instant.now().isBefore(end)) {
            LoginAnswer answer = answers.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
            if (answer != null) {
                return finish(answer);
            }
            Optional<Credential> now = credentials.find(name);
            if (now.isEmpty()) {
                throw new CliException(ExitCode.NOT_FOUND, name + " was deleted meanwhile");
            }
            if (isConnectedSince(before, now.get())) {
                return now.get(); // on the page
            }
        }
        throw new CliException(ExitCode.FAILED, "nobody logged in within 15 minutes");
    }

    private static boolean isConnectedSince(@Nullable Credential before, Credential now) {
        Instant last = before == null ? null : before.connectedAt();
        Instant connected = now.connectedAt();
        return now.problem() == null && connected != null && !connected.equals(last);
    }

    private Credential finish(LoginAnswer answer) throws IOException, InterruptedException {
        String code = answer.code();
        if (code == null) {
            throw new CliException(
                    ExitCode.FAILED, "the service has refused the login: " + answer.refusal());
        }
        return credentials.finishLogin(answer.state(), code);
    }

    private void readPasted(String state) {
        try {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<LoginAnswer> answer =
                        LoginAnswer.parse(line).filter(found -> found.state().equals(state));
                answer.ifPresent(answers::add);
                if (answer.isEmpty() && !line.isBlank()) {
                    output.note("This is not the address of this login.");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

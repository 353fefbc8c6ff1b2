package dev.satchel.server.clients;

import com.sun.net.httpserver.HttpServer;
import dev.satchel.protocol.Dispatch;
import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An agent for programs that test themselves: it does what the message names, and waits where the
 * program decides when it goes on. Everything but the agent is real.
 */
final class ScriptedAgent implements AutoCloseable {
    private final ScriptedSandbox sandbox = new ScriptedSandbox();
    private final Semaphore goes = new Semaphore(0);
    private final HttpServer control;
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    ScriptedAgent() throws Exception {
        control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        control.createContext(
                "/go",
                exchange -> {
                    goes.release();
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        control.start();
        thread = Thread.ofVirtual().start(this::serve);
    }

    URI sandbox() {
        return sandbox.url();
    }

    /** A POST there lets a run go on that waits for it. */
    URI go() {
        return URI.create("http://127.0.0.1:" + control.getAddress().getPort() + "/go");
    }

    /** Why a run could not be played. */
    @Nullable Throwable failure() {
        return failure;
    }

    @Override
    public void close() {
        thread.interrupt();
        control.stop(0);
        sandbox.close();
    }

    private void serve() {
        try {
            while (true) {
                RunOnStage run = sandbox.next();
                Thread.ofVirtual().start(() -> playOrReport(run));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } catch (AssertionError e) {
            failure = e;
        }
    }

    private void playOrReport(RunOnStage run) {
        try {
            play(run);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            failure = e;
        }
    }

    private void play(RunOnStage run) throws Exception {
        switch (run.dispatch().prompt()) {
            case "hello" -> {
                run.stepStarts("s1", "sh").stepSucceeds("s1", "sh");
                delta(delta(run, "Hel"), "lo").answers("Hello");
            }
            case "pieces" -> {
                delta(run, "one");
                goes.acquire();
                delta(run, " two").answers("one two");
            }
            case "ask" -> ask(run);
            case "make" -> make(run, "report.csv", "a,b\n1,2\n").answers("Made.");
            case "wait" -> delta(run, "I wait.");
            case "fail" ->
                    run.say(
                                    "{\"type\":\"error\",\"code\":\"sandbox_failed\",\"message\":\"No"
                                            + " room.\"}")
                            .hangsUp();
            default -> summarise(run);
        }
    }

    /** As the guides ask for it: it asks before it writes a summary of the files. */
    private void summarise(RunOnStage run) throws Exception {
        if (isFirst(run.dispatch())) {
            AskScript.asks(run, AskScript.APPROVAL);
            return;
        }
        make(run, "summary.md", "# Summary\n").answers("Here is the summary.");
    }

    private static void ask(RunOnStage run) throws Exception {
        if (isFirst(run.dispatch())) {
            AskScript.asks(run, AskScript.APPROVAL, AskScript.QUESTION);
            return;
        }
        run.answers(
                AskScript.answers(run)
                        .valueStream()
                        .map(ScriptedAgent::words)
                        .collect(Collectors.joining(", ")));
    }

    private static String words(JsonNode answer) {
        return answer.path("decision").asString("allow") + " " + answer.path("text").asString("");
    }

    private static boolean isFirst(Dispatch dispatch) {
        return dispatch.continued() == null;
    }

    private static RunOnStage make(RunOnStage run, String name, String content)
            throws IOException, InterruptedException {
        try (SandboxCalls calls = new SandboxCalls()) {
            calls.handIn(run.dispatch(), new MultipartBody().file(name, content));
        }
        return run;
    }

    private static RunOnStage delta(RunOnStage run, String text) {
        return run.say("{\"type\":\"delta\",\"text\":\"" + text + "\"}");
    }
}

package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.LostCommitProxy;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The database goes away while a sandbox hands in files. */
@Timeout(120)
class WriteBackOutageTest extends CallbackCase {
    @Test
    void theRunnerCanHandInItsFilesAgainAfterAnOutage() throws Exception {
        try (DatabaseProxy proxy = new DatabaseProxy(TestDatabases.freshPostgresql());
                TestServer other =
                        TestServer.start(data.resolve("other"), proxy.url(), sandbox.url());
                Events events = other.turn(Map.of("message", "make a file"))) {
            RunOnStage run = sandbox.next();
            SlowUpload slow =
                    SlowUpload.begin(
                            URI.create(run.dispatch().agentUrl() + "/results"),
                            upload(run.dispatch()));
            slow.sendFirstHalf();
            proxy.cut();
            assertThat(slow.finish()).startsWith("HTTP/1.1 503");
            proxy.restore();

            MultipartBody body = new MultipartBody().file("slow.txt", "whole");
            while (other.get("/readyz").statusCode() != 200) {
                Thread.onSpinWait();
            }
            assertThat(writeBack(run.dispatch(), upload(run.dispatch()), body).statusCode())
                    .isEqualTo(200);
            assertThat(writeBack(run.dispatch(), upload(run.dispatch()), body).statusCode())
                    .isEqualTo(401);
            run.answers("done");
            assertThat(events.rest().get(1).data().at("/files/0/name").stringValue())
                    .isEqualTo("slow.txt");
        }
    }

    /** The transaction is committed, and the server does not know it. */
    @Test
    void aRequestWhoseCommitLostItsAnswerIsSentAgain() throws Exception {
        try (LostCommitProxy proxy = new LostCommitProxy(TestDatabases.freshPostgresql());
                TestServer other =
                        TestServer.start(data.resolve("lost"), proxy.url(), sandbox.url());
                Events events = other.turn(Map.of("message", "make a file"))) {
            RunOnStage run = sandbox.next();
            MultipartBody body = new MultipartBody().file("a.txt", "whole");
            for (String path : List.of("/env", "/config")) {
                String token =
                        path.equals("/env") ? run.dispatch().otpSetup() : run.dispatch().otpRun();
                sendTwice(proxy, () -> repeatable(run.dispatch(), path, token, "one"));
                assertThat(repeatable(run.dispatch(), path, token, "two").statusCode())
                        .isEqualTo(401);
            }
            String stored =
                    sendTwice(proxy, () -> repeatableWriteBack(run.dispatch(), "one", body));

            assertThat(Json.MAPPER.readTree(stored).at("/files/0/name").stringValue())
                    .isEqualTo("a.txt");
            assertThat(repeatableWriteBack(run.dispatch(), "two", body).statusCode())
                    .isEqualTo(401);
            run.answers("done");
            JsonNode files = events.rest().get(1).data().get("files");
            assertThat(files).hasSize(1);
        }
    }

    /** The first answer is lost after the commit; returns the second. */
    private static String sendTwice(LostCommitProxy proxy, Callable<HttpResponse<String>> request)
            throws Exception {
        proxy.loseCommitWith("UPDATE run_token");
        assertThat(request.call().statusCode()).isEqualTo(503);
        assertThat(proxy.left()).isZero();
        HttpResponse<String> response = request.call();
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }
}

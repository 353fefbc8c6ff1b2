package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
}

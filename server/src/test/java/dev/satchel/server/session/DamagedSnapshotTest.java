package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DamagedSnapshotTest {
    @Test
    void aTurnThatCannotHaveItsFilesBackSaysSoAndBlamesNoSandbox() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.turn(session, "a.txt", "what shall be kept");
            disk.post(session, "stop");
            for (Path pack : packs(disk.data())) {
                Files.writeString(pack, "damaged");
            }

            try (TestServer.Events events =
                    disk.server().turn(Map.of("message", "go on", "chatId", session))) {
                List<TestServer.Events.Event> told = events.rest();
                TestServer.Events.Event error = told.get(told.size() - 2);
                assertThat(error.data().get("code").stringValue()).isEqualTo("workspace_failed");
            }
        }
    }

    private static List<Path> packs(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            List<Path> packs =
                    files.filter(file -> file.getFileName().toString().startsWith("pack-"))
                            .toList();
            assertThat(packs).isNotEmpty();
            return packs;
        }
    }
}

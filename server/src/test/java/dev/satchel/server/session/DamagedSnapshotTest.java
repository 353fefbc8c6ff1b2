package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DamagedSnapshotTest {
    @Test
    void aTurnWhoseFilesCannotBeRestoredFailsWithThatError() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.turn(session, "a.txt", "what shall be kept");
            disk.removeWorkspace(session);
            for (Path pack : packs(disk.data())) {
                Files.writeString(pack, "damaged");
            }

            try (TestServer.Events events =
                    disk.server().turn(Map.of("message", "go on", "chatId", session))) {
                List<TestServer.Events.Event> received = events.rest();
                TestServer.Events.Event error = received.get(received.size() - 2);
                assertThat(error.data().get("code").stringValue()).isEqualTo("workspace_failed");
            }
        }
    }

    @Test
    void aSmallDamagedFileIsAPlainError() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.turn(session, "a.txt", "what shall be kept");
            disk.post(session, "stop");
            flipAByte(disk.data());

            assertThat(disk.file(session, "a.txt").statusCode()).isEqualTo(500);
        }
    }

    @Test
    void theDownloadOfALargeDamagedFileBreaksOff() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.turn(session, "a.txt", "so that there is a workspace");
            byte[] noise = new byte[1024 * 1024];
            new Random(1).nextBytes(noise);
            Files.write(disk.workspace(session).resolve("noise"), noise);
            disk.post(session, "stop");
            assertThat(disk.file(session, "noise").statusCode()).isEqualTo(200);
            flipAByte(disk.data());

            assertThatThrownBy(() -> disk.file(session, "noise")).isInstanceOf(IOException.class);
        }
    }

    /** Damages the middle of the largest object: random bytes are stored without compression. */
    private static void flipAByte(Path data) throws IOException {
        Path largest =
                packs(data).stream().max(Comparator.comparingLong(p -> p.toFile().length())).get();
        byte[] bytes = Files.readAllBytes(largest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(largest, bytes);
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

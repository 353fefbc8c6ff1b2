package dev.satchel.server.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

class S3ObjectStoreTest extends ObjectStoreContract {
    private static S3ProxyProcess proxy;

    private S3Settings settings;

    @BeforeAll
    static void startProxy(@TempDir Path directory) throws Exception {
        proxy = S3ProxyProcess.start(directory);
    }

    @AfterAll
    static void stopProxy() {
        proxy.close();
    }

    @Override
    @BeforeEach
    void open() throws Exception {
        settings = proxy.newBucket();
        super.open();
    }

    @Override
    ObjectStore openStore() {
        return new S3ObjectStore(settings);
    }

    @Test
    void anInterruptedUploadLeavesNoParts() throws Exception {
        assertThatThrownBy(() -> store.put(new ObjectKey("k"), failingAfter(20 * 1024 * 1024)))
                .isInstanceOf(IOException.class);

        try (S3Client client = S3Clients.of(settings)) {
            assertThat(client.listMultipartUploads(b -> b.bucket(settings.bucket())).uploads())
                    .isEmpty();
        }
    }

    @Test
    void anObjectTooLargeForOneCopyIsCopiedThroughUs() throws Exception {
        put(new ObjectKey("from"), "content");
        try (ObjectStore small = new S3ObjectStore(settings, 3, 1000)) {
            small.move(new ObjectKey("from"), new ObjectKey("to"));
        }
        assertThat(text(new ObjectKey("to"))).isEqualTo("content");
        assertThat(keys("")).containsExactly("to");
    }

    @Test
    void aPrefixOfMoreObjectsThanOnePageIsListedAndDeleted() throws Exception {
        List<String> names = IntStream.range(0, 11).mapToObj(i -> "many/ä b/" + i).toList();
        for (String name : names) {
            put(new ObjectKey(name), name);
        }
        try (ObjectStore small = new S3ObjectStore(settings, Long.MAX_VALUE, 3);
                Stream<ListedObject> listed = small.list("many/")) {
            assertThat(listed.map(object -> object.key().value()))
                    .containsExactlyInAnyOrderElementsOf(names);
            assertThat(small.deletePrefix("many/")).isEqualTo(11);
        }
        assertThat(keys("")).isEmpty();
    }

    @Test
    void wrongCredentialsAreAFailureAndNotAMissingObject() throws Exception {
        put(new ObjectKey("there"), "x");
        S3Settings wrong =
                new S3Settings(
                        settings.bucket(),
                        settings.region(),
                        settings.endpoint(),
                        true,
                        true,
                        new S3Settings.Credentials("satchel", "wrong"));
        try (ObjectStore stranger = new S3ObjectStore(wrong)) {
            assertThatThrownBy(() -> stranger.open(new ObjectKey("there")))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoSuchObjectException.class);
            assertThatThrownBy(() -> stranger.size(new ObjectKey("there")))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aBucketThatIsNotThereIsAFailureAndNotAMissingObject() {
        try (ObjectStore nowhere = new S3ObjectStore(proxy.settings("no-such-bucket"))) {
            assertThatThrownBy(() -> nowhere.open(new ObjectKey("key")))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoSuchObjectException.class);
            assertThatThrownBy(() -> nowhere.deletePrefix("a/")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aStoreThatTakesChecksumsGetsThem() throws Exception {
        S3Settings checked =
                new S3Settings(
                        settings.bucket(),
                        settings.region(),
                        settings.endpoint(),
                        true,
                        false,
                        settings.credentials());
        try (ObjectStore modern = new S3ObjectStore(checked)) {
            modern.put(new ObjectKey("k"), new ByteArrayInputStream(new byte[9_000_000]));
            assertThat(modern.open(new ObjectKey("k")).readAllBytes()).hasSize(9_000_000);
        }
    }

    @Test
    void withoutKeysOrEndpointTheDefaultsOfTheSdkAreUsed() {
        S3Settings amazon = new S3Settings("bucket", "eu-central-1", null, false, false, null);

        new S3ObjectStore(amazon).close(); // makes no connection before it is used
    }

    @Test
    void settingsDoNotShowTheSecret() {
        assertThat(settings.toString()).doesNotContain("not-a-secret");
    }
}

package dev.satchel.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.QueryPlans;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoragePlanTest {
    /** Nor is anything sorted, which would read all chats of a tenant. */
    @ParameterizedTest
    @ValueSource(strings = {StorageStore.TENANT, StorageStore.LARGEST, StorageStore.UPLOADS})
    void theStoragePageReadsNoWholeTable(String sql) {
        assertThat(QueryPlans.of(sql))
                .isNotEmpty()
                .noneMatch(line -> line.startsWith("SCAN") || line.contains("TEMP B-TREE"));
    }
}

package dev.satchel.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.QueryPlans;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsagePlanTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                ModelUsageStore.TOTAL,
                ModelUsageStore.BY_DAY,
                ModelUsageStore.BY_MODEL,
                ModelUsageStore.BY_CHAT,
                ModelUsageStore.OF_RUN,
                ModelUsageStore.OF_CONVERSATION
            })
    void noSumReadsTheWholeTable(String sql) {
        assertThat(QueryPlans.of(sql)).isNotEmpty().noneMatch(line -> line.startsWith("SCAN"));
    }
}

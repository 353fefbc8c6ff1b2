package dev.satchel.server.bag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.QueryPlans;
import org.junit.jupiter.api.Test;

class SweepPlanTest {
    @Test
    void theSweepOfAbandonedFilesReadsNoOtherFiles() {
        assertThat(QueryPlans.of(BagStore.ABANDONED))
                .anyMatch(line -> line.contains("USING INDEX bag_file_incomplete"))
                .noneMatch(line -> line.startsWith("SCAN"));
    }
}

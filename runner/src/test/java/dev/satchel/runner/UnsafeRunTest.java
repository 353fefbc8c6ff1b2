package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnsafeRunTest extends RunnerFixture {
    @Override
    SandboxFactory sandboxes() {
        return SandboxSetup.detect(Map.of("SATCHEL_SANDBOX", "unsafe"));
    }

    @Test
    void everyRunSaysThatNothingIsIsolated() throws Exception {
        for (int turn = 0; turn < 2; turn++) {
            assertThat(run("true").getFirst())
                    .isInstanceOfSatisfying(
                            SandboxLine.Log.class,
                            log -> {
                                assertThat(log.level()).isEqualTo(LogLevel.WARN);
                                assertThat(log.message()).contains("SATCHEL_SANDBOX=unsafe");
                            });
        }
    }

    @Test
    void commandsFindTheSkillsByTheirVariable() throws Exception {
        satchel.addSkill("greet", 1, Map.of("run.sh", "#!/bin/sh\necho hello\n"));

        assertThat(result("$SATCHEL_SKILLS/greet/run.sh")).contains("hello");
    }
}

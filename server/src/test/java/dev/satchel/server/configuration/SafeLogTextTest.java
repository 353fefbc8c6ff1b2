package dev.satchel.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lines as the server writes them. */
class SafeLogTextTest {
    private final LoggerContext context = new LoggerContext();
    private final LogbackMDCAdapter values = new LogbackMDCAdapter();

    @BeforeEach
    void configure() {
        context.setMDCAdapter(values);
        new LoggingSetup().configure(context);
    }

    @Test
    void aMessageIsOneLineWhateverItContains() {
        String line = line("name=a\n2026-01-01 ERROR forged \u001b[2J\u0085end", null);

        assertThat(line.strip())
                .doesNotContain("\n", "\u001b", "\u0085")
                .endsWith("name=a\\u000a2026-01-01 ERROR forged \\u001b[2J\\u0085end");
    }

    @Test
    void theLinesOfAnExceptionBeginWithATab() {
        String text =
                line("broken", new IllegalStateException("one\n2026-01-01 ERROR forged\u001b[2J"));

        assertThat(text.lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("\t"));
        assertThat(text).contains("\\u001b[2J").doesNotContain("\u001b");
    }

    @Test
    void theIdsOfARunStandInItsLines() {
        values.put("runId", "r-1");
        values.put("chatId", "c-1");

        assertThat(line("working", null)).contains("[run=r-1 chat=c-1] working");
    }

    @Test
    void aLineOfNoRunNamesNone() {
        assertThat(line("idle", null)).doesNotContain("run=").contains(" idle");
    }

    private String line(String message, @Nullable Throwable failure) {
        Logger logger = context.getLogger("dev.satchel.test");
        ConsoleAppender<ILoggingEvent> console =
                (ConsoleAppender<ILoggingEvent>)
                        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("stderr");
        LoggingEvent event =
                new LoggingEvent(
                        SafeLogTextTest.class.getName(),
                        logger,
                        Level.INFO,
                        message,
                        failure,
                        new Object[0]);
        return new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
    }
}

package dev.satchel.server.configuration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;

/** Configures logback in Java, since reading XML would take a tenth of the start. */
public final class LoggingSetup extends ContextAwareBase implements Configurator {
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level %logger{24}"
                    + " %replace([%X{requestId}] ){'\\[\\] ', ''}"
                    + "%replace([run=%X{runId} chat=%X{chatId}] ){'\\[run= chat=\\] ', ''}"
                    + "%safe%n%safeException";

    private static final Map<String, Level> LIBRARIES =
            Map.of(
                    "com.zaxxer.hikari",
                    Level.WARN,
                    // quote what an MCP server sends; its failures are steps of the run
                    "io.modelcontextprotocol",
                    Level.OFF,
                    "reactor",
                    Level.OFF,
                    // log every connection that breaks in an outage, see OutageLog
                    "com.zaxxer.hikari.pool.PoolBase",
                    Level.ERROR,
                    "com.zaxxer.hikari.pool.ProxyConnection",
                    Level.ERROR,
                    "io.netty",
                    Level.WARN,
                    "io.vertx",
                    Level.WARN,
                    // logs every aborted download as an error
                    "io.vertx.core.net.impl.VertxConnection",
                    Level.OFF,
                    "software.amazon.awssdk",
                    Level.WARN);

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err"); // stdout is for the output of commands
        appender.setEncoder(encoder(context));
        appender.start();
        LIBRARIES.forEach((name, level) -> context.getLogger(name).setLevel(level));
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(setting("SATCHEL_LOG_LEVEL"), Level.INFO));
        root.addAppender(appender);
        OutageFilter outages = new OutageFilter();
        outages.setContext(context);
        outages.start();
        context.addTurboFilter(outages);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context) {
        Encoder<ILoggingEvent> encoder =
                setting("SATCHEL_LOG_FORMAT").equals("json") ? json() : text(context);
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context) {
        PatternLayout layout = new PatternLayout();
        layout.getInstanceConverterMap().put("safe", SafeLogText.Message::new);
        layout.getInstanceConverterMap().put("safeException", SafeLogText.Failure::new);
        layout.setContext(context);
        layout.setPattern(PATTERN);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> text = new LayoutWrappingEncoder<>();
        text.setLayout(layout);
        return text;
    }

    private static Encoder<ILoggingEvent> json() {
        JsonEncoder json = new JsonEncoder();
        json.setWithSequenceNumber(false);
        json.setWithNanoseconds(false);
        json.setWithContext(false);
        json.setWithMessage(false);
        json.setWithArguments(false);
        json.setWithMarkers(false);
        json.setWithKVPList(false);
        json.setWithFormattedMessage(true);
        return json;
    }

    /** From the system property that ./satchel sets, else from the variable. */
    private static String setting(String name) {
        String variable = System.getenv().getOrDefault(name, "");
        return System.getProperty(name, variable);
    }
}

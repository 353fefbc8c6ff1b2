package dev.satchel.server.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** The lines that a logger writes until this is closed. Thread-safe. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    public static LogLines of(String logger) {
        LogLines lines = new LogLines((Logger) LoggerFactory.getLogger(logger));
        lines.start();
        lines.logger.addAppender(lines);
        return lines;
    }

    /** Those of every logger. */
    public static LogLines all() {
        return of(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    public List<String> messages() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** Everything that is written: messages, and exceptions with their causes. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (ILoggingEvent event : events) {
            text.append(event.getFormattedMessage()).append(event.getMDCPropertyMap());
            if (event.getThrowableProxy() != null) {
                text.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** The values that the thread of a line had for the log, of those that begin with a text. */
    public List<Map<String, String>> valuesOf(String beginning) {
        return events.stream()
                .filter(event -> event.getFormattedMessage().startsWith(beginning))
                .map(ILoggingEvent::getMDCPropertyMap)
                .toList();
    }

    public List<String> warnings() {
        return events.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    public List<String> withStackTrace() {
        return events.stream()
                .filter(event -> event.getThrowableProxy() != null)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing(); // the values of this thread
        events.add(event);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}

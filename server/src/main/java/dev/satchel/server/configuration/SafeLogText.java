package dev.satchel.server.configuration;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.regex.Pattern;

/**
 * Text of others cannot make lines of its own in the log, and cannot move the cursor of a terminal:
 * control characters are escaped, and the further lines of an exception begin with a tab.
 */
final class SafeLogText {
    private static final Pattern CONTROL =
            Pattern.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]");
    private static final Pattern CONTROL_IN_LINES =
            Pattern.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029]");

    private SafeLogText() {}

    static String escaped(String text) {
        return escaped(text, CONTROL);
    }

    private static String escaped(String text, Pattern controls) {
        return controls.matcher(text)
                .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
    }

    /** The message of a line. */
    static final class Message extends MessageConverter {
        @Override
        public String convert(ILoggingEvent event) {
            String text = super.convert(event);
            return text == null ? "" : escaped(text);
        }
    }

    /** The exception of a line with its causes; nothing without one. */
    static final class Failure extends ThrowableProxyConverter {
        @Override
        public String convert(ILoggingEvent event) {
            String lines = escaped(super.convert(event), CONTROL_IN_LINES).stripTrailing();
            return lines.isEmpty() ? "" : "\t" + lines.replace("\n", "\n\t") + "\n";
        }
    }
}

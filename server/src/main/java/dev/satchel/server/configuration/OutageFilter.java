package dev.satchel.server.configuration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.operations.DependencyErrors;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Replaces the stack trace of a failure by its reason if something that the server needs is away or
 * full: the place in the code does not matter then.
 */
final class OutageFilter extends TurboFilter {
    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable thrown) {
        if (format == null || !level.isGreaterOrEqual(Level.WARN)) {
            return FilterReply.NEUTRAL;
        }
        Object[] values = parameters == null ? new Object[0] : parameters;
        Object last = values.length == 0 ? null : values[values.length - 1];
        Throwable failure = thrown == null && last instanceof Throwable t ? t : thrown;
        if (failure == null || DependencyErrors.of(failure).isEmpty()) {
            return FilterReply.NEUTRAL;
        }
        Object[] named =
                Arrays.copyOf(values, failure.equals(last) ? values.length : values.length + 1);
        named[named.length - 1] = DatabaseOutage.reason(failure);
        if (level.isGreaterOrEqual(Level.ERROR)) {
            logger.error(format + " reason={}", named);
        } else {
            logger.warn(format + " reason={}", named);
        }
        return FilterReply.DENY;
    }
}

package dev.satchel.server.command;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.satchel.server.configuration.LoggingSetup;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logback with {@link LoggingSetup}, and no look into every jar for another logger or other
 * settings: that took longer than all else that a start does before it opens the database.
 */
public final class LogbackConfigurator implements SLF4JServiceProvider {
    private final LoggerContext context = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter values = new LogbackMDCAdapter();

    /** Before the first logger is made. Who names settings of their own gets logback as it is. */
    static void choose() {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("slf4j.provider", LogbackConfigurator.class.getName());
            System.setProperty("slf4j.internal.verbosity", "WARN"); // it would tell of that
        }
    }

    @Override
    public void initialize() {
        context.setName("default");
        context.setMDCAdapter(values);
        new LoggingSetup().configure(context);
        context.start();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return context;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return values;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }
}

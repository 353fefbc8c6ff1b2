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
 * Starts logback with {@link LoggingSetup}. SLF4J and logback would otherwise search every jar for
 * providers and settings, which takes longer than all other work before the database is opened.
 */
public final class LogbackConfigurator implements SLF4JServiceProvider {
    private final LoggerContext context = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter values = new LogbackMDCAdapter();

    /** To be called before the first logger is created. A logback file of the operator wins. */
    static void install() {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("slf4j.provider", LogbackConfigurator.class.getName());
            System.setProperty("slf4j.internal.verbosity", "WARN"); // it would print a line
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

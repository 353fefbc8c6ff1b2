package dev.satchel.server.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Reads resources of the class path. */
final class Resources {
    private static final String SWAGGER_UI_VERSION =
            "/META-INF/maven/org.webjars/swagger-ui/pom.properties";

    private Resources() {}

    static byte[] read(String name) {
        try (InputStream in = Resources.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The paths of Swagger UI contain its version, which its jar states. */
    static String swaggerUi(String file) {
        Properties properties = new Properties();
        try (InputStream in = Resources.class.getResourceAsStream(SWAGGER_UI_VERSION)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = properties.getProperty("version");
        return "/META-INF/resources/webjars/swagger-ui/" + version + "/" + file;
    }
}

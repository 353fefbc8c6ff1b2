package dev.satchel.server.configuration;

import dev.satchel.server.objectstore.S3Settings;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads where backups are: a folder, or {@code s3://bucket/prefix}. */
public final class BackupPlaceReader {
    private static final Pattern S3 = Pattern.compile("s3://([^/]+)(?:/(.*))?");

    /** Variables that a server does not read. */
    static final String[] VARIABLES = {
        "SATCHEL_BACKUP_S3_ENDPOINT",
        "SATCHEL_BACKUP_S3_REGION",
        "SATCHEL_BACKUP_S3_ACCESS_KEY",
        "SATCHEL_BACKUP_S3_ACCESS_KEY_FILE",
        "SATCHEL_BACKUP_S3_SECRET_KEY",
        "SATCHEL_BACKUP_S3_SECRET_KEY_FILE",
        "SATCHEL_BACKUP_S3_PATH_STYLE"
    };

    private final SettingsReader settings;
    private final StorageConfiguration storage;

    private BackupPlaceReader(SettingsReader settings, StorageConfiguration storage) {
        this.settings = settings;
        this.storage = storage;
    }

    /**
     * Where backups are.
     *
     * @param prefix of all keys; empty or with a slash at the end
     */
    public record Place(ObjectStoreConfiguration objects, String prefix) {}

    /** What is not set for a bucket is that of the server's own bucket. */
    public static Place read(
            String place, StorageConfiguration storage, Map<String, String> variables)
            throws ConfigurationException {
        SettingsReader settings = new SettingsReader(Map.of(), variables);
        BackupPlaceReader reader = new BackupPlaceReader(settings, storage);
        Matcher s3 = S3.matcher(place);
        Optional<Place> found =
                s3.matches() ? reader.bucket(s3.group(1), s3.group(2)) : reader.folder(place);
        if (found.isEmpty() || !settings.problems().isEmpty()) {
            throw new ConfigurationException(settings.problems());
        }
        return found.get();
    }

    private Optional<Place> bucket(String name, @Nullable String path) {
        Optional<S3Settings> own =
                storage.objects() instanceof ObjectStoreConfiguration.S3(S3Settings s3)
                        ? Optional.of(s3)
                        : Optional.empty();
        URI given = settings.url("SATCHEL_BACKUP_S3_ENDPOINT", "https", "http");
        URI endpoint = given == null ? own.map(S3Settings::endpoint).orElse(null) : given;
        if (own.isPresent()
                && own.get().bucket().equals(name)
                && (given == null || given.equals(own.get().endpoint()))) {
            settings.problem(
                    "s3://" + name + " is the bucket of the server: name another one for backups");
        }
        S3Settings s3 =
                new S3Settings(
                        name,
                        settings.text(
                                "SATCHEL_BACKUP_S3_REGION",
                                own.map(S3Settings::region).orElse("us-east-1")),
                        endpoint,
                        settings.bool(
                                "SATCHEL_BACKUP_S3_PATH_STYLE",
                                own.map(S3Settings::pathStyle).orElse(false)),
                        endpoint != null,
                        credentials(own.map(S3Settings::credentials).orElse(null)));
        String prefix = path == null ? "" : path.replaceAll("/+$", "");
        return Optional.of(
                new Place(
                        new ObjectStoreConfiguration.S3(s3), prefix.isEmpty() ? "" : prefix + "/"));
    }

    private S3Settings.@Nullable Credentials credentials(S3Settings.@Nullable Credentials own) {
        Secret accessKey = settings.secret("SATCHEL_BACKUP_S3_ACCESS_KEY");
        Secret secretKey = settings.secret("SATCHEL_BACKUP_S3_SECRET_KEY");
        if ((accessKey == null) != (secretKey == null)) {
            settings.problem(
                    "SATCHEL_BACKUP_S3_ACCESS_KEY and SATCHEL_BACKUP_S3_SECRET_KEY belong"
                            + " together");
        }
        return accessKey == null || secretKey == null
                ? own
                : new S3Settings.Credentials(accessKey.value(), secretKey.value());
    }

    private Optional<Place> folder(String place) {
        try {
            Path folder = Path.of(place).toAbsolutePath().normalize();
            if (folder.startsWith(storage.dataDirectory())
                    || storage.dataDirectory().startsWith(folder)) {
                settings.problem(
                        place + " is in the data folder or contains it: name another folder");
            }
            return Optional.of(new Place(new ObjectStoreConfiguration.Local(folder), ""));
        } catch (InvalidPathException e) {
            settings.problem(place + " is neither a folder nor s3://bucket");
            return Optional.empty();
        }
    }
}

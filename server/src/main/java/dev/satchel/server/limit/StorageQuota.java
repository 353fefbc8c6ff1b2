package dev.satchel.server.limit;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses requests that store more than a tenant may have, or than the disk has room for. Reading,
 * deleting and the end of a run are never refused. A tenant can pass the limit by what is on its
 * way at the same time.
 */
public final class StorageQuota {
    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH");

    /** What receives files; runs are checked when they start. */
    private static final Pattern STORING =
            Pattern.compile(
                    "/api/assistant/chats/[^/]+/files(?:/[^/]+/save)?"
                            + "|/api/runs/[^/]+/files/[^/]+/save"
                            + "|/api/sessions/[^/]+/(?:files(?:/.*)?|attachments|workspace|fork)"
                            + "|/api/(?:assets|skills|uploads)(?:/.*)?"
                            + "|/agent-server/api/upload");

    private static final Pattern UPLOADING =
            Pattern.compile("/agent-server/api/upload|/api/uploads");

    private final Database database;
    private final LimitService limits;
    private final DiskReserve disk;
    private final UsedStore used = new UsedStore();

    public StorageQuota(Database database, LimitService limits, DiskReserve disk) {
        this.database = database;
        this.limits = limits;
        this.disk = disk;
    }

    /** The same handler, for requests for whose content there is room. */
    public CallerHandler limit(CallerHandler handler) {
        return (exchange, caller) -> {
            if (WRITES.contains(exchange.method())) {
                require(exchange, caller.tenant());
            }
            handler.handle(exchange, caller);
        };
    }

    private void require(Exchange exchange, TenantId tenant) {
        String path = exchange.path();
        boolean isUpload = exchange.method().equals("POST") && UPLOADING.matcher(path).matches();
        if (!STORING.matcher(path).matches() && !isUpload) {
            return;
        }
        disk.require();
        long length = exchange.header("Content-Length").map(StorageQuota::number).orElse(0L);
        TenantId _ =
                database.read(
                        tx -> {
                            requireStorage(tx, tenant, length);
                            if (isUpload) {
                                requireUploads(tx, tenant);
                            }
                            return tenant;
                        });
    }

    /** Refuses a run of a tenant that stores as much as it may. */
    public void requireStorage(Transaction tx, TenantId tenant) {
        disk.require();
        requireStorage(tx, tenant, 0);
    }

    private void requireStorage(Transaction tx, TenantId tenant, long more) {
        long maxBytes = limits.of(tx, tenant, LimitName.STORED_BYTES);
        long maxFiles = limits.of(tx, tenant, LimitName.STORED_FILES);
        if (maxBytes == 0 && maxFiles == 0) {
            return;
        }
        UsedStore.Stored stored = used.stored(tx, tenant);
        if (maxBytes > 0 && (stored.bytes() >= maxBytes || more > maxBytes - stored.bytes())) {
            throw full(stored.bytes() + " of " + maxBytes + " bytes");
        }
        if (maxFiles > 0 && stored.files() >= maxFiles) {
            throw full(stored.files() + " of " + maxFiles + " files");
        }
    }

    private static SatchelException full(String numbers) {
        return new SatchelException(
                ErrorCode.STORAGE_FULL,
                "this workspace stores "
                        + numbers
                        + ". Delete chats or files, or ask the operator for more; reading and deleting still work.");
    }

    private void requireUploads(Transaction tx, TenantId tenant) {
        long max = limits.of(tx, tenant, LimitName.OPEN_UPLOADS);
        if (max > 0 && used.openUploads(tx, tenant) >= max) {
            throw new SatchelException(
                            ErrorCode.TOO_MANY_UPLOADS,
                            max
                                    + " uploads of this workspace are not complete, which is the limit. Complete or delete some.")
                    .withHeaders(Map.of("Retry-After", "5"));
        }
    }

    private static long number(String text) {
        try {
            return Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException e) {
            return 0; // the handler refuses it
        }
    }
}

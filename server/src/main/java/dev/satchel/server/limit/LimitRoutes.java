package dev.satchel.server.limit;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /api/tenants/{id}/limits} and {@code /api/users/{id}/limits}, for the operator. */
public final class LimitRoutes {
    private final LimitService limits;
    private final Authentication access;

    public LimitRoutes(LimitService limits, Authentication access) {
        this.limits = limits;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/tenants/{id}/limits",
                access.requireCaller(Permission.OPERATE, this::readOfTenant));
        router.put(
                "/api/tenants/{id}/limits",
                access.requireCaller(Permission.OPERATE, this::replaceOfTenant));
        router.get(
                "/api/users/{id}/limits",
                access.requireCaller(Permission.OPERATE, this::readOfUser));
        router.put(
                "/api/users/{id}/limits",
                access.requireCaller(Permission.OPERATE, this::replaceOfUser));
    }

    /** What counts, and what of it the operator has set; 0 is no limit. */
    record View(Map<String, Long> limits, Map<String, Long> set) {}

    /** The limits to set; one that is absent has its default. */
    record Request(
            @Nullable Long runs,
            @Nullable Long storedBytes,
            @Nullable Long storedFiles,
            @Nullable Long openUploads,
            @Nullable Long requestsPerSecond,
            @Nullable Long requestBurst,
            @Nullable Long costMicrosPerDay,
            @Nullable Long costMicrosPerMonth) {
        Map<LimitName, Long> limits() {
            Map<LimitName, Long> given = new EnumMap<>(LimitName.class);
            put(given, LimitName.RUNS, runs);
            put(given, LimitName.STORED_BYTES, storedBytes);
            put(given, LimitName.STORED_FILES, storedFiles);
            put(given, LimitName.OPEN_UPLOADS, openUploads);
            put(given, LimitName.REQUESTS_PER_SECOND, requestsPerSecond);
            put(given, LimitName.REQUEST_BURST, requestBurst);
            put(given, LimitName.COST_MICROS_PER_DAY, costMicrosPerDay);
            put(given, LimitName.COST_MICROS_PER_MONTH, costMicrosPerMonth);
            return given;
        }

        private static void put(Map<LimitName, Long> given, LimitName name, @Nullable Long value) {
            if (value == null) {
                return;
            }
            if (value < 0) {
                throw Fields.invalid(name.wireName(), "is a number from 0 on; 0 is no limit");
            }
            given.put(name, value);
        }
    }

    private void readOfTenant(Exchange exchange, Caller caller) {
        TenantId tenant = tenant(exchange, caller);
        exchange.json(200, view(tenant));
    }

    private void replaceOfTenant(Exchange exchange, Caller caller) throws IOException {
        TenantId tenant = tenant(exchange, caller);
        limits.replace(tenant, exchange.readJson(Request.class).limits());
        exchange.json(200, view(tenant));
    }

    private View view(TenantId tenant) {
        return new View(named(limits.of(tenant)), named(limits.set(tenant)));
    }

    private void readOfUser(Exchange exchange, Caller caller) {
        TenantId tenant = tenantOfUser(exchange, caller);
        exchange.json(200, view(tenant, user(exchange, tenant)));
    }

    private void replaceOfUser(Exchange exchange, Caller caller) throws IOException {
        TenantId tenant = tenantOfUser(exchange, caller);
        UserId user = user(exchange, tenant);
        Map<LimitName, Long> given = exchange.readJson(Request.class).limits();
        for (LimitName name : given.keySet()) {
            if (!name.isOfUsers()) {
                throw Fields.invalid(name.wireName(), "is a limit of tenants only");
            }
        }
        limits.replace(tenant, user, given);
        exchange.json(200, view(tenant, user));
    }

    private View view(TenantId tenant, UserId user) {
        return new View(named(limits.of(tenant, user)), named(limits.set(tenant, user)));
    }

    private TenantId tenant(Exchange exchange, Caller caller) {
        requireOperator(caller);
        return known(exchange.pathParameter("id"));
    }

    /** Ids of users are unique in their tenant only. */
    private TenantId tenantOfUser(Exchange exchange, Caller caller) {
        requireOperator(caller);
        Optional<String> named = exchange.query("workspaceId");
        return named.isPresent() ? known(named.get()) : caller.tenant();
    }

    private TenantId known(String id) {
        try {
            TenantId tenant = new TenantId(id);
            if (limits.exists(tenant)) {
                return tenant;
            }
        } catch (IllegalArgumentException e) {
            // no tenant has such an id
        }
        throw new SatchelException(ErrorCode.NOT_FOUND, "there is no such tenant");
    }

    private UserId user(Exchange exchange, TenantId tenant) {
        String id = exchange.pathParameter("id");
        if (UserId.isValid(id) && limits.exists(tenant, new UserId(id))) {
            return new UserId(id);
        }
        throw new SatchelException(ErrorCode.NOT_FOUND, "there is no such user");
    }

    private static void requireOperator(Caller caller) {
        if (!caller.isOperator()) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN, "only the operator may read and change limits");
        }
    }

    /** As JSON has them, in the order of the table of the documents. */
    static Map<String, Long> named(Map<LimitName, Long> limits) {
        Map<String, Long> named = new LinkedHashMap<>();
        for (LimitName name : LimitName.values()) {
            Long value = limits.get(name);
            if (value != null) {
                named.put(name.wireName(), value);
            }
        }
        return named;
    }
}

package dev.satchel.server.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A person of a tenant who was not removed. */
public record User(
        TenantId tenant,
        UserId id,
        String name,
        @Nullable String email,
        UserRole role,
        Instant createdAt) {}

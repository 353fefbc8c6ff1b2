package dev.satchel.server.limit;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.database.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/** Refuses runs of tenants and users whose calls of models have cost as much as they may. */
public final class ModelBudget {
    private static final double MICROS = 1_000_000;

    private final LimitService limits;
    private final Clock clock;
    private final UsedStore used = new UsedStore();

    public ModelBudget(LimitService limits, Clock clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /** Days and months are those of UTC. */
    public void require(Transaction tx, TenantId tenant, UserId user) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        require(tx, tenant, user, LimitName.COST_MICROS_PER_DAY, today, "today");
        require(
                tx,
                tenant,
                user,
                LimitName.COST_MICROS_PER_MONTH,
                today.withDayOfMonth(1),
                "this month");
    }

    private void require(
            Transaction tx,
            TenantId tenant,
            UserId user,
            LimitName name,
            LocalDate since,
            String period) {
        Instant from = since.atStartOfDay(ZoneOffset.UTC).toInstant();
        long ofTenant = limits.of(tx, tenant, name);
        if (ofTenant > 0 && used.costMicros(tx, tenant, from.toEpochMilli()) >= ofTenant) {
            throw reached("this workspace", ofTenant, period);
        }
        long ofUser = limits.of(tx, tenant, user, name);
        if (ofUser > 0 && used.costMicros(tx, tenant, user, from.toEpochMilli()) >= ofUser) {
            throw reached("you", ofUser, period);
        }
    }

    private static SatchelException reached(String who, long micros, String period) {
        return new SatchelException(
                ErrorCode.BUDGET_REACHED,
                String.format(
                        Locale.ROOT,
                        "the models have cost what %s may spend %s: %.2f. The operator can raise the limit.",
                        who,
                        period,
                        micros / MICROS));
    }
}

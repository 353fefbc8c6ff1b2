package dev.satchel.server.database;

import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/** Executes the statements of stores. Services only pass it from one store to the next. */
public final class Transaction {
    private final Handle handle;

    Transaction(Handle handle) {
        this.handle = handle;
    }

    public Query query(String sql) {
        return handle.createQuery(sql);
    }

    public Update update(String sql) {
        return handle.createUpdate(sql);
    }

    /** A statement without parameters. */
    void plain(String sql) {
        try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage() + " in " + sql, e);
        }
    }

    /** Until the transaction ends. */
    void liftTimeLimits(Dialect dialect) {
        if (dialect == Dialect.POSTGRESQL) {
            plain("SET LOCAL statement_timeout = 0");
            plain("SET LOCAL idle_in_transaction_session_timeout = 0");
            try {
                handle.getConnection().setNetworkTimeout(Runnable::run, 0); // the pool resets it
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public PreparedBatch batch(String sql) {
        return handle.prepareBatch(sql);
    }
}

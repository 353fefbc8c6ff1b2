package dev.satchel.server.objectstore;

import dev.satchel.server.database.OutageLog;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Reports calls of the object store that fail because it is away or refuses everything. */
final class S3OutageInterceptor implements ExecutionInterceptor {
    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final OutageLog outages;

    S3OutageInterceptor(OutageLog outages) {
        this.outages = outages;
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
        outages.answered();
    }

    @Override
    public void onExecutionFailure(
            Context.FailedExecution context, ExecutionAttributes attributes) {
        Throwable failure = context.exception();
        if (isAnswer(failure)) {
            outages.answered();
        } else if (!(failure instanceof AbortedException)) {
            outages.failed(failure);
        }
    }

    private static boolean isAnswer(Throwable failure) {
        return failure instanceof NoSuchKeyException
                || (failure instanceof S3Exception refusal
                        && refusal.statusCode() == RANGE_NOT_SATISFIABLE);
    }
}

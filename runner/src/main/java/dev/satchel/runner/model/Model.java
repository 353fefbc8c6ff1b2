package dev.satchel.runner.model;

import dev.satchel.runner.image.ImageLimits;
import dev.satchel.runner.model.ModelErrorTranslator.Failure;
import dev.satchel.runner.model.ModelException.Code;
import dev.satchel.tools.ToolDescription;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A model of a run, and its fallbacks. After a fallback was needed, the rest of the run stays with
 * it: the caches and signatures of the other model would be lost with each change. For one thread.
 */
public final class Model {
    /** Another model would fail in the same way, or should not be asked instead. */
    private static final Set<Code> FINAL = Set.of(Code.MODEL_REFUSED, Code.CONTEXT_OVERFLOW);

    private final List<ModelCall> chain;
    private final RetryPolicy retries;
    private int current;
    private int attempts;

    /**
     * @param chain the model and its fallbacks, in their order
     */
    Model(List<ModelCall> chain, RetryPolicy retries) {
        this.chain = List.copyOf(chain);
        this.retries = retries;
    }

    /** The name of the model that is asked next. */
    public String name() {
        return settings().name();
    }

    public ModelProvider provider() {
        return settings().provider();
    }

    /** How many tokens a request and its reply may have together; 0 when unknown. */
    public int contextTokens() {
        return settings().options().contextTokens();
    }

    /** What this model and its fallbacks take. */
    public ImageLimits imageLimits() {
        return chain.stream()
                .map(call -> call.settings().provider().imageLimits())
                .reduce(ImageLimits::and)
                .orElseThrow();
    }

    /** What PDFs the model takes that is asked next; a fallback may take none. */
    public ModelProvider.PdfLimits pdfLimits() {
        return settings().provider().pdfLimits(settings().name());
    }

    /**
     * Requests the next message and waits for all of it. A call that fails for a moment is
     * repeated, then the fallback is asked. An interrupt aborts the call or the wait; an exception
     * of the listener ends the call and is thrown.
     */
    public ModelReply ask(ChatHistory history, List<ToolDescription> tools, ReplyListener listener)
            throws ModelException, IOException, InterruptedException {
        while (true) {
            try {
                ModelReply reply =
                        ProviderToolNames.received(tryOften(history, tools, listener), tools);
                TokenUsage usage = reply.usage();
                if (usage != null) {
                    listener.usage(usage);
                }
                return reply;
            } catch (ModelException e) {
                if (FINAL.contains(e.code()) || current == chain.size() - 1) {
                    throw e;
                }
                current++;
                String next = " Asking " + settings().displayName() + " instead.";
                listener.retry(
                        attempts,
                        Duration.ZERO,
                        new ModelException(e.code(), e.message() + next),
                        settings().displayName());
            }
        }
    }

    private ModelReply tryOften(
            ChatHistory history, List<ToolDescription> tools, ReplyListener listener)
            throws ModelException, IOException, InterruptedException {
        for (attempts = 1; ; attempts++) {
            Failure failure;
            try {
                return chain.get(current).send(history, tools, new GuardedListener(listener));
            } catch (ListenerFailedException e) {
                throw e.failure();
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("the call to the model was interrupted");
                }
                failure = new ModelErrorTranslator(settings()).translate(e);
            }
            Duration wait =
                    failure.retryAfter() != null ? failure.retryAfter() : retries.backOff(attempts);
            boolean tooLong = wait.compareTo(retries.longestRetryAfter()) > 0;
            if (!failure.isRepeatable() || tooLong || attempts == retries.tries()) {
                throw lastError(failure);
            }
            listener.retry(attempts, wait, failure.error(), settings().displayName());
            retries.sleeper().sleep(wait);
        }
    }

    private ModelException lastError(Failure failure) throws InterruptedException {
        ModelException error = failure.error();
        String more = attempts > 1 ? " It was tried " + attempts + " times." : "";
        if (failure.isUnknownModel()) {
            List<String> known = chain.get(current).knownModels();
            more = known.isEmpty() ? "" : " It has " + String.join(", ", known) + ".";
        }
        return more.isEmpty() ? error : new ModelException(error.code(), error.message() + more);
    }

    private ModelSettings settings() {
        return chain.get(current).settings();
    }

    /** Marks the exceptions of the listener, so that they are not taken for those of the call. */
    private record GuardedListener(ReplyListener listener) implements ReplyListener {
        @Override
        public void text(String piece) throws IOException {
            try {
                listener.text(piece);
            } catch (IOException e) {
                throw new ListenerFailedException(e);
            }
        }

        @Override
        public void thinking(String piece) throws IOException {
            try {
                listener.thinking(piece);
            } catch (IOException e) {
                throw new ListenerFailedException(e);
            }
        }
    }

    private static final class ListenerFailedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final IOException failure;

        ListenerFailedException(IOException failure) {
            super(failure);
            this.failure = failure;
        }

        IOException failure() {
            return failure;
        }
    }
}

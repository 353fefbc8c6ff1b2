package dev.satchel.runner.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stores what a call says. A retry withdraws the text and the thinking. */
final class RecordingListener implements ReplyListener {
    final StringBuilder text = new StringBuilder();
    final StringBuilder thinking = new StringBuilder();
    final List<String> retries = new ArrayList<>();
    final List<String> models = new ArrayList<>();
    private @Nullable TokenUsage usage;

    @Override
    public void text(String piece) {
        text.append(piece);
    }

    @Override
    public void thinking(String piece) {
        thinking.append(piece);
    }

    @Override
    public void retry(int attempt, Duration delay, ModelException error, String model) {
        retries.add(
                attempt
                        + " "
                        + delay.toMillis()
                        + " "
                        + error.code().wireName()
                        + " "
                        + error.message());
        models.add(model);
        text.setLength(0);
        thinking.setLength(0);
    }

    @Override
    public void usage(TokenUsage counted) {
        usage = counted;
    }

    TokenUsage usage() {
        return Objects.requireNonNull(usage, "no usage was reported");
    }
}

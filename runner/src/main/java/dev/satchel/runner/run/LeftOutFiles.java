package dev.satchel.runner.run;

import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.WriteBackResponse.Skipped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names the files that were offered to the server and that it does not have. */
final class LeftOutFiles {
    /** The result is one line, so a run that leaves more files names the others together. */
    private static final int MAX_NAMED = 1_000;

    private LeftOutFiles() {}

    /** None was taken. A file that an earlier run reported is not reported again. */
    static List<NotHandedOver> all(List<OutputFiles.Output> offered, String reason) {
        return offered.stream()
                .filter(output -> !output.named())
                .map(output -> output.leftOut(reason))
                .toList();
    }

    /** The server took the files except those that it skipped for a reason of its own. */
    static List<NotHandedOver> skipped(List<OutputFiles.Output> offered, List<Skipped> skipped) {
        Map<String, OutputFiles.Output> byName = new HashMap<>();
        offered.forEach(output -> byName.put(output.name(), output));
        List<NotHandedOver> left = new ArrayList<>();
        for (Skipped part : skipped) {
            String name = part.path() == null ? part.name() : part.path();
            OutputFiles.Output output = byName.get(name);
            if (part.reason().equals(Skipped.UNCHANGED) || (output != null && output.named())) {
                continue;
            }
            long size = part.size() == null ? 0 : part.size();
            left.add(
                    new NotHandedOver(
                            OutputFiles.FOLDER.resolve(name).value(),
                            output == null ? size : output.size(),
                            part.reason()));
        }
        return left;
    }

    /** Names the first and counts the rest. */
    static List<NotHandedOver> shortened(List<NotHandedOver> left) {
        if (left.size() <= MAX_NAMED) {
            return left;
        }
        List<NotHandedOver> named = new ArrayList<>(left.subList(0, MAX_NAMED));
        List<NotHandedOver> rest = left.subList(MAX_NAMED, left.size());
        named.add(
                new NotHandedOver(
                        OutputFiles.FOLDER.value(),
                        rest.stream().mapToLong(NotHandedOver::size).sum(),
                        rest.size() + " more files, for the same reasons"));
        return named;
    }
}

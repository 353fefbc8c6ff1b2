package dev.satchel.runner.run;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.workspace.BagLimits;
import dev.satchel.runner.workspace.BagRefusedException;
import dev.satchel.runner.workspace.BagUnpacker;
import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.runner.workspace.WorkspacePath;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the conversation's files into the workspace. */
final class Bag {
    private static final Logger LOG = LoggerFactory.getLogger(Bag.class);

    private final Callbacks callbacks;
    private final SafeDirectory workspace;
    private final Trace trace;

    Bag(Callbacks callbacks, SafeDirectory workspace, Trace trace) {
        this.callbacks = callbacks;
        this.workspace = workspace;
        this.trace = trace;
    }

    /** Returns how many files lie in the workspace now; says which of the bag do not. */
    int restore(RunConfig.@Nullable Assets assets)
            throws RunFailure, IOException, InterruptedException {
        if (assets == null) {
            return 0;
        }
        BagUnpacker.Unpacked unpacked = unpack(assets);
        for (WorkspacePath file : unpacked.skipped()) {
            trace.log(
                    LogLevel.WARN,
                    "bag skipped=%s: a directory has its place in the workspace".formatted(file));
        }
        return unpacked.files().size();
    }

    private BagUnpacker.Unpacked unpack(RunConfig.Assets assets)
            throws RunFailure, InterruptedException {
        Map<String, Long> sizes = new HashMap<>();
        assets.files().forEach(file -> sizes.put(file.name(), file.size()));
        try (InputStream zip = callbacks.bag(assets)) {
            return new BagUnpacker(BagLimits.announced(sizes)).unpack(zip, workspace);
        } catch (BagRefusedException e) {
            throw failure(e.getMessage());
        } catch (IOException e) {
            LOG.warn("bag not unpacked", e);
            throw failure("the transfer broke off, or the disk is full");
        }
    }

    private static RunFailure failure(@Nullable String reason) {
        return new RunFailure(
                RunFailure.Code.BAG_FAILED,
                "The conversation's files cannot be unpacked: " + reason + ".");
    }
}

package dev.satchel.runner.run;

import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.workspace.BagLimits;
import dev.satchel.runner.workspace.BagRefusedException;
import dev.satchel.runner.workspace.BagUnpacker;
import dev.satchel.runner.workspace.SafeDirectory;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the conversation's files into the workspace. */
final class Bag {
    private static final Logger LOG = LoggerFactory.getLogger(Bag.class);

    private final Callbacks callbacks;
    private final SafeDirectory workspace;

    Bag(Callbacks callbacks, SafeDirectory workspace) {
        this.callbacks = callbacks;
        this.workspace = workspace;
    }

    /** Returns how many files the bag holds. */
    int restore(RunConfig.@Nullable Assets assets) throws RunFailure, InterruptedException {
        if (assets == null) {
            return 0;
        }
        try (InputStream zip = callbacks.bag(assets)) {
            return new BagUnpacker(BagLimits.DEFAULT).unpack(zip, workspace).size();
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

package dev.satchel.runner.image;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.ReadOnlyMount;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.tools.ImageHeader;
import dev.satchel.tools.ImageLoader;
import dev.satchel.tools.ImageView;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.UnscaledImageLoader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Loads the images of one run. Only the header is read in this process. An image that is larger
 * than the provider wants is scaled by a process of the sandbox, one at a time. Safe for threads.
 */
public final class ScaledImageLoader implements ImageLoader {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int LINE_BYTES = 100;
    private static final String JAVA = "/satchel/java";
    private static final String CLASSES = "/satchel/classes";
    private static final String WEBP = "image/webp";

    /** The parts fit into a gigabyte of addresses, the usual limit without a control group. */
    private static final List<String> JVM_OPTIONS =
            List.of(
                    "-Xmx320m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:ReservedCodeCacheSize=16m",
                    "-XX:CompressedClassSpaceSize=16m",
                    "-XX:-UsePerfData",
                    "-Djava.awt.headless=true");

    private final Sandbox sandbox;
    private final ImageLimits limits;
    private final long maxPixels;
    private final Semaphore oneAtATime = new Semaphore(1);

    /** {@code maxPixels} is what may be decoded at all. */
    public ScaledImageLoader(Sandbox sandbox, ImageLimits limits, long maxPixels) {
        this.sandbox = sandbox;
        this.limits = limits;
        this.maxPixels = maxPixels;
    }

    @Override
    public Limits limits() {
        return new Limits(limits.maxBytes(), limits.maxSide(), limits.wantedSide());
    }

    @Override
    public Loaded load(WorkspacePath path, OpenFile file)
            throws IOException, InterruptedException, InvalidArgumentException {
        file.channel().position(0);
        ImageHeader header =
                ImageHeader.read(Channels.newInputStream(file.channel()))
                        .orElseThrow(() -> ImageView.damaged(path));
        if (header.pixels() > maxPixels) {
            throw problem(
                    path,
                    header,
                    "at most %s million pixels are decoded".formatted(maxPixels / 1_000_000));
        }
        boolean isAccepted =
                file.stat().size() <= limits.maxBytes() && header.side() <= limits.maxSide();
        if (isAccepted && header.side() <= limits.wantedSide()) {
            return unchanged(file, header);
        }
        try {
            return scaled(path, header);
        } catch (InvalidArgumentException e) {
            if (isAccepted) {
                return unchanged(file, header); // the provider can scale it
            }
            throw problem(
                    path,
                    header,
                    "the model takes at most %s and %d pixels a side, and it could not be made smaller: %s"
                            .formatted(
                                    ImageView.size(limits.maxBytes()),
                                    limits.maxSide(),
                                    e.getMessage()));
        }
    }

    /** The message of the exception is the reason. */
    private Loaded scaled(WorkspacePath path, ImageHeader header)
            throws IOException, InterruptedException, InvalidArgumentException {
        if (header.mimeType().equals(WEBP)) {
            throw new InvalidArgumentException("WebP cannot be decoded here");
        }
        CommandResult result;
        oneAtATime.acquire();
        try {
            result = sandbox.run(command(path));
        } finally {
            oneAtATime.release();
        }
        String[] parts = result.output().split(" ", -1);
        if (parts.length != 4 || result.exitCode() != 0 || result.truncated()) {
            throw new InvalidArgumentException(reason(result));
        }
        return new Loaded(
                new ToolResult.Image(parts[0], parts[3]),
                "It is shown smaller: %s × %s pixels instead of %s."
                        .formatted(parts[1], parts[2], header.size()));
    }

    private Command command(WorkspacePath path) {
        List<String> arguments = new ArrayList<>(List.of("/usr/bin/env", "MALLOC_ARENA_MAX=1"));
        arguments.add(JAVA + "/bin/java");
        arguments.addAll(JVM_OPTIONS);
        arguments.addAll(List.of("-cp", CLASSES, ImageScaler.class.getName(), "./" + path));
        arguments.add(Integer.toString(limits.wantedSide()));
        arguments.add(Integer.toString(limits.maxBytes()));
        arguments.add(Long.toString(maxPixels));
        int outputBytes = Math.ceilDiv(limits.maxBytes(), 3) * 4 + LINE_BYTES;
        return new Command(arguments, TIMEOUT, outputBytes, true)
                .reading(
                        List.of(
                                new ReadOnlyMount(Path.of(System.getProperty("java.home")), JAVA),
                                new ReadOnlyMount(classes(), CLASSES)));
    }

    /** The jar or the directory that has this class. */
    private static Path classes() {
        CodeSource source = ImageScaler.class.getProtectionDomain().getCodeSource();
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Other output of the process is not for the model: it may name paths of this machine. */
    private static String reason(CommandResult result) {
        return switch (result.ending()) {
            case TIMED_OUT -> "it took longer than " + TIMEOUT.toSeconds() + " seconds";
            case OUT_OF_MEMORY -> ImageScaler.NO_MEMORY;
            case OUT_OF_DISK -> "the disk of the run is full";
            case EXITED ->
                    ImageScaler.REASONS.contains(result.errors())
                            ? result.errors()
                            : "the sandbox has no Java to do it";
        };
    }

    private Loaded unchanged(OpenFile file, ImageHeader header) throws IOException {
        return new Loaded(UnscaledImageLoader.read(file, header.mimeType(), limits.maxBytes()), "");
    }

    private static InvalidArgumentException problem(
            WorkspacePath path, ImageHeader header, String reason) {
        return new InvalidArgumentException(
                "Cannot display image %s (%s, %s): %s."
                        .formatted(path.name(), header.mimeType(), header.size(), reason));
    }
}

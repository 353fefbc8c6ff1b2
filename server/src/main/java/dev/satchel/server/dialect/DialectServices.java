package dev.satchel.server.dialect;

import dev.satchel.server.execution.Executions;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.turn.TurnService;
import java.net.URI;
import java.util.function.Supplier;

/**
 * What the routes of every dialect need.
 *
 * @param publicUrl begins the addresses that clients on other hosts receive
 */
public record DialectServices(
        TurnService turns,
        ClientThreads threads,
        ClientAnswers answers,
        Executions executions,
        RunLogStreamer streamer,
        Supplier<URI> publicUrl) {}

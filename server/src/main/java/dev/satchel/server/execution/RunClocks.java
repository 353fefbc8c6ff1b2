package dev.satchel.server.execution;

import dev.satchel.server.run.LeaseClock;
import java.time.Clock;

/**
 * What runs are timed by.
 *
 * @param leases says whether a run still has an owner, alike on every server
 * @param steady measures how long a run of this server takes or is silent; nobody sets it
 */
public record RunClocks(LeaseClock leases, Clock steady) {}

/** What an operator watches: health, readiness, metrics, logs. */
@NullMarked
package dev.satchel.server.operations;

import org.jspecify.annotations.NullMarked;

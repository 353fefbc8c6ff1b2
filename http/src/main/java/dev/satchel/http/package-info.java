/**
 * The HTTP server: routes, requests, responses and errors. Vert.x transports the bytes; handlers
 * block on virtual threads. No other module uses Vert.x.
 */
@NullMarked
package dev.satchel.http;

import org.jspecify.annotations.NullMarked;

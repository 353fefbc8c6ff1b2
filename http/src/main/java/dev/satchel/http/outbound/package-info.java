/** Calls over HTTP to other machines, and the guard of the addresses that a tenant has named. */
@NullMarked
package dev.satchel.http.outbound;

import org.jspecify.annotations.NullMarked;

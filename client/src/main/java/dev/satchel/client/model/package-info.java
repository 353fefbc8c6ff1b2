/** What the API returns and accepts, as records. */
@NullMarked
package dev.satchel.client.model;

import org.jspecify.annotations.NullMarked;

/** The OpenAPI document and a page that shows it, without resources of other hosts. */
@NullMarked
package dev.satchel.server.docs;

import org.jspecify.annotations.NullMarked;

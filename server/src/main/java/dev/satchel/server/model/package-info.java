/** The models that an operator offers to all tenants. */
@NullMarked
package dev.satchel.server.model;

import org.jspecify.annotations.NullMarked;

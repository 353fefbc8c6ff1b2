@NullMarked
package dev.satchel.client.model;

import org.jspecify.annotations.NullMarked;

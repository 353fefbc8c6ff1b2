@org.jspecify.annotations.NullMarked
package dev.satchel.server.sandbox.kubernetes;

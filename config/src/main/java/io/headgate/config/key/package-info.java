/**
 * Declares each configuration key once, and derives everything else from that declaration.
 *
 * <p>A mapping of a file is a record; a key is one of its components with {@link
 * io.headgate.config.key.Key}, which gives its purpose, unit, bounds and default. {@link
 * io.headgate.config.key.Section} looks at the components of a record class once, and then reads,
 * writes, scales and describes (JSON schema) such records; each component has a {@link
 * io.headgate.config.key.Codec}, by its type or its own. Four more ideas:
 *
 * <ul>
 *   <li>a default that follows from other keys is a static method of the record, named as the
 *       component, that takes {@link io.headgate.config.key.Known};
 *   <li>{@link io.headgate.config.key.When}: a key has an effect only if another key has a certain
 *       value;
 *   <li>{@link io.headgate.config.key.Inline}: a record's keys are in the mapping around it;
 *   <li>{@link io.headgate.config.key.Checked}: a record checks the conditions between its keys.
 * </ul>
 *
 * <p>The package knows neither YAML nor any record: values are texts, numbers, flags, lists and
 * maps.
 */
@NullMarked
package io.headgate.config.key;

import org.jspecify.annotations.NullMarked;

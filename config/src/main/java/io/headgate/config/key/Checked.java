package io.headgate.config.key;

/** A record that checks the conditions between its keys and those around them. */
public interface Checked {

    /**
     * Reports each key that does not fit, at its place.
     *
     * @param place the mapping; {@code place.child("xon").refuse(…)} reports one of its keys
     */
    void check(Known known, Place place);
}

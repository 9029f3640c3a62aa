package io.headgate.control.link;

/**
 * A switch's end of a link; the owner of the network gives it to the switch.
 *
 * @param link the link's name there: {@code e1-c1}
 * @param far name of the node at the other end
 * @param isFarHost whether this node is a host, whose end cannot be changed
 * @param isFirst whether this end determines when a link that flaps goes down
 */
public record LinkEnd(
        String lab, String link, String near, String far, boolean isFarHost, boolean isFirst) {

    /** Whether a person means this link: by its name, from either end. */
    public boolean isNamed(String name) {
        int dot = link.lastIndexOf('.');
        String suffix = dot < 0 ? "" : link.substring(dot);
        return name.equals(link)
                || name.equals(near + "-" + far + suffix)
                || name.equals(far + "-" + near + suffix);
    }
}

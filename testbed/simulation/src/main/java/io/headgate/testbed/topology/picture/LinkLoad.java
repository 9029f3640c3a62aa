package io.headgate.testbed.topology.picture;

/**
 * The load of a link in a run, for the network's picture. The directions are those of the link's
 * plan: from a to b, and back.
 *
 * @param shareAtoB share of its rate that frames took from a to b, with preamble and gap; 0 to 1
 * @param shareBtoA the same from b to a
 * @param pausesAtoB number of times that the sender at a was stopped, by pauses or missing credits
 * @param pausesBtoA the same at b
 */
public record LinkLoad(double shareAtoB, double shareBtoA, long pausesAtoB, long pausesBtoA) {
    public LinkLoad {
        requireShare("shareAtoB", shareAtoB);
        requireShare("shareBtoA", shareBtoA);
    }

    private static void requireShare(String name, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    name + " of a link is " + share + "; allowed: 0 to 1");
        }
    }

    double share() {
        return Math.max(shareAtoB, shareBtoA);
    }
}

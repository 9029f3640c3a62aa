package io.headgate.dataplane.openqueue.language;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fields of figures 2.4 to 2.7, with their names from the listings. */
public enum Field {
    QUEUE_SIZE(Entity.QUEUE, false, "size", "max_len"),
    QUEUE_CURR_SIZE(Entity.QUEUE, false, "currSize", "length", "len"),
    QUEUE_WEIGHT_ADM(Entity.QUEUE, true, "weightAdm"),
    QUEUE_WEIGHT_SCHED(Entity.QUEUE, true, "weightSched"),
    QUEUE_ADM_STATE(Entity.QUEUE, true, "admState"),
    QUEUE_SCHED_STATE(Entity.QUEUE, true, "schedState"),
    QUEUE_DROPPED(Entity.QUEUE, false, "dropped"),
    QUEUE_TOTAL(Entity.QUEUE, false, "total"),
    BUFFER_SIZE(Entity.BUFFER, false, "size"),
    BUFFER_CURR_SIZE(Entity.BUFFER, false, "currSize"),
    BUFFER_CURR_QUEUE(Entity.BUFFER, false, "currQueue"),
    BUFFER_ADM_STATE(Entity.BUFFER, true, "admState"),
    PORT_RATE(Entity.PORT, false, "rate"),
    PORT_SCHED_STATE(Entity.PORT, true, "schedState"),
    PORT_CURR_QUEUE(Entity.PORT, false, "currQueue"),
    PACKET_POLICY_ID(Entity.PACKET, false, "policyId"),
    PACKET_QUEUE(Entity.PACKET, false, "queue"),
    PACKET_VALUE(Entity.PACKET, false, "value"),
    PACKET_PROCESSING(Entity.PACKET, false, "processing"),
    PACKET_SLACK(Entity.PACKET, false, "slack"),
    PACKET_FLOW(Entity.PACKET, false, "flow"),
    PACKET_ARRIVAL(Entity.PACKET, false, "arrival"),
    PACKET_SIZE(Entity.PACKET, false, "size"),
    PACKET_TOS(Entity.PACKET, false, "TOS", "tos"),
    PACKET_LENGTH(Entity.PACKET, false, "tot_len"),
    PACKET_ID(Entity.PACKET, false, "id"),
    PACKET_TTL(Entity.PACKET, false, "ttl"),
    PACKET_PROTOCOL(Entity.PACKET, false, "protocol"),
    PACKET_SOURCE(Entity.PACKET, false, "saddr"),
    PACKET_DESTINATION(Entity.PACKET, false, "daddr");

    /** The kinds of objects that have fields. */
    public enum Entity {
        QUEUE("Queue"),
        BUFFER("Buffer"),
        PORT("Port"),
        PACKET("Packet");

        private final String word;

        Entity(String word) {
            this.word = word;
        }

        /** Its word in the language. */
        public String word() {
            return word;
        }

        static @Nullable Entity named(String word) {
            return Arrays.stream(values())
                    .filter(entity -> entity.word.equals(word))
                    .findFirst()
                    .orElse(null);
        }
    }

    private final Entity entity;
    private final boolean isVariable;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable copy
    private final List<String> names;

    Field(Entity entity, boolean isVariable, String... names) {
        this.entity = entity;
        this.isVariable = isVariable;
        this.names = List.of(names);
    }

    /** The kind of object that has it. */
    public Entity entity() {
        return entity;
    }

    /** Whether a policy may set it. */
    public boolean isVariable() {
        return isVariable;
    }

    /** Its first name. */
    public String word() {
        return names.getFirst();
    }

    static @Nullable Field named(Entity entity, String name) {
        return Arrays.stream(values())
                .filter(field -> field.entity == entity && field.names.contains(name))
                .findFirst()
                .orElse(null);
    }

    /** The names of all fields of a kind of object, for messages. */
    static String names(Entity entity, boolean onlyVariables) {
        return Arrays.stream(values())
                .filter(field -> field.entity == entity && (field.isVariable || !onlyVariables))
                .map(Field::word)
                .collect(Collectors.joining(", "));
    }
}

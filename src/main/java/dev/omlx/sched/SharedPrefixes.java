package dev.omlx.sched;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a prefix that another sequence computes. A follower may start once a launched step has brought the
 * leader's KV that far, and then copies it. If the leader goes before that, its most valuable follower takes its place,
 * and the others follow that one.
 */
final class SharedPrefixes {
    private final Lanes lanes;
    private final Map<Sequence, Set<Sequence>> followers = new HashMap<>();

    SharedPrefixes(Lanes lanes) {
        this.lanes = lanes;
    }

    /** Takes in a newcomer. If its leader cannot serve it, it computes all by itself. */
    void add(Sequence newcomer) {
        Sequence leader = newcomer.leader();
        if (leader != null) {
            if (leader.accepted() && !leader.finished() && !leader.isSuspect()) {
                link(newcomer, leader, newcomer.sharedTokens());
            } else {
                newcomer.computeAlone();
            }
        }
    }

    boolean isAwaited(Sequence leader) {
        return followers.containsKey(leader);
    }

    /** Whether a follower has started and copies in its first step. */
    boolean isBeingCopied(Sequence leader) {
        return followersOf(leader).stream().anyMatch(Sequence::running);
    }

    /** Each leader's followers. */
    Map<Sequence, Set<Sequence>> all() {
        return Collections.unmodifiableMap(followers);
    }

    /** A step was launched that computes the sequence; whoever waited for that may start. */
    void launched(Sequence leader) {
        for (Sequence follower : followers.getOrDefault(leader, Set.of())) {
            if (leader.covers(follower.sharedTokens())) {
                lanes.of(follower).stopAwaiting(follower);
            }
        }
    }

    /**
     * The sequence follows nobody any more, be it that it has its copy, be it that it wants none.
     *
     * @return whom it followed
     */
    @Nullable
    Sequence unlink(Sequence follower) {
        Sequence leader = follower.leader();
        if (leader != null) {
            Set<Sequence> others = followers.getOrDefault(leader, new LinkedHashSet<>());
            others.remove(follower);
            if (others.isEmpty()) {
                followers.remove(leader);
            }
            follower.follow(null, 0);
        }
        return leader;
    }

    /** The leader has ended, or gives its memory back: those that it cannot serve must do without it. */
    void left(Sequence leader) {
        regroup(
                leader,
                followersOf(leader).stream()
                        .filter(follower -> !leader.covers(follower.sharedTokens()))
                        .toList());
    }

    /** The leader's memory is wanted, so that it can serve nobody. */
    void abandon(Sequence leader) {
        regroup(leader, followersOf(leader));
    }

    private List<Sequence> followersOf(Sequence leader) {
        return new ArrayList<>(followers.getOrDefault(leader, Set.of()));
    }

    private void regroup(Sequence leader, List<Sequence> orphans) {
        if (orphans.isEmpty()) {
            return;
        }
        Sequence heir = heir(orphans);
        int reach = heir.sharedTokens();
        for (Sequence orphan : orphans) {
            Lane lane = lanes.of(orphan);
            boolean queued = lane.dequeue(orphan);
            int shared = Math.min(reach, orphan.sharedTokens());
            unlink(orphan);
            if (orphan == heir || orphan.running() || orphan.priority().isAbove(heir.priority())) {
                orphan.computeAlone();
            } else {
                link(orphan, heir, shared);
            }
            if (queued) {
                lane.enqueue(orphan);
            }
        }
        // the last token of its own prompt is always left to it
        int shared = Math.min(reach, leader.promptTokens() - 1);
        boolean comesBack = leader.state() == SequenceState.PREEMPTED && !leader.isSuspect();
        if (comesBack
                && shared > 0
                && leader.leader() == null
                && !leader.priority().isAbove(heir.priority())) {
            link(leader, heir, shared);
        }
    }

    /** One that has its memory already, else the most valuable. */
    private static Sequence heir(List<Sequence> orphans) {
        List<Sequence> running = orphans.stream().filter(Sequence::running).toList();
        return Collections.max(running.isEmpty() ? orphans : running, Sequence.BY_VALUE);
    }

    private void link(Sequence follower, Sequence leader, int tokens) {
        follower.follow(leader, tokens);
        followers.computeIfAbsent(leader, first -> new LinkedHashSet<>()).add(follower);
    }
}

package dev.omlx.text.jinja;

import java.util.List;

/** What a value is assigned to. */
sealed interface Target {
    /** A variable of the scope that assigns. */
    record Variable(Expression.Name name) implements Target {}

    /** An attribute of a namespace. */
    record NamespaceAttribute(Expression.Name namespace, String attribute) implements Target {}

    /** Several targets for the elements of one value. */
    record Unpacking(List<Target> targets) implements Target {}
}

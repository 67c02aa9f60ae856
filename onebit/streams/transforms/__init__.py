"""Transforms: what can be done to a stream on its way to a learner, one file each.

A transform is a NamedTuple of declared parameters with a method
`apply(stream, seed, number)`, where `number` is its place among the others.
"""

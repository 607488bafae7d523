"""The leaves: what few businesses need. The program runs without the folder of any of them.

Two import `echange`: `organisations` for the archive of an organisation, `providers` for the sheets of statements.
`hors_ligne` imports the calls of `repetition`.
They offer: LEAF, which app/base/leaf.py finds.
"""

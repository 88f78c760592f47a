"""Chapter 6 and sections 7.3.4 to 7.3.8: postures under forces, and their kin.

The thesis shows pictures without numbers: sizes and forces are chosen here by its words, and its
words are what is claimed. A chain stands on its base, a person on both feet. All are solved by
`lex`, but where torques are minimised by `priority`, the thesis' method: on these chains `lex`
stalls. Tolerances are such that equilibrium is met to 0.01 N·m.
"""

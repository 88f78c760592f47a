"""Published examples, run again: what the papers claim beside what comes out here.

One module or package for each paper. To add an example, write a function from a folder and a
`report` to a `Result` there, and add it to the module's `EXAMPLES`.
"""

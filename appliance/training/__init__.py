"""Training: examples made from questions and from the structure of free documents, recipes, curves.

Rules of this package: it is the last layer under the command line, which alone imports it; torch and
transformers are imported inside functions of the modules that say so, never at the top of one, so that
making data and measuring need neither. Nothing of a document that is held out is ever an example.
"""

from .golden.archives import unpack

unpack()  # before any test looks for its golden files

"""Analysis: does the analysis that the file is released for come out the same?"""

"""Conversion between files and frames of pandas, polars and pyarrow.

A file is returned as the frame it was made from: of the same library (a lazy frame stays lazy), with the same order and
labels of the columns, dtypes and index. A dtype changes only where the masked values do not fit it: integers that
became fractions are floats, numbers too large for their width take the widest, numbers recoded to intervals are text.
A missing value is returned as the frame's own mark for it; NaN in a polars or pyarrow column counts as missing and is
returned as null. Times have a resolution of one microsecond.
"""

from sdckit.frames.from_frame import from_frame
from sdckit.frames.to_frame import to_frame

__all__ = ["from_frame", "to_frame"]

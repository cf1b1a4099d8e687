"""The doors of Microdata: pandas, polars and pyarrow frames in, and the same kind of frame out.

What comes back is what came in: the type of the frame (a lazy frame stays lazy), the order and the labels of the
columns, their dtypes, and the index. A dtype gives way only where the masked values do not fit it: whole numbers that
became fractions are floats, numbers beyond their width take the widest, numbers recoded to intervals are text. Missing
comes back as the frame's own mark for it; NaN in a polars or pyarrow column counts as missing and comes back as null.
Times are kept to the microsecond.
"""

from sdckit.frames.from_frame import from_frame
from sdckit.frames.to_frame import to_frame

__all__ = ["from_frame", "to_frame"]

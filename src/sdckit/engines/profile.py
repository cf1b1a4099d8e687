"""Profile of a file in parts: the same as `Profile.of` gives for the file in memory."""

import numpy as np

from sdckit.attribute import Role
from sdckit.engines.parts import WorkingFile
from sdckit.profile import ColumnProfile, Profile, category_profile, number_profile


def profile_of(file: WorkingFile) -> Profile:
    """The profile of a file, one column after the other, part by part."""
    identifiers = file.header.names(role=Role.IDENTIFIER)
    names = [each.name for each in file.header.attributes if each.name not in identifiers]
    return Profile(file.cut.records, {name: _column(file, name) for name in names}, identifiers)


def _column(file: WorkingFile, name: str) -> ColumnProfile:
    attribute = file.header.attribute(name)
    absent = 0
    kept = np.empty(0, np.int32 if attribute.coded else np.float64)  # the codes that occur, or both ends
    for columns in file.batches([name]):
        values = columns[name]
        observed = values[values >= 0] if attribute.coded else values[~np.isnan(values)]
        absent += len(values) - len(observed)
        kept = np.concatenate([kept, observed])
        if attribute.coded:
            kept = np.unique(kept)
        elif len(kept):
            kept = np.array([kept.min(), kept.max()])
    share = absent / file.cut.records if file.cut.records else 0.0
    if attribute.coded:
        return category_profile(attribute, kept, share)
    return number_profile(file.header.chunk({name: kept}), name, share) if len(kept) else ColumnProfile(True, share)

"""What each CUDA name is called in HIP: :class:`MappingTable`, read from the CSV files of this folder."""

from __future__ import annotations

from hipify_py.mapping.records import HeaderMapping, Kind, Mapping, Support
from hipify_py.mapping.table import MappingTable

__all__ = ["HeaderMapping", "Kind", "Mapping", "MappingTable", "Support"]

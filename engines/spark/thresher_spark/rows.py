"""Turns Arrow batches into pages, and pages with their results into batches again."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Optional

import pyarrow as pa
from thresher.results import Reject, Result

from .child import answer_all, of_this_worker

_FIELDS = [
    ("text", "string", pa.string()),
    ("title", "string", pa.string()),
    ("lang", "string", pa.string()),
    ("words", "int", pa.int32()),
    ("score", "double", pa.float64()),
    ("meta", "string", pa.string()),
    ("formatted", "string", pa.string()),
    ("fingerprint", "string", pa.string()),
    ("stage", "string", pa.string()),
    ("reason", "string", pa.string()),
    ("detail", "string", pa.string()),
]
RESULT = "struct<" + ",".join(f"{name}:{spark}" for name, spark, _ in _FIELDS) + ">"
"""The type of the column of results, as Spark writes it. `reason` is null if the page became text."""
_STRUCT = pa.struct([(name, arrow) for name, _, arrow in _FIELDS])


@dataclass(frozen=True)
class Columns:
    """Where the page of a row is, and where its result goes."""

    source: str
    kind: str
    """What the source column holds: html (or bytes), or text."""
    url: Optional[str]
    kept: Sequence[str]
    into: str


def clean_batches(batches: Iterator[pa.RecordBatch], columns: Columns, given: dict[str, Any]) -> Iterator[pa.RecordBatch]:
    """Yields a batch for each batch, with the same rows. Pages of the next batches are cleaned meanwhile."""
    under_way: deque[pa.RecordBatch] = deque()

    def pages() -> Iterator[dict[str, Any]]:
        for batch in batches:
            if batch.num_rows > 0:
                under_way.append(batch)
                yield from _to_pages(batch, columns)

    results = answer_all(of_this_worker(given), pages())
    for first in results:
        batch = under_way.popleft()
        yield _to_batch(batch, columns, [first, *islice(results, batch.num_rows - 1)])
    if under_way:
        raise RuntimeError(f"{len(under_way)} batches have no results; please report it")


def _to_pages(batch: pa.RecordBatch, columns: Columns) -> Iterator[dict[str, Any]]:
    sources = batch.column(columns.source)
    urls = [None] * batch.num_rows if columns.url is None else batch.column(columns.url)
    for source, url in zip(sources, urls):
        page = source.as_py()
        # A row without a page counts as an empty page, which is rejected.
        record: dict[str, Any] = {("bytes" if isinstance(page, bytes) else columns.kind): "" if page is None else page}
        address = None if url is None else url.as_py()
        yield record if address is None else {**record, "url": address}


def _to_batch(batch: pa.RecordBatch, columns: Columns, results: Sequence[Result]) -> pa.RecordBatch:
    cleaned = pa.array([_to_fields(result) for result in results], type=_STRUCT)
    kept = [batch.column(name) for name in columns.kept]
    # It raises if the columns have different lengths.
    return pa.RecordBatch.from_arrays([*kept, cleaned], names=[*columns.kept, columns.into])


def _to_fields(result: Result) -> dict[str, Any]:
    if isinstance(result, Reject):
        return {
            "meta": _to_json(result.meta),
            "stage": result.stage,
            "reason": result.reason,
            "detail": result.detail,
        }
    return {
        "text": result.text,
        "title": result.title,
        "lang": result.lang,
        "words": result.words,
        "score": result.score,
        "meta": _to_json(result.meta),
        "formatted": result.formatted,
        "fingerprint": result.record["fingerprint"],
    }


def _to_json(meta: Mapping[str, Any]) -> Optional[str]:
    """Fields of metadata in the form that Spark functions such as `get_json_object` read; null if there are none."""
    return json.dumps(meta, ensure_ascii=False) if meta else None

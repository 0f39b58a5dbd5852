"""Cleans the pages in a Spark DataFrame: `thresher_spark.clean(df)` returns a row for each row.

Pages go as Arrow batches to Spark's Python workers, and each worker keeps one long-lived `thresher` process.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Optional

from thresher.client import PATIENCE_SECONDS
from thresher.command import Command
from thresher.options import Option, to_flags

from .rows import RESULT, Columns, clean_batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["BATCH_ROWS", "clean"]

BATCH_ROWS = 128
"""Rows are pages here, and Spark's default of 10,000 rows could be gigabytes."""
_BATCH_SETTING = "spark.sql.execution.arrow.maxRecordsPerBatch"


def clean(
    df: DataFrame,
    page: str = "html",
    *,
    text: Optional[str] = None,
    url: str = "url",
    into: str = "clean",
    batch_rows: Optional[int] = BATCH_ROWS,
    command: Optional[Command] = None,
    patience: float = PATIENCE_SECONDS,
    **options: Option,
) -> DataFrame:
    """Replaces the column `page` (HTML as a string, or the bytes of a page), or the column `text` (plain text), by the
    struct `into`: text, title, lang, words, score, formatted and fingerprint, and stage, reason and detail if a page
    cannot become text. All other columns are kept. The column `url`, if there is one, holds the addresses of the pages.

    Options are those of the command, with `_` for `-`. `batch_rows` lowers the number of rows that Spark hands over
    at once, for the whole session; None leaves it unchanged. A process that dies is started again, and its pages
    are sent again."""
    to_flags(options)  # raises for invalid options here, and not in a worker
    source = page if text is None else text
    if source not in df.columns:
        raise ValueError(f"the DataFrame has no column {source!r}, only {', '.join(df.columns)}")
    kept = [name for name in df.columns if name != source]
    if into in kept or len(set(kept)) < len(kept):
        raise ValueError(f"two columns would have the same name in {[*kept, into]}: rename one, or give into=")
    if batch_rows is not None:
        _lower_batch(df, batch_rows)
    columns = Columns(source, "html" if text is None else "text", url if url in df.columns else None, kept, into)
    given = {"command": command, "patience": patience, "jobs": 1, **options}
    work = partial(_work, columns=columns, given=given)
    schema = ", ".join([*(f"{_quote(name)} {df.schema[name].dataType.simpleString()}" for name in kept), ""])
    return df.mapInArrow(work, f"{schema}{_quote(into)} {RESULT}")


def _work(batches: Iterator, *, columns: Columns, given: dict) -> Iterator:  # type: ignore[type-arg]
    return clean_batches(batches, columns, given)


def _lower_batch(df: DataFrame, rows: int) -> None:
    settings = df.sparkSession.conf
    if int(settings.get(_BATCH_SETTING, "10000") or 0) > rows:
        settings.set(_BATCH_SETTING, str(rows))


def _quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"

"""Offers steps for datatrove pipelines: an extractor for web pages, and a filter for extracted texts."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from typing import Any, Literal, Optional, Union

try:
    from datatrove.data import Document as Doc
    from datatrove.data import DocumentsPipeline
    from datatrove.pipeline.extractors.base import BaseExtractor
    from datatrove.pipeline.filters.base_filter import BaseFilter
    from datatrove.pipeline.writers.disk_base import DiskWriter
    from datatrove.utils.typeshelper import StatHints
except ImportError as error:
    raise ImportError(f"thresher.datatrove needs datatrove: pip install 'datatrove[io,processing]' ({error})") from error

from .client import PATIENCE_SECONDS, Thresher
from .command import Command
from .options import Option
from .results import Document, Reject

FILTER_BATCH = 128


class _Lazy:
    """A process of the command that starts when it is first used, in any process of the executor."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given
        self._thresher: Optional[Thresher] = None

    def get(self) -> Thresher:
        if self._thresher is None:
            self._thresher = Thresher(**self._given)
        return self._thresher

    def close(self) -> None:
        if self._thresher is not None:
            self._thresher.close()
        self._thresher = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _Lazy, (self._given,)


class ThresherExtractor(BaseExtractor):
    """Turns pages into their main content. Pages without it are dropped, and the statistics of the step count the reasons.

    Documents stream through one process of the command, which has a time limit for each page: `timeout`, in seconds.
    `text_format` is the format of `text`. Title, author, date and language are added to the metadata where they are
    missing (or None), and with `verdict=True` also the field `thresher`: words, score, type of the page, fingerprint."""

    name = "🌾 Thresher"

    def __init__(
        self,
        timeout: float = 10,
        *,
        text_format: Literal["text", "markdown", "html", "xml"] = "text",
        verdict: bool = False,
        command: Optional[Command] = None,
        patience: float = PATIENCE_SECONDS,
        **options: Option,
    ) -> None:
        super().__init__(timeout)
        self._formatted = text_format != "text"
        self._verdict = verdict
        if self._formatted:
            options["formatted"] = text_format
        given = {"timeout": f"{round(timeout * 1000)}ms", **options}
        self._thresher = _Lazy({"command": command, "patience": patience, **given})

    def extract(self, text: str) -> str:
        """Returns the main content of one page, or "" if there is none."""
        document = self._thresher.get().clean(text)
        return "" if document is None else self._text_of(document)

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> Iterator[Doc]:  # noqa: ARG002
        docs: deque[Doc] = deque()

        def pages() -> Iterator[dict[str, Any]]:
            for doc in data or ():
                docs.append(doc)
                field = "bytes" if isinstance(doc.text, bytes) else "html"
                yield {field: doc.text, "url": doc.metadata.get("url")}

        try:
            results = self._thresher.get().clean_many(pages())
            for number in itertools.count():
                # This includes the time of the earlier steps, because both run at once.
                with self.track_time():
                    result = next(results, None)
                if result is None:
                    self.stat_update("streamed", value=number)
                    return
                doc = docs.popleft()
                self.stat_update(StatHints.total)
                if isinstance(result, Reject):
                    self.stat_update(StatHints.dropped, f"{StatHints.dropped}_{result.reason}")
                    continue
                doc.text = self._text_of(result)
                _tell(doc, result, self._verdict)
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(doc)
                yield doc
        finally:
            self._thresher.close()

    def _text_of(self, document: Document) -> str:
        return (document.formatted or "").rstrip() if self._formatted else document.text


class ThresherFilter(BaseFilter):
    """A second pass over texts: keeps the lines of a document that are main content, and drops a document if it has
    none or if the command's filters reject it (`preset="gopher"`, `lang=["sv"]`, `dedup="exact"` and others)."""

    name = "🌾 Thresher"

    def __init__(
        self,
        exclusion_writer: Optional[DiskWriter] = None,
        batch_size: int = FILTER_BATCH,
        *,
        verdict: bool = False,
        command: Optional[Command] = None,
        patience: float = PATIENCE_SECONDS,
        **options: Option,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self._verdict = verdict
        self._thresher = _Lazy({"command": command, "patience": patience, **options})

    def filter(self, doc: Doc) -> Union[bool, tuple[bool, str]]:
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Doc]) -> list[Union[bool, tuple[bool, str]]]:
        """Rewrites the text of each kept document; the others keep their text, and get the reason of the reject."""
        records = [{"text": doc.text, "url": doc.metadata.get("url")} for doc in batch]
        verdicts: list[Union[bool, tuple[bool, str]]] = []
        for doc, result in zip(batch, self._thresher.get().clean_many(records)):
            if isinstance(result, Reject):
                verdicts.append((False, result.reason))
                continue
            doc.text = result.text
            _tell(doc, result, self._verdict)
            verdicts.append(True)
        return verdicts

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> Iterator[Doc]:
        try:
            yield from super().run(data, rank, world_size)
        finally:
            self._thresher.close()


def _tell(doc: Doc, document: Document, verdict: bool) -> None:
    told = {"title": document.title, "lang": document.lang}
    told.update({name: document.meta.get(name) for name in ("author", "date")})
    for name, value in told.items():
        if value is not None and doc.metadata.get(name) is None:
            doc.metadata[name] = value
    if verdict:
        page = document.page
        doc.metadata["thresher"] = {
            "words": document.words,
            "score": document.score,
            "type": None if page is None else page["type"],
            "fingerprint": document.record["fingerprint"],
        }

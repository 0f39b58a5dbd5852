"""Holds the result of a page: a `Document`, or a `Reject` with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Optional, TypedDict, Union, cast


class _LineFields(TypedDict):
    text: str
    label: Literal["content", "boilerplate"]
    score: float
    grade: str
    block: str
    path: str
    linkChars: int
    breakBefore: str


class Line(_LineFields, total=False):
    """A line of a document, as in the records of the command (`lines=True` or `keep_boilerplate=True`)."""

    span: list[int]
    spans: list[dict[str, Any]]
    kind: Literal["comment"]
    why: str


class PageVerdict(TypedDict):
    """What kind of page it is."""

    type: str
    probability: float
    contentProbability: float
    cut: float


class Condition(TypedDict):
    """The condition of a plain text."""

    name: Literal["raw", "extracted", "crawl"]
    probability: float
    doubtful: bool
    cut: float


@dataclass(frozen=True)
class Document:
    """A page that became text. `record` is what the command wrote, with all its fields; the others are read from it."""

    id: str
    url: str
    text: str
    title: Optional[str]
    lang: Optional[str]
    words: int
    score: float
    """The mean score of the content lines."""
    formatted: Optional[str]
    """The document in the format that `formatted="markdown"` (or html, xml) asked for."""
    record: Mapping[str, Any] = field(repr=False, hash=False)

    ok: ClassVar[Literal[True]] = True

    @property
    def meta(self) -> Mapping[str, Any]:
        """The metadata of the page besides title and language: author, date, site and more."""
        return cast("Mapping[str, Any]", self.record["meta"])

    @property
    def lines(self) -> list[Line]:
        """The lines, if `lines=True` or `keep_boilerplate=True` asked for them; otherwise none."""
        return cast("list[Line]", self.record.get("lines", []))

    @property
    def page(self) -> Optional[PageVerdict]:
        """What kind of page it is, if the labeller says so."""
        return cast("Optional[PageVerdict]", self.record.get("page"))

    @property
    def condition(self) -> Optional[Condition]:
        """The condition of the text, if the labeller says so."""
        return cast("Optional[Condition]", self.record.get("condition"))

    @property
    def carried(self) -> Mapping[str, Any]:
        """The other fields of the record that the page came in."""
        return cast("Mapping[str, Any]", self.record.get("carried", {}))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Reject:
    """A page that cannot become text, and why: `thresher --help` explains each reason."""

    id: str
    url: str
    stage: str
    reason: str
    detail: Optional[str] = None
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The metadata of a page without text: title, lang, author, date, site and more."""

    ok: ClassVar[Literal[False]] = False

    def __str__(self) -> str:
        return f"{self.id}: {self.reason}" + (f" ({self.detail})" if self.detail else "")


Result = Union[Document, Reject]


def read_result(answer: Mapping[str, Any], name: str) -> Result:
    """Makes a result from a line of the command; a page that it could not read gets the name `name`. Raises KeyError."""
    if "reason" in answer:
        return Reject(
            id=name,
            url=answer["url"],
            stage=answer["stage"],
            reason=answer["reason"],
            detail=answer.get("detail"),
            meta=answer.get("meta", {}),
        )
    return Document(
        id=name,
        url=answer["url"],
        text=answer["text"],
        title=answer.get("title"),
        lang=answer.get("lang"),
        words=answer["words"],
        score=answer["score"],
        formatted=answer.get("formatted"),
        record=answer,
    )

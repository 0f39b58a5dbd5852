"""Names what can go wrong with the command. A page that cannot become text is no error but a `Reject`."""

from __future__ import annotations

from .results import Reject


class ThresherError(RuntimeError):
    """The base of all errors of this package."""


class CommandNotFoundError(ThresherError):
    """There is no `thresher` command, or no Node.js to run it; the message says what to do."""


class CommandVersionError(ThresherError):
    """The command is of a version that this package does not know, or no Thresher at all."""


class OptionError(ThresherError, ValueError):
    """The command does not take these options; the message is its own."""


class CommandDiedError(ThresherError):
    """The process of the command ended while pages were waiting: killed, out of memory, or by an error of its own."""


class CommandHungError(ThresherError, TimeoutError):
    """The command gave no answer within `patience` seconds and was killed."""


class BadAnswerError(ThresherError):
    """The command wrote something else than the answer to the page whose turn it was, and was killed."""


class ClosedError(ThresherError):
    """The `Thresher` was closed before the answer came, or before it was asked."""


class RejectedError(ThresherError):
    """A page that cannot become text, where the caller wants an exception for it."""

    def __init__(self, reject: Reject) -> None:
        super().__init__(str(reject))
        self.reject = reject

"""Names the errors of the command. A page that cannot become text is not an error, but a `Reject`."""

from __future__ import annotations

from .results import Reject


class ThresherError(RuntimeError):
    """The base of all errors of this package."""


class CommandNotFoundError(ThresherError):
    """There is no `thresher` command, or no Node.js to run it; the message says what to do."""


class CommandVersionError(ThresherError):
    """The command has a version that this package does not support, or is not Thresher."""


class OptionError(ThresherError, ValueError):
    """The command does not accept these options; the message is the command's."""


class CommandDiedError(ThresherError):
    """The process of the command ended while pages were waiting: killed, out of memory, or by its own error."""


class CommandHungError(ThresherError, TimeoutError):
    """The command gave no answer within `patience` seconds and was killed."""


class BadAnswerError(ThresherError):
    """The command wrote something other than the answer to the current page, and was killed."""


class ClosedError(ThresherError):
    """The `Thresher` was closed before the answer came, or before it got the page."""


class RejectedError(ThresherError):
    """A page that cannot become text, where the caller wants an exception for it."""

    def __init__(self, reject: Reject) -> None:
        super().__init__(str(reject))
        self.reject = reject

"""Replaces a rival by one that fails in every way that a page can cause."""

import os
import sys
import time


def get_text(html):
    print("a library says hello")
    if "raise" in html:
        raise ValueError("this page is too much")
    if "recurse" in html:
        return get_text(html)
    if "exit" in html:
        sys.exit("out of luck")
    if "hang" in html:
        while True:
            time.sleep(0.01)
    if "abort" in html:
        os.abort()
    return html

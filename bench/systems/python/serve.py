"""Runs one Python rival as a long-lived process, which reads pages as JSON lines and writes texts as JSON lines.

    python serve.py SYSTEM [lines|structure|metadata]

First line out: {"ready": true, "version": ..., "options": ..., "cpuMs": ..., "rss": ..., "peak": ...}, or
{"fatal": "why"}. Then, for each {"id", "url", "html", "lang"} in, one of
    {"id", "text", ...}       the rival's plain text, and "pageType" if it gives one
    {"id", "html", ...}       the rival's HTML; the benchmark renders the HTML of all rivals in the same way
    {"id", "markdown", ...}   the rival's Markdown, if structure is measured
    {"id", "fields", ...}     if metadata is measured: {"title", "author", "date", "site", ...}
    {"id", "error", ...}      the exception that the rival raised
each with "cpuMs" (user and system time of this process, all threads), "wallMs", "rss" and "peak" (bytes; null if the
platform does not report them). The times are those of the rival only, without reading and writing JSON.
"""

import importlib.metadata
import json
import os
import sys
import time

# --- the rivals, each at its published defaults ---------------------------------------------------------------------

# The name of jusText's stop list for each language of a page; if a language has two lists, the standard one.
STOP_LISTS = {
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali",
    "br": "Breton", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
    "ig": "Igbo", "is": "Icelandic", "it": "Italian", "jv": "Javanese", "ka": "Georgian", "kk": "Kazakh",
    "kn": "Kannada", "ko": "Korean", "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin", "lb": "Luxembourgish",
    "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam", "mr": "Marathi", "ms": "Malay",
    "mt": "Maltese", "nb": "Norwegian_Bokmal", "ne": "Nepali", "nl": "Dutch", "nn": "Norwegian_Nynorsk",
    "no": "Norwegian_Bokmal", "oc": "Occitan", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian",
    "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "yo": "Yoruba",
}  # fmt: skip


def load_trafilatura(**options):
    from trafilatura import extract

    return lambda page: {"text": extract(page["html"], **options) or ""}


def load_justext(independent):
    from justext import get_stoplist, justext

    lists = {}

    def stop_list(lang):
        name = STOP_LISTS.get(lang.lower().replace("_", "-").split("-")[0])
        if name is None or independent:
            return frozenset()
        if name not in lists:
            lists[name] = get_stoplist(name)
        return lists[name]

    def run(page):
        words = stop_list(page.get("lang") or "")
        # Without a list, both shares of stop words are 0, as in jusText's own command with `-s None`.
        paragraphs = justext(page["html"], words) if words else justext(
            page["html"], words, stopwords_low=0, stopwords_high=0
        )
        return {"text": "\n".join(p.text for p in paragraphs if not p.is_boilerplate)}

    return run


def load_resiliparse(**options):
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page: {"text": extract_plain_text(page["html"], **options)}


def load_readability():
    from readability import Document

    return lambda page: {"html": Document(page["html"]).summary()}


def load_boilerpy():
    from boilerpy3.extractors import ArticleExtractor

    extractor = ArticleExtractor()
    return lambda page: {"text": extractor.get_content(page["html"])}


def load_inscriptis():
    from inscriptis import get_text

    return lambda page: {"text": get_text(page["html"])}


def load_rs_trafilatura(to_result, **options):
    import rs_trafilatura

    return lambda page: to_result(rs_trafilatura.extract(page["html"], url=page.get("url") or None, **options))


# Trafilatura's names of two fields, which the Rust version also has.
TRAFILATURA_NAMES = {"site": "sitename", "lang": "language"}


def rs_trafilatura_metadata(result):
    fields = ("title", "author", "date", "site", "description", "lang")
    return {"fields": {name: getattr(result, TRAFILATURA_NAMES.get(name, name)) for name in fields}}


def load_trafilatura_markdown():
    from trafilatura import extract

    shown = {"include_links": True, "include_formatting": True, "include_tables": True, "include_images": True}
    return lambda page: {
        "markdown": extract(page["html"], url=page.get("url") or None, output_format="markdown", **shown) or ""
    }


def load_trafilatura_metadata():
    from trafilatura import bare_extraction

    def run(page):
        document = bare_extraction(page["html"], url=page.get("url") or None, with_metadata=True)
        fields = ("title", "author", "date", "site", "description", "image", "lang")
        return {"fields": {name: getattr(document, TRAFILATURA_NAMES.get(name, name), None) for name in fields}}

    return run


def load_newspaper(to_result):
    from newspaper import Article, Config

    config = Config()
    config.fetch_images = False

    def run(page):
        # An article needs an address. Nothing is fetched, because the HTML is given.
        article = Article(page.get("url") or "https://page.invalid/", config=config, keep_article_html=True)
        article.download(input_html=page["html"])
        article.parse()
        return to_result(article)

    return run


def newspaper_metadata(article):
    fields = {
        "title": article.title,
        "author": list(article.authors),
        "date": article.publish_date.isoformat() if article.publish_date else None,
        "site": article.meta_site_name,
        "description": article.meta_description,
        "image": article.top_image,
        "lang": article.meta_lang,
    }
    return {"fields": fields}


def load_htmldate():
    from htmldate import find_date

    return lambda page: {
        "fields": {"date": find_date(page["html"], url=page.get("url") or None, original_date=True)}
    }


# By name: the distribution, the call that reports show, and the function that loads the rival.
SYSTEMS = {
    "trafilatura": ("trafilatura", "extract(html)", lambda: load_trafilatura()),
    "trafilatura-fast": ("trafilatura", "extract(html, fast=True)", lambda: load_trafilatura(fast=True)),
    "trafilatura-precision": (
        "trafilatura",
        "extract(html, favor_precision=True)",
        lambda: load_trafilatura(favor_precision=True),
    ),
    "trafilatura-recall": (
        "trafilatura",
        "extract(html, favor_recall=True)",
        lambda: load_trafilatura(favor_recall=True),
    ),
    # The settings of Trafilatura's own evaluation: comments are not main text there, nor in most of our corpora.
    "trafilatura-evaluation": (
        "trafilatura",
        "extract(html, include_comments=False, include_tables=True, include_formatting=False)",
        lambda: load_trafilatura(include_comments=False, include_tables=True, include_formatting=False),
    ),
    "justext": (
        "justext",
        "justext(html, the stop list of the page's language; language-independent where there is none)",
        lambda: load_justext(independent=False),
    ),
    "justext-independent": (
        "justext",
        "justext(html, frozenset(), stopwords_low=0, stopwords_high=0)",
        lambda: load_justext(independent=True),
    ),
    "resiliparse": (
        "resiliparse",
        "extract_plain_text(html, main_content=True)",
        lambda: load_resiliparse(main_content=True),
    ),
    "resiliparse-no-comments": (
        "resiliparse",
        "extract_plain_text(html, main_content=True, comments=False)",
        lambda: load_resiliparse(main_content=True, comments=False),
    ),
    "resiliparse-all": ("resiliparse", "extract_plain_text(html)", lambda: load_resiliparse()),
    "readability-lxml": ("readability-lxml", "Document(html).summary()", load_readability),
    "boilerpy3": ("boilerpy3", "ArticleExtractor().get_content(html)", load_boilerpy),
    "inscriptis": ("inscriptis", "get_text(html)", load_inscriptis),
    "rs-trafilatura": (
        "rs-trafilatura",
        "extract(html, url=url).main_content, crate 0.2.2",
        lambda: load_rs_trafilatura(lambda result: {"text": result.main_content, "pageType": result.page_type}),
    ),
}

# The same for rivals whose headings, lists and other structure are measured.
STRUCTURE = {
    "trafilatura": (
        "trafilatura",
        "extract(html, url, output_format='markdown', include_links=True, include_formatting=True, "
        "include_tables=True, include_images=True)",
        load_trafilatura_markdown,
    ),
    "readability-lxml": ("readability-lxml", "Document(html).summary()", load_readability),
    "rs-trafilatura": (
        "rs-trafilatura",
        "extract(html, url=url, include_links=True, include_images=True, output_markdown=True).content_markdown, crate 0.2.2",
        lambda: load_rs_trafilatura(
            lambda result: {"markdown": result.content_markdown or ""},
            include_links=True,
            include_images=True,
            output_markdown=True,
        ),
    ),
    "newspaper4k": (
        "newspaper4k",
        "Article(url, keep_article_html=True).article_html",
        lambda: load_newspaper(lambda article: {"html": article.article_html}),
    ),
}

# The same for rivals whose metadata is measured.
METADATA = {
    "trafilatura": (
        "trafilatura",
        "bare_extraction(html, url, with_metadata=True)",
        load_trafilatura_metadata,
    ),
    "newspaper4k": (
        "newspaper4k",
        "Article(url): title, authors, publish_date, meta_site_name, meta_description, top_image, meta_lang",
        lambda: load_newspaper(newspaper_metadata),
    ),
    "htmldate": ("htmldate", "find_date(html, url, original_date=True)", load_htmldate),
    "rs-trafilatura": (
        "rs-trafilatura",
        "extract(html, url=url): title, author, date, sitename, description, language, crate 0.2.2",
        lambda: load_rs_trafilatura(rs_trafilatura_metadata),
    ),
}

SUBJECTS = {"lines": SYSTEMS, "structure": STRUCTURE, "metadata": METADATA}

# --- the process ----------------------------------------------------------------------------------------------------


def read_memory():
    """Returns the resident bytes now and at the peak, from the kernel, because ru_maxrss begins with the size of the parent."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            fields = dict(line.split(":", 1) for line in status if ":" in line)
        return {"rss": int(fields["VmRSS"].split()[0]) * 1024, "peak": int(fields["VmHWM"].split()[0]) * 1024}
    except (OSError, KeyError, ValueError):
        pass
    try:
        import resource
    except ImportError:  # Windows
        return {"rss": None, "peak": None}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"rss": peak, "peak": peak} if sys.platform == "darwin" else {"rss": peak * 1024, "peak": peak * 1024}


def run_page(run, page):
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        result = run(page)
    except Exception as error:  # any exception is a crash on this page, and not an empty text
        because = error.__cause__ or error.__context__
        why = f"{type(error).__name__}: {error}" + (f" ({type(because).__name__}: {because})" if because else "")
        result = {"error": why[:500]}
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"id": page["id"], **result, "cpuMs": cpu * 1000, "wallMs": wall * 1000, **read_memory()}


def main():
    # A rival's own output must not get among the replies.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)

    def reply(message):
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    name = sys.argv[1] if len(sys.argv) > 1 else ""
    systems = SUBJECTS.get(sys.argv[2] if len(sys.argv) > 2 else "lines", {})
    if name not in systems:
        reply({"fatal": f"no Python system is called {name!r}; there are {', '.join(systems)}"})
        return 2
    distribution, options, load = systems[name]
    try:
        run = load()
        version = importlib.metadata.version(distribution)
    except ImportError as error:
        reply({"fatal": f"{distribution} is not installed: {error}"})
        return 3
    reply(
        {
            "ready": True,
            "version": version,
            "options": f"{options}, Python {sys.version_info.major}.{sys.version_info.minor}",
            "cpuMs": time.process_time() * 1000,
            **read_memory(),
        }
    )
    for line in sys.stdin.buffer:
        reply(run_page(run, json.loads(line)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

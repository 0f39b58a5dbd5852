"""Formats the figures of the registers model as the tables of its README.

    python3 -m registers.report_registers --features F.jsonl.gz --scores DIR

DIR is the output of train_registers.py or of tune_encoder.py.
"""

import argparse

from registers.measure_registers import measure
from registers.register_data import Texts
from registers.register_network import OUTPUTS, REGISTERS, SUBREGISTERS


def span(edges):
    return f"({edges[0]:.2f}–{edges[1]:.2f})".replace("0.", ".").replace("1.00", "1.0")


def share(value):
    return f"{value:.3f}".lstrip("0") if value < 1 else "1.0"


def of(one):
    return f"{share(one['f1'])} {span(one['interval'])}"


def languages(figures):
    rows = ["| language | texts | in folds | left out of training | test split |", "| --- | ---: | ---: | ---: | ---: |"]
    for lang, one in figures["folds"].items():
        left_out, test = figures["zeroShot"].get(lang), figures["testSplits"].get(lang)
        cells = [lang, str(one["texts"]), of(one), of(left_out) if left_out else "–", f"{of(test)}, {test['texts']} texts" if test else "–"]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def registers(figures):
    rows = ["| register | texts with it | of | precision | recall | F1 | calibration error |", "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name in OUTPUTS[:-1]:
        one = figures["registers"][name]
        title = name if name in REGISTERS else f"{SUBREGISTERS[name]}: {name}"
        error = f"{share(one['calibrationError'])} {span(one['calibrationInterval'])}"
        rows.append(f"| {title} | {one['texts']} | {one['of']} | {share(one['precision'])} | {share(one['recall'])} | {of(one)} | {error} |")
    return rows


def machines(figures):
    rows = ["| language | texts | by machines | AUC | precision where half are found |", "| --- | ---: | ---: | ---: | ---: |"]
    for lang, one in figures["machine"].items():
        if one["machine"] == 0:
            rows.append(f"| {lang} | {one['texts']} | 0 | – | – |")
            continue
        both = f"{share(one['auc'])} {span(one['aucInterval'])} | {share(one['precision'])} {span(one['precisionInterval'])}"
        rows.append(f"| {lang} | {one['texts']} | {one['machine']} | {both} |")
    return rows


def report(figures):
    made = ", ".join(f"{kind} {share(one['found'])} of {one['texts']}" for kind, one in figures["made"].items())
    parts = ["### Micro F1 over the eight main registers", "", *languages(figures), "", "### By register", "", *registers(figures), ""]
    parts += ["### Machine texts", "", *machines(figures), "", "### Texts without an answer", ""]
    return "\n".join([*parts, f"Made texts in which a register is found: {made}. Of the corpora's texts {share(figures['mute'])} are told nothing of."])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "scores"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    figures, _, _ = measure(Texts(options.features), options.scores)
    print(report(figures))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Finds the duplicates of a whole job on a Spark cluster: `spark-submit thresher_dedup.py JOB --near --lines 100`.

It reads the signatures that `thresher shard run` wrote, and writes the same decisions as `thresher shard dedup`, byte
for byte once unpacked: in the order of the manifest, the first document is kept. See docs/deduplicate.md.

The JVM does all the work, so executors need neither Python packages nor Node.js.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark import StorageLevel
from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812

# As in src/filter/duplicates/: digests of 10 bytes, 14 bands, 112 values of a MinHash.
KEY_BYTES, BANDS, VALUES = 10, 14, 112
# Signatures that agree in this many values have an estimated similarity of .72 or more.
LEAST_EQUAL = 81
# A place has the shard in its upper bits and the document's number in its lower bits.
NUMBER_BITS = 32
VERSION = 1

USAGE, BAD_SHARD, TRY_AGAIN = 2, 65, 75

SCHEMA = "number bigint, id string, exact string, bits string, bands string, lines string, rows array<int>"
# The id as it is written in the signature, with quotation marks and escapes.
ID = r'^\{"number":\d+,"id":("[^"\\]*+(?:\\.[^"\\]*+)*+")'


class JobError(Exception):
    """Ends the work with the exit code that engines use."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Shard:
    index: int
    name: str
    file: str
    documents: int
    sha256: str


@dataclass(frozen=True)
class Bounds:
    """Limits the rounds that look for near-duplicates."""

    rounds: int
    driver_documents: int


class Files:
    """The file systems that Hadoop knows, as the driver sees them."""

    def __init__(self, spark: SparkSession, base: str) -> None:
        self._jvm: Any = spark._jvm
        self._conf = spark._jsc.hadoopConfiguration()
        self.base = re.sub(r"^s3://", "s3a://", base).rstrip("/")

    def at(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"{self.base}/{name}")

    def system(self) -> Any:
        found = self.at("x").getFileSystem(self._conf)
        # Otherwise the local file system would leave a checksum file next to each file.
        return found.getRawFileSystem() if hasattr(found, "getRawFileSystem") and found.getScheme() == "file" else found

    def read(self, name: str) -> str | None:
        path, system = self.at(name), self.system()
        if not system.exists(path):
            return None
        stream = system.open(path)
        try:
            return str(self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def write(self, name: str, text: str) -> None:
        draft = self.at(f"_tmp/{name}.draft")
        stream = self.system().create(draft, True)
        stream.write(bytearray(text, "utf-8"))
        stream.close()
        self.move(draft, name)

    def move(self, path: Any, name: str) -> None:
        system, target = self.system(), self.at(name)
        system.mkdirs(target.getParent())
        system.delete(target, False)
        if not system.rename(path, target):
            raise JobError(TRY_AGAIN, f"{path} cannot be put in place as {name}")

    def remove(self, name: str) -> None:
        self.system().delete(self.at(name), True)


def read_shards(spark: SparkSession, job: Files, output: str | None) -> tuple[str, list[Shard], Files]:
    """The fingerprint of the job, its shards in the order of the manifest with their signatures, and the signatures' folder."""
    text, manifest = job.read("job.json"), job.read("manifest.jsonl")
    if text is None or manifest is None:
        raise JobError(USAGE, f"there is no job in {job.base}; thresher shard plan creates one")
    plan = json.loads(text)
    files = Files(spark, output or plan.get("output") or job.base)
    # splitlines would also split at U+2028 and U+0085, which the names of inputs may contain.
    names = [json.loads(line)["shard"] for line in manifest.rstrip("\n").split("\n")]
    found = (
        spark.read.option("wholetext", True).text(str(files.at("receipts/*.json")))
        if files.system().exists(files.at("receipts"))
        else None
    )
    receipts = {} if found is None else {receipt["shard"]: receipt for receipt in map(parse_receipt, found.collect())}
    missing = [name for name in names if name not in receipts]
    if missing:
        raise JobError(
            TRY_AGAIN,
            f"{len(missing)} of {len(names)} shards are not done yet, among them {', '.join(missing[:3])}",
        )
    shards = []
    for index, name in enumerate(names):
        receipt = receipts[name]
        if receipt.get("fingerprint") != plan.get("fingerprint"):
            raise JobError(BAD_SHARD, f"receipts/{name}.json belongs to another job")
        facts = receipt.get("signatures")
        if facts is None:
            raise JobError(USAGE, "the shards have no signatures; plan the job with --signatures")
        shards.append(Shard(index, name, facts["file"], facts["records"], facts["sha256"]))
    return plan["fingerprint"], shards, files


def parse_receipt(row: Any) -> dict[str, Any]:
    try:
        return dict(json.loads(row.value))
    except ValueError as error:
        raise JobError(BAD_SHARD, f"a receipt is damaged: {error}") from error


def read_signatures(spark: SparkSession, shards: list[Shard], files: Files) -> DataFrame:
    """Returns a row for each document. Fails if a file is missing, cut or damaged."""
    lines = spark.read.text([str(files.at(shard.file)) for shard in shards])
    row = F.from_json("value", SCHEMA, {"mode": "FAILFAST"})
    index = F.regexp_extract(F.input_file_name(), r"/(\d+)-[0-9a-f]{8}[^/]*$", 1).cast("bigint")
    found = lines.select(row.alias("row"), index.alias("shard"), F.regexp_extract("value", ID, 1).alias("id"))
    signatures = found.select(
        "shard",
        F.col("row.number").alias("number"),
        (F.shiftleft("shard", NUMBER_BITS) + F.col("row.number")).alias("place"),
        "id",
        F.unbase64("row.exact").alias("exact"),
        F.unbase64("row.bits").alias("bits"),
        F.unbase64("row.bands").alias("bands"),
        F.unbase64("row.lines").alias("lines"),
        F.col("row.rows").alias("rows"),
    ).persist(StorageLevel.MEMORY_AND_DISK)
    check(signatures, shards)
    return signatures


def check(signatures: DataFrame, shards: list[Shard]) -> None:
    def is_odd(name: str, length: int) -> Column:
        return F.coalesce(F.length(name) != length, F.lit(False))

    odd = (
        F.col("number").isNull()
        | (F.col("id") == "")
        | is_odd("exact", KEY_BYTES)
        | is_odd("bits", VALUES)
        | is_odd("bands", BANDS * KEY_BYTES)
        | (F.col("bits").isNull() != F.col("bands").isNull())
        | (F.coalesce(F.length("lines"), F.lit(-1)) != KEY_BYTES * F.size("rows"))
    )
    counted = signatures.groupBy("shard").agg(
        F.count("*").alias("documents"),
        F.countDistinct("number").alias("distinct"),
        F.max("number").alias("last"),
        F.sum(odd.cast("int")).alias("odd"),
    )
    found = {row["shard"]: row for row in counted.collect()}
    for shard in shards:
        row = found.get(shard.index)
        count = 0 if row is None else row["documents"]
        if count != shard.documents:
            raise JobError(BAD_SHARD, f"{shard.file} has {count} lines, but {shard.documents} were written")
        if row is not None and (row["odd"] or row["distinct"] != count or row["last"] != count - 1):
            raise JobError(BAD_SHARD, f"{shard.file} has lines that are not signatures")


def find_exact(signatures: DataFrame) -> DataFrame:
    """Returns later documents with the same text, each with the first one: place, first."""
    same = Window.partitionBy("exact")
    texts = signatures.where("exact is not null").select("exact", "place")
    return texts.withColumn("first", F.min("place").over(same)).where("first < place").select("place", "first")


def explode_bands(signatures: DataFrame) -> DataFrame:
    bands = F.array(*(F.substring("bands", at * KEY_BYTES + 1, KEY_BYTES) for at in range(BANDS)))
    return signatures.where("bands is not null").select("place", F.posexplode(bands).alias("at", "band"))


def count_equal(one: str, other: str) -> Column:
    """Counts the bytes in which two values agree."""
    return F.expr(
        f"aggregate(sequence(1, {VALUES}), 0, (sum, at) -> sum + if(substring({one}, at, 1) = substring({other}, at, 1), 1, 0))"
    )


def compare(pairs: DataFrame, bits: DataFrame) -> DataFrame:
    """Adds to each pair of place and owner the number of values in which they agree, and drops pairs that are not similar."""
    own = bits.select("place", F.col("bits").alias("own"))
    theirs = bits.select(F.col("place").alias("owner"), F.col("bits").alias("theirs"))
    both = pairs.join(own, "place").join(theirs, "owner")
    return both.withColumn("equal", count_equal("own", "theirs")).where(f"equal >= {LEAST_EQUAL}").drop("own", "theirs")


class Near:
    """Decides which documents are kept, with the same result as one pass that remembers the first document of each band.

    A document can be decided on as soon as each of its bands has an owner (the first kept document in the band), or the
    document is the first one left in the band. So each round decides on many documents at once. Documents similar to an
    owner are dropped at once, so others need not wait for them. When few documents are left, the driver decides on them
    one by one.
    """

    def __init__(self, spark: SparkSession, signatures: DataFrame, copies: DataFrame, bounds: Bounds) -> None:
        self._spark = spark
        self._bounds = bounds
        alone = Window.partitionBy("band")
        rows = explode_bands(signatures).select("place", "band")
        shared = rows.withColumn("members", F.count("*").over(alone)).where("members > 1").select("place", "band")
        # A copy of the same text is never the first document of a band.
        self._left = shared.join(copies, "place", "left_anti").withColumn("owner", F.lit(None).cast("bigint")).checkpoint()
        suspects = shared.select("place").distinct()
        parts = int(spark.conf.get("spark.sql.shuffle.partitions"))
        self.bits = (
            signatures.select("place", "bits").join(suspects, "place", "left_semi").repartition(parts, "place").persist()
        )
        self.owners: list[DataFrame] = []
        self.dropped: list[DataFrame] = []
        self.rounds = 0

    def solve(self) -> None:
        while True:
            left = self._left.select("place").distinct().count()
            if left <= self._bounds.driver_documents:
                self._finish()
                return
            if self.rounds == self._bounds.rounds:
                raise JobError(
                    BAD_SHARD,
                    f"{left} documents are still undecided after {self.rounds} rounds; give the driver more of them"
                    " (--driver-documents) or allow more rounds (--rounds)",
                )
            self._round()
            self.rounds += 1

    def _round(self) -> None:
        in_band, of_document = Window.partitionBy("band"), Window.partitionBy("place")
        heads = self._left.withColumn("head", F.min("place").over(in_band))
        free = F.col("owner").isNotNull() | (F.col("head") == F.col("place"))
        judged = heads.withColumn("ready", F.min(free).over(of_document))
        owner = F.min(F.when(F.col("ready") & F.col("owner").isNull(), F.col("place"))).over(in_band)
        settled = judged.withColumn("found", owner).checkpoint()
        self.owners.append(settled.where("ready and owner is null").select("band", F.col("place").alias("owner")))
        waiting = settled.where("not ready")
        pairs = waiting.where("owner is null and found is not null").select("place", F.col("found").alias("owner"))
        dropped = compare(pairs.distinct(), self.bits).select("place").distinct().checkpoint()
        self.dropped.append(dropped)
        self._left = (
            waiting.join(dropped, "place", "left_anti")
            .select("place", "band", F.coalesce("owner", "found").alias("owner"))
            .checkpoint()
        )

    def _finish(self) -> None:
        """Decides one by one, on the driver, because chains of copies of copies would take a round for each link."""
        rows = self._left.groupBy("place").agg(F.collect_list(F.struct("band", "owner")).alias("bands"))
        documents = sorted(rows.join(self.bits, "place").collect(), key=lambda row: row["place"])
        owned: dict[bytes, tuple[int, bytes]] = {}
        owners: list[tuple[bytearray, int]] = []
        dropped: list[tuple[int]] = []
        for row in documents:
            place, bits = row["place"], bytes(row["bits"])
            # Owners that were known before are not similar to it, or it would have been dropped.
            free = [bytes(band["band"]) for band in row["bands"] if band["owner"] is None]
            rivals = {owned[band] for band in free if band in owned}
            if any(sum(map(int.__eq__, bits, other)) >= LEAST_EQUAL for _, other in rivals):
                dropped.append((place,))
                continue
            for band in free:
                if band not in owned:
                    owned[band] = (place, bits)
                    owners.append((bytearray(band), place))
        self.owners.append(self._spark.createDataFrame(owners, "band binary, owner bigint"))
        self.dropped.append(self._spark.createDataFrame(dropped, "place bigint"))

    def name(self, signatures: DataFrame, places: DataFrame) -> DataFrame:
        """Returns the owner that is most similar to each of the documents: place, owner, equal."""
        owners = union(self.owners)
        rows = explode_bands(signatures.join(places, "place", "left_semi"))
        pairs = rows.join(owners, "band").where("owner < place").groupBy("place", "owner").agg(F.min("at").alias("at"))
        alike = compare(pairs, self.bits)
        best = alike.groupBy("place").agg(F.max(F.struct("equal", (-F.col("at")).alias("rank"), "owner")).alias("best"))
        return best.select("place", "best.owner", "best.equal")


def union(parts: list[DataFrame]) -> DataFrame:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.unionByName(part)
    return whole


def find_copies(spark: SparkSession, signatures: DataFrame, dedup: str, bounds: Bounds) -> tuple[DataFrame, int]:
    """Returns the dropped documents, each with the kept one: place, owner, equal (null if the texts are the same)."""
    if dedup == "none":
        return spark.createDataFrame([], "place bigint, owner bigint, equal int"), 0
    copies = find_exact(signatures).checkpoint()
    as_same = copies.select("place", F.col("first").alias("owner"), F.lit(None).cast("int").alias("equal"))
    if dedup == "exact":
        return as_same, 0
    near = Near(spark, signatures, copies, bounds)
    near.solve()
    dropped = union(near.dropped).checkpoint()
    # If the first of several equal texts is dropped, the others are dropped in the same way.
    lost = dropped.select(F.col("place").alias("owner"))
    same = as_same.join(lost, "owner", "left_anti").select("place", "owner", "equal")
    others = as_same.join(lost, "owner", "left_semi").select("place")
    named = near.name(signatures, dropped.unionByName(others))
    return same.unionByName(named).checkpoint(), near.rounds


def find_lines(signatures: DataFrame, copies: DataFrame, most: int) -> DataFrame:
    """Finds lines that at least this many earlier kept documents have: place, and the dropped rows as JSON."""
    kept = signatures.join(copies.select("place"), "place", "left_anti")
    positions = F.expr("if(size(rows) > 0, sequence(0, size(rows) - 1), cast(array() as array<int>))")
    rows = kept.select("place", "lines", "rows", F.explode(positions).alias("at")).select(
        "place",
        "at",
        F.expr("rows[at]").alias("row"),
        F.expr(f"substring(lines, at * {KEY_BYTES} + 1, {KEY_BYTES})").alias("line"),
    )
    # Only this many first documents of each line are counted separately, before rows are sent on.
    rank = F.dense_rank().over(Window.partitionBy("line").orderBy("place"))
    ranked = rows.select("line", "place").withColumn("rank", rank).where(f"rank <= {most + 1}")
    bounds = ranked.where(f"rank = {most + 1}").select("line", F.col("place").alias("first")).distinct()
    gone = rows.join(bounds, "line").where("place >= first")
    listed = gone.groupBy("place").agg(F.sort_array(F.collect_list(F.struct("at", "row"))).alias("all"))
    pairs = F.transform("all", lambda one: F.concat(F.lit("["), one["at"], F.lit(","), one["row"], F.lit("]")))
    return listed.select("place", F.concat(F.lit("["), F.array_join(pairs, ","), F.lit("]")).alias("drop"))


def write_decisions(
    spark: SparkSession, files: Files, shards: list[Shard], wishes: dict[str, Any], found: dict[str, DataFrame]
) -> dict[str, int]:
    """Writes a file for each shard, and at the end the note that all are written. Returns the counts."""
    number = F.col("place").bitwiseAND((1 << NUMBER_BITS) - 1)
    index = F.shiftright("place", NUMBER_BITS)
    names = F.broadcast(spark.createDataFrame([(s.index, s.name) for s in shards], "shard bigint, name string"))
    ids = found["signatures"].select(F.col("place").alias("owner"), "id")
    copies = (
        found["copies"]
        .join(ids, "owner")
        .join(
            names.select(F.col("shard").alias("at"), F.col("name").alias("of")),
            F.shiftright("owner", NUMBER_BITS) == F.col("at"),
        )
        .select(
            index.alias("shard"),
            number.alias("number"),
            F.when(F.col("equal").isNull(), 1).otherwise(0).alias("same"),
            F.concat(
                F.lit('{"number":'), number,
                F.when(F.col("equal").isNull(), F.lit(',"reason":"duplicate","of":"'))
                .otherwise(F.lit(',"reason":"near-duplicate","of":"')),
                F.col("of"), F.lit(":"), F.col("owner").bitwiseAND((1 << NUMBER_BITS) - 1), F.lit('","id":'), F.col("id"),
                F.when(F.col("equal").isNull(), F.lit("")).otherwise(F.concat(F.lit(',"equal":'), F.col("equal"))),
                F.lit("}"),
            ).alias("value"),
        )
    )  # fmt: skip
    stripped = found["lines"].select(
        index.alias("shard"),
        number.alias("number"),
        F.lit(2).alias("same"),
        F.concat(F.lit('{"number":'), number, F.lit(',"drop":'), F.col("drop"), F.lit("}")).alias("value"),
    )
    decisions = copies.unionByName(stripped).checkpoint()
    counted = {
        row["shard"]: row
        for row in decisions.groupBy("shard")
        .agg(
            F.count(F.when(F.col("same") == 1, 1)).alias("same"),
            F.count(F.when(F.col("same") == 0, 1)).alias("near"),
            F.count(F.when(F.col("same") == 2, 1)).alias("stripped"),
        )
        .collect()
    }
    heads = [(s.index, -1, 3, head_of(s, wishes, counted.get(s.index))) for s in shards]
    schema = "shard bigint, number bigint, same int, value string"
    rows = decisions.unionByName(spark.createDataFrame(heads, schema)).join(names, "shard")
    draft = "_tmp/duplicates"
    files.remove(draft)
    ordered = rows.select("name", "number", "value").repartition("name").sortWithinPartitions("name", "number")
    ordered.select("name", "value").write.partitionBy("name").option("compression", "gzip").text(str(files.at(draft)))
    files.remove("duplicates.json")
    system = files.system()
    for shard in shards:
        parts = system.globStatus(files.at(f"{draft}/name={shard.name}/part-*"))
        if len(parts) != 1:
            raise JobError(TRY_AGAIN, f"{len(parts)} files were written for shard {shard.name}, not one")
        files.move(parts[0].getPath(), f"duplicates/{shard.name}.jsonl.gz")
    files.remove(draft)
    total = {name: sum(row[name] for row in counted.values()) for name in ("same", "near", "stripped")}
    return {
        "documents": sum(shard.documents for shard in shards),
        "duplicate": total["same"],
        "nearDuplicate": total["near"],
        "stripped": total["stripped"],
    }


def head_of(shard: Shard, wishes: dict[str, Any], counted: Any) -> str:
    head = {
        "duplicates": VERSION,
        "shard": shard.name,
        "dedup": wishes["dedup"],
        "lines": wishes["lines"],
        "signatures": shard.sha256,
        "documents": shard.documents,
        "copies": 0 if counted is None else counted["same"] + counted["near"],
        "stripped": 0 if counted is None else counted["stripped"],
    }
    return json.dumps(head, separators=(",", ":"))


def shuffled_bytes(spark: SparkSession) -> int:
    """The bytes that all stages wrote for others to read, as counted by Spark."""
    jvm: Any = spark._jvm
    gateway = spark.sparkContext._gateway
    nothing = gateway.new_array(jvm.double, 0)
    store = spark.sparkContext._jsc.sc().statusStore()
    stages = store.stageList(None, False, False, nothing, jvm.java.util.ArrayList())
    return sum(stages.apply(at).shuffleWriteBytes() for at in range(stages.size()))


def run(spark: SparkSession, options: argparse.Namespace) -> dict[str, Any]:
    shuffled_before = shuffled_bytes(spark)
    fingerprint, shards, files = read_shards(spark, Files(spark, options.job), options.outputs)
    spark.sparkContext.setCheckpointDir(options.work or str(files.at("_tmp/spark")))
    signatures = read_signatures(spark, shards, files)
    dedup = "near" if options.near else "exact" if options.exact else "none"
    bounds = Bounds(options.rounds, options.driver_documents)
    copies, rounds = find_copies(spark, signatures, dedup, bounds)
    lines = (
        spark.createDataFrame([], "place bigint, drop string")
        if options.lines is None
        else find_lines(signatures, copies, options.lines)
    )
    wishes = {"dedup": dedup, "lines": options.lines}
    found = {"signatures": signatures, "copies": copies, "lines": lines}
    counts = write_decisions(spark, files, shards, wishes, found)
    note = {"duplicates": VERSION, **wishes, "fingerprint": fingerprint, "shards": len(shards), **counts}
    files.write("duplicates.json", json.dumps(note, separators=(",", ":")) + "\n")
    if options.work is None:
        files.remove("_tmp/spark")
    bytes_shuffled = shuffled_bytes(spark) - shuffled_before
    each = round(bytes_shuffled / max(1, counts["documents"]), 1)
    return {**note, "rounds": rounds, "shuffleBytes": bytes_shuffled, "shuffleBytesPerDocument": each}


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", help="the place of the job: a path or an address that Spark reads")
    parser.add_argument("--exact", action="store_true", help="drop later copies of the same text")
    parser.add_argument("--near", action="store_true", help="drop later copies of the same or nearly the same text")
    parser.add_argument("--lines", type=positive, metavar="N", help="drop lines that N earlier kept documents contain")
    parser.add_argument("--outputs", help="the place of the shards' outputs, if Spark has another name for it")
    parser.add_argument("--work", help="a folder that all executors share, for data between rounds (JOB/_tmp/spark)")
    parser.add_argument(
        "--driver-documents", type=int, default=20_000, help="the most last documents that the driver decides on alone (20000)"
    )
    parser.add_argument("--rounds", type=positive, default=100, help="the most rounds (100)")
    options = parser.parse_args(argv)
    if not (options.exact or options.near or options.lines):
        parser.error("what should be found? Give --exact, --near, --lines N, or several of them")
    return options


def positive(value: str) -> int:
    number = int(value)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be 1 or more")
    return number


# Messages of cut or damaged files, somewhere in the chain of causes.
DAMAGE = re.compile(
    r"EOFException|ZipException|Unexpected end of|incorrect (?:header|data) check|invalid (?:block|stored|distance|bit|code)"
    r"|not a gzip|MALFORMED_RECORD|FileNotFoundException|PATH_NOT_FOUND"
)


def attempt(spark: SparkSession, options: argparse.Namespace) -> int:
    """Prints the counts, and returns the exit code."""
    try:
        print(json.dumps(run(spark, options)))
        return 0
    except JobError as failure:
        print(f"thresher-dedup: {failure}", file=sys.stderr)
        return failure.code
    except (AnalysisException, Py4JJavaError) as error:
        told = str(error)
        if DAMAGE.search(told) is None:
            raise
        sentence = "a file of signatures is missing or damaged; thresher shard verify names it"
        print(f"thresher-dedup: {sentence}", file=sys.stderr)
        return BAD_SHARD
    finally:
        spark.catalog.clearCache()


def main(argv: list[str] | None = None) -> int:
    options = parse(argv)
    spark = SparkSession.builder.appName("thresher-dedup").getOrCreate()
    try:
        return attempt(spark, options)
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())

"""A file of support tickets: text, an id, a date, categories, numbers with gaps, and 8 queues.

The queue shows in the words of the subject and the text, most of the time, and a little in the
product and the numbers. It is written as CSV in several ways, as Parquet, JSON lines and frames.
"""

import csv
import datetime
import io
import json
import random

NAMES = ("ticket", "created", "product", "premium", "spent", "age", "visits", "subject", "queue")
QUEUES = {
    "access": "login password account locked reset signin code verification blocked user",
    "billing": "invoice charged card payment tax receipt amount twice bank statement",
    "bugs": "crash error freeze screen broken exception button fails version stack",
    "delivery": "package parcel courier address late tracking shipped door driver lost",
    "feedback": "love great idea suggestion improve design wish nice feature thanks",
    "hardware": "battery charger cable screen device heats noise keyboard port warranty",
    "refunds": "refund return money back cancel order label exchange wrong item",
    "sales": "quote price discount upgrade licence seats trial offer contract demo",
}
SHARES = dict(zip(QUEUES, (0.3, 0.2, 0.14, 0.1, 0.08, 0.07, 0.06, 0.05), strict=True))
COMMON = (  # noqa: SIM905
    "the a please help my i with on since yesterday it is not have can you we our after still need"
    " hello hi team again today now very and but for this that when what why how from to of in"
).split()
PRODUCTS = ("phone", "laptop", "tablet", "web shop", "app")


def tickets(n=5000, seed=1):
    """Return records of tickets: dicts by name; a gap is None."""
    draw = random.Random(seed)
    start = datetime.datetime(2024, 1, 3, 8, 0)
    ids = draw.sample(range(100_000, 100_000 + 2 * n), n)
    records = []
    for i in range(n):
        queue = draw.choices(list(SHARES), list(SHARES.values()))[0]
        own = QUEUES[queue].split()
        if draw.random() < 0.04:  # a ticket that is about something else than its queue
            own = QUEUES[draw.choice(list(QUEUES))].split()
        words = draw.choices(own, k=draw.randint(2, 5)) + draw.choices(COMMON, k=draw.randint(3, 9))
        draw.shuffle(words)
        mean = 900 if queue in ("billing", "refunds") else 400
        records.append({
            "ticket": ids[i],
            "created": start + datetime.timedelta(minutes=i * 61 + draw.randint(0, 50)),
            "product": draw.choice(PRODUCTS[: 3 if queue == "hardware" else 5]),
            "premium": draw.random() < (0.6 if queue == "sales" else 0.2),
            "spent": None if draw.random() < 0.1 else round(draw.gauss(mean, 200), 2),
            "age": None if draw.random() < 0.05 else draw.randint(18, 80),
            "visits": draw.randint(0, 3000),
            "subject": " ".join(words),
            "queue": queue,
        })  # fmt: skip
    return records


def as_csv(records, delimiter=",", decimal=".", gap="", header=True):
    """Return the records as text, as a spreadsheet would write them."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    if header:
        writer.writerow(NAMES)
    for record in records:
        fields = []
        for name in NAMES:
            value = record[name]
            text = gap if value is None else str(value)
            if isinstance(value, float):
                text = text.replace(".", decimal)
            fields.append(
                {"True": "yes", "False": "no"}.get(text, text) if name == "premium" else text
            )
        writer.writerow(fields)
    return out.getvalue()


def as_json(records):
    """Return the records as JSON lines of flat objects."""
    lines = [{**record, "created": str(record["created"])} for record in records]
    return "".join(json.dumps(line) + "\n" for line in lines)

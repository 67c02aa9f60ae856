"""Tables and documents read by compiled code: the same rows, bit for bit, and the same sentences as
those that are read in Python, wherever the file is cut and whatever is in it."""

import csv
import io
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pace import some

from onebit import BadInput
from onebit.streams import file as file_stream
from onebit.streams.formats import text as text_format
from onebit.streams.opening import open_stream
from onebit.streams.reading import bad_lines as bad
from onebit.streams.reading import delimited, field_encoder, side_by_side
from onebit.streams.reading import source as source_file
from onebit.streams.tables.plain import to_plain

#: In plain Python, numpy warns of a square that is not finite; such a row is refused.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")
ANY = settings(
    max_examples=some(120, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def everything(spec, capsys):
    """All that a reader gives: labels, columns, encoder, rows as bytes, what it says, its error."""
    file_stream._surveys.clear()
    bad._notified.clear()
    capsys.readouterr()
    rows, known, error = [], (), ""
    try:
        stream = open_stream(spec, 0)
        encoder = stream.encoder and to_plain(stream.encoder)
        known = stream.labels, stream.features, stream.columns, stream.length, encoder
        for block in stream.blocks():
            starts, indices, values = block.rows
            truths = block.truths
            for i in range(block.rounds):
                part = slice(starts[i], starts[i + 1])
                cut = slice(i, i + 1)
                if hasattr(truths, "starts"):
                    cut = slice(truths.starts[i], truths.starts[i + 1])
                right = truths.labels[cut].tolist()
                rows.append((right, indices[part].tolist(), values[part].tobytes()))
    except BadInput as raised:
        error = str(raised)
    return known, rows, error, capsys.readouterr().err


def in_python(spec, capsys):
    """The same, read in Python."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (delimited, text_format):
            patch.setattr(module, "is_compiled", lambda reading: False)
        return everything(spec, capsys)


def check(spec, capsys):
    want = in_python(spec, capsys)
    assert everything(spec, capsys) == want
    return want


HOSTILE = (
    'n,c,t,d,y\r\n1.5,red,"a ""b"" c, d",2024-01-02 10:11:12,p\r\n-0,"bl\nue",Größe ÜBER Σίσυφος,'
    "2024-02-03,q\n\n  7e2 , red,x,2023-12-31,p\r\n,NA,,,q\r\r\n\"2\"5,' ',ß İ,nan,p\n"
    "1e400,x,y,z,q\n3,a\n12345678901234567890.5,red,word word WORD,2024-01-01,p\n"
)


def test_a_boundary_at_any_byte_of_a_table_changes_nothing(put, monkeypatch, capsys):
    path = put("a.csv", HOSTILE)
    for spec in (f"{path}:bad=skip", f"{path}:bad=skip,numbers=n", path):
        want = in_python(spec, capsys)
        for size in range(1, len(HOSTILE.encode()) + 2, some(1, 5)):
            monkeypatch.setattr(source_file, "CHUNK", size)
            for cores in (1, 3):
                monkeypatch.setattr(side_by_side, "cores", lambda cores=cores: cores)
                assert everything(spec, capsys) == want


DOCUMENTS = (
    "\ufeffcard\tWhen will my card arrive? my CARD\r\n\r\n \t \nlost\tÜber Größe, İ und ΣΑΣ «so»\n"
    "card\t\nlost\t🙂 \u00a0 x_1 \u0661 \U0001d49cb\nlost\tone\ttwo\n\u2003\n\u3042\n\tno label\n"
    "card\tЖЁЛЫЙ ящик"
)


def test_a_boundary_at_any_byte_of_documents_changes_nothing(put, monkeypatch, capsys):
    path = put("a.txt", DOCUMENTS)
    for spec, cores in ((f"{path}:bad=skip", 1), (f"{path}:bad=skip,features=7", 3), (path, 3)):
        monkeypatch.setattr(side_by_side, "cores", lambda cores=cores: cores)
        want = in_python(spec, capsys)
        for size in range(1, len(DOCUMENTS.encode()) + 2, some(1, 5)):
            monkeypatch.setattr(source_file, "CHUNK", size)
            assert everything(spec, capsys) == want


FIELDS = st.one_of(
    st.sampled_from(
        ["", "NA", " NA", "nan", "-", "?", "red", "Red", " blue ", "yes", "no", "1", "0",
         "1.0", "-0",
         "007", "inf", "1e99", "1e101", "-1e400", "1_0", "0x1", "1,5", "1.234,5", "$3.50", "12%",
         "2024-01-02", "2024-01-02 03:04:05", "03.04.2025", "12:30", "a b c", "The the THE end.",
         "größe", "ΑΣ", "İx", "\u00a0NA", "\u00a01", "x\x1fy", "7 ", "\t7", ".5", "5.", ".",
         "+", "e5",
         "123456789012345678", "1234567890123456789", "0.1234567890123456789", "9007199254740993",
         "abcdefghij", "abc.def", "long value 1", "a\"b", "\"", "it's", "a\rb", "a\nb",
         "\ud55c\uae00"]
    ),
    st.floats(allow_nan=False).map(repr), st.integers(-(10**20), 10**20).map(str),
    st.text("abAB 12.,-+e\"';|\t\r\n\u00e9\u2028\U0001f642", max_size=12),
    st.text(max_size=6),
)  # fmt: skip


@ANY
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(FIELDS, min_size=width, max_size=width), min_size=1)
    ),
    st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), st.sampled_from([7, 40, 1 << 20]),
    st.sampled_from(["", ":bad=skip", ":bad=skip,label=1,header=yes,delimiter=comma",
                     ":bad=skip,header=no,several=comma", ":header=no,hashed=5,bad=skip",
                     ":labels=p|q,numbers=1,bad=skip,header=no"]),
    st.sampled_from(["a.csv", "a.tsv"]), st.integers(1, 40),
)  # fmt: skip
def test_any_table(put, capsys, monkeypatch, records, mark, end, quoting, chunk, more, name, times):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator=end, quoting=quoting, escapechar="\\")
    for record, label in zip(records * times, itertools.cycle("pqp")):
        writer.writerow([*record, label])
    data = out.getvalue().encode(errors="replace")
    if "several" in more:  # whether labels are stripped depends on the others of a batch
        chunk = 1 << 20
    monkeypatch.setattr(source_file, "CHUNK", chunk)
    check(put(name, data) + more, capsys)


@ANY
@given(
    st.lists(st.text('ab1 ,;"\r\n\t\u00e9', max_size=30), min_size=1, max_size=8),
    st.sampled_from([3, 1 << 20]), st.sampled_from(["a.csv", "a.tsv", "a.txt"]),
    st.sampled_from(["", ":bad=skip", ":bad=skip,header=no"]),
)  # fmt: skip
def test_any_text(put, capsys, monkeypatch, lines, chunk, name, more):
    monkeypatch.setattr(source_file, "CHUNK", chunk)
    if name == "a.txt" and "header" not in more:
        more = more.replace(":bad=skip", ":bad=skip,label=1")
    check(put(name, "\n".join([*lines, ""])) + more, capsys)


@ANY
@given(st.binary(min_size=1, max_size=200), st.sampled_from(["a.csv", "a.tsv", "a.txt"]), st.data())
def test_any_bytes(put, capsys, data, name, more):
    base = b"a,b,y\n1,2,p\n3,x y,q\n" if name == "a.csv" else b"p\tone two\nq\tthree\n"
    at = more.draw(st.integers(0, len(base)))
    whole = base[:at] + data + base[at:] + b"\n"
    check(put(name, whole) + ":bad=skip", capsys)
    check(put(name, whole), capsys)


@ANY
@given(st.lists(st.text(max_size=80), min_size=1, max_size=20), st.sampled_from([262144, 64, 7, 1]))
def test_words_of_any_documents(put, capsys, texts, features):
    lines = "".join(f"{n % 2}\t{' '.join(text.split())} {text[:3]}\n" for n, text in
                    enumerate(t.replace("\n", " ").replace("\t", " ") for t in texts))  # fmt: skip
    check(put("a.txt", lines.encode(errors="replace")) + f":bad=skip,features={features}", capsys)
    table = "a,y\n" + "".join(
        f'"{text} and more",{n % 2}\n'.replace("\0", "") for n, text in enumerate(texts)
    )
    check(
        put("a.csv", table.encode(errors="replace")) + ":bad=skip,kinds=a/text,header=yes", capsys
    )


def test_texts_that_are_left_to_python(put, capsys):
    many = " ".join(f"w{n}" for n in range(5000))
    often = "again " * 100 + "once"
    heavy = " ".join(f"v{n} v{n} v{n} v{n}" for n in range(900))
    path = put(
        "a.txt", "".join(f"{n}\t{t}\n" for n, t in enumerate((many, often, heavy, "x" * 200_000)))
    )
    check(path, capsys)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-8-sig"])
def test_other_encodings(put, capsys, monkeypatch, encoding):
    text = "größe,länge,y\n" + "".join(f"{n},müll {n % 3},p{n % 2}\n" for n in range(300))
    monkeypatch.setattr(source_file, "CHUNK", 100)
    want = check(put("a.csv", text.encode(encoding)), capsys)
    assert len(want[1]) == 300


def test_a_memory_that_is_emptied(put, capsys, monkeypatch):
    monkeypatch.setattr(field_encoder, "_MOST_FIELDS", 50)
    monkeypatch.setattr(source_file, "CHUNK", 500)
    lines = (
        f"v{n % 70},2024-01-{n % 28 + 1:02} {n % 24:02}:00,{n},p{n % 2}\n" for n in range(2000)
    )
    want = check(put("a.csv", "c,d,n,y\n" + "".join(lines)), capsys)
    assert len(want[1]) == 2000


def test_many_values_and_numbers_of_all_styles(put, capsys, monkeypatch):
    monkeypatch.setattr("onebit.streams.tables.survey.MOST_VALUES", 20)
    monkeypatch.setattr("onebit.streams.tables.survey._MOST_OTHERS", 30)
    monkeypatch.setattr("onebit.streams.reading.tabular.BLOCK", 25)
    lines = (
        f"{n};{n},{n % 100:02};{n % 7}.{n % 1000:03},5;name {n};v{n % 50}.0;p{n % 2}\n"
        for n in range(400)
    )
    for more in (
        "",
        ":decimal=comma",
        ":decimal=comma,bad=skip,numbers=a",
        ":hashed=16,decimal=comma",
    ):
        check(put("a.csv", "a;b;c;d;e;y\n" + "".join(lines)) + more, capsys)


@pytest.mark.compiled
def test_a_field_that_is_too_long_in_quotes_over_pieces(put, capsys, monkeypatch):
    monkeypatch.setattr(source_file, "CHUNK", 50_000)
    line = "é" * 1000 + "\n"
    path = put("a.csv", 'a,y\n1,p\n2,q\n"' + line * 200 + '3,q\n4,p\n"' + line * 100 + '",p\n5,q\n')
    check(path, capsys)
    check(f"{path}:bad=skip", capsys)

"""Write the pages that are made from the code: one for each thing that has a name."""

from pathlib import Path

from onebit import explorers, hypotheses, learners, streams
from onebit.cli import reference as pages
from onebit.learners import weak

HERE = Path(__file__).parent


def generated() -> dict[Path, str]:
    """Return the text of every generated page."""
    rooms = {
        "learners": (learners, pages.learner_page),
        "explorers": (explorers, pages.explorer_page),
        "hypotheses": (hypotheses, pages.hypotheses_page),
        "weak": (weak, pages.weak_page),
        "streams": (streams, pages.stream_page),
    }
    found = {}
    for room, (catalog, page) in rooms.items():
        lines = [f"# {'Weak learners' if room == 'weak' else room.capitalize()}", ""]
        for name in catalog.names():
            found[HERE / room / f"{name}.md"] = page(name)
            lines.append(f"- [{name}]({name}.md): {pages.first_line(catalog.find(name))}")
        found[HERE / room / "README.md"] = "\n".join(lines) + "\n"
    return found


def main() -> None:
    """Write the pages, and remove those of things that are gone."""
    wanted = generated()
    for path, text in wanted.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    for room in {path.parent for path in wanted}:
        for path in set(room.glob("*.md")) - set(wanted):
            path.unlink()
    print(f"wrote {len(wanted)} pages")


if __name__ == "__main__":
    main()

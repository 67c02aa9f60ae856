"""Write the pages that are generated from the code: the API, and one for everything named."""

from pathlib import Path

from api_page import api_page
from seeds_page import seeds_page

from onebit import explorers, learners, streams
from onebit.cli import reference
from onebit.learners import weak
from onebit.theory import hypotheses

HERE = Path(__file__).parent


def generated() -> dict[Path, str]:
    """Return the text of every generated page by its path."""
    folders = {
        "learners": (learners, reference.learner_page),
        "explorers": (explorers, reference.explorer_page),
        "hypotheses": (hypotheses, reference.hypotheses_page),
        "weak": (weak, reference.weak_page),
        "streams": (streams, reference.stream_page),
    }
    pages = {HERE / "api.md": api_page(), HERE / "seeds.md": seeds_page()}
    for folder, (catalog, page) in folders.items():
        lines = [f"# {'Weak learners' if folder == 'weak' else folder.capitalize()}", ""]
        for name in catalog.names():
            pages[HERE / folder / f"{name}.md"] = page(name)
            lines.append(f"- [{name}]({name}.md): {reference.first_line(catalog.find(name))}")
        pages[HERE / folder / "README.md"] = "\n".join(lines) + "\n"
    return pages


def main() -> None:
    """Write the pages, and remove those of names that no longer exist."""
    pages = generated()
    for path, text in pages.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    for folder in {path.parent for path in pages} - {HERE}:
        for path in set(folder.glob("*.md")) - set(pages):
            path.unlink()
    print(f"wrote {len(pages)} pages")


if __name__ == "__main__":
    main()

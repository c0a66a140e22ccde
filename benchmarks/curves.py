"""Growth curves as a picture: time and memory against size, both axes in powers of ten."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT, LEFT, TOP, BETWEEN, RIGHT = 300, 180, 52, 30, 40, 24
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#444}.t{font-weight:600;fill:#222}.g{stroke:#ddd}"
    ".l{fill:none;stroke:#2457a6;stroke-width:2}circle{fill:#2457a6}.p{fill:none;stroke:#999;stroke-dasharray:4 4}"
    "@media(prefers-color-scheme:dark){text{fill:#bbb}.t{fill:#eee}.g{stroke:#444}.l{stroke:#7fb0ff}"
    "circle{fill:#7fb0ff}.p{stroke:#888}}"
)


@dataclass(frozen=True, slots=True)
class Point:
    """What one size costs."""

    size: int
    seconds: float
    """Of processor."""
    megabytes: float
    """At the most."""


def growth_picture(of: str, points: Sequence[Point]) -> str:
    """Two panels as SVG: processor seconds, with a dashed line that grows as the size does, and peak memory."""
    panels = [
        _panel(f"CPU seconds by {of}", [(p.size, p.seconds) for p in points], 0, proportional=True),
        _panel(f"peak memory in MB by {of}", [(p.size, p.megabytes) for p in points], 1, proportional=False),
    ]
    width, height = 2 * (LEFT + WIDTH) + BETWEEN + RIGHT, TOP + HEIGHT + 34
    said = "; ".join(f"{p.size:,} {of}: {p.seconds:.1f} s, {p.megabytes:.0f} MB" for p in points)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{escape(said)}</title><style>{STYLE}</style>{"".join(panels)}</svg>\n'
    )


def _panel(title: str, points: Sequence[tuple[float, float]], place: int, *, proportional: bool) -> str:
    left = LEFT + place * (LEFT + WIDTH + BETWEEN)
    x, y = _Axis.of([size for size, _ in points], 0), _Axis.of([value for _, value in points], 1)
    parts = [f'<text class="t" x="{left}" y="18">{escape(title)}</text>']
    for power in x.powers:
        at = left + WIDTH * x.share(10.0**power)
        parts.append(f'<line class="g" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{TOP + HEIGHT}"/>')
        parts.append(f'<text x="{at:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{_short(power)}</text>')
    for power in y.powers:
        at = TOP + HEIGHT * (1 - y.share(10.0**power))
        parts.append(f'<line class="g" x1="{left}" x2="{left + WIDTH}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{_short(power)}</text>')

    def drawn(line: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(left + WIDTH * x.share(a), TOP + HEIGHT * (1 - y.share(b))) for a, b in line]

    if proportional:
        size, value = points[-1]
        least = max(points[0][0], size * 10.0 ** y.powers[0] / value)
        parts.append(_line("p", drawn([(least, value * least / size), (size, value)])))
    places = drawn(points)
    parts.append(_line("l", places))
    parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>' for a, b in places]
    return "".join(parts)


def _line(kind: str, places: Sequence[tuple[float, float]]) -> str:
    return f'<polyline class="{kind}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in places)}"/>'


@dataclass(frozen=True, slots=True)
class _Axis:
    """An axis from one power of ten to another."""

    powers: range

    @classmethod
    def of(cls, values: Sequence[float], room: int) -> "_Axis":
        low, high = floor(log10(min(values))), ceil(log10(max(values)))
        return cls(range(low, max(high, low + 1 + room) + 1))

    def share(self, value: float) -> float:
        return (log10(value) - self.powers[0]) / (self.powers[-1] - self.powers[0])


def _short(power: int) -> str:
    """A power of ten in few letters: 0.1, 1k, 10M."""
    if power < 0:
        return f"{10.0**power:g}"
    thousands, rest = divmod(power, 3)
    return f"{10**rest}{' kMGT'[thousands].strip()}"

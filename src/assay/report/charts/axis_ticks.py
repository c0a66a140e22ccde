"""Labels along a scale of any length."""

from assay.report.charts.drawing import Label

MOST_ROWS = 15  # beyond that many score points, bars stand side by side and cells lose their numbers


def axis_ticks(labels: list[str], dy: float) -> tuple[Label, ...]:
    """Labels below equal columns, few enough to be read; every second goes when the page is narrow."""
    count = len(labels)
    step = -(-count // MOST_ROWS)
    step = step if step <= 2 else -(-step // 5) * 5  # every 5th, 10th: easier to count on than every 4th
    kept = range(0, count, step)
    many = len(kept) > 8
    return tuple(
        Label((i + 0.5) / count, 1, labels[i], dy=dy, spare=many and place % 2 == 1) for place, i in enumerate(kept)
    )

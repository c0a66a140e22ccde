"""Essays, good and hostile, with what is said of them."""

from functools import cache

from assay.essays.features.features import analyse
from assay.essays.feedback.feedback import EssayFeedback, essay_feedback
from assay.essays.text.reader import read_text
from assay.io.models.scoring_models import bundled_discourse_model
from tests.paths import EXAMPLES

HOSTILE = (
    "<script>alert(1)</script> I beleive </p></article> that phones is good & 'cheap' \"now\".\n\n"
    "<img src=x onerror=alert(2)> They was here </style><style>body{display:none}</style>. It is a old phone "
    f"{'w' * 400} \x1b[31m \u202etxet and we like it because the phone have games.\n"
)


@cache
def feedback_of(text: str) -> EssayFeedback:
    """Feedback by the bundled labeller."""
    model = bundled_discourse_model()
    return essay_feedback(analyse(read_text(text), model), labeller="model" if model else "rules")


def example(name: str) -> str:
    """An essay of the examples."""
    return (EXAMPLES / "essays" / f"{name}.txt").read_text(encoding="utf-8")

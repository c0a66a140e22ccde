"""Principal components: how many directions the features really span."""

from dataclasses import dataclass

import numpy as np

from assay.rsm.types import Matrix, Scores


@dataclass(frozen=True, eq=False, slots=True)
class Components:
    """The principal components of the features, the largest first."""

    loadings: Matrix
    """(features, components)."""
    eigenvalues: Scores
    """Variance along each component, over N - 1."""

    @property
    def share(self) -> Scores:
        """Share of the whole variance; NaN when nothing varies."""
        whole = self.eigenvalues.sum()
        return self.eigenvalues / (whole if whole > 0 else np.nan)


def principal_components(values: Matrix) -> Components:
    """As many components as there are features or responses, whichever are fewer.

    The sign of a component is arbitrary. As in the scikit-learn that RSMTool 12 uses, it is chosen so that the
    response that lies furthest along a component lies on its positive side.
    """
    centred = values - values.mean(axis=0)
    left, sizes, right = np.linalg.svd(centred, full_matrices=False)
    furthest = left[np.argmax(np.abs(left), axis=0), np.arange(left.shape[1])]
    signs = np.where(furthest < 0, -1.0, 1.0)
    return Components(right.T * signs, sizes**2 / max(len(values) - 1, 1))

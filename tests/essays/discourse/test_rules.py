"""Labels by place and cue words, on an essay of our own."""

from assay.essays.discourse.discourse import label_sentences
from assay.essays.discourse.labels import BACKGROUND, CONCLUSION, MAIN_POINT, SUPPORT, THESIS
from assay.essays.discourse.rules import rule_labels
from tests.essays.essay_texts import UNIFORMS, written

B, T, M, S, C = BACKGROUND, THESIS, MAIN_POINT, SUPPORT, CONCLUSION


def test_the_five_paragraph_essay_is_labelled_as_taught() -> None:
    assert rule_labels(written(UNIFORMS)).tolist() == [B, T, M, S, S, M, S, M, S, C, C]


def test_without_paragraphs_cue_words_find_points_and_conclusion() -> None:
    in_one = written([[sentence for paragraph in UNIFORMS for sentence in paragraph]])

    # the introduction is the first tenth of the words, here one sentence
    assert rule_labels(in_one).tolist() == [T, S, M, S, S, M, S, M, S, C, C]


def test_an_essay_by_the_rules_is_fully_developed() -> None:
    found = label_sentences(written(UNIFORMS), None)

    assert found.development == 0
    assert found.expected_development == 0
    assert found.average_element_length == found.expected_average_element_length


def test_one_sentence_is_a_thesis() -> None:
    assert rule_labels(written([["We should wear uniforms ."]])).tolist() == [T]

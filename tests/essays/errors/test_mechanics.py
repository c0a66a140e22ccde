"""Right and wrong sentences of our own for every type of mechanics error."""

import pytest

from assay.essays.errors.merge import findings
from assay.essays.reader import read_text

WRONG = [
    ("spelling", "I recieved your message.", "recieved"),
    ("spelling", "The goverment built a bridge.", "goverment"),
    ("spelling", "It was a beautifull morning.", "beautifull"),
    ("spelling", "The house is their's.", "their's"),
    ("proper_capital", "We went to mexico on monday.", "mexico"),
    ("proper_capital", "My friend and i like music.", "i"),
    ("proper_capital", "She says i'll be late.", "i'll"),
    ("proper_capital", "We met Saengdao at noon, and saengdao smiled.", "saengdao"),
    ("proper_capital", "He moved from spain to the coast.", "spain"),
    ("proper_capital", "She speaks spanish at home.", "spanish"),
    ("initial_capital", "The rain stopped. we went outside.", "we"),
    ("initial_capital", "the house is old, but it is warm.", "the"),
    ("initial_capital", "Nobody came! they forgot the date.", "they"),
    ("question_mark", "Why do you like this song.", "song."),
    ("question_mark", "Do you want to live in a city.", "city."),
    ("question_mark", "What is the reason for this rule.", "rule."),
    ("final_punctuation", "The rain stopped. Then we went outside and played until dinner", "dinner"),
    ("final_punctuation", "I think that every school should have a garden", "garden"),
    ("final_punctuation", "My favorite season is winter because I like the snow", "snow"),
    ("apostrophe", "I dont like rain.", "dont"),
    ("apostrophe", "Thats the best answer.", "Thats"),
    ("apostrophe", "We cant stay long, and he didnt call.", "didnt"),
    ("comma", "However it was too late to call.", "However it"),
    ("comma", "For example my uncle grows tomatoes.", "example my"),
    ("comma", "When the train finally arrived the passengers cheered.", "arrived the"),
    ("comma", "I wanted to buy the blue coat but the shop was closed.", "coat but"),
    ("hyphen", "She has a part time job in a bakery.", "part time"),
    ("hyphen", "My aunt is a well known singer.", "well known"),
    ("hyphen", "He has twenty five cousins.", "twenty five"),
    ("fused", "We have alot of time.", "alot"),
    ("fused", "They help eachother.", "eachother"),
    ("fused", "Atleast the sun is shining.", "Atleast"),
    ("compound", "I did the work by my self.", "my self"),
    ("compound", "Some times we walk home.", "Some times"),
    ("compound", "She left with out a word.", "with out"),
    ("duplicate", "We saw the the moon.", "the the"),
    ("duplicate", "He went to to the shop.", "to to"),
    ("duplicate", "They were were late.", "were were"),
]
"""Type, a text that has the error, and the words found."""

RIGHT = [
    ("spelling", "I received your message about the colour of the theatre."),
    ("spelling", "Professor Oyelaran met Mr. Wachowski in the garden."),
    ("spelling", "We watched a video online."),
    ("spelling", "I like maths, and my judgement is that aluminium is light."),
    ("spelling", "Saengdao smiled. Saengdao waited for the bus."),
    ("spelling", "My mom's car and each other's nonalcoholic drinks are someone's."),
    ("spelling", "It is ok to watch tv on the 20 th floor."),
    ("proper_capital", "We went to Mexico on Monday."),
    ("proper_capital", "My friend and I like music in may and march."),
    ("proper_capital", "We drank tea, i.e. the usual thing, and ate turkey."),
    ("initial_capital", "The rain stopped. We went outside."),
    ("initial_capital", "Bring pens, paper, etc. and a ruler."),
    ("initial_capital", "At 5 p.m. we left."),
    ("question_mark", "Why do you like this song?"),
    ("question_mark", "I wonder why you like this song."),
    ("question_mark", "What he said was true."),
    ("final_punctuation", "The rain stopped. Then we went outside."),
    ("final_punctuation", "My Summer in the Mountains"),
    ("final_punctuation", 'He said, "I am coming home."'),
    ("apostrophe", "I don't like rain, and that's all."),
    ("apostrophe", "The wants of the ill were well known."),
    ("apostrophe", "We were late, as is his wont."),
    ("comma", "However, it was too late to call."),
    ("comma", "However late it was, she called."),
    ("comma", "When the train arrived, the passengers cheered."),
    ("hyphen", "She works part time, and her song is well known."),
    ("hyphen", "They talked face to face."),
    ("hyphen", "He has twenty cousins and five aunts."),
    ("fused", "We have a lot of time."),
    ("fused", "They help each other."),
    ("fused", "At least the sun is shining."),
    ("compound", "I did the work by myself."),
    ("compound", "Every one of the eggs was broken."),
    ("compound", "It may be true that we went in to eat."),
    ("duplicate", "She had had enough of that."),
    ("duplicate", "It was very, very cold."),
    ("duplicate", "I know that that is wrong."),
]
"""Type, and a text that has not the error."""


@pytest.mark.parametrize(("kind", "text", "words"), WRONG)
def test_the_error_is_found_at_its_words(kind: str, text: str, words: str) -> None:
    found = findings(read_text(text), types=frozenset([kind]))

    assert words in [finding.words for finding in found]


@pytest.mark.parametrize(("kind", "text"), RIGHT)
def test_a_right_text_has_no_such_finding(kind: str, text: str) -> None:
    found = findings(read_text(text), types=frozenset([kind]))

    assert found == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("writting", "writing"),
        ("wich", "which"),
        ("definetly", "definitely"),
        ("becuase", "because"),
        ("reson", "reason"),
        ("shelfs", "shelves"),
    ],
)
def test_a_misspelled_word_gets_the_likeliest_suggestion(written: str, meant: str) -> None:
    found = findings(read_text(f"They said {written} it is."), types=frozenset(["spelling"]))

    assert [(f.words, f.suggestion) for f in found] == [(written, meant)]

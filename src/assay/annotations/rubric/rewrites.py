"""Many ways of saying a thing made one, before the words are looked up: contractions, spellings, relative clauses."""

import re

from assay.annotations.rubric.concepts import ANY_OBJECT

_FIGURE = r"\d+(?:\.\d+)?(?: ?%)?"
_IMAGE = r"(?:the |an? |any |those |some |all )?(?:images?|pictures?|photos?|photographs?|frames?)"
_WHICH = r"(?: (?:that|which|who))?(?: (?:is|are|was|were|have been|has been|had been))?"
_WHO = r"(?:nobody|no one|they|(?:the |a |some )?(?:students?|annotators?|trainees?|pupils?)|someone|somebody|anyone)"
_UNDONE = (
    r"(?:(?:did|do|does|has|have|had) not|never|forgot to|forget to|failed to|fail to|could not) "
    r"(?:annotated?|submit(?:ted)?|hand(?:ed)? in|finish(?:ed)?|do|done|open(?:ed)?|turn(?:ed)? in|upload(?:ed)?|"
    r"label(?:ed)?|get to|got to|reach(?:ed)?|include[d]?|look(?:ed)? at|touch(?:ed)?)"
)
_THERE = r"(?: (?:from|in|of) (?:their|the|a|his|her|student) (?:files?|submissions?|zips?|uploads?|work|hand ?ins?))?"
_TRUTH = r"(?: the)? (?:ground truth|truth|reference|master|answer file|key)"
IMAGE_PHRASES = (
    (
        re.compile(
            r"\b(?:leav(?:e|es|ing) )?(?:an? |the |any )?(?:correctly |rightly )?"
            r"(?:empty|blank) images?\b(?:(?: left)? (?:empty|blank))?"
        ),
        "empty images",
    ),
    (
        re.compile(
            rf"\b{_IMAGE}{_WHICH} (?:correctly |rightly |properly |intentionally )?(?:left )?(?:empty|blank|unmarked)"
            r"(?: on purpose| by the student)?\b"
        ),
        "empty images",
    ),
    (
        re.compile(rf"\b{_IMAGE}{_WHICH} (?:not|absent|missing|unknown) (?:in|part of|from|to){_TRUTH}\b"),
        "extra images",
    ),
    (
        re.compile(rf"\b{_IMAGE} (?:the )?(?:ground truth|truth|reference) does not (?:have|list|contain)\b"),
        "extra images",
    ),
    (
        re.compile(
            rf"\b{_IMAGE}{_WHICH} (?:missing|absent|skipped|left out|not (?:handed in|submitted|included|uploaded|"
            rf"turned in|annotated|there|done|present|in|part)){_THERE}"
        ),
        "missing images",
    ),
    (
        re.compile(
            rf"\b{_IMAGE}(?: (?:that|which))? (?:we|the teacher|the trainer|i) (?:do|did|does|have|has) not "
            rf"(?:have|annotated?|label(?:ed)?)(?: in{_TRUTH}| ourselves| (?:a |the )?ground truth for)?"
        ),
        "extra images",
    ),
    (re.compile(rf"\b{_IMAGE}(?: (?:that|which))? {_WHO} {_UNDONE}\b"), "missing images"),
    (
        re.compile(rf"\b{_IMAGE}(?: (?:that|which))? {_WHO} (?:skipped|left out|missed|omitted|forgot)\b"),
        "missing images",
    ),
    (
        re.compile(
            rf"\b{_IMAGE}(?: (?:that|which))? {_WHO} "
            r"(?:never|(?:did|do|have|were|was) not) (?:\w+ed|got|get|given|saw|see|seen|had|have)\b"
        ),
        "missing images",
    ),
    (re.compile(rf"\b{_IMAGE}(?: (?:that|which))? (?:nobody|no one) \w+(?: in| to)?(?=\W|$)"), "missing images"),
    (
        re.compile(rf"\bleav(?:e|es|ing) {_IMAGE.replace('an? ', 'an? |an? empty |empty ')} (?:empty|blank|alone)\b"),
        "empty images",
    ),
    (
        re.compile(
            rf"\b{_IMAGE}{_WHICH} (?:with|showing|containing|has|have) (?:nothing|no objects?)"
            r"(?: (?:in|on) (?:it|them))?"
        ),
        "empty images",
    ),
)
"""What is said of images, in many ways, as one of three: missing from a submission, not in the ground truth, empty."""
REWRITES = (
    (
        re.compile(
            rf"(?P<numbers>{_FIGURE}(?: ?/ ?{_FIGURE})+)(?: split)? (?:for|between|of|on|to) (?P<names>[a-z ,]+)$"
        ),
        lambda m: f"{m['names']} {' , '.join(m['numbers'].split('/'))}",
    ),
    (re.compile(r"\b(do|does|did|is|are|was|were|should|would|could|must|need|has|have)n['’]?t\b"), r"\1 not"),
    (re.compile(r"\bcan['’]?t\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon['’]?t\b"), "will not"),
    (re.compile(r"\bshan['’]?t\b"), "shall not"),
    (re.compile(r"\b(it|that|there|what|let)['’]s\b"), r"\1 is"),
    (re.compile(r"\b(\w+)['’](?:re|ve|ll|d|m)\b"), r"\1"),
    (re.compile(r"\b(\w+)['’]s\b"), r"\1"),
    (re.compile(r"\b(label|travel|model)l(ed|ing)\b"), r"\1\2"),
    (re.compile(r"\bcolour"), "color"),
    (re.compile(r"\b(local)is"), r"\1iz"),
    (re.compile(r"(\d)\s*(?:%|per ?cent|pct)(?!\w)"), r"\1 percent"),
    (re.compile(r"(\d+)\s*(?:x|×|by)\s*\d+(?=\s*(?:px|pixel))"), r"\1"),
    (re.compile(r"(\d)\s*(?:x|×)(?!\w)"), r"\1 times"),
    (re.compile(r"(?<!\w)(?:x|×)\s*(\d)"), r"times \1"),
    (re.compile(r"(\d)\s*px\b"), r"\1 pixels"),
    (re.compile(r"[-–]"), " "),
    (
        re.compile(r"\b(?:the )?(?:reference|gold standard|answer key|model solution)(?: annotations?)?\b"),
        "the ground truth",
    ),
    (re.compile(r"\b(?:all|the only thing) that (?:matters|counts)\b"), "the only thing counted"),
    (re.compile(r"\b(?:less|narrower|thinner|fewer) than (?=\d+ pixels)"), "smaller than "),
    (re.compile(r"\bmist(?:akes?|ook|aking) (?:an? |the )?(.{1,40}?) for "), r"confuses \1 and "),
    (re.compile(r"\b(?:leave|take|keep) (?!out)(.{1,80}?) out\b"), r"leave out \1"),
    (re.compile(r"\b(?:take) (?!into)(.{1,80}?) into account\b"), r"consider \1"),
    (re.compile(r"\bas (?:it|they) (?:does|do|is|are|did) (?:right )?now\b|\bas (?:before|now)\b"), "as much"),
    (re.compile(r"\btoo (?:small|tiny|little) to (?:be )?(?=\w)"), "not "),
    (
        re.compile(
            r"\b(?:reduce|lower|cut|decrease|drop|bring down|raise|increase)\b(.{1,60}?) to "
            r"(?=an? |one |half|two|three|\.?\d)"
        ),
        r"make\1 ",
    ),
    (
        re.compile(r"\bas (?:many|much) (.{1,40}?) as (?:you|they|students?|people) (?:like|want|wish|please)s?\b"),
        r"\1 fine",
    ),
    (re.compile(r"\bmay (?=contain|have (?:some )?(?:typo|spelling))"), "allow "),
    (re.compile(r"\bformats? (?:without|with no|that (?:has|have) no) (?=attributes)"), "format "),
    (re.compile(r"\beven (?=though|if|when)"), ""),
    (re.compile(r"\bhold (?:it|that|this|them|these|those) against\b"), "hold against"),
    (re.compile(r"\bsome (?=students|people|annotators|of (?:them|the students)|trainees|learners)"), ""),
    (re.compile(r"\b(?:a )?part of (?:this|the|our|my|their) (?!score|grade)\w+"), "counted"),
    (re.compile(r"\bof (?:each|a|the|every|one) match(?:'s)?(?: score| quality)?\b"), "of the score"),
    (
        re.compile(
            r"\b(?:even )?(?:though|if|when|that|which|because|since|whose)\b[^,;]{0,40}\b(?:files?|formats?)\b"
            r"[^,;]{0,30}\b(?:none|hold|holds|store|stores|carry|carries|have|has|support|supports)\b[^,;]{0,20}"
        ),
        "format",
    ),
    (re.compile(r"\b(picture|photo|photograph|frame)(s?)\b"), r"image\2"),
    *IMAGE_PHRASES,
    (
        re.compile(
            rf"\b(?:{ANY_OBJECT})(?: (?:that|which))? (?:is|are|was|were) not (?:really )?"
            r"(?:needed|necessary|required|there|wanted|real|asked for|called for|in the ground truth)\b"
        ),
        "extra boxes",
    ),
    (
        re.compile(
            r"\b(?:drawing|annotating|outlining|labeling) (?:(?:boxes|shapes|objects|them|things) )?"
            r"(?:well|(?!bad|poor|slopp|loose|wrong|incorrect|careless)\w+ly)\b"
        ),
        "drawing precisely",
    ),
    (re.compile(r"\bleaving (?!out|an? image|empty)(.{1,80}?) (?:empty|blank)\b"), r"\1 left empty"),
)
"""Pattern -> plain words: contractions, British endings, per cent, times, clauses about images and objects."""

"""The words people use for the few concepts that rules are about. Data only; how it is read: lexicon.py."""

from collections.abc import Mapping

ANY_OBJECT = (
    "boxes|box|objects|object|annotations|annotation|shapes|shape|ones|one|detections|labels|instances|things|items|"
    "something|"
    "anything|stuff"
)
"""What people call an annotation; `*o` in a phrase stands for any of them."""
CONCEPTS: Mapping[str, str] = {
    "NOT": "nowhere|no one|stop|not|no|never|without|cannot|nobody|neither|nor|none of",
    "IGNORE": (
        "free|for free|costless|makes no difference|make no difference|does not make a difference|"
        "without consequence|without consequences|no consequences|unpunished|immaterial|exempt|exempted|excused|"
        "excuse|waive|waived|leave aside|left aside|take out|taken out|strike|cut|overlook the|out of scope|"
        "off the table|beside the point|not at issue|stay out|stays out|kept out|need not be drawn|"
        "need not be annotated|not necessary to draw|do without|spare|scrap|neglect|neglected|dismiss|cross out|void|"
        "ignore|ignored|ignoring|skip|skipped|disregard|disregarded|exclude|excluded|excluding|drop|dropped|"
        "leave out|left out|leaving out|omit|omitted|forget|forget about|discard|filter out|remove|be ignored|"
        "throw out|rule out|set aside|irrelevant|unimportant|unscored|ungraded|turn off|switch off|disable|"
        "free of charge|optional"
    ),
    "COUNT": (
        "account for|accounts for|accounted for|constitute|constitutes|represent|represents|come from|comes from|"
        "determine|determines|decide|decides|be about|is about|tested|test for|measure|measured|measures|factor in|"
        "factors in|figure in|form|forms|stand for|carry weight|carries weight|carry|carries|make a difference|"
        "makes a difference|significant|significance|vital|mandatory|compulsory|obligatory|have to be right|"
        "must be right|be right|be correct|be given|give the|specify|specified|state the|provide|provided|"
        "require students to give|say the|note the|noting|assessing|evaluating|considering|judging|rating|base|based|"
        "base on|based on|depend on|depends on|fill in|filled in|fill out|filled out|enter|"
        "have to fill in|counted in|part of the grade|count|counts|counted|counting|score|scored|scoring|scores|"
        "grade|graded|grading|check|checked|checking|"
        "consider|considered|evaluate|evaluated|include|included|compare|compared|comparing|assess|assessed|rate|"
        "rated|look at|care|care about|care for|pay attention to|matter|matters|weigh|weighs|weight|weighted|"
        "weighting|weights|worth|important|importance|relevant|judge|judged|evaluation|use|used|take into account|"
        "take * into account|count as found|counts as found|as found|as a match|count as a match|"
        "counts as a match|have to annotate|have to draw|need to annotate|have to be annotated|"
        "need to be annotated|have to be drawn|need to be drawn|need to draw|have to find|need to find|"
        "need to be found|have to be found|need to label|have to label|taken into account|make up|makes up|"
        "contribute|contributes|turn on|switch on|count for|value|valued|influence|affect|affects|impact|"
        "interested in"
    ),
    "PENALIZE": (
        "fine students|lower marks|cost you|costs you|costing|fined|penalizes|penalises|punishes|deducts|takes off|"
        "take away|take away points|takes points|lose credit|loses points|loses marks|points off|marks off|"
        "minus points|be strict with|weigh against|problem|problematic|damage|damages|sanction|sanctioned|crime|sin|"
        "hurting|costly|hold against|penalise students|cost points|cost marks|cost students|punishing|dinged|ding|"
        "lose out|charging|"
        "penalize|penalise|penalized|penalised|penalizing|penalising|penalty|penalties|punish|punished|punishment|"
        "deduct|deducted|deduction|deductions|cost|costs|charge|charged|lose|loses|losing|lose points|lose marks|"
        "lose any points|lose any marks|losing points|take off points|take points off|take off marks|subtract|"
        "subtract points|hurt|hurts|marked down|mark down|count against|counted against|counts against|bad|"
        "serious|severe|severely|harmful|mind|bother|bothers|worry about|concerned about|concerned with|a problem|"
        "lose a point|lose score|dock|docked|dock points|deduct points|deduct marks|point deduction|"
        "as an error|as a mistake|as errors|as mistakes|lower the score|lower the grade|reduce the score|"
        "reduce the grade|held against|hold against|"
        "matter of concern|grave|heavy|downgrade|downgraded|drag down the score|bring down the score"
    ),
    "REWARD": (
        "give|gives|given|award|awarded|grant|reward|rewarded|earn|earns|get|gets|receive|receives|deserve|"
        "deserves|bring|brings|add|gain|gains|yield|yields|score points"
    ),
    "CREDIT": "credit|credits|points|marks|point|bonus|score credit",
    "PARTIAL": "partial|partially|part of the|a little|some|a bit of|partly|reduced",
    "FULL": (
        "full score|maximum|maximal|the maximum|top marks|top score|all the points|all points|every point|100 points|"
        "flawlessly|complete credit|a perfect fit|perfect fit|as perfect|spot on|a perfect match|100 percent right|"
        "full|fully|perfect|perfectly|"
        "complete|count as perfect|considered perfect|flawless|counts as perfect|"
        "completely right|full credit|full marks|full points|as good as perfect|a perfect score|fully correct"
    ),
    "FINE": (
        "good to go|no harm|forgiving of|tolerably|suitable|satisfactory|adequate|all it takes|does the job|"
        "okay by me|fair enough|legitimate|legal|valid|excusable|pardonable|bearable|tolerates|passable|welcome|good|"
        "permits|allows|accepts|accepting|fine|ok|okay|acceptable|accepted|accept|"
        "tolerable|good enough|enough|sufficient|suffices|sufficiently|"
        "tolerate|tolerated|forgivable|allow|allowing|permit|allowed|permitted|permissible|as correct|as right|"
        "forgive|forgiven|not a problem|no problem|all right|alright|harmless|no big deal|not an issue|"
        "no issue|not a big deal|"
        "not a big problem|not the end of the world|nothing to worry about|optional for students"
    ),
    "ZERO": "nothing|zero|no points|no marks",
    "EXTRA": (
        "invented|hallucinated|phantom|redundant|unnecessary|needless|ghost|made up|imaginary|imagined|nonexistent|"
        "non existent|unwanted|overdrawn|bogus|drawing things that are not there|drawing too many|over drawing|"
        "excess|excessive|excess *o|excessive *o|needless drawing|extra|extras|extra *o|additional|additional *o|"
        "surplus|surplus *o|superfluous|superfluous *o|"
        "false positive|false positives|false alarms|false alarm|fps|fp|over annotation|over annotating|"
        "overannotation|overannotating|over labeling|overlabeling|redundant *o|unnecessary *o|needless *o|"
        "too many *o|too much|one too many|drawing too much|drawing too many *o|drawing one too many|too many|"
        "drawing extra *o|drawing additional *o|adding *o|spurious *o|spurious|*o too many|invented *o|"
        "drawing more than needed|hallucinated *o|hallucinations|*o that are not there|*o that do not exist|"
        "*o where there is nothing|*o not in the ground truth|*o that are not in the ground truth|unmatched *o|"
        "wrongly drawn *o|phantom *o|drawing *o that are not there|drawing *o that do not exist|"
        "annotating too much|labeling too much|ghost *o|drawing *o that are not in the ground truth|"
        "surplus drawing|commission errors|errors of commission|precision|annotating more than the ground truth has|"
        "annotating more than the ground truth|drawing more than the ground truth|more than the ground truth has|"
        "more *o than the ground truth|more *o than the ground truth has|more *o than there are"
    ),
    "MISS": (
        "not spotting|unspotted|leaving an *o out|gaps in the annotation|not seeing|unmarked|unmarked *o|not marking|"
        "undrawn|undrawn *o|left undone|oversight|oversights|skipping|skipping an *o|skips|leaves out an *o|"
        "not noticing|unnoticed|unnoticed *o|overlook|overlooks|forgets|omits|fails to find|fails to draw|"
        "fail to find|fail to draw|miss|misses|missed|"
        "missing|missed *o|missing *o|missing an *o|missing one|missing a *o|forgotten *o|"
        "overlooked *o|overlooking|overlooking *o|overlooking an *o|overlooking a|missing a|missing any|"
        "undetected *o|false negative|false negatives|fns|fn|unfound *o|omissions|omission|omission errors|"
        "errors of omission|failing to find|failing to find an *o|failing to draw|not finding an *o|"
        "not finding *o|not finding|not drawing an *o|not drawing *o|forgetting|forgetting an *o|forgetting *o|"
        "forgotten|overlooked|undetected|*o not found|*o that are not found|*o that were not found|"
        "*o that were missed|*o that are missed|*o a student misses|*o the student missed|missed out|lost *o|"
        "too few *o|unlabeled *o|unannotated *o|not annotating|failing to annotate|failing to annotate an *o|"
        "drawing too little|drawing too few *o|recall"
    ),
    "DUPLICATE": (
        "repeats|repeat|repetition|repetitions|repeating an *o|multiple *o on one object|"
        "multiple *o for the same object|two *o for the same object|second *o for the same object|"
        "more than one *o per object|twin *o|copies|a copy|copy|duplicate|duplicates|duplicate *o|duplicated *o|"
        "double *o|*o drawn twice|drawing an *o twice|"
        "drawing *o twice|drawing the same *o twice|repeated *o|second *o on the same object|"
        "annotating an *o twice|marking an *o twice|doubled *o|doubles|twofold annotations|the same *o twice|"
        "labeling an *o twice|labeling the same *o twice|annotating the same *o twice|drawing something twice|"
        "two boxes on one object|double *o on one object|double *o on the same object|two *o on the same object|"
        "drawing the same *o again|drawing an *o more than once|drawing the same *o more than once"
    ),
    "OVERLAP": (
        "agreement of shapes|area in common|common area|shared area|fit of|oks|keypoint similarity|similarity|bar|"
        "the bar|overlapped|intersection|overlap|overlaps|overlapping|iou|"
        "iou threshold|overlap threshold|iou of|intersection over union|"
        "matching threshold|match threshold|threshold|minimum overlap|minimum iou|min iou|required overlap|"
        "jaccard|matching overlap|cutoff|iou cutoff|cover|covers|covering|covered"
    ),
    "POSITION": (
        "fit|tight fit|the fit|where it is|where they are|where things are|coordinates|alignment|box coordinates|"
        "geometric accuracy|where exactly|how exactly boxes are drawn|how well boxes are drawn|how tightly boxes fit|"
        "shape|the shape|position|positions|location|locations|localization|placement|box position|box placement|"
        "place|geometry|"
        "box geometry|exact shape|exact position|exact shapes|exact outline|box accuracy|tightness|"
        "drawing precisely|drawing exactly|drawing accurately|precise drawing|drawing accuracy|shape accuracy|"
        "shape quality|accuracy of the *o|accuracy of *o|exact boxes|exact box|precision of the *o|"
        "precision of *o|pixel accuracy|where the *o are|where *o are|bounding box accuracy|"
        "box borders|box edges|outline|outlines|contours|borders|edges|spatial accuracy|box precision|"
        "exact location|precise boxes|precise location|precise position|tight boxes|box fit|drawing tightly|"
        "positioning|box positions|box size|position of the *o|position of *o|location of *o|location of the *o"
    ),
    "LABEL": (
        "what they are called|names|the name|what it is called|object name|object names|type|types|kind of object|"
        "the kind|identity|label|labels|class|classes|category|categories|class name|class names|label name|"
        "label names|naming|"
        "classification|labeling|class label|class labels|the right class|the right label|right class|right label|"
        "correct class|correct label|correct labels|class accuracy|label accuracy|the correct class|labelname|"
        "label correctness|right name|right names|object class|object classes|object type"
    ),
    "ATTRIBUTES": (
        "flag|field|attribute|attributes|properties|property|attribute values|attribute value|attribute accuracy|"
        "all attributes|any attributes|additional attributes|the attributes|attribute correctness|metadata|"
        "object attributes"
    ),
    "QUALITY": (
        "accuracy of matches|exactness|how good the matches are|carefulness|quality|match quality|quality of matches|"
        "drawing quality"
    ),
    "COMPLETENESS": (
        "finding things|how much is found|having found everything|thoroughness|spotting everything|spotting all *o|"
        "exhaustiveness|how complete|being thorough|finding as much as possible|everything being found|"
        "nothing being missed|completeness|coverage|finding everything|finding all *o|finding all the *o|"
        "finding every *o|"
        "detecting everything|detecting all *o|finding *o|finding all|having everything|annotating everything|"
        "annotating all *o|completeness score|catching everything|catching all *o|detection|finding the *o|"
        "not missing anything|being complete|catching every *o|labeling everything"
    ),
    "WRONG": (
        "misnamed|misidentified|mixed up class|a wrong one|wrong|incorrect|mistaken|false|mistakes|mistake|errors|"
        "error|misclassified|mislabeled|misclassification|"
        "misclassifications|mislabeling|inaccurate|another|different|erroneous|not correct"
    ),
    "MIX": (
        "taking|takes|switch|switched|switching|misread as|misreading|exchange|exchanged|exchanging|swaps|mixes up|"
        "mistook|in lieu of|and vice versa|passed off as|where we used|where we have|where we drew|"
        "where the ground truth has|in place of|for which we used|"
        "rather than|mixing up|mix up|mixed up|mixing|confusing|confuse|confused|confuses|confusion|confusion of|"
        "swapping|"
        "swap|swapped|labeled as|labeled|called|named|marked as|annotated as|classified as|tagged as|taken for|"
        "mistaken for|calling|labeling|mistaking|confusions|interchanging|interchanged|instead of|drawn as"
    ),
    "SAME": (
        "agree|agrees|agreeing|coincide|coincides|match each other|in agreement|fifty fifty|half and half|"
        "no difference between|indistinguishable|on a par|equals|same|equal|equally|evenly|alike|identical|"
        "identically|equivalent|"
        "one class|same class|same thing|equal parts|just as|the same class|as one class|same category|"
        "one category|the same category|a single class|equal weight|equal weights|in equal parts|merge|merged|"
        "combine|combined|even|the same value|same value|same way|on par|as one"
    ),
    "ONE_CLASS": "interchangeable|interchangeably|synonyms|synonymous|synonym",
    "MORE": (
        "more emphasis on|more emphasis|put more emphasis on|more stress on|greater weight|greater emphasis on|"
        "more of|strengthen|up the|intensify|step up|go up|bump up|bump|increase the weight of|raise the weight of|"
        "give more weight to|give more weight|put more weight on|give more importance to|more|higher|larger|"
        "heavier|more heavily|more strongly|increase|increased|raise|raised|extra weight|more weight|bigger|"
        "stronger|greater|boost|more strictly|more harshly|more severely|more often|a lot more|much more|worse|"
        "harsher|upweight|especially|particularly|harder|more than now|extra important"
    ),
    "LESS": (
        "less emphasis on|less emphasis|less stress on|play down|tone down|weaken|go down|bring down|"
        "lower the weight of|reduce the weight of|cut back|dial down|lessen|ease|give less weight to|"
        "give less weight|put less weight on|give less importance to|less|lower|smaller share|"
        "smaller weight|lighter|decrease|decreased|reduce|reduced weight|less heavily|less strongly|less weight|"
        "fewer|not so|not as|not that|reduce the weight|lower weight|less strictly|milder|weaker|a lot less|"
        "much less|less harshly|less severely|downweight|not so much"
    ),
    "MOST": (
        "put the focus on|the biggest|biggest|the largest|largest|the greatest|greatest|the heaviest|number one|"
        "most of all|more than the rest|predominantly|in the first place|first and foremost|chiefly|focus on|"
        "concentrate on|emphasize|emphasise|prioritize|prioritise|put the emphasis on|put emphasis on|"
        "most|highest|top priority|above all|first of all|priority|the main thing|main|primarily|mostly|mainly|"
        "more than anything|more than anything else|more than everything else|the key|crucial|essential|paramount"
    ),
    "LEAST": "least|lowest priority|lowest|the least",
    "STRICT": (
        "harshly|unforgiving|intolerant|meticulous|painstaking|exact about|sharp|sharper|tighten|rigid|rigorously|"
        "uncompromising|strict|stricter|strictly|tight|tighter|tightly|tough|tougher|harsh|severe about|precise|"
        "precisely|"
        "accurate|accurately|exacting|pixel perfect|pixel accurate|picky|rigorous|fussy|pedantic|demanding|"
        "hard on|strict about|strict on|strict with|harder on|close fitting|snug|very precise|snugly"
    ),
    "LENIENT": (
        "forgivingly|tolerantly|easygoing|easy going|loosen|lenience|leniency|less strict|less picky|less fussy|"
        "more relaxed|merciful|cut some slack|mercy|benevolent|indulgent|lenient|leniently|loose|looser|loosely|"
        "relaxed|relax|generous|generously|forgiving|tolerant|easy|easier|"
        "gentle|gentler|easy on|go easy on|lax|kind|mild|lenient with|lenient about|lenient on|tolerance for|"
        "sloppy|rough|roughly|approximate|approximately|slack|leeway|more slack|more leeway|soft|softer|soften|"
        "be easy on"
    ),
    "SMALL": (
        "teeny|microscopic|narrower|thinner|no bigger than|not bigger than|"
        "not larger than|minute|smaller in size|less tall|less wide|small|tiny|very small|minuscule|"
        "little|smaller|below|under|shorter"
    ),
    "PIXELS": (
        "pixels tall|pixels in height|pixels in width|pixels on a side|pixels on their longer side|pixels|pixel|px|"
        "px wide|pixels wide|pixels in size|pixels high|pixels large|pixels across"
    ),
    "OFFSET": (
        "a few pixels off|few pixels off|a few pixels|few pixels|small deviations|slight deviations|small offsets|"
        "minor offsets|slightly off|slight offsets|small shifts|slight shifts|small position errors|"
        "small inaccuracies|minor inaccuracies|slight inaccuracies|a couple of pixels|a couple of pixels off|"
        "small differences in position|minor deviations|tiny deviations|a bit off|a little off|"
        "small misalignments"
    ),
    "EMPTY_IMAGE": (
        "empty images|empty image|images left empty|images correctly left empty|correctly empty images|"
        "images that are correctly left empty|images without objects|images with no objects|background images|"
        "images rightly left empty|images that are rightly left empty|blank images|empty frames|"
        "images without annotations|negative images|frames without objects|correctly left empty images|"
        "images that should be empty|leaving an image empty|leaving empty images empty|"
        "images with nothing on them|images with nothing in them"
    ),
    "MISSING_IMAGE": (
        "missing images|images that are missing|images not handed in|images not submitted|unsubmitted images|"
        "images the student did not hand in|images a student did not hand in|images that were not handed in|"
        "images that are not in the submission|images not in the submission|images the student did not annotate|"
        "images that were not annotated|unannotated images|images not annotated|images that were not submitted|"
        "images that are not submitted|images that were not included|images they did not do|"
        "images students did not hand in|images students did not annotate|images they did not hand in|"
        "images they skipped|images a student skipped|images the student skipped|images students skipped|"
        "skipped images|images which were not handed in|images they did not annotate|"
        "images that were not assigned|images not assigned|images they did not get to|images they did not reach|"
        "images they did not finish|images students did not get to|images a student did not get to|unfinished images|"
        "images they have not done|images nobody got to|images they never opened"
    ),
    "EXTRA_IMAGE": (
        "extra images|additional images|images not in the ground truth|images that are not in the ground truth|"
        "images without ground truth|unknown images|images without a ground truth|"
        "images that have no ground truth|images with no ground truth"
    ),
    "CROWD": "crowd|crowds|crowd regions|crowd annotations|crowd objects|ignore regions|iscrowd|crowd areas",
    "PASS": (
        "get through|makes it|make it|clear the course|successful|succeed|succeeds|qualify|qualifies|get a pass|"
        "is a pass|counts as passed|the mark to pass|certificate|pass|passing mark|pass mark|passing score|"
        "passing grade|pass threshold|passed|passing|to pass|passes|"
        "pass the task|passing threshold|minimum score|pass score|pass rate"
    ),
    "ONLY": (
        "merely|limited to|restrict to|restricted to|confine to|limit to|nothing more than|sole|no more than|alone|"
        "by itself|on its own|purely|entirely|by themselves|only|just|nothing but|solely|exclusively|"
        "nothing except"
    ),
    "OTHER": (
        "all the rest|remaining|remaining classes|every other object|any other|the remainder|everything other|"
        "everything else|others|other classes|the others|other|the rest|rest|anything else|other ones|all others|"
        "other objects|all other classes|all the others|other labels|any other class|the other classes|"
        "all other objects|other things|the remaining classes|every other class"
    ),
    "THAN": "than|as|what|compared to|compared with|over|versus|vs|relative to|in comparison to",
    "EXCEPT": (
        "everything except|everything but|all except|all but|except|except for|apart from|other than|anything but|"
        "anything except|everything other than|all classes except|every class except|all classes but|"
        "with the exception of|everything apart from|save for"
    ),
    "AND": "and|or|,|as well as|plus|with|/|&|both|together with",
    "AT_LEAST": (
        "reach|reaches|reached|achieve|achieves|hit|hits|as soon as|as long as|once|starting at|starting from|"
        "upwards of|from on|will do|at least|minimum|minimum of|at minimum|a minimum of|no less than|not less than|"
        "need|needs|needed|"
        "necessary|require|required|requires|must have|must be at least|>=|or more|or higher|or better|or above|"
        "above|from|exceed|demand|set|set to|set at|to|=|:|use an|of"
    ),
    "SHARE": (
        "of the score|of the grade|of the total|of the mark|of the total score|of the overall score|"
        "of the final score|of the final grade|of the points|of the overall grade|of the result"
    ),
    "FAIL": (
        "flunk|flunks|flunked|is not enough to pass|unsuccessful|does not make it|do not make it|fall through|"
        "failure|fail|fails|failed|failing|does not pass|do not pass|not pass"
    ),
    "SEPARATORS": "underscores|underscore|spaces|space|hyphens|hyphen|dashes|dash|separators",
    "MATCH": (
        "pairing|pairing up|paired up|pairs|matching up|match up|assign|assigned|assigning|match|matched|matches|"
        "matching|be matched|pair|paired|be paired|pair up"
    ),
    "LIKEWISE": "likewise",
    "PREFER": "prefer|preferably|preferred|first|by preference|before anything else",
    "NEAR_MISS": "near miss|near misses|nearly found|almost found|near hit|close call|almost a match",
    "RESIZED": (
        "resized|rescaled|resized images|rescaled images|resized pictures|images of another size|scaled images|"
        "scaled down images|downscaled images|images of a different size|other resolution|different resolution|"
        "another resolution|images of another resolution|smaller copies of the images|shrunk images"
    ),
    "RESCALE": "scale|rescale|scale up|scale back|convert|scaled back|rescaling",
    "FORMAT": (
        "yolo|voc|pascal voc|format|formats|file format|file formats|yolo files|voc files|yolo users|yolo students|"
        "voc students|the format of the file"
    ),
    "IDENTIFY": (
        "tell which|belong|belongs|belong together|belongs together|go together|goes together|identify|identifies|"
        "identifier|tell apart|tells apart|know which"
    ),
    "SPLIT": "split the score|split|divide|share the score|balance|divide the score|distribute the score|spread",
    "CASE": (
        "case|upper and lower case|upper case|lower case|capitalization|capital letters|capitals|letter case|"
        "capitalisation|uppercase|lowercase|case differences"
    ),
    "SPELLING": (
        "spelling slips|slips of spelling|letters wrong|spelling mistakes|spelling errors|typos|typo|spelling|"
        "misspellings|small spelling mistakes|"
        "minor spelling mistakes|small typos|minor typos|spelling differences|misspelling|misspelled|misspelt"
    ),
    "EXACT": (
        "verbatim|character by character|letter by letter|strictly equal|precisely the same|the very same|"
        "perfectly equal|exactly|exact|literally|letter for letter|exact match|match exactly|identical text|"
        "word for word|"
        "exactly right|to the letter"
    ),
    "EMPTY": (
        "empty|blank|left empty|left blank|unfilled|not filled in|missing value|missing values|unfilled values|an empty"
    ),
    "ACROSS": (
        "may match|can match|may be matched with|can be matched with|may be matched to|match with|against|"
        "may be compared with|may stand for|be matched with|can stand for|count as a match for|be matched to"
    ),
    "BOX": "boxes|box|bounding boxes|bounding box|rectangles|rectangle|bboxes|bbox",
    "AREA": "polygons|polygon|masks|mask|outlines of polygons|segmentations|segments",
    "SKELETON": "skeletons|skeleton|keypoints|poses",
    "LINE": "lines|polylines|line|polyline|lanes",
    "POINTS": "point annotations",
    "CUBOID": "cuboids|cuboid",
    "OBJECTS": (
        "something|everything|objects|object|annotations|annotation|shapes|ones|instances|things|items|detections|"
        "stuff|one"
    ),
}
"""Concept -> what people say for it, parted by bars. A phrase belongs to the first concept that lists it."""
_SILENT = (
    "per whole altogether overly somewhat certain particular specific respective respectively agreed correctly "
    "rightly properly honest nice nicely carefully slight slightly pretty fairly likely perhaps often during after "
    "whose him her hers his it'd i'd we'd you'd d m re ll ve let's us view opinion purpose purposes sense fact sum "
    "calculation compute computed calculate calculated automatically "
    "contain contains hard whatsoever among amongst got me myself yourself "
    "themselves getting soon tell tells told where why file files "
    "though although "
    "handed worked working works spelled spelt written typed users user teachers teacher sure "
    "today currently actually basically honestly definitely certainly absolutely probably maybe anyway "
    "lot lots bunch course thank thanks hi hello note remember notice decided believe think "
    "feel hope hoping expect expects expected wish say saying said ask asking asked tend tends happen "
    "come comes coming going goes gone went take taken find finds found finding see sees seen seeing "
    "start starts end ends part parts rule rules system program tool computer grader software result results "
    "round turn time moment week semester beginner beginners novice novices learner learners pupil pupils "
    "kids children whenever wherever whichever whatever ever already "
    "hand hands handing submit submits submitted upload uploads uploaded picked pick choose chosen choosing "
    "\" ' “ ” ‘ ’ ` ( ) ; ? ! … — "
    "a about accuracy again all also always amount an annotate annotating annotator annotators any anything are "
    "at be become becomes been being between bit but by can concerning correct correctness could data did do "
    "does done draw drawing drawn draws each every final for general generally go had happens has have having "
    "he here himself how however i if in into is it its keep kindly let like made make makes making many mark "
    "marking may mean might much must my now number off on our out overall people please put puts quite rather "
    "really regard regarded regarding respect right says shall she should simply so sort still student students "
    "submission submissions such task that the their them then there these they thing this those too total "
    "anybody anyone assignment course everybody everyone exam exercise homework lesson means nobody's people's "
    "project session somebody someone test training whoever yet toward towards trainee trainees treat "
    "treated treating try until up us very want wants was way we well "
    "were when whether which while who will work would write writes you your"
)
SILENT = frozenset(_SILENT.split())
"""Words without a sense of their own here."""
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred"
NUMERALS: Mapping[str, float] = {
    **{word: float(value) for value, word in enumerate(_SMALL.split())},
    **{word: 10.0 * tens for tens, word in enumerate(_TENS.split(), start=2)},
}
FRACTIONS: Mapping[str, float] = {
    **{"half": 0.5, "a half": 0.5, "one half": 0.5, "a third": 1 / 3, "one third": 1 / 3, "third": 1 / 3},
    **{"a quarter": 0.25, "one quarter": 0.25, "quarter": 0.25, "two thirds": 2 / 3, "three quarters": 0.75},
    **{"one fourth": 0.25, "a fifth": 0.2, "one fifth": 0.2},
    **{"a tenth": 0.1, "halve": 0.5, "halved": 0.5, "half the": 0.5},
}
TIMES: Mapping[str, float] = {
    **{"twice": 2.0, "double": 2.0, "doubled": 2.0, "doubly": 2.0, "twofold": 2.0, "thrice": 3.0, "triple": 3.0},
    **{"tripled": 3.0, "threefold": 3.0, "fourfold": 4.0, "quadruple": 4.0, "two fold": 2.0, "three fold": 3.0},
    **{"doubling": 2.0, "tripling": 3.0},
}

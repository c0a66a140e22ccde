/* COCO's JSON walked once, in pieces, into columns.

   Only what is as it should be: anything out of the ordinary (a missing id, text for a number, a key stated twice)
   ends the walk, and the reader for all of COCO takes over. The text lies in a buffer that ends with a zero byte,
   which no JSON holds: whoever meets it stops, and asks for more text if it is the end. */
#include <float.h>

#include "kernel.h"

int runs_of_text(const unsigned char *text, size_t length, Store *runs);

typedef enum { DONE = 0, MORE, ODD, OVER_POINTS, OVER_ALL_POINTS, OVER_RUNS, NO_MEMORY } Outcome;
typedef enum { START, MEMBER, AFTER_MEMBER, FIRST_ITEM, ITEM, AFTER_ITEM, END } Phase;

/* The columns, by the names under which Python asks for them. */
enum {
    ID, IMAGE, CATEGORY, FLAGS, BOX, AREA, SCORE,
    RINGS, RING_NUMBERS, NUMBERS,
    KEYPOINT_COUNT, POINTS, VISIBILITY,
    MASK_OWNER, MASK_SIZE, MASK_RUNS, RUNS, MASK_FIGURES,
    ATTRIBUTE_OWNER, ATTRIBUTE_END, ATTRIBUTE_TEXT,
    AROUND,
    COLUMNS
};
static const char *const column_names[COLUMNS] = {
    "id", "image", "category", "flags", "box", "area", "score",
    "rings", "ring_numbers", "numbers",
    "keypoint_count", "points", "visibility",
    "mask_owner", "mask_size", "mask_runs", "runs", "mask_figures",
    "attribute_owner", "attribute_end", "attribute_text",
    "around",
};

/* Bits of the column `flags`. */
enum { HAS_ID = 1, HAS_BOX = 2, HAS_AREA = 4, HAS_SCORE = 8, IS_CROWD = 16, IS_IGNORED = 32, HAS_OUTLINE = 64 };

static const double FARTHEST = 1e7; /* as in io/annotations/shape_validation.py */
enum { USUAL = 16 };
enum { PADDING = 16 }; /* zero bytes after the text, so that eight can be looked at from any place in it */

typedef struct {
    PyObject_HEAD
    PyObject *module;
    Store column[COLUMNS];
    Store text;           /* what was fed and not yet used, then zero bytes */
    size_t tried;         /* bytes of text that did not suffice last time */
    Phase phase;
    int results, has_list, before_close;
    int64_t count, most_points, most_all_points, most_runs;
    uint8_t usual[USUAL]; /* the key that came at each place in the annotation before */
    Outcome outcome;
    const char *end;
} Scan;

#define STOP(p) return (*(p) == 0 && (p) == s->end) ? MORE : ODD

#define TRY(call)                  \
    do {                           \
        Outcome tried_ = (call);   \
        if (tried_ != DONE)        \
            return tried_;         \
    } while (0)

#define PUSH(which, item)                                                      \
    do {                                                                       \
        if (store_push(&s->column[which], &(item), sizeof(item)) < 0)          \
            return NO_MEMORY;                                                  \
    } while (0)

static inline const char *blank(const char *p)
{
    while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')
        p++;
    return p;
}

static inline int is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The number nearest to m times ten to the power e, where that is certain; -1 otherwise. */
static int quick_number(uint64_t m, int e, double *value)
{
    if (e < -22 || e > 22)
        return -1;
    if (m <= (uint64_t)1 << 53) { /* both are exact, so one rounding is the right one */
        *value = e < 0 ? (double)m / powers[-e] : (double)m * powers[e];
        return 0;
    }
#if LDBL_MANT_DIG == 64 && DBL_MANT_DIG == 53
    /* with 64 bits both are exact still; rounding again is safe unless the result lies near the middle of two */
    long double wide = e < 0 ? (long double)m / (long double)powers[-e] : (long double)m * (long double)powers[e];
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    unsigned rest = bits & 0x7ff;
    if (rest < 0x3fe || rest > 0x402) {
        *value = (double)wide;
        return 0;
    }
#endif
    return -1;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* A number of at most seven characters, such as 123.45, from the eight bytes at p; its length, or 0 for another look.
   Source of the sums over eight digits: Lemire (2021), Number parsing at a gigabyte per second. */
static inline int short_number(const char *p, double *value)
{
    uint64_t chunk;
    memcpy(&chunk, p, sizeof chunk);
    uint64_t digits = chunk ^ UINT64_C(0x3030303030303030);
    uint64_t other = ((digits + UINT64_C(0x0606060606060606)) | digits) & UINT64_C(0xF0F0F0F0F0F0F0F0);
    if (other == 0)
        return 0;
    int whole = __builtin_ctzll(other) >> 3, length = whole, decimals = 0;
    if (whole == 0 || (*p == '0' && whole > 1))
        return 0;
    uint64_t before = (UINT64_C(1) << (8 * whole)) - 1;
    if (p[whole] == '.') {
        other &= ~(UINT64_C(0xFF) << (8 * whole));
        if (other == 0)
            return 0;
        length = __builtin_ctzll(other) >> 3;
        decimals = length - whole - 1;
        if (decimals == 0)
            return 0;
        digits = (digits & before) | ((digits >> 8) & ~before);
    }
    char after = p[length];
    if (after == 0 || after == 'e' || after == 'E' || after == '.')
        return 0;
    int count = length - (decimals != 0);
    digits <<= 8 * (8 - count);
    digits = digits * 10 + (digits >> 8);
    digits = ((digits & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
              ((digits >> 16) & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >> 32;
    *value = decimals ? (double)digits / powers[decimals] : (double)digits;
    return length;
}
#else
static inline int short_number(const char *p, double *value)
{
    (void)p;
    (void)value;
    return 0;
}
#endif

static Outcome slow_number(const char *start, const char *past, double *value)
{
    char copy[128], *end;
    size_t length = (size_t)(past - start);
    if (length >= sizeof copy)
        return ODD;
    memcpy(copy, start, length);
    copy[length] = 0;
    *value = PyOS_string_to_double(copy, &end, NULL);
    if (end != copy + length || !isfinite(*value)) {
        PyErr_Clear();
        return ODD;
    }
    return DONE;
}

static inline Outcome number(Scan *s, const char **at, double *value)
{
    const char *start = *at, *p = start;
    int negative = *p == '-';
    p += negative;
    int quick = short_number(p, value);
    if (quick) {
        *at = p + quick;
        if (negative)
            *value = -*value;
        return DONE;
    }
    if (!is_digit(*p))
        STOP(p);
    uint64_t m = 0;
    const char *first = p;
    if (*p == '0')
        p++;
    else
        while (is_digit(*p))
            m = m * 10 + (uint64_t)(*p++ - '0');
    int64_t digits = p - first, e = 0;
    if (is_digit(*p))
        return ODD; /* a zero before other digits */
    if (*p == '.') {
        const char *point = ++p;
        while (is_digit(*p))
            m = m * 10 + (uint64_t)(*p++ - '0');
        if (p == point)
            STOP(p);
        e = point - p;
        digits += p - point;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        int down = *p == '-';
        if (*p == '-' || *p == '+')
            p++;
        if (!is_digit(*p))
            STOP(p);
        int64_t power = 0;
        while (is_digit(*p)) {
            if (power < 100000)
                power = power * 10 + (*p - '0');
            p++;
        }
        e += down ? -power : power;
    }
    if (*p == 0)
        STOP(p); /* it may go on */
    *at = p;
    if (digits > 19 || e < -100000 || e > 100000 || quick_number(m, (int)e, value) < 0)
        return slow_number(start, p, value);
    if (negative)
        *value = -*value;
    return DONE;
}

static Outcome integer(Scan *s, const char **at, int64_t *value)
{
    const char *p = *at;
    int negative = *p == '-';
    p += negative;
    if (!is_digit(*p))
        STOP(p);
    const char *first = p;
    int64_t m = 0;
    while (is_digit(*p)) {
        if (p - first >= 18)
            return ODD;
        m = m * 10 + (*p++ - '0');
    }
    if (*first == '0' && p - first > 1)
        return ODD;
    if (*p == 0)
        STOP(p);
    if (*p == '.' || *p == 'e' || *p == 'E')
        return ODD;
    *value = negative ? -m : m;
    *at = p;
    return DONE;
}

static Outcome word(Scan *s, const char **at, const char *letters)
{
    const char *p = *at;
    for (; *letters; letters++, p++)
        if (*p != *letters)
            STOP(p);
    *at = p;
    return DONE;
}

static Outcome skip_text(Scan *s, const char **at)
{
    const char *p = *at;
    if (*p != '"')
        STOP(p);
    p++;
    for (;;) {
        unsigned char c = (unsigned char)*p;
        if (c == '"')
            break;
        if (c == '\\') {
            p++;
            if (*p == 'u') {
                p++;
                for (int k = 0; k < 4; k++, p++)
                    if (!is_digit(*p) && !(*p >= 'a' && *p <= 'f') && !(*p >= 'A' && *p <= 'F'))
                        STOP(p);
            }
            else if (*p && strchr("\"\\/bfnrt", *p))
                p++;
            else
                STOP(p);
        }
        else if (c < 0x20)
            STOP(p);
        else
            p++;
    }
    *at = p + 1;
    return DONE;
}

/* A key and the colon after it; a key with an escape could be any, and is odd. */
static Outcome key(Scan *s, const char **at, const char **name, size_t *length)
{
    const char *p = *at;
    if (*p != '"')
        STOP(p);
    *name = ++p;
    while (*p != '"') {
        if (*p == '\\')
            return ODD;
        if ((unsigned char)*p < 0x20)
            STOP(p);
        p++;
    }
    *length = (size_t)(p - *name);
    p = blank(p + 1);
    if (*p != ':')
        STOP(p);
    *at = blank(p + 1);
    return DONE;
}

/* Any value, checked and passed over; lists and objects in others are counted in bits and not by recursion. */
static Outcome skip(Scan *s, const char **at)
{
    enum { DEEPEST = 64 };
    uint64_t objects = 0;
    int depth = 0;
    const char *p = *at, *name;
    size_t length;
    for (;;) {
        p = blank(p);
        double value;
        if (*p == '{' || *p == '[') {
            int object = *p == '{';
            if (depth == DEEPEST)
                return ODD;
            p = blank(p + 1);
            if (*p != (object ? '}' : ']')) {
                objects = objects << 1 | (uint64_t)object;
                depth++;
                if (object)
                    TRY(key(s, &p, &name, &length));
                continue;
            }
            p++;
        }
        else if (*p == '"')
            TRY(skip_text(s, &p));
        else if (*p == 't')
            TRY(word(s, &p, "true"));
        else if (*p == 'f')
            TRY(word(s, &p, "false"));
        else if (*p == 'n')
            TRY(word(s, &p, "null"));
        else
            TRY(number(s, &p, &value));
        for (;;) {
            if (depth == 0) {
                *at = p;
                return DONE;
            }
            int object = (int)(objects & 1);
            p = blank(p);
            if (*p == ',') {
                p = blank(p + 1);
                if (object)
                    TRY(key(s, &p, &name, &length));
                break;
            }
            if (*p != (object ? '}' : ']'))
                STOP(p);
            p++;
            depth--;
            objects >>= 1;
        }
    }
}

/* A list of numbers, added to a column. */
static Outcome numbers(Scan *s, const char **at, int which, int64_t *count)
{
    const char *p = *at;
    *count = 0;
    if (*p != '[')
        STOP(p);
    p = blank(p + 1);
    if (*p == ']') {
        *at = p + 1;
        return DONE;
    }
    Store *column = &s->column[which];
    for (;;) {
        double value;
        int negative = *p == '-', quick = short_number(p + negative, &value);
        if (quick) {
            p += negative + quick;
            value = negative ? -value : value;
        }
        else
            TRY(number(s, &p, &value));
        if (column->room - column->used < sizeof value && store_reserve(column, sizeof value) < 0)
            return NO_MEMORY;
        memcpy(column->bytes + column->used, &value, sizeof value);
        column->used += sizeof value;
        (*count)++;
        if (*p == ',') {
            p += 1 + (p[1] == ' ');
            if (!is_digit(*p))
                p = blank(p);
            continue;
        }
        p = blank(p);
        if (*p == ',') {
            p = blank(p + 1);
            continue;
        }
        if (*p != ']')
            STOP(p);
        *at = p + 1;
        return DONE;
    }
}

/* What comes after a number of a list: another one, or the end. */
static inline Outcome after_number(Scan *s, const char **at, int *ended)
{
    const char *p = *at;
    if (*p != ',') {
        p = blank(p);
        if (*p == ']') {
            *ended = 1;
            *at = p + 1;
            return DONE;
        }
        if (*p != ',')
            STOP(p);
    }
    p += 1 + (p[1] == ' ');
    *at = is_digit(*p) || *p == '-' ? p : blank(p);
    return DONE;
}

static inline Outcome list_number(Scan *s, const char **at, double *value)
{
    const char *p = *at;
    int negative = *p == '-', quick = short_number(p + negative, value);
    if (!quick)
        return number(s, at, value);
    *at = p + negative + quick;
    if (negative)
        *value = -*value;
    return DONE;
}

/* A flag as it is written as a rule, 2 or 2.0; anything else is a number like others. */
static inline Outcome visibility_flag(Scan *s, const char **at, double *flag)
{
    const char *p = *at;
    if ((unsigned char)(*p - '0') < 3) {
        int length = p[1] == '.' && p[2] == '0' ? 3 : 1;
        if (p[length] == ',' || p[length] == ']') {
            *flag = *p - '0';
            *at = p + length;
            return DONE;
        }
    }
    return list_number(s, at, flag);
}

/* Keypoints, x, y and a flag each; of the flag counts whether it is 0, 1, more, or less than 0. */
static Outcome keypoints(Scan *s, const char **at, int64_t *count)
{
    const char *p = *at;
    *count = 0;
    if (*p != '[')
        STOP(p);
    p = blank(p + 1);
    if (*p == ']') {
        *at = p + 1;
        return DONE;
    }
    Store *points = &s->column[POINTS], *flags = &s->column[VISIBILITY];
    for (int ended = 0; !ended; (*count)++) {
        double place[2], flag;
        for (int k = 0; k < 2; k++) {
            TRY(list_number(s, &p, &place[k]));
            TRY(after_number(s, &p, &ended));
            if (ended)
                return ODD;
        }
        TRY(visibility_flag(s, &p, &flag));
        TRY(after_number(s, &p, &ended));
        if (fabs(place[0]) > FARTHEST || fabs(place[1]) > FARTHEST || fabs(flag) > FARTHEST)
            return ODD;
        char seen = flag > 0 ? (flag == 1 ? 1 : 2) : flag < 0 ? -1 : 0;
        if (store_push(points, place, sizeof place) < 0 || store_push(flags, &seen, 1) < 0)
            return NO_MEMORY;
    }
    *at = p;
    return DONE;
}

static Outcome rings(Scan *s, const char **at, int64_t *count)
{
    const char *p = blank(*at + 1); /* after the bracket */
    *count = 0;
    if (*p == ']') {
        *at = p + 1;
        return DONE;
    }
    for (;;) {
        int64_t size;
        TRY(numbers(s, &p, NUMBERS, &size));
        if (size % 2 || size == 2)
            return ODD;
        if (size / 2 > s->most_points)
            return OVER_POINTS;
        PUSH(RING_NUMBERS, size);
        (*count)++;
        p = blank(p);
        if (*p == ',') {
            p = blank(p + 1);
            continue;
        }
        if (*p != ']')
            STOP(p);
        *at = p + 1;
        break;
    }
    if ((int64_t)(s->column[NUMBERS].used / (2 * sizeof(double))) > s->most_all_points)
        return OVER_ALL_POINTS;
    return DONE;
}

/* The counts of a mask: COCO's compressed text, in which a backslash is written twice, or a list. */
static Outcome counts(Scan *s, const char **at)
{
    const char *p = *at;
    if (*p == '[') {
        p = blank(p + 1);
        while (*p != ']') {
            int64_t run;
            TRY(integer(s, &p, &run));
            if (run < 0 || run > (int64_t)1 << 31)
                return ODD;
            uint32_t small = (uint32_t)run;
            PUSH(RUNS, small);
            p = blank(p);
            if (*p == ',') {
                p = blank(p + 1);
                if (*p == ']')
                    return ODD;
            }
            else if (*p != ']')
                STOP(p);
        }
        *at = p + 1;
        return DONE;
    }
    if (*p != '"')
        STOP(p);
    const char *start = p + 1;
    TRY(skip_text(s, &p));
    size_t length = (size_t)(p - 1 - start);
    *at = p;
    Store plain = {0};
    if (memchr(start, '\\', length) != NULL) {
        if (store_reserve(&plain, length) < 0)
            return NO_MEMORY;
        for (size_t k = 0; k < length; k++) {
            if (start[k] == '\\' && start[++k] != '\\') {
                store_free(&plain);
                return ODD;
            }
            plain.bytes[plain.used++] = start[k];
        }
    }
    const char *text = plain.bytes != NULL ? plain.bytes : start;
    int outcome = runs_of_text((const unsigned char *)text, plain.bytes != NULL ? plain.used : length, &s->column[RUNS]);
    store_free(&plain);
    return outcome == 0 ? DONE : outcome == -1 ? ODD : NO_MEMORY;
}

/* A mask of an image's size whose runs fill it exactly. */
static Outcome mask(Scan *s, const char **at)
{
    const char *p = blank(*at + 1);
    int64_t size[2] = {0, 0};
    size_t before = s->column[RUNS].used;
    int seen = 0;
    while (*p != '}') {
        const char *name;
        size_t length;
        TRY(key(s, &p, &name, &length));
        if (length == 4 && memcmp(name, "size", 4) == 0) {
            if (seen & 1 || *p != '[')
                STOP(p);
            seen |= 1;
            p = blank(p + 1);
            TRY(integer(s, &p, &size[0]));
            p = blank(p);
            if (*p != ',')
                STOP(p);
            p = blank(p + 1);
            TRY(integer(s, &p, &size[1]));
            p = blank(p);
            if (*p != ']')
                STOP(p);
            p++;
        }
        else if (length == 6 && memcmp(name, "counts", 6) == 0) {
            if (seen & 2)
                return ODD;
            seen |= 2;
            TRY(counts(s, &p));
        }
        else
            TRY(skip(s, &p));
        p = blank(p);
        if (*p == ',') {
            p = blank(p + 1);
            if (*p == '}')
                return ODD;
        }
        else if (*p != '}')
            STOP(p);
    }
    *at = p + 1;
    int64_t most = (int64_t)1 << 31;
    if (seen != 3 || size[0] <= 0 || size[1] <= 0 || size[0] > most || size[1] > most / size[0])
        return ODD;
    const uint32_t *runs = (const uint32_t *)(void *)s->column[RUNS].bytes;
    size_t first = before / sizeof *runs, past = s->column[RUNS].used / sizeof *runs;
    if ((int64_t)past > s->most_runs)
        return OVER_RUNS;
    int64_t total = 0, count = (int64_t)(past - first);
    for (size_t k = first; k < past; k++)
        total += runs[k];
    if (total != size[0] * size[1])
        return ODD;
    MaskFigures figures;
    mask_figures(runs + first, past - first, size[0], &figures);
    PUSH(MASK_OWNER, s->count);
    PUSH(MASK_SIZE, size);
    PUSH(MASK_RUNS, count);
    PUSH(MASK_FIGURES, figures);
    return DONE;
}

static Outcome flag(Scan *s, const char **at, int *value)
{
    int64_t whole = 0;
    if (**at == 't')
        whole = 1;
    if (**at == 't')
        TRY(word(s, at, "true"));
    else if (**at == 'f')
        TRY(word(s, at, "false"));
    else if (**at == 'n')
        TRY(word(s, at, "null"));
    else
        TRY(integer(s, at, &whole));
    *value = whole != 0;
    return DONE;
}

/* Whether a value is null, false, 0, or an empty list, object or text; it is passed over. */
static Outcome skip_nothing(Scan *s, const char **at)
{
    const char *start = *at;
    TRY(skip(s, at));
    if (*start == 'n' || *start == 'f')
        return DONE;
    if (*start == '0' && *at == start + 1)
        return DONE;
    if (*start == '"' && *at == start + 2)
        return DONE;
    if (*start == '[' || *start == '{')
        return blank(start + 1) == *at - 1 ? DONE : ODD;
    return ODD;
}

typedef enum {
    K_ID, K_IMAGE, K_CATEGORY, K_BOX, K_AREA, K_SCORE, K_SEGMENTATION, K_KEYPOINTS, K_ISCROWD, K_IS_CROWD, K_IGNORE,
    K_ATTRIBUTES, K_FOOT, K_FACE, K_LEFT_HAND, K_RIGHT_HAND, K_FACE_BOX, K_ISBBOX, K_METADATA, K_SEGMENTS, KEYS
} Field;
static const struct { const char *name; size_t length; } known_keys[KEYS] = {
    {"id", 2}, {"image_id", 8}, {"category_id", 11}, {"bbox", 4}, {"area", 4}, {"score", 5}, {"segmentation", 12},
    {"keypoints", 9}, {"iscrowd", 7}, {"is_crowd", 8}, {"ignore", 6}, {"attributes", 10}, {"foot_kpts", 9},
    {"face_kpts", 9}, {"lefthand_kpts", 13}, {"righthand_kpts", 14}, {"face_box", 8}, {"isbbox", 6}, {"metadata", 8},
    {"segments_info", 13},
};

static Field known(const char *name, size_t length)
{
    for (int k = 0; k < KEYS; k++)
        if (known_keys[k].length == length && known_keys[k].name[0] == *name &&
            memcmp(known_keys[k].name, name, length) == 0)
            return (Field)k;
    return KEYS;
}

/* As a rule the keys of an annotation come in the order of those before it: that one is tried first. */
static inline Field known_after(Scan *s, int place, const char *name, size_t length)
{
    if (place >= USUAL)
        return known(name, length);
    Field guess = (Field)s->usual[place];
    if (guess < KEYS && known_keys[guess].length == length && memcmp(known_keys[guess].name, name, length) == 0)
        return guess;
    guess = known(name, length);
    s->usual[place] = (uint8_t)guess;
    return guess;
}

static Outcome attributes(Scan *s, const char **at)
{
    const char *start = *at;
    if (*start == 'n')
        return word(s, at, "null");
    if (*start != '{')
        STOP(start);
    TRY(skip(s, at));
    if (blank(start + 1) == *at - 1)
        return DONE;
    Store *text = &s->column[ATTRIBUTE_TEXT];
    if (store_push(text, start, (size_t)(*at - start)) < 0)
        return NO_MEMORY;
    int64_t end = (int64_t)text->used;
    PUSH(ATTRIBUTE_OWNER, s->count);
    PUSH(ATTRIBUTE_END, end);
    return DONE;
}

static const double not_stated = NAN;
static const int64_t none = 0;

/* A column of eight bytes that many files do without: it begins with the first annotation that has something in it. */
static Outcome push_sparse(Scan *s, int which, const void *item, const void *absent, int stated)
{
    Store *column = &s->column[which];
    if (!stated && column->used == 0)
        return DONE;
    if (column->used / 8 < (size_t)s->count) {
        size_t lacking = (size_t)s->count - column->used / 8;
        if (store_reserve(column, (lacking + 1) * 8) < 0)
            return NO_MEMORY;
        for (; lacking; lacking--)
            (void)store_push(column, absent, 8);
    }
    return store_push(column, item, 8) < 0 ? NO_MEMORY : DONE;
}

/* One annotation, all of it: what was added to the columns is taken back by the caller unless it is DONE. */
static Outcome annotation(Scan *s, const char **at)
{
    const char *p = *at;
    if (*p != '{')
        STOP(p);
    p = blank(p + 1);
    int64_t id = 0, image = 0, category = 0, ring_count = 0, keypoint_count = 0, size;
    double box[4] = {NAN, NAN, NAN, NAN}, area = NAN, score = NAN;
    uint32_t seen = 0;
    uint8_t flags = 0;
    int place = 0;
    while (*p != '}') {
        const char *name;
        size_t length;
        TRY(key(s, &p, &name, &length));
        Field which = known_after(s, place++, name, length);
        if (which != KEYS) {
            if (seen & (uint32_t)1 << which)
                return ODD;
            seen |= (uint32_t)1 << which;
        }
        int set = 0;
        switch (which) {
        case K_ID:
            TRY(integer(s, &p, &id));
            flags |= HAS_ID;
            break;
        case K_IMAGE:
            TRY(integer(s, &p, &image));
            break;
        case K_CATEGORY:
            TRY(integer(s, &p, &category));
            break;
        case K_BOX:
            if (*p == 'n') {
                TRY(word(s, &p, "null"));
                break;
            }
            size_t before = s->column[NUMBERS].used;
            TRY(numbers(s, &p, NUMBERS, &size));
            if (size != 0 && size != 4)
                return ODD;
            if (size == 4) {
                memcpy(box, s->column[NUMBERS].bytes + before, sizeof box);
                flags |= HAS_BOX;
            }
            s->column[NUMBERS].used = before;
            break;
        case K_AREA:
        case K_SCORE:
            if (*p == 'n') {
                TRY(word(s, &p, "null"));
                break;
            }
            TRY(number(s, &p, which == K_AREA ? &area : &score));
            flags |= which == K_AREA ? HAS_AREA : HAS_SCORE;
            break;
        case K_SEGMENTATION:
            if (*p == 'n')
                TRY(word(s, &p, "null"));
            else if (*p == '{') {
                TRY(mask(s, &p));
                flags |= HAS_OUTLINE;
            }
            else if (*p == '[') {
                TRY(rings(s, &p, &ring_count));
                flags |= ring_count ? HAS_OUTLINE : 0;
            }
            else
                STOP(p);
            break;
        case K_KEYPOINTS:
            if (*p == 'n') {
                TRY(word(s, &p, "null"));
                break;
            }
            TRY(keypoints(s, &p, &keypoint_count));
            break;
        case K_ISCROWD:
        case K_IS_CROWD:
        case K_IGNORE:
            TRY(flag(s, &p, &set));
            if (set)
                flags |= which == K_IGNORE ? IS_IGNORED : IS_CROWD;
            break;
        case K_ATTRIBUTES:
            TRY(attributes(s, &p));
            break;
        case K_FOOT:
        case K_FACE:
        case K_LEFT_HAND:
        case K_RIGHT_HAND:
        case K_FACE_BOX:
        case K_ISBBOX:
        case K_METADATA:
            TRY(skip_nothing(s, &p));
            if (which == K_FACE_BOX)
                return ODD;
            break;
        case K_SEGMENTS:
            return ODD;
        default:
            TRY(skip(s, &p));
        }
        p = blank(p);
        if (*p == ',') {
            p = blank(p + 1);
            if (*p == '}')
                return ODD;
        }
        else if (*p != '}')
            STOP(p);
    }
    if (!(seen & (1u << K_IMAGE)) || !(seen & (1u << K_CATEGORY)))
        return ODD;
    PUSH(ID, id);
    PUSH(IMAGE, image);
    PUSH(CATEGORY, category);
    PUSH(FLAGS, flags);
    PUSH(BOX, box);
    TRY(push_sparse(s, AREA, &area, &not_stated, flags & HAS_AREA));
    TRY(push_sparse(s, SCORE, &score, &not_stated, flags & HAS_SCORE));
    TRY(push_sparse(s, RINGS, &ring_count, &none, ring_count != 0));
    TRY(push_sparse(s, KEYPOINT_COUNT, &keypoint_count, &none, keypoint_count != 0));
    s->count++;
    *at = p + 1;
    return DONE;
}

/* One step: a bracket, a comma, a member beside the list, or an annotation. */
static Outcome step(Scan *s, const char **at)
{
    const char *p = blank(*at), *name;
    size_t length;
    switch (s->phase) {
    case START:
        if (p != *at || *p != (s->results ? '[' : '{'))
            STOP(p);
        s->phase = s->results ? FIRST_ITEM : MEMBER;
        *at = p + 1;
        return DONE;
    case MEMBER: {
        const char *start = p;
        TRY(key(s, &p, &name, &length));
        if (length == 11 && memcmp(name, "annotations", 11) == 0) {
            if (s->has_list || *p != '[')
                STOP(p);
            s->has_list = 1;
            s->phase = FIRST_ITEM;
            *at = p + 1;
            return DONE;
        }
        TRY(skip(s, &p));
        Store *around = &s->column[AROUND];
        if ((around->used && store_push(around, ",", 1) < 0) || store_push(around, start, (size_t)(p - start)) < 0)
            return NO_MEMORY;
        s->phase = AFTER_MEMBER;
        *at = p;
        return DONE;
    }
    case AFTER_MEMBER:
        if (*p != ',' && *p != '}')
            STOP(p);
        s->phase = *p == ',' ? MEMBER : END;
        *at = p + 1;
        return DONE;
    case FIRST_ITEM:
        if (*p == ']') {
            s->phase = s->results ? END : AFTER_MEMBER;
            *at = p + 1;
            return DONE;
        } /* fall through */
    case ITEM:
        TRY(annotation(s, &p));
        s->phase = AFTER_ITEM;
        *at = p;
        return DONE;
    case AFTER_ITEM:
        if (*p != ',' && *p != ']')
            STOP(p);
        s->phase = *p == ',' ? ITEM : s->results ? END : AFTER_MEMBER;
        *at = p + 1;
        return DONE;
    default:
        *at = p; /* only blanks may follow, and the end */
        STOP(p);
    }
}

/* As many steps as the text allows. */
static void walk(Scan *s)
{
    const char *p = s->text.bytes;
    s->end = p + s->text.used;
    Outcome outcome = DONE;
    while (outcome == DONE) {
        size_t used[COLUMNS];
        for (int k = 0; k < COLUMNS; k++)
            used[k] = s->column[k].used;
        outcome = step(s, &p);
        if (outcome != DONE)
            for (int k = 0; k < COLUMNS; k++)
                s->column[k].used = used[k];
    }
    size_t left = (size_t)(s->end - p);
    memmove(s->text.bytes, p, left + PADDING);
    s->text.used = left;
    s->tried = left;
    if (outcome != MORE)
        s->outcome = outcome;
}

static PyObject *scan_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"results", "most_points", "most_all_points", "most_runs", NULL};
    int results;
    long long most_points, most_all_points, most_runs;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "pLLL", names, &results, &most_points, &most_all_points,
                                     &most_runs))
        return NULL;
    PyObject *module = PyType_GetModule(type);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Scan *s = module != NULL ? (Scan *)allocate(type, 0) : NULL;
    if (s == NULL)
        return NULL;
    s->module = Py_NewRef(module);
    s->results = results;
    s->most_points = most_points;
    s->most_all_points = most_all_points;
    s->most_runs = most_runs;
    return (PyObject *)s;
}

static void scan_dealloc(PyObject *self)
{
    Scan *s = (Scan *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int k = 0; k < COLUMNS; k++)
        store_free(&s->column[k]);
    store_free(&s->text);
    Py_XDECREF(s->module);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *outcome_of(Scan *s)
{
    static const char *const words[] = {"fine", "more", "odd", "points", "all_points", "runs", ""};
    if (s->outcome == NO_MEMORY)
        return PyErr_NoMemory();
    return PyUnicode_FromString(words[s->outcome]);
}

/* feed(text: bytes-like) -> "fine", "odd", or what there is too much of */
static PyObject *scan_feed(PyObject *self, PyObject *arguments)
{
    Scan *s = (Scan *)self;
    Py_buffer text;
    if (!PyArg_ParseTuple(arguments, "y*", &text))
        return NULL;
    if (s->outcome != DONE || store_reserve(&s->text, (size_t)text.len + PADDING) < 0) {
        PyBuffer_Release(&text);
        return s->outcome != DONE ? outcome_of(s) : PyErr_NoMemory();
    }
    memcpy(s->text.bytes + s->text.used, text.buf, (size_t)text.len);
    s->text.used += (size_t)text.len;
    PyBuffer_Release(&text);
    memset(s->text.bytes + s->text.used, 0, PADDING);
    /* what did not suffice is walked again when there is twice as much: the work stays linear in the text */
    if (s->text.used >= 2 * s->tried)
        walk(s);
    return outcome_of(s);
}

/* finish() -> "fine" when the text was walked to its end, else as feed */
static PyObject *scan_finish(PyObject *self, PyObject *arguments)
{
    (void)arguments;
    Scan *s = (Scan *)self;
    if (s->outcome == DONE && s->text.used)
        walk(s);
    if (s->outcome == DONE && (s->phase != END || s->text.used))
        s->outcome = ODD;
    return outcome_of(s);
}

/* take(name) -> Column; each column can be taken once */
static PyObject *scan_take(PyObject *self, PyObject *arguments)
{
    Scan *s = (Scan *)self;
    const char *name;
    if (!PyArg_ParseTuple(arguments, "s", &name))
        return NULL;
    for (int k = 0; k < COLUMNS; k++)
        if (strcmp(name, column_names[k]) == 0)
            return column_of(s->module, &s->column[k]);
    return PyErr_Format(PyExc_KeyError, "no column is called %s", name);
}

static PyMethodDef scan_methods[] = {
    {"feed", scan_feed, METH_VARARGS, "Walk some more text."},
    {"finish", scan_finish, METH_NOARGS, "Walk the rest; there is no more."},
    {"take", scan_take, METH_VARARGS, "A column, which is empty afterwards."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot scan_slots[] = {
    {Py_tp_doc, "COCO's JSON, walked in pieces."},
    {Py_tp_new, scan_new},
    {Py_tp_dealloc, scan_dealloc},
    {Py_tp_methods, scan_methods},
    {0, NULL},
};

PyType_Spec scan_spec = {
    .name = "assay._kernel.Scan",
    .basicsize = sizeof(Scan),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = scan_slots,
};

/* The hot loops of the index over plain arrays, called from Python through ctypes.
 *
 * What each function means stands in kernels.py; kernels_numpy.py does the same in numpy, and a
 * test holds that both give the same bytes. C99 and its own library, nothing of Python.
 *
 * Arrays belong to the caller, who has checked their kinds and lengths. Numbers in them are not
 * trusted: whatever would lead outside of an array ends the function with OUT_OF_RANGE.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a function that can fail gives; results are zero or more. */
enum { NO_MEMORY = -1, OUT_OF_RANGE = -2, TOO_MANY = -3, TOO_LARGE = -4 };

#ifndef SOURCE
#define SOURCE "unknown"
#endif

/* The hash of this file when it was compiled: a library of another one is never used. */
const char *kernels_source(void) { return SOURCE; }


/* ---- tokenise: text to numbers of types ---- */

enum {
    SHORT = 11, /* bytes of a name that is its own key; the key of a longer one is a hash */
    LONG = 255, /* stands for the length of all longer ones */
    BLOCK = 64  /* tokens that are looked up together: one need not wait for another's memory */
};

/* A type, by what tells it from others: a short name with its length, or the hash of a long one. */
typedef struct {
    uint64_t head; /* the first eight bytes, or the hash */
    uint32_t tail; /* three more bytes, and one with the length, which is 0 where the slot is free */
    int32_t type;
} Slot;

typedef struct {
    const uint8_t *bytes;
    int64_t length;
    Slot key; /* of no type yet */
} Token;

typedef struct {
    uint8_t word[256];        /* 1 for bytes that stand in tokens */
    Slot masks[SHORT + 1];    /* each keeps so many bytes of a key */
    uint32_t lengths[256];    /* each as the last byte of a tail */
    int64_t count, most;      /* types that there are, and that there may be */
    uint8_t *bytes;           /* of all types, end to end */
    int64_t bytes_room;
    int64_t *starts;          /* [count + 1]: where in bytes each type begins */
    int64_t starts_room;
    Slot *slots;              /* hash table with linear probing, at most half full */
    int64_t slots_room;       /* a power of two */
} Types;

void types_free(Types *types)
{
    if (types) {
        free(types->bytes);
        free(types->starts);
        free(types->slots);
        free(types);
    }
}

/* NULL where there is no memory. Everything starts small and grows. */
Types *types_new(int64_t most)
{
    Types *types = calloc(1, sizeof *types);
    if (!types)
        return NULL;
    for (int c = 0; c < 256; c++) {
        int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        types->word[c] = letter || (c >= '0' && c <= '9') || c >= 128;
    }
    for (int length = 0; length < 256; length++) {
        uint8_t tail[4] = {0, 0, 0, (uint8_t)length};
        memcpy(&types->lengths[length], tail, 4);
    }
    for (int length = 0; length <= SHORT; length++) {
        uint8_t mask[12] = {0};
        memset(mask, 255, (size_t)length);
        memcpy(&types->masks[length].head, mask, 8);
        memcpy(&types->masks[length].tail, mask + 8, 4);
    }
    types->most = most;
    types->bytes_room = types->starts_room = types->slots_room = 16;
    types->bytes = malloc((size_t)types->bytes_room);
    types->starts = malloc((size_t)types->starts_room * sizeof *types->starts);
    types->slots = calloc((size_t)types->slots_room, sizeof *types->slots);
    if (!types->bytes || !types->starts || !types->slots) {
        types_free(types);
        return NULL;
    }
    types->starts[0] = 0;
    return types;
}

int64_t types_count(const Types *types) { return types->count; }
int64_t types_bytes(const Types *types) { return types->starts[types->count]; }

void types_names(const Types *types, uint8_t *bytes, int64_t *starts)
{
    memcpy(bytes, types->bytes, (size_t)types_bytes(types));
    memcpy(starts, types->starts, (size_t)(types->count + 1) * sizeof *starts);
}

/* Makes room for the name of one more type. */
static int make_room(Types *types, int64_t length)
{
    int64_t needed = types_bytes(types) + length;
    if (needed > types->bytes_room) {
        uint8_t *bytes = realloc(types->bytes, 2 * (size_t)needed);
        if (!bytes)
            return NO_MEMORY;
        types->bytes = bytes;
        types->bytes_room = 2 * needed;
    }
    if (types->count + 2 > types->starts_room) {
        int64_t room = 2 * types->starts_room;
        int64_t *starts = realloc(types->starts, (size_t)room * sizeof *starts);
        if (!starts)
            return NO_MEMORY;
        types->starts = starts;
        types->starts_room = room;
    }
    return 0;
}

static uint64_t hash_of(const uint8_t *bytes, int64_t length)
{
    uint64_t hash = (uint64_t)length, part;
    for (; length >= 8; length -= 8, bytes += 8) {
        memcpy(&part, bytes, 8);
        hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    for (; length; length--)
        hash = (hash ^ *bytes++) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

/* The key of a token; "readable" bytes may be read from its first one on. */
static Slot key_of(const Types *types, const uint8_t *token, int64_t length, int64_t readable)
{
    Slot key = {0, 0, 0};
    if (length > SHORT) {
        key.head = hash_of(token, length);
        key.tail = types->lengths[LONG];
        return key;
    }
    if (readable >= 12) {
        memcpy(&key.head, token, 8);
        memcpy(&key.tail, token + 8, 4);
    } else {
        uint8_t copy[12] = {0};
        memcpy(copy, token, (size_t)length);
        memcpy(&key.head, copy, 8);
        memcpy(&key.tail, copy + 8, 4);
    }
    key.head &= types->masks[length].head;
    key.tail = (key.tail & types->masks[length].tail) | types->lengths[length];
    return key;
}

/* Where in the table the search for a key begins. */
static int64_t place_of(const Types *types, const Slot *key)
{
    uint64_t hash = (key->head ^ key->tail * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    return (int64_t)((hash ^ hash >> 32) & (uint64_t)(types->slots_room - 1));
}

/* Doubles the hash table. */
static int grow(Types *types)
{
    Slot *old = types->slots;
    int64_t old_room = types->slots_room;
    Slot *slots = calloc(2 * (size_t)old_room, sizeof *slots);
    if (!slots)
        return NO_MEMORY;
    types->slots = slots;
    types->slots_room = 2 * old_room;
    for (int64_t i = 0; i < old_room; i++) {
        if (!old[i].tail)
            continue;
        int64_t at = place_of(types, &old[i]);
        while (slots[at].tail)
            at = (at + 1) & (types->slots_room - 1);
        slots[at] = old[i];
    }
    free(old);
    return 0;
}

/* The number of a token's type; a new one is the next. */
static int64_t number(Types *types, const Token *token)
{
    int64_t at = place_of(types, &token->key);
    for (; types->slots[at].tail; at = (at + 1) & (types->slots_room - 1)) {
        Slot slot = types->slots[at];
        if (slot.head != token->key.head || slot.tail != token->key.tail)
            continue;
        int64_t start = types->starts[slot.type];
        if (token->length <= SHORT ||
            (types->starts[slot.type + 1] - start == token->length &&
             memcmp(types->bytes + start, token->bytes, (size_t)token->length) == 0))
            return slot.type;
    }
    if (types->count >= types->most)
        return TOO_MANY;
    if (make_room(types, token->length))
        return NO_MEMORY;
    int64_t type = types->count++, start = types->starts[type];
    memcpy(types->bytes + start, token->bytes, (size_t)token->length);
    types->starts[type + 1] = start + token->length;
    types->slots[at] = token->key;
    types->slots[at].type = (int32_t)type;
    if (2 * types->count > types->slots_room && grow(types))
        return NO_MEMORY;
    return type;
}

static int64_t numbers(Types *types, const Token *block, int64_t count, int32_t *tokens)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t type = number(types, &block[i]);
        if (type < 0)
            return type;
        tokens[i] = (int32_t)type;
    }
    return 0;
}

/* Gives the number of tokens; the caller has room for one to every two bytes of each text. */
int64_t tokenise(Types *types, const uint8_t *text, const int64_t *ends, int64_t texts,
                 int32_t *tokens, int64_t *token_ends)
{
    const uint8_t *word = types->word;
    int64_t count = 0, held = 0, at = 0, failed = 0;
    Token block[BLOCK];
    for (int64_t i = 0; i < texts; i++) {
        int64_t end = ends[i];
        while (at < end) {
            if (!word[text[at]]) {
                at++;
                continue;
            }
            int64_t begin = at++;
            while (at < end && word[text[at]])
                at++;
            Token *token = &block[held++];
            token->bytes = text + begin;
            token->length = at - begin;
            token->key = key_of(types, text + begin, at - begin, ends[texts - 1] - begin);
#ifdef __GNUC__
            __builtin_prefetch(&types->slots[place_of(types, &token->key)]);
#endif
            if (held == BLOCK) {
                if ((failed = numbers(types, block, held, tokens + count)))
                    return failed;
                count += held;
                held = 0;
            }
        }
        token_ends[i] = count + held;
    }
    failed = numbers(types, block, held, tokens + count);
    return failed ? failed : count + held;
}


/* ---- count and fill: numbers of types to postings ---- */

typedef struct {
    const int32_t *tokens; /* [tokens_count] types */
    int64_t tokens_count;
    const int64_t *starts; /* [documents * parts + 1] */
    int64_t parts;         /* of a document */
    int64_t fields;
    const int64_t *held;     /* [held_count] numbers of parts */
    const int64_t *field_of; /* [held_count] the field that holds the part */
    int64_t held_count;
    const int32_t *first; /* [types]: one term, -1 for none, or -2 - k for list k */
    int64_t types;
    const int64_t *more_starts; /* [lists + 1] */
    int64_t lists;
    const int32_t *more; /* [more_count] terms */
    int64_t more_count;
    int64_t terms;
} Stream;

/* The terms of a type that has several: gives how many, and where they stand. */
static int64_t list_of(const Stream *in, int32_t type, const int32_t **terms)
{
    int64_t list = -2 - (int64_t)in->first[type];
    if (list >= in->lists)
        return OUT_OF_RANGE;
    int64_t low = in->more_starts[list], high = in->more_starts[list + 1];
    if (low < 0 || low > high || high > in->more_count)
        return OUT_OF_RANGE;
    for (int64_t i = low; i < high; i++)
        if (in->more[i] < 0 || in->more[i] >= in->terms)
            return OUT_OF_RANGE;
    *terms = in->more + low;
    return high - low;
}

/* The terms of the next tokens, none of them from "high" on: gives how many, and where they stand,
 * which may be in room; moves "low" on. Which tokens are stop words nobody could predict: so there
 * is no branch. */
static inline int64_t next_terms(const Stream *in, int64_t *low, int64_t high,
                                 int32_t room[BLOCK], const int32_t **terms)
{
    int64_t n = 0, end = high - *low < BLOCK ? high : *low + BLOCK;
    *terms = room;
    for (; *low < end; ++*low) {
        int32_t type = in->tokens[*low];
        if (type < 0 || type >= in->types || in->first[type] >= in->terms)
            return OUT_OF_RANGE;
        if (in->first[type] < -1) {
            if (n)
                return n; /* the list comes next, alone */
            ++*low;
            return list_of(in, type, terms);
        }
        room[n] = in->first[type];
        n += room[n] >= 0;
    }
    return n;
}

/* Where the tokens of a part of a document begin and end; 0, or OUT_OF_RANGE. */
static inline int tokens_of(const Stream *in, int64_t document, int64_t part,
                            int64_t *low, int64_t *high)
{
    *low = in->starts[document * in->parts + part];
    *high = in->starts[document * in->parts + part + 1];
    return *low < 0 || *low > *high || *high > in->tokens_count ? OUT_OF_RANGE : 0;
}

/* seen[term]: the last document in which the term was met, -1 before. lengths: zeros. */
int64_t count(const Stream *in, int64_t begin, int64_t end, int32_t *seen,
              int32_t *df, int64_t *cf, int32_t *lengths)
{
    int32_t room[BLOCK];
    for (int64_t document = begin; document < end; document++)
        for (int64_t h = 0; h < in->held_count; h++) {
            int64_t low, high, length = 0;
            if (tokens_of(in, document, in->held[h], &low, &high))
                return OUT_OF_RANGE;
            while (low < high) {
                const int32_t *terms;
                int64_t n = next_terms(in, &low, high, room, &terms);
                if (n < 0)
                    return OUT_OF_RANGE;
                length += n;
                for (int64_t j = 0; j < n; j++) {
                    cf[terms[j]]++;
                    if (seen[terms[j]] != document) {
                        seen[terms[j]] = (int32_t)document;
                        df[terms[j]]++;
                    }
                }
            }
            int32_t *held = lengths + in->field_of[h] * (end - begin) + document - begin;
            if (length > INT32_MAX - *held)
                return TOO_LARGE;
            *held += (int32_t)length;
        }
    return 0;
}

typedef struct {
    const int64_t *pointers; /* [terms + 1] */
    int64_t *place;          /* [terms] the next slot */
    int32_t *seen;           /* as in count */
    int32_t *docs;           /* [postings] */
    int64_t postings;
    void *const *tfs; /* of each field [postings] uint32_t if wide, else uint16_t */
    int64_t wide;
} Postings;

/* Adds one to a frequency; whether it fits. */
static inline int add_one(void *tfs, int wide, int64_t slot)
{
    return wide ? ++((uint32_t *)tfs)[slot] != 0 : ++((uint16_t *)tfs)[slot] != 0;
}

/* A new posting, with a frequency of one in this field, and zero in the others. */
static inline int post(const Stream *in, const Postings *out, int32_t term, int64_t document,
                       int64_t field, int wide)
{
    int64_t slot = out->place[term];
    if (slot < out->pointers[term] || slot >= out->pointers[term + 1] || slot < 0 ||
        slot >= out->postings)
        return OUT_OF_RANGE;
    out->place[term] = slot + 1;
    out->seen[term] = (int32_t)document;
    out->docs[slot] = (int32_t)document;
    for (int64_t f = 0; f < in->fields; f++)
        if (wide)
            ((uint32_t *)out->tfs[f])[slot] = f == field;
        else
            ((uint16_t *)out->tfs[f])[slot] = f == field;
    return 0;
}

/* A term in a field of a document. */
typedef struct {
    int32_t term, document, field;
} Occurrence;

enum {
    BUCKETS = 1 << 11,
    DEPTH = 1 << 10 /* what waits in a bucket until it is full */
};

/* Occurrences of terms that lie side by side. They are written together, because almost every one
 * that was written at once would have to wait for other pieces of memory. */
typedef struct {
    int32_t count;
    Occurrence held[DEPTH];
} Bucket;

/* wide is known when this is compiled, once for each. */
static inline int64_t post_all(const Stream *in, const Postings *out, const Bucket *from, int wide)
{
    for (int32_t i = 0; i < from->count; i++) {
        Occurrence it = from->held[i];
        if (out->seen[it.term] != it.document) {
            if (post(in, out, it.term, it.document, it.field, wide))
                return OUT_OF_RANGE;
        } else if (!add_one(out->tfs[it.field], wide, out->place[it.term] - 1))
            return TOO_LARGE;
    }
    return 0;
}

static int64_t empty(const Stream *in, const Postings *out, Bucket *from)
{
    int64_t failed = out->wide ? post_all(in, out, from, 1) : post_all(in, out, from, 0);
    from->count = 0;
    return failed;
}

/* Bucket i is of the terms from i << shift on. */
static int64_t fill_all(const Stream *in, int64_t begin, int64_t end, const Postings *out,
                        Bucket *buckets, int shift)
{
    int64_t failed = 0;
    int32_t room[BLOCK];
    for (int64_t document = begin; document < end; document++)
        for (int64_t h = 0; h < in->held_count; h++) {
            int64_t low, high;
            int32_t field = (int32_t)in->field_of[h];
            if (tokens_of(in, document, in->held[h], &low, &high))
                return OUT_OF_RANGE;
            while (low < high) {
                const int32_t *terms;
                int64_t n = next_terms(in, &low, high, room, &terms);
                if (n < 0)
                    return OUT_OF_RANGE;
                for (int64_t j = 0; j < n; j++) {
                    Bucket *to = &buckets[terms[j] >> shift];
                    to->held[to->count++] = (Occurrence){terms[j], (int32_t)document, field};
                    if (to->count == DEPTH && (failed = empty(in, out, to)))
                        return failed;
                }
            }
        }
    for (int64_t i = 0; i << shift < in->terms && !failed; i++)
        failed = empty(in, out, &buckets[i]);
    return failed;
}

int64_t fill(const Stream *in, int64_t begin, int64_t end, const Postings *out)
{
    int shift = 0;
    while (in->terms > (int64_t)BUCKETS << shift)
        shift++;
    Bucket *buckets = calloc((size_t)(in->terms >> shift) + 1, sizeof *buckets);
    int64_t failed = buckets ? fill_all(in, begin, end, out, buckets, shift) : NO_MEMORY;
    free(buckets);
    return failed;
}

static inline uint32_t tf_at(const void *tfs, int wide, int64_t i)
{
    return wide ? ((const uint32_t *)tfs)[i] : ((const uint16_t *)tfs)[i];
}


/* ---- scores: sums by document, and the best of them ---- */

typedef struct {
    double *sums;     /* [documents], UNTOUCHED where nothing was added */
    int32_t *touched; /* [count] the others, so that only they are looked at */
    int64_t count;
    int64_t documents;
} Scores;

/* No sum that begins with 0.0 ever comes to -0.0, so it is free to say that there is none yet. */
#define UNTOUCHED (-0.0)

static inline void add(Scores *scores, int32_t document, double value)
{
    double sum = scores->sums[document];
    if (sum == 0 && signbit(sum)) {
        scores->touched[scores->count++] = document;
        sum = 0.0;
    }
    scores->sums[document] = sum + value;
}

int64_t scores_add(Scores *scores, const int32_t *docs, const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (docs[i] < 0 || docs[i] >= scores->documents)
            return OUT_OF_RANGE;
        add(scores, docs[i], values[i]);
    }
    return 0;
}

/* The order of the operations is part of the result: Terrier's last bits depend on it. */
int64_t scores_add_saturated(Scores *scores, const int32_t *docs, const void *tfs, int wide,
                             int64_t count, const double *norms, double idf, double gain,
                             double weight)
{
    for (int64_t i = 0; i < count; i++) {
        if (docs[i] < 0 || docs[i] >= scores->documents)
            return OUT_OF_RANGE;
        double tf = tf_at(tfs, wide, i);
        add(scores, docs[i], idf * (gain * tf / (norms[docs[i]] + tf)) * weight);
    }
    return 0;
}

/* Whether document a comes before document b in a ranking. */
static inline int is_better(const double *sums, int32_t a, int32_t b)
{
    return sums[a] > sums[b] || (sums[a] == sums[b] && a < b);
}

static inline void swap(int32_t *docs, int64_t i, int64_t j)
{
    int32_t doc = docs[i];
    docs[i] = docs[j];
    docs[j] = doc;
}

/* Parts documents by one of them, which is given its place: better ones before it, others behind. */
static int64_t part(const double *sums, int32_t *docs, int64_t count)
{
    int64_t middle = count / 2, last = count - 1, place = 0;
    if (is_better(sums, docs[middle], docs[0]))
        swap(docs, middle, 0);
    if (is_better(sums, docs[last], docs[0]))
        swap(docs, last, 0);
    if (is_better(sums, docs[middle], docs[last])) /* the median of the three goes last */
        swap(docs, middle, last);
    for (int64_t i = 0; i < last; i++) {
        int32_t doc = docs[i];
        docs[i] = docs[place];
        docs[place] = doc;
        place += is_better(sums, doc, docs[last]);
    }
    swap(docs, place, last);
    return place;
}

/* Brings the best k of count to the front, the worst of them last. */
static void select_best(const double *sums, int32_t *docs, int64_t count, int64_t k)
{
    while (count > 1) {
        int64_t place = part(sums, docs, count);
        if (place == k - 1)
            return;
        if (place >= k)
            count = place;
        else {
            docs += place + 1;
            count -= place + 1;
            k -= place + 1;
        }
    }
}

static void sort(const double *sums, int32_t *docs, int64_t count)
{
    while (count > 12) {
        int64_t place = part(sums, docs, count);
        if (place < count - place) {
            sort(sums, docs, place);
            docs += place + 1;
            count -= place + 1;
        } else {
            sort(sums, docs + place + 1, count - place - 1);
            count = place;
        }
    }
    for (int64_t i = 1; i < count; i++) {
        int32_t doc = docs[i];
        int64_t j = i;
        for (; j && is_better(sums, doc, docs[j - 1]); j--)
            docs[j] = docs[j - 1];
        docs[j] = doc;
    }
}

/* The best k, best first; gives how many there are. Nothing is touched then. */
int64_t scores_best(Scores *in, int64_t k, const uint8_t *keep, int32_t *docs, double *scores)
{
    int32_t *held = in->touched, worst = INT32_MAX; /* held: no worse than the k-th best so far */
    double *sums = in->sums, least = -INFINITY;
    int64_t count = 0, most = 4 * k + 64;
    for (int64_t i = 0; i < in->count; i++) {
        int32_t doc = in->touched[i];
        double score = sums[doc];
        if (score < least || k == 0 || isnan(score) || (keep && !keep[doc]) ||
            (score == least && doc > worst)) {
            sums[doc] = UNTOUCHED;
            continue;
        }
        held[count++] = doc;
        if (count == most) {
            select_best(in->sums, held, count, k);
            while (count > k)
                in->sums[held[--count]] = UNTOUCHED;
            worst = held[k - 1];
            least = sums[worst];
        }
    }
    if (count > k) {
        select_best(in->sums, held, count, k);
        while (count > k)
            in->sums[held[--count]] = UNTOUCHED;
    }
    sort(in->sums, held, count);
    for (int64_t i = 0; i < count; i++) {
        docs[i] = held[i];
        scores[i] = in->sums[held[i]];
    }
    for (int64_t i = 0; i < count; i++)
        in->sums[held[i]] = UNTOUCHED;
    in->count = 0;
    return count;
}


/* ---- encode and transpose: postings as Terrier stores them ---- */

/* floor(log2(number)), for a number from 1 on */
static inline int log2_of(uint32_t number)
{
#ifdef __GNUC__
    return 31 - __builtin_clz(number);
#else
    int log = 0;
    while (number >>= 1)
        log++;
    return log;
#endif
}

/* How far posting i is from the one before it in its list; it may be wrong, so 64 bits. */
static inline int64_t gap_at(const int32_t *ids, int64_t i, int64_t begin)
{
    return (int64_t)ids[i] - (i == begin ? -1 : (int64_t)ids[i - 1]);
}

/* Gives the bit at which the last list ends, having begun at bit at; begins: where each begins. */
int64_t encoded_bits(const int64_t *pointers, int64_t lists, const int32_t *ids, const void *tfs,
                     int wide, int64_t at, int64_t *begins)
{
    for (int64_t list = 0; list < lists; list++) {
        begins[list] = at;
        for (int64_t i = pointers[list]; i < pointers[list + 1]; i++) {
            int64_t gap = gap_at(ids, i, pointers[list]);
            uint32_t tf = tf_at(tfs, wide, i);
            if (gap < 1 || tf < 1)
                return OUT_OF_RANGE;
            at += 2 * log2_of((uint32_t)gap) + 1 + (int64_t)tf;
        }
    }
    return at;
}

/* Sets the ones of a number that ends right before bit end. */
static inline void set(uint8_t *bytes, int64_t end, uint32_t number)
{
    int64_t begin = end - log2_of(number) - 1;
    /* its highest bit goes to the bit that it gets in its first byte */
    uint64_t rest = (uint64_t)number << (64 - (end - begin) - (begin & 7));
    for (uint8_t *byte = bytes + (begin >> 3); rest; rest <<= 8)
        *byte++ |= (uint8_t)(rest >> 56);
}

/* The bytes are zeros, and encoded_bits has looked at everything: only the ones are written, so
   that a run of zeros of any length costs nothing. */
void encode(const int64_t *pointers, int64_t lists, const int32_t *ids, const void *tfs, int wide,
            int64_t at, uint8_t *bytes)
{
    for (int64_t list = 0; list < lists; list++)
        for (int64_t i = pointers[list]; i < pointers[list + 1]; i++) {
            uint32_t gap = (uint32_t)gap_at(ids, i, pointers[list]);
            at += 2 * log2_of(gap) + 1;
            set(bytes, at, gap); /* as many zeros before its first one as bits after it */
            at += tf_at(tfs, wide, i);
            set(bytes, at, 1);
        }
}

/* by_document: [documents + 1] zeros; place: [documents], whatever it holds. */
int64_t transpose(const int64_t *pointers, int64_t lists, const int32_t *docs, const void *tfs,
                  int wide, int64_t documents, int64_t *by_document, int64_t *place,
                  int32_t *terms, void *tfs_out)
{
    for (int64_t i = pointers[0]; i < pointers[lists]; i++) {
        if (docs[i] < 0 || docs[i] >= documents)
            return OUT_OF_RANGE;
        by_document[docs[i] + 1]++;
    }
    for (int64_t document = 0; document < documents; document++) {
        place[document] = by_document[document];
        by_document[document + 1] += by_document[document];
    }
    for (int64_t list = 0; list < lists; list++)
        for (int64_t i = pointers[list]; i < pointers[list + 1]; i++) {
            int64_t slot = place[docs[i]]++;
            terms[slot] = (int32_t)list;
            if (wide)
                ((uint32_t *)tfs_out)[slot] = ((const uint32_t *)tfs)[i];
            else
                ((uint16_t *)tfs_out)[slot] = ((const uint16_t *)tfs)[i];
        }
    return 0;
}


/* ---- slots: where words stand in the hash tables in which Terrier counts them ---- */

typedef struct {
    uint32_t hash;
    int32_t seen; /* the last document in which it was met; before, NEVER or another below 0 */
} Word;

enum { NEVER = -1 };

typedef struct {
    int32_t *terms; /* the different ones of a document, in the order in which they occur */
    int32_t *fresh; /* those of them that were NEVER met before */
    int64_t count, new;
    int64_t room; /* of both */
} Met;

/* Which terms are met again nobody could predict: so there is no branch. */
static inline int meet(Met *met, Word *words, int32_t term, int32_t document)
{
    if (met->count >= met->room || met->new >= met->room)
        return OUT_OF_RANGE;
    met->terms[met->count] = term;
    met->count += words[term].seen != document;
    met->fresh[met->new] = term;
    met->new += words[term].seen == NEVER;
    words[term].seen = document;
    return 0;
}

/* Meets the terms of a document; words has one more than there are, which stands for none. */
static int collect(const Stream *in, int64_t document, Word *words, Met *met)
{
    met->count = met->new = 0;
    words[in->terms].seen = (int32_t)document;
    for (int64_t h = 0; h < in->held_count; h++) {
        int64_t low, high;
        if (tokens_of(in, document, in->held[h], &low, &high))
            return OUT_OF_RANGE;
        for (int64_t i = low; i < high; i++) {
            int32_t type = in->tokens[i];
            if (type < 0 || type >= in->types || in->first[type] >= in->terms)
                return OUT_OF_RANGE;
            if (in->first[type] >= -1) {
                int32_t term = in->first[type] < 0 ? (int32_t)in->terms : in->first[type];
                if (meet(met, words, term, (int32_t)document))
                    return OUT_OF_RANGE;
                continue;
            }
            const int32_t *terms = NULL;
            int64_t n = list_of(in, type, &terms);
            for (int64_t j = 0; j < n; j++)
                if (meet(met, words, terms[j], (int32_t)document))
                    return OUT_OF_RANGE;
            if (n < 0)
                return OUT_OF_RANGE;
        }
    }
    return 0;
}

/* The slot of a term, or the free one that it takes. The size is a prime above 2, and not all are
 * taken, so there is one. */
static inline uint32_t slot_of(const int32_t *table, uint32_t size, uint32_t hash, int32_t term)
{
    uint32_t slot = hash % size;
    if (table[slot] < 0 || table[slot] == term)
        return slot;
    uint32_t step = 1 + hash % (size - 2);
    do
        slot = slot >= step ? slot - step : slot + size - step;
    while (table[slot] >= 0 && table[slot] != term);
    return slot;
}

static void insert(int32_t *table, int64_t size, const Word *words, const int32_t *terms,
                   int64_t count)
{
    memset(table, -1, (size_t)size * sizeof *table);
    for (int64_t i = 0; i < count; i++)
        table[slot_of(table, (uint32_t)size, words[terms[i]].hash, terms[i])] = terms[i];
}

/* Of each term that was NEVER met, the slot in the table of the first document with it.
 *
 * A table has sizes[0] slots at first. With more than half of them taken, it grows: its terms are
 * inserted anew, from the last slot to the first. table, terms and fresh have room for the last of
 * the sizes. */
int64_t slots(const Stream *in, const int64_t *documents, int64_t count, Word *words,
              const int64_t *sizes, int64_t levels, int32_t *table, int32_t *terms, int32_t *fresh,
              int32_t *found)
{
    Met met = {.terms = terms, .fresh = fresh, .room = sizes[levels - 1]};
    for (int64_t d = 0; d < count; d++) {
        if (collect(in, documents[d], words, &met))
            return OUT_OF_RANGE;
        int64_t level = 0;
        for (; met.count > sizes[level] / 2; level++) {
            if (level + 1 == levels)
                return OUT_OF_RANGE;
            insert(table, sizes[level], words, terms, sizes[level] / 2 + 1);
            for (int64_t i = sizes[level], n = 0; n < sizes[level] / 2 + 1; n += table[i] >= 0)
                terms[n] = table[--i];
        }
        insert(table, sizes[level], words, terms, met.count);
        for (int64_t i = 0; i < met.new; i++)
            found[fresh[i]] = (int32_t)slot_of(table, (uint32_t)sizes[level],
                                               words[fresh[i]].hash, fresh[i]);
    }
    return 0;
}


/* ---- turn: postings of some documents, by document ---- */

/* Goes on in each list from next to the documents below end, which are all from begin on.
 *
 * place: of each document of begin..end where its next posting is to stand, in room for count. */
int64_t turn(int64_t *next, const int64_t *last, int64_t lists, const int32_t *docs,
             const void *tfs, int wide, int64_t postings, int64_t begin, int64_t end,
             int64_t *place, int64_t count, int32_t *terms, void *tfs_out)
{
    for (int64_t list = 0; list < lists; list++) {
        int64_t i = next[list];
        if (i < 0 || last[list] > postings)
            return OUT_OF_RANGE;
        for (; i < last[list] && docs[i] < end; i++) {
            if (docs[i] < begin)
                return OUT_OF_RANGE;
            int64_t slot = place[docs[i] - begin]++;
            if (slot < 0 || slot >= count)
                return OUT_OF_RANGE;
            terms[slot] = (int32_t)list;
            if (wide)
                ((uint32_t *)tfs_out)[slot] = ((const uint32_t *)tfs)[i];
            else
                ((uint16_t *)tfs_out)[slot] = ((const uint16_t *)tfs)[i];
        }
        next[list] = i;
    }
    return 0;
}


/* ---- porter: words to stems (Porter, Program 1980, in the form of Porter's own program) ---- */

/* Whether a letter is a consonant, from whether the one before it is (none: 0). */
static inline int is_consonant(uint8_t letter, int before)
{
    switch (letter) {
    case 'a': case 'e': case 'i': case 'o': case 'u':
        return 0;
    case 'y': /* as in "toy", but not as in "syzygy" */
        return !before;
    default:
        return 1;
    }
}

static int consonant_at(const uint8_t *word, int64_t at)
{
    int consonant = 0;
    for (int64_t i = 0; i <= at; i++)
        consonant = is_consonant(word[i], consonant);
    return consonant;
}

/* How often a consonant follows a vowel. */
static int64_t measure(const uint8_t *word, int64_t length)
{
    int64_t count = 0;
    int before = 0;
    for (int64_t i = 0; i < length; i++) {
        int consonant = is_consonant(word[i], before);
        if (i && consonant && !before)
            count++;
        before = consonant;
    }
    return count;
}

static int has_vowel(const uint8_t *word, int64_t length)
{
    int consonant = 0;
    for (int64_t i = 0; i < length; i++)
        if (!(consonant = is_consonant(word[i], consonant)))
            return 1;
    return 0;
}

/* Whether a letter is one of three. */
static int is_one_of(uint8_t letter, const char *three) { return memchr(three, letter, 3) != NULL; }

/* Whether the word ends in the same consonant twice. */
static int ends_double(const uint8_t *word, int64_t length)
{
    return length >= 2 && word[length - 1] == word[length - 2] && consonant_at(word, length - 1);
}

/* Whether it ends in consonant, vowel, consonant other than w, x, y: as in "hop", not "snow". */
static int ends_short(const uint8_t *word, int64_t length)
{
    if (length < 3 || is_one_of(word[length - 1], "wxy") || !consonant_at(word, length - 1))
        return 0;
    return !consonant_at(word, length - 2) && consonant_at(word, length - 3);
}

/* The length without the suffix, or -1 if the word does not end in it. */
static inline int64_t without(const uint8_t *word, int64_t length, const char *suffix)
{
    int64_t stem = length - (int64_t)strlen(suffix);
    return stem >= 0 && memcmp(word + stem, suffix, strlen(suffix)) == 0 ? stem : -1;
}

typedef struct {
    const char *suffix, *instead;
} Rule;

static const Rule LONG_SUFFIXES[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
    {"logi", "log"}, {NULL, NULL},
};
static const Rule MIDDLE_SUFFIXES[] = {
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"},
    {"ful", ""}, {"ness", ""}, {NULL, NULL},
};
static const char *const LAST_SUFFIXES[] = {
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize", NULL,
};

/* Applies the first rule whose suffix is there, if what is before it has any measure. */
static int64_t replace(uint8_t *word, int64_t length, const Rule *rule)
{
    for (; rule->suffix; rule++) {
        int64_t stem = without(word, length, rule->suffix);
        if (stem < 0)
            continue;
        if (measure(word, stem) == 0)
            return length;
        size_t size = strlen(rule->instead);
        memcpy(word + stem, rule->instead, size);
        return stem + (int64_t)size;
    }
    return length;
}

/* Strips the first suffix that is there, if what is before it is long enough. */
static int64_t strip_last(const uint8_t *word, int64_t length)
{
    for (const char *const *suffix = LAST_SUFFIXES; *suffix; suffix++) {
        int64_t stem = without(word, length, *suffix);
        if (stem < 0)
            continue;
        if (strcmp(*suffix, "ion") == 0 &&
            (stem == 0 || (word[stem - 1] != 's' && word[stem - 1] != 't')))
            continue;
        return measure(word, stem) > 1 ? stem : length;
    }
    return length;
}

/* Plurals, "-ed" and "-ing". */
static int64_t strip_inflection(uint8_t *word, int64_t length)
{
    if (without(word, length, "sses") >= 0 || without(word, length, "ies") >= 0)
        length -= 2;
    else if (word[length - 1] == 's' && word[length - 2] != 's')
        length--;
    int64_t stem = without(word, length, "eed");
    if (stem >= 0)
        return measure(word, stem) > 0 ? length - 1 : length;
    stem = without(word, length, "ed");
    if (stem < 0)
        stem = without(word, length, "ing");
    if (stem < 0 || !has_vowel(word, stem))
        return length;
    int needs_e = without(word, stem, "at") >= 0 || without(word, stem, "bl") >= 0 ||
                  without(word, stem, "iz") >= 0;
    if (!needs_e && ends_double(word, stem))
        return is_one_of(word[stem - 1], "lsz") ? stem : stem - 1;
    if (needs_e || (measure(word, stem) == 1 && ends_short(word, stem)))
        word[stem++] = 'e';
    return stem;
}

/* Stems a word where it stands, and gives its new length, which is never greater. */
static int64_t stem(uint8_t *word, int64_t length)
{
    if (length <= 2)
        return length;
    length = strip_inflection(word, length);
    if (word[length - 1] == 'y' && has_vowel(word, length - 1))
        word[length - 1] = 'i';
    length = replace(word, length, LONG_SUFFIXES);
    length = replace(word, length, MIDDLE_SUFFIXES);
    length = strip_last(word, length);
    if (word[length - 1] == 'e') {
        int64_t count = measure(word, length - 1);
        if (count > 1 || (count == 1 && !ends_short(word, length - 1)))
            length--;
    }
    if (word[length - 1] == 'l' && ends_double(word, length) && measure(word, length) > 1)
        length--;
    return length;
}

/* Stems words that are each followed by a new line, where they stand; gives their new length. */
int64_t porter(uint8_t *words, int64_t length)
{
    int64_t out = 0;
    for (int64_t begin = 0; begin < length;) {
        uint8_t *end = memchr(words + begin, '\n', (size_t)(length - begin));
        if (!end)
            return OUT_OF_RANGE;
        int64_t size = end - (words + begin), kept = stem(words + begin, size);
        memmove(words + out, words + begin, (size_t)kept);
        out += kept;
        words[out++] = '\n';
        begin += size + 1;
    }
    return out;
}

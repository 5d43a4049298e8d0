"""Lucene itself, in a Java of its own: what it is asked comes as JSON on stdin, answers go to stdout.

Asked: ``documents`` (of each field the tokens of every document) and ``searches``, each a mapping of
``similarity`` (a class with the arguments of its constructor), ``terms`` (pairs of term and weight),
``fields`` (of each its weight) and ``required`` (fields). Answered: for each search the documents
that it finds, best first, as pairs of number and score.
"""

import json
import os
import sys

import jnius_config

jnius_config.set_classpath(*sys.argv[1:])
jnius_config.add_options("-Xrs", "-XX:-UsePerfData", "-XX:+UseSerialGC", "-Xmx512m")

from jnius import autoclass, cast  # noqa: E402  (starts Java)

LUCENE = "org.apache.lucene"
Occur = autoclass(f"{LUCENE}.search.BooleanClause$Occur")
Boost = autoclass(f"{LUCENE}.search.BoostQuery")
Builder = autoclass(f"{LUCENE}.search.BooleanQuery$Builder")
TermQuery = autoclass(f"{LUCENE}.search.TermQuery")
Term = autoclass(f"{LUCENE}.index.Term")


def indexed(fields):
    """A directory with the documents, in one segment."""
    Document = autoclass(f"{LUCENE}.document.Document")  # noqa: N806
    TextField = autoclass(f"{LUCENE}.document.TextField")  # noqa: N806
    no = autoclass(f"{LUCENE}.document.Field$Store").NO
    directory = autoclass(f"{LUCENE}.store.ByteBuffersDirectory")()
    blanks = autoclass(f"{LUCENE}.analysis.core.WhitespaceAnalyzer")()
    config = autoclass(f"{LUCENE}.index.IndexWriterConfig")(blanks)
    writer = autoclass(f"{LUCENE}.index.IndexWriter")(directory, config)
    for tokens in zip(*fields.values(), strict=True):
        document = Document()
        for name, words in zip(fields, tokens, strict=True):
            document.add(TextField(name, " ".join(words), no))
        writer.addDocument(document)
    writer.forceMerge(1)
    writer.close()
    return directory


def similarity(name, *arguments):
    """A similarity; an argument that is a text is a class, made without any."""
    made = [
        autoclass(f"{LUCENE}.search.similarities.{given}")() if isinstance(given, str) else given
        for given in arguments
    ]
    return autoclass(f"{LUCENE}.search.similarities.{name}")(*made)


def query(terms, fields, required):
    """Terms that may stand, in fields that must or may match; weights of 1 are not said."""
    whole = Builder()
    for field, weight in fields.items():
        inside = Builder()
        for term, boost in terms:
            clause = TermQuery(Term(field, term))
            inside.add(clause if boost == 1 else Boost(clause, boost), Occur.SHOULD)
        clause = inside.build()
        occur = Occur.MUST if field in required else Occur.SHOULD
        whole.add(clause if weight == 1 else Boost(clause, weight), occur)
    return whole.build()


def main():
    asked = json.load(sys.stdin)
    reader = autoclass(f"{LUCENE}.index.DirectoryReader").open(indexed(asked["documents"]))
    searcher = autoclass(f"{LUCENE}.search.IndexSearcher")(
        cast(f"{LUCENE}.index.IndexReader", reader)
    )
    answers = []
    for search in asked["searches"]:
        searcher.setSimilarity(similarity(*search["similarity"]))
        wanted = query(search["terms"], search["fields"], search["required"])
        found = searcher.search(wanted, max(reader.maxDoc(), 1)).scoreDocs
        answers.append([(hit.doc, hit.score) for hit in found])
    json.dump(answers, sys.stdout)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()

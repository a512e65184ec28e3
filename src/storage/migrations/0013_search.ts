/**
 * What can be found: one row for each text, the words of it, and its meaning where somebody had it embedded. The words
 * lie in an index of their own that reads the texts from the rows. A row's collection is a word of it too (`place`), one
 * that nobody writes, so that a search in some collections costs no more than one in all.
 */
export const search = [
  `CREATE TABLE search_documents (
    row INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    id TEXT NOT NULL,
    collection TEXT NOT NULL,
    place TEXT NOT NULL AS ('x' || replace(collection, '-', '') || 'x'),
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL
  )`,
  `CREATE VIRTUAL TABLE search_words USING fts5(
    title, text, place, content='search_documents', content_rowid='row',
    tokenize='unicode61 remove_diacritics 2', prefix='2 3'
  )`,
  `INSERT INTO search_words (search_words, rank) VALUES ('rank', 'bm25(4.0, 1.0, 0.0)')`,
  `CREATE TABLE search_vectors (
    row INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    hash TEXT NOT NULL,
    vector BLOB NOT NULL
  )`
]

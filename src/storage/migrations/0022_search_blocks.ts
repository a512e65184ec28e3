/**
 * The index of words in blocks, of terms that are made in code: words inside of texts without spaces can be found, and no
 * question of a reader takes longer than a block. The words of before are dropped; documents without a `block` are taken
 * in again while the server runs. `terms` is how many terms of a document the index holds.
 */
export const searchBlocks = [
  `DROP TABLE search_words`,
  `ALTER TABLE search_documents DROP COLUMN place`,
  `ALTER TABLE search_documents ADD COLUMN block INTEGER`,
  `ALTER TABLE search_documents ADD COLUMN terms INTEGER`,
  `CREATE INDEX search_documents_waiting ON search_documents (row) WHERE block IS NULL`,
  `CREATE TABLE search_blocks (
    block INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL,
    documents INTEGER NOT NULL,
    terms INTEGER NOT NULL
  )`,
  `CREATE INDEX search_blocks_collection ON search_blocks (collection, block)`,
  `CREATE VIRTUAL TABLE search_words USING fts5(
    title, text, content='', contentless_delete=1, tokenize='ascii'
  )`,
  `INSERT INTO search_words (search_words, rank) VALUES ('rank', 'bm25(4.0, 1.0)')`
]

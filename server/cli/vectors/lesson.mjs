// Prepares vectors and the bank for teaching, and writes what comes of it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packed, unpacked } from './pack.mjs'
import { mapped, taught } from './teach.mjs'

/** How much a concept of the lexicon tells at first; a word that is rare tells 1. */
const CONCEPT = 0.5

/**
 * What the bank teaches vectors of words, as a file: a map of all, and the places of the words that it has and of the
 * concepts of the lexicon, each at first between the words of its expressions.
 * @param {Buffer} file of vectors @param {ReturnType<import('./bank.mjs').readBank>} bank
 * @param {string} concepts the folder of the lexicon's files
 * @param program what the server reads texts with
 * @param {() => number} random
 * @returns {Buffer} (server/modules/knowledge/meaning/taughtVectors.ts says the format)
 */
export function lesson(file, bank, concepts, program, random) {
  const words = withConcepts(unpacked(file), conceptsIn(concepts), program)
  const texts = []
  const read = (text, isAsked) => texts.push(textOf(text, isAsked, words, program)) - 1
  const topics = bank.map(({ file: name, asked, said }) => ({
    file: name,
    asked: asked.map((text) => read(text, true)),
    said: said.map((text) => read(text, false)),
  }))
  const { map, vectors, tellings } = taught(words, texts, topics, random)
  const { dimension, keys, concepts: ofLexicon } = words
  const rows = [...new Set([...ofLexicon, ...texts.flatMap((text) => [...text.rows])])].sort((a, b) => a - b)
  const places = packed(
    {
      dimension,
      keys: Uint32Array.from(rows, (row) => keys[row]),
      tellings: Uint8Array.from(rows, (row) => byteOf(tellings[row])),
      vectors: mapped(vectors, rows, map, dimension),
      spellings: new Uint32Array(),
      frequencies: new Uint8Array(),
    },
    program.FORM,
  )
  return Buffer.concat([Buffer.from(map.buffer), places])
}

const byteOf = (telling) => Math.min(255, Math.max(0, Math.round(255 * telling)))

/** The lexicon's concepts with their expressions. */
function conceptsIn(folder) {
  const concepts = []
  for (const name of readdirSync(folder).sort())
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line.startsWith('= ')) concepts.push({ name: line, expressions: [] })
      else if (/^[a-z]{2}: /.test(line)) concepts.at(-1).expressions.push(...line.slice(4).split('; '))
    }
  return concepts
}

function withConcepts(words, concepts, { hashOf, placeIn, placesOf, tokenize, fold, isSmallWord }) {
  const { dimension, keys, tellings, vectors } = words
  const placeOf = (stem) => placeIn(keys, hashOf(stem))
  const rows = [...keys].map((key, row) => ({ key, telling: tellings[row] / 255, from: vectors, at: row * dimension }))
  for (const { name, expressions } of concepts) {
    const key = hashOf(name)
    if (placeIn(keys, key) >= 0)
      throw new Error('These vectors have concepts already: begin with those that have none.')
    const middle = new Float32Array(dimension)
    for (const expression of expressions) {
      const places = tokenize(expression)
        .map(fold)
        .filter((word) => !isSmallWord(word))
        .flatMap((word) => placesOf(word, placeOf))
      for (const place of places)
        for (let at = 0; at < dimension; at++)
          middle[at] += (tellings[place] * vectors[place * dimension + at]) / places.length
    }
    const length = Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0)) || 1
    rows.push({ key, telling: CONCEPT, from: middle.map((value) => value / length), at: 0 })
  }
  rows.sort((a, b) => a.key - b.key)
  const all = new Float32Array(rows.length * dimension)
  for (const [row, { from, at }] of rows.entries()) all.set(from.subarray(at, at + dimension), row * dimension)
  return {
    ...words,
    concepts: rows.flatMap(({ from }, row) => (from === vectors ? [] : row)),
    keys: Uint32Array.from(rows, ({ key }) => key),
    tellings: Float32Array.from(rows, ({ telling }) => telling),
    vectors: all,
  }
}

/** The rows of a text's words and concepts, as the evidence reads them (evidence/saying.ts). */
function textOf(text, isAsked, { keys }, program) {
  const { hashOf, placeIn, placesOf, tokenize, withoutAsking, fold, isSmallWord, lexicon } = program
  const typed = tokenize(text)
  const telling = new Set(tokenize(isAsked ? withoutAsking(text) : text))
  const found = typed.flatMap((word) => {
    const plain = fold(word)
    if (isSmallWord(plain) || !telling.has(word)) return []
    const places = placesOf(plain, (stem) => placeIn(keys, hashOf(stem)))
    return places.map((row) => ({ row, share: 1 / places.length }))
  })
  for (const { concept } of lexicon.find(typed)) {
    const row = placeIn(keys, concept)
    if (row >= 0) found.push({ row, share: 1 })
  }
  return { rows: Int32Array.from(found, ({ row }) => row), shares: Float32Array.from(found, ({ share }) => share) }
}

// Words that mean the same, in one language or several, by what others have collected.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * @param {string} lexical the folder of the lexical pairs @param {string} concepts our lexicon
 * @param {(text: string) => string | null} keyOf the stem of an expression; null: it is not one word
 * @returns {{ weight: number, words: { language: string, stem: string }[], isOwn: boolean }[]} `isOwn`: of our lexicon
 */
export function readGroups(lexical, concepts, keyOf) {
  const groups = []
  const add = (weight, byLanguage, isOwn = false) => {
    const words = [...byLanguage].flatMap(([language, texts]) =>
      [...new Set(texts.map(keyOf))].flatMap((stem) => (stem === null ? [] : [{ language, stem }])),
    )
    if (words.length > 1) groups.push({ weight, words, isOwn })
  }
  const synsets = new Map()
  for (const [id, language, , lemmas = ''] of rowsOf(join(lexical, 'omw-synsets.tsv.gz'))) {
    const synset = synsets.get(id) ?? new Map()
    synset.set(language, [...(synset.get(language) ?? []), ...lemmas.split('|')])
    synsets.set(id, synset)
  }
  for (const synset of synsets.values()) add(SYNSET, synset)
  const translations = new Map()
  for (const [english, language, translation] of rowsOf(join(lexical, 'interface-pairs.tsv.gz'))) {
    const known = translations.get(english) ?? new Map([['en', [english]]])
    known.set(language, [...(known.get(language) ?? []), translation])
    translations.set(english, known)
  }
  for (const translation of translations.values()) add(TRANSLATION, translation)
  for (const name of readdirSync(concepts).sort())
    for (const concept of readFileSync(join(concepts, name), 'utf8').split('\n\n')) {
      const lines = [...concept.matchAll(/^([a-z]{2}): (.*)$/gm)]
      add(CONCEPT, new Map(lines.map(([, language, expressions]) => [language, expressions.split('; ')])), true)
    }
  return groups
}

/** How much each kind of group pulls its words together. */
const SYNSET = 0.5
const TRANSLATION = 0.5
const CONCEPT = 1

function rowsOf(path) {
  const [, ...lines] = gunzipSync(readFileSync(path)).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => line.split('\t'))
}

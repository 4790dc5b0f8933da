// `npm run vectors [-- FOLDER]`: learns the vectors of words anew from openly licensed texts, by default those that lie
// beside the repository (words.bin), and what the bank of topics teaches them (taught.bin). The same texts give the
// same files. Needs the program `xz`. `npm run vectors -- --taught` learns the bank alone, which takes a minute or two.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { root } from './sources.mjs'
import { readBank } from './vectors/bank.mjs'
import { readTexts } from './vectors/corpus.mjs'
import { readGroups } from './vectors/groups.mjs'
import { joined } from './vectors/join.mjs'
import { lesson } from './vectors/lesson.mjs'
import { nearbyMatrix } from './vectors/nearby.mjs'
import { reduced } from './vectors/reduce.mjs'
import { wordVectorsFile } from './vectors/write.mjs'

/** English first: the others are turned to it. The most words of each. */
const LANGUAGES = { en: 45_000, de: 22_000, es: 22_000, fr: 22_000, it: 22_000, nl: 22_000, pl: 22_000, pt: 22_000 }
/** Rarer words have no place of their own. */
const LEAST = 4
const DIMENSION = 160
/** Words that may be mistyped. */
const WRITTEN = /^[a-z]{3,24}$/

const knowledge = join(root, 'server/modules/knowledge')
const server = await createServer({
  configFile: false,
  root,
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false },
})
try {
  const { sharedPath } = await server.ssrLoadModule(join(root, 'tests/support/shared.ts'))
  const load = (path) => server.ssrLoadModule(join(knowledge, path))
  const program = {
    ...(await load('retrieval/words.ts')),
    ...(await load('retrieval/fold.ts')),
    ...(await load('lexicon/stem.ts')),
    ...(await load('lexicon/smallWords.ts')),
    ...(await load('extractive/asking.ts')),
    ...(await load('meaning/hashOf.ts')),
    ...(await load('meaning/wordVectors.ts')),
    lexicon: await (await load('lexicon/loadLexicon.ts')).loadLexicon(),
  }
  const { values, positionals } = parseArgs({ options: { taught: { type: 'boolean' } }, allowPositionals: true })
  const path = join(knowledge, 'meaning/words.bin')
  if (!values.taught) writeFileSync(path, await learnWords(resolve(positionals[0] ?? sharedPath('corpus')), program))
  const bank = readBank(join(root, 'server/cli/vectors/asked'))
  console.log(`${bank.length} topics`)
  const taught = lesson(readFileSync(path), bank, join(knowledge, 'lexicon/concepts'), program, seeded(13))
  writeFileSync(join(knowledge, 'meaning/taught.bin'), taught)
  console.log(`${(taught.length / 1e6).toFixed(1)} MB taught`)
} finally {
  await server.close()
}

/** The file of vectors that texts alone give. */
async function learnWords(corpus, { tokenize, fold, stemOf, isSmallWord, hashOf, FORM }) {
  if (!existsSync(join(corpus, 'en')))
    throw new Error(`There are no texts in ${corpus}: name their folder, npm run vectors -- FOLDER.`)
  const stem = (word) => (/\p{N}/u.test(word) || isSmallWord(fold(word)) ? null : stemOf(fold(word)))
  const keyOf = (expression) => {
    const telling = tokenize(expression).filter((word) => !isSmallWord(fold(word)))
    return telling.length === 1 ? stem(telling[0]) : null
  }
  const languages = new Map()
  for (const [language, most] of Object.entries(LANGUAGES)) {
    languages.set(language, await learn(join(corpus, language), most, tokenize, stem))
    console.log(`${language}: ${languages.get(language).stems.length} words`)
  }
  const groups = readGroups(join(corpus, 'lexical'), join(knowledge, 'lexicon/concepts'), keyOf)
  return wordVectorsFile(joined(languages, groups, DIMENSION), spellingsOf(languages, fold), DIMENSION, FORM, hashOf)
}

/** The vectors of a language's most frequent words. */
async function learn(folder, most, wordsOf, stem) {
  const { stems, counts, files, spellings } = await readTexts(folder, wordsOf, stem)
  const frequent = [...counts.keys()]
    .filter((number) => counts[number] >= LEAST)
    .sort((a, b) => counts[b] - counts[a] || a - b)
    .slice(0, most)
  const rowOf = new Int32Array(stems.length).fill(-1)
  for (const [row, number] of frequent.entries()) rowOf[number] = row
  const matrix = nearbyMatrix(files, rowOf, counts, frequent.length, seeded(7))
  return {
    stems: frequent.map((number) => stems[number]),
    counts: frequent.map((number) => counts[number]),
    vectors: reduced(matrix, DIMENSION, seeded(11)),
    spellings,
  }
}

/** Words as they are written, without marks, with the greatest share that each is of a language's. */
function spellingsOf(languages, fold) {
  const shares = new Map()
  for (const { spellings } of languages.values()) {
    const all = [...spellings.values()].reduce((sum, count) => sum + count, 0)
    for (const [word, count] of spellings) {
      const plain = fold(word)
      if (count >= LEAST && WRITTEN.test(plain)) shares.set(plain, Math.max(shares.get(plain) ?? 0, count / all))
    }
  }
  return shares
}

/** Numbers that are the same in every run. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

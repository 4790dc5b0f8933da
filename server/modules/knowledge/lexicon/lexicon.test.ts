import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tokenize } from '../retrieval/words'
import { LexiconBuilder } from './lexicon'
import { loadLexicon } from './loadLexicon'

const FILES = `# Test
= refund
en: money back; refund
de: Geld zurück; Rückerstattung
part of: returns

= returns
en: give back; return

= dog
en: dog; puppy
part of: pets

= pets
en: pet; animal
part of: living-things

= living-things
en: creature

= punctual
en: on time
`
const lexicon = (() => {
  const builder = new LexiconBuilder()
  builder.add(FILES)
  return builder.build()
})()
/** The first concept that a name's own expression finds. */
const OF = {
  refund: 'refund',
  returns: 'give back',
  dog: 'puppy',
  pets: 'pet',
  'living-things': 'creature',
  punctual: 'on time',
}
const names = new Map(Object.entries(OF).map(([name, text]) => [lexicon.find(tokenize(text))[0]?.concept, name]))
const conceptsOf = (text: string) => lexicon.find(tokenize(text)).map(({ concept }) => names.get(concept))

test('finds one concept by different words, in different languages, with other endings and without marks', () => {
  for (const text of [
    'Is there a refund?',
    'I want my money back',
    'Wann kommt mein Geld zurück',
    'geld zuruck',
    'refunding',
  ])
    expect(conceptsOf(text), text).toContain('refund')
})

test('finds an expression whose words have up to two others between them, in their order', () => {
  expect(conceptsOf('can I give the lamp back')).toContain('returns')
  expect(conceptsOf('give three broken lamps back')).not.toContain('returns')
  expect(conceptsOf('back give')).not.toContain('returns')
})

test('says what is broader as well, and what is broader than that', () => {
  expect(conceptsOf('my puppy')).toEqual(['dog', 'pets', 'living-things'])
})

test('keeps the small words of an expression that would be one word without them', () => {
  expect(conceptsOf('are you on time')).toContain('punctual')
  expect(conceptsOf('what time')).toEqual([])
})

test('says which words name a concept', () => {
  expect(lexicon.find(tokenize('please give the lamp back')).map(({ words }) => words)).toEqual([[1, 4]])
})

test('joins what visitors and pages say in eight languages', async () => {
  const known = await loadLexicon()
  const all = (text: string) => new Set(known.find(tokenize(text)).map(({ concept }) => concept))
  const pairs = [
    ['do I get my cash back', 'Our refund policy'],
    ['can i bring my puppy', 'Hunde sind erlaubt'],
    ['wann macht ihr auf', 'Opening hours'],
    ['¿puedo pagar con tarjeta?', 'Kreditkarte'],
    ['où se garer', 'Parkplätze'],
  ]
  for (const [asked = '', said = ''] of pairs)
    expect([...all(asked)].filter((concept) => all(said).has(concept)).length, `${asked} / ${said}`).toBeGreaterThan(0)
})

/** One to seven words. */
const HAS_WORDS = /^[^\s]+(?: [^\s]+){0,6}$/

describe('its files', () => {
  const folder = join(import.meta.dirname, 'concepts')
  const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt']
  const concepts = readdirSync(folder).flatMap((file) => {
    const [title = '', ...blocks] = readFileSync(join(folder, file), 'utf8').trim().split('\n\n')
    expect(title, file).toMatch(/^# /)
    return blocks.flatMap((block) =>
      // files may leave out the empty line between two concepts
      block.split(/\n(?== )/).map((text) => {
        const [name = '', ...lines] = text.split('\n')
        return { file, name: name.slice(2), lines }
      }),
    )
  })

  test('name each concept once', () => {
    const names = concepts.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
  })

  test('have each language once for each concept, with expressions that are looked for', () => {
    const problems = concepts.flatMap(({ file, name, lines }) => {
      const own = lines.filter((line) => !line.startsWith('part of: '))
      const isWhole = own.map((line) => line.slice(0, 4)).join('') === LANGUAGES.map((each) => `${each}: `).join('')
      const expressions = own.map((line) => line.slice(4).split('; '))
      const wrong = expressions.flat().filter((one) => one.trim() !== one || !HAS_WORDS.test(one))
      const twice = expressions.flatMap((all) => all.filter((one, at) => all.indexOf(one) !== at))
      return isWhole ? [...wrong, ...twice].map((one) => `${file} ${name}: ${one}`) : `${file} ${name}: languages`
    })
    expect(problems).toEqual([])
  })

  test('name broader concepts that there are', () => {
    const names = new Set(concepts.map(({ name }) => name))
    const broader = concepts.flatMap(({ lines }) =>
      lines.flatMap((line) => (line.startsWith('part of: ') ? line.slice(9).split(', ') : [])),
    )
    expect(broader.filter((name) => !names.has(name))).toEqual([])
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Each language says all that English says, with the same places for names and numbers. */
const root = join(import.meta.dirname, '../..')
const languages = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'en')
  .map(({ name }) => name)
const kinds = readdirSync(join(root, 'blocks')).filter((kind) => existsSync(join(root, 'blocks', kind, 'en.json')))
const files = [
  ...readdirSync(join(import.meta.dirname, 'en')).map((file) => (language: string) => `src/i18n/${language}/${file}`),
  ...kinds.map((kind) => (language: string) => `blocks/${kind}/${language}.json`),
]

/** The texts of a file by their keys, without the end that tells a plural form. */
function textsOf(file: string): Map<string, string[]> {
  const texts = new Map<string, string[]>()
  const collect = (node: unknown, key: string): void => {
    if (typeof node === 'object' && node !== null)
      for (const [part, value] of Object.entries(node)) collect(value, key === '' ? part : `${key}.${part}`)
    else {
      const name = key.replace(/_(zero|one|two|few|many|other)$/, '')
      texts.set(name, [...(texts.get(name) ?? []), String(node)])
    }
  }
  collect(JSON.parse(readFileSync(join(root, file), 'utf8')), '')
  return texts
}

/** What the program fills in, and the marks that it draws. */
const placesOf = (texts: readonly string[]) =>
  [...new Set(texts.flatMap((text) => text.match(/\{\{[^}]+\}\}|<\/?\w+\/?>|\$t\([^)]*\)/g) ?? []))].sort()

describe.each(languages)('in %s', (language) => {
  test.each(files.map((file) => [file(language), file('en')]))('%s says what English says', (own, english) => {
    const [said, wanted] = [textsOf(own), textsOf(english)]
    expect([...said.keys()].sort()).toEqual([...wanted.keys()].sort())
    const empty = [...said].filter(([key, texts]) => texts.includes('') && !wanted.get(key)?.includes(''))
    expect(empty).toEqual([])
  })

  test.each(files.map((file) => [file(language), file('en')]))('%s fills in the same', (own, english) => {
    const said = textsOf(own)
    const places = (texts: readonly string[] = []) => placesOf(texts)
    const other = [...textsOf(english)].filter(([key, texts]) => `${places(said.get(key))}` !== `${placesOf(texts)}`)
    expect(other.map(([key]) => `${key}: ${said.get(key)}`)).toEqual([])
  })
})

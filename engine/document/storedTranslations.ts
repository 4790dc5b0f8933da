import type * as Y from 'yjs'
import {
  type Languages,
  languageCodeSchema,
  MAX_LANGUAGES,
  placeSchema,
  type Translation,
  type Translations,
  translationSchema,
} from '../translations/translation'
import { sameJson } from './blockData'
import { isPlain, type Roots } from './shape'

/**
 * A translation is a key `in/<language>/<place>` of its block's map, so that it is copied and deleted with the block.
 */
const PREFIX = 'in/'
const translationKey = (language: string, place: string): string => `${PREFIX}${language}/${place}`

/** The key of the main language. Each other language is a key with its code: `true`, or `false` once removed. */
const MAIN = '/main'

/**
 * The translations in a block's map; undefined when there are none. Skips anything else that a client may have written.
 */
export function readTranslations(map: Y.Map<unknown>): Translations | undefined {
  let found: Translations | undefined
  for (const key of map.keys()) {
    if (!key.startsWith(PREFIX)) continue
    const [, language = '', place = '', ...more] = key.split('/')
    const translation = more.length === 0 ? readTranslation(map.get(key)) : null
    if (!translation || !isCode(language) || !isPlace(place)) continue
    found ??= {}
    found[language] ??= {}
    found[language][place] = translation
  }
  return found && sorted(found)
}

/** Stores or deletes one; does not store an equal one again. Ignores a translation with an invalid shape. */
export function putTranslation(
  map: Y.Map<unknown>,
  language: string,
  place: string,
  translation: Translation | null,
): void {
  if (!isCode(language) || !isPlace(place)) return
  const key = translationKey(language, place)
  // sets the key to null instead of deleting it: undo restores it even if a peer has written meanwhile
  if (translation === null) return void (map.get(key) != null && map.set(key, null))
  if (!readTranslation(translation)) return
  const present = map.get(key)
  if (!isPlain(present) || !sameJson(present, translation)) map.set(key, translation)
}

/** Replaces all translations in the block's map. */
export function writeTranslations(map: Y.Map<unknown>, wanted: Translations = {}): void {
  for (const [language, places] of Object.entries(readTranslations(map) ?? {}))
    for (const place of Object.keys(places)) if (!wanted[language]?.[place]) putTranslation(map, language, place, null)
  for (const [language, places] of Object.entries(wanted))
    for (const [place, translation] of Object.entries(places)) putTranslation(map, language, place, translation)
}

/** The chatbot's languages; undefined if never set. */
export function readLanguages({ languages }: Roots): Languages | undefined {
  const main = languages.get(MAIN)
  if (!isCode(main)) return undefined
  const others = [...languages.keys()].filter((code) => isCode(code) && code !== main && languages.get(code) === true)
  return { main, others: others.sort().slice(0, MAX_LANGUAGES) }
}

/** Sets the document's languages; undefined removes them. */
export function writeLanguages(roots: Roots, wanted: Languages | undefined): void {
  const { languages } = roots
  const others = new Set(wanted?.others)
  const set = (key: string, value: string | boolean) => languages.get(key) !== value && languages.set(key, value)
  if (wanted) set(MAIN, wanted.main)
  else if (languages.has(MAIN)) languages.delete(MAIN)
  for (const code of languages.keys()) if (code !== MAIN && !others.has(code)) set(code, false)
  for (const code of others) if (isCode(code)) set(code, true)
}

const isCode = (code: unknown): code is string => languageCodeSchema.safeParse(code).success
const isPlace = (place: string): boolean => placeSchema.safeParse(place).success

/** A value of a Y.Map stays the same object until its key is written. */
const looked = new WeakMap<object, Translation | null>()

function readTranslation(value: unknown): Translation | null {
  if (typeof value !== 'object' || value === null) return null
  const known = looked.get(value)
  if (known !== undefined) return known
  const read = isPlain(value) && translationSchema.safeParse(value).success ? (value as Translation) : null
  looked.set(value, read)
  return read
}

/** Sorted, independently of the order in which keys arrived. */
function sorted(translations: Translations): Translations {
  const byName = <Value>(fields: Record<string, Value>) =>
    Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
  return byName(Object.fromEntries(Object.entries(translations).map(([code, places]) => [code, byName(places)])))
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** What a catalog says of a field of a kind's form. */
export interface FieldTexts {
  label?: string
  help?: string
  options?: Readonly<Record<string, string>>
}

export interface KindTexts {
  title: string
  help: string
  keywords: string
  fields?: Readonly<Record<string, FieldTexts>>
}

/** A file below the repository's root. @throws if there is none */
export const fileAt = (path: string): string => readFileSync(join(root, path), 'utf8')

const jsonAt = <T>(path: string): T => JSON.parse(fileAt(path)) as T

/** The English texts of a kind of block. */
export const textsOfKind = (kind: string): KindTexts => jsonAt(`blocks/${kind}/en.json`)

/** The texts of fields that several kinds have. */
export const sharedFields = (): Readonly<Record<string, FieldTexts>> =>
  jsonAt<{ fields: Record<string, FieldTexts> }>('src/i18n/en/text.json').fields

/** The names of the categories, in the order of the block list. */
export const categoryNames = (): Readonly<Record<string, string>> =>
  jsonAt<{ categories: Record<string, string> }>('src/i18n/en/builder.json').categories

import { cleanText } from '../../../../engine/values/cleanText'
import {
  type ContactField,
  contactFieldProblem,
  contactFields,
  customFieldCaps,
} from '../../../../engine/values/contactFields'
import { CUSTOM } from '../../../contracts/contactFilter'
import type { ImportColumn, ImportMapping } from '../../../contracts/contactImports'
import { tagCaps } from '../../../contracts/contacts'
import { type CustomField, readCustomValue } from '../../../contracts/customFields'
import { normalizedField } from '../request'
import type { ImportRow } from './parseContactsCsv'

/** A contact as a row says it: cells that are filled. */
export interface ImportedContact {
  line: number
  fields: Partial<Record<ContactField, string>>
  custom: Record<string, string>
  tags: string[]
  /** what tells the person apart; null: nothing does */
  key: string | null
}
/** Why a row is refused: the cell, and what to write instead. */
export interface RefusedRow {
  line: number
  column: string | null
  value: string | null
  message: string
}
export interface RowContext {
  mapping: ImportMapping
  columns: readonly ImportColumn[]
  own: readonly CustomField[]
}

const LONGEST_VALUE = 100

/** A row as a contact, its values normalised; the first cell that is wrong refuses it. */
export function readRow(
  { line, cells }: ImportRow,
  { mapping, columns, own }: RowContext,
): ImportedContact | RefusedRow {
  const contact: ImportedContact = { line, fields: {}, custom: {}, tags: [...mapping.tags], key: null }
  for (const [at, target] of mapping.columns.entries()) {
    const cell = cleanText(cells[at] ?? '').trim()
    if (target === '' || cell === '') continue
    const problem = take(contact, target, cell, own)
    if (problem === null) continue
    const value = cell.length > LONGEST_VALUE ? `${cell.slice(0, LONGEST_VALUE)}…` : cell
    return { line, column: columns[at]?.name ?? null, value, message: problem }
  }
  contact.tags = [...new Set(contact.tags)]
  const { key } = mapping
  const refused = (message: string): RefusedRow => ({ line, column: null, value: null, message })
  if (contact.tags.length > tagCaps.count) return refused(`A contact has at most ${tagCaps.count} tags.`)
  const isEmpty = Object.keys(contact.fields).length + Object.keys(contact.custom).length === 0
  if (isEmpty) return refused('None of the chosen columns is filled.')
  if (key === 'none') return contact
  const value = contact.fields[key]
  if (value === undefined)
    return refused(`The ${words[key]} is empty: fill it in, or tell people apart by another field.`)
  contact.key = key === 'email' ? value.toLowerCase() : value
  return contact
}

const words = { email: 'email', phone: 'phone', user_id: 'user ID' } as const

/** @returns what is wrong with the cell */
function take(contact: ImportedContact, target: string, cell: string, own: readonly CustomField[]): string | null {
  if (target === 'tags') {
    const tags = cell.split(/[,;|]/).flatMap((tag) => tag.trim() || [])
    if (tags.some((tag) => tag.length > tagCaps.name)) return `A tag must not exceed ${tagCaps.name} characters`
    contact.tags.push(...tags)
    return null
  }
  if (target.startsWith(CUSTOM)) {
    const name = target.slice(CUSTOM.length)
    const read = readCustomValue(own.find((each) => each.name === name) ?? { type: 'text', choices: [] }, cell)
    if ('problem' in read) return read.problem
    contact.custom[name] = read.value
    return null
  }
  const field = contactFields.find((each) => each === target)
  if (!field) return null
  const value = normalizedField(field, cell)
  const problem = contactFieldProblem(field, value)
  if (problem === null) contact.fields[field] = value
  return problem
}

/** Whether own fields of a person and of a row together are too many. */
export const hasTooMany = (custom: Readonly<Record<string, string>>): boolean =>
  Object.keys(custom).length > customFieldCaps.count

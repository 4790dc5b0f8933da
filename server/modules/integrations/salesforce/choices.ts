import { crmObjects } from '../../../../engine/effects/crm'
import { type Choice, choiceCaps } from '../../../contracts/integrations'
import type { ChoiceList } from '../defineVendor'
import { describeArticles, isArticleText } from './articles'
import { type Described, describe, type Field, isRequired } from './fields'
import { objects } from './objects'

/** Most characters of the values that a field takes, in words. */
const VALUES = 400
/** What a block can neither set nor save as a text. */
const LEFT_OUT: ReadonlySet<string> = new Set(['base64', 'address', 'location', 'complexvalue'])

/** The fields of an object; those that take certain values say which, and those that a new record needs say so. */
export const listFields: ChoiceList = async (call, { within: [object = ''] }) => {
  const kind = crmObjects.find((each) => each === object) ?? 'contact'
  const described = await describe(call, objects[kind].name)
  return described.fields
    .filter(({ type }) => !LEFT_OUT.has(type))
    .map((field): Choice => {
      const detail = detailOf(field, described)
      return {
        id: field.name,
        label: field.label || field.name,
        ...(detail && { detail }),
        ...(isRequired(field) && { required: true }),
      }
    })
    .sort((a, b) => a.label.localeCompare(b.label))
    .slice(0, choiceCaps.most)
}

/** The languages that articles may be in. */
export const listArticleLanguages: ChoiceList = async (call) => {
  const { fields } = await describeArticles(call)
  const values = fields.find(({ name }) => name === 'Language')?.picklistValues.filter(({ active }) => active) ?? []
  return values
    .map(({ value, label }): Choice => ({ id: value, label: label && label !== value ? `${label} (${value})` : value }))
    .slice(0, choiceCaps.most)
}

/** The fields that have texts of articles. */
export const listArticleFields: ChoiceList = async (call) =>
  (await describeArticles(call)).fields
    .filter(isArticleText)
    .map(({ name, label }): Choice => ({ id: name, label: label || name }))
    .slice(0, choiceCaps.most)

function detailOf({ name, type, length, picklistValues, createable, updateable }: Field, described: Described): string {
  if (!createable && !updateable) return 'read only'
  const types = described.recordTypeInfos.filter(({ available, master }) => available && !master)
  const values =
    name === 'RecordTypeId'
      ? types.map(({ recordTypeId, name: label }) => ({ value: recordTypeId, label }))
      : picklistValues.filter(({ active }) => active)
  if (values.length > 0)
    return values
      .map(({ value, label }) => (label && label !== value ? `${value} (${label})` : value))
      .join(type === 'multipicklist' ? '; ' : ', ')
      .slice(0, VALUES)
  return typeHints[type] ?? (length > 0 ? `text, ${length} characters at most` : '')
}

const typeHints: Readonly<Record<string, string>> = {
  boolean: 'true, false',
  double: '1234.5',
  currency: '1234.5',
  percent: '12.5',
  int: '1234',
  date: '2026-12-31',
  datetime: '2026-12-31T10:00:00Z',
  reference: 'the ID of a record, 15 or 18 letters and digits',
  email: 'an email address',
}

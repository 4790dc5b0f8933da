import { z } from 'zod'
import type { AnyBlock } from '../../../engine/flow/defineBlock'
import { type DynamicValue, dynamicValueToString, staticValue } from '../../../engine/values/dynamicValue'
import { plainRichText, type RichText, richTextToString } from '../../../engine/values/richText'
import { NUMBER_RANGE } from '../../../engine/values/rules'
import { type FieldTexts, sharedFields, textsOfKind } from './texts'

/** A row of the table of settings. */
export interface Setting {
  label: string
  help: string
  type: string
  limits: string
  /** what a new block has */
  initial: string
}

/** What we read of a JSON schema. */
interface Schema {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

type Data = Record<string, unknown>

const PROBE = 'probe'
/** Longer than any text may be: the schema answers with what may be. */
const LONG = 'x'.repeat(1_000_000)
const DEEPEST = 2

/** `noReplyAfter`: "No reply after" */
const inWords = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The data of a new block. */
export function newData(definition: AnyBlock): Data {
  let made = 0
  return definition.defaults(() => `item${++made}`) as Data
}

/** A kind's JSON schema. Rules that a JSON schema can't express are left out. */
export const jsonSchemaOf = (definition: AnyBlock): Schema =>
  z.toJSONSchema(definition.schema, { unrepresentable: 'any', io: 'input' }) as Schema

const withoutNull = (schema: Schema): { schema: Schema; optional: boolean } => {
  const choices = schema.anyOf ?? schema.oneOf
  const rest = choices?.filter(({ type }) => type !== 'null')
  const [only] = rest ?? []
  if (!choices || !rest || rest.length === choices.length) return { schema, optional: false }
  return { schema: rest.length === 1 && only ? only : { anyOf: rest }, optional: true }
}

const isDynamic = (schema: Schema): boolean =>
  (schema.oneOf ?? schema.anyOf ?? []).some(({ properties }) => properties?.type?.const === 'dynamic')

/**
 * The settings of a kind, as its schema, the data of a new block and the English texts say.
 * @returns one for each field, and for each field of a list's items
 */
export function settingsOf(definition: AnyBlock): Setting[] {
  const fields = { ...sharedFields(), ...textsOfKind(definition.kind).fields }
  const data = newData(definition)
  const rows: Setting[] = []

  function add(path: readonly string[], above: string, given: Schema, value: unknown): void {
    const name = path.at(-1) ?? ''
    const texts: FieldTexts = fields[path.join('-')] ?? {}
    const own = texts.label ?? inWords(name)
    const label = above ? `${above}: ${own}` : own
    const { schema, optional } = withoutNull(given)
    const isRich = path.length === 1 && definition.richTexts.includes(name as never)
    const { type, limits } = isRich
      ? { type: 'Formatted text with variables', limits: mostOfText(definition, data, path, plainRichText(LONG)) }
      : describe(path, schema, texts)
    // a group's own name stands before those of its fields
    if (schema.type !== 'object' || isRich)
      rows.push({
        label,
        help: texts.help ?? '',
        type: optional && type !== 'Variable' ? `${type}, optional` : type,
        limits,
        initial: shown(value, texts, isRich),
      })
    if (isRich || path.length >= DEEPEST) return
    const inner = schema.type === 'array' ? schema.items?.properties : schema.properties
    for (const [key, each] of Object.entries(inner ?? {}))
      if (key !== 'id') add([...path, key], label, each, schema.type === 'array' ? undefined : (value as Data)?.[key])
  }

  function describe(path: readonly string[], schema: Schema, texts: FieldTexts): { type: string; limits: string } {
    if (isDynamic(schema))
      return { type: 'Text with variables', limits: mostOfText(definition, data, path, staticValue(LONG)) }
    if (schema.enum) {
      const names = schema.enum.map((value) => texts.options?.[String(value)] ?? String(value))
      const few = names.length <= 12
      return { type: few ? `One of: ${names.join(', ')}` : `One of ${names.length} choices`, limits: '' }
    }
    switch (schema.type) {
      case 'boolean':
        return { type: 'On or off', limits: '' }
      case 'integer':
      case 'number':
        if (path.at(-1) === 'model') return { type: 'Model', limits: '' }
        return {
          type: schema.type === 'integer' ? 'Whole number' : 'Number',
          limits: ruleOf(definition, data, path, schema.maximum) || rangeOf(schema),
        }
      case 'array':
        return { type: 'List', limits: schema.maxItems === undefined ? '' : `up to ${count(schema.maxItems)}` }
      case 'string':
        return { type: chosenBy(definition, data, path), limits: mostOfString(schema) }
      default:
        return { type: 'Value', limits: '' }
    }
  }

  for (const [name, schema] of Object.entries(jsonSchemaOf(definition).properties ?? {}))
    add([name], '', schema, data[name])
  return rows
}

const count = (value: number): string => value.toLocaleString('en')

function rangeOf({ minimum, maximum }: Schema): string {
  const known = (value: number | undefined) => value !== undefined && Math.abs(value) < NUMBER_RANGE.max
  if (known(minimum) && known(maximum)) return `${count(minimum ?? 0)} to ${count(maximum ?? 0)}`
  if (known(minimum)) return `at least ${count(minimum ?? 0)}`
  return known(maximum) ? `at most ${count(maximum ?? 0)}` : ''
}

/** What a rule beyond the range says of the largest number: `between 1 second and 30 days`. */
function ruleOf(definition: AnyBlock, data: Data, [name = '', ...deeper]: readonly string[], most?: number): string {
  if (most === undefined || deeper.length > 0) return ''
  const refused = definition.schema.safeParse({ ...data, [name]: most })
  const rule = refused.error?.issues.find(({ code, path }) => code === 'custom' && path[0] === name)
  return rule ? rule.message.replace(/^Must be /, '') : ''
}

const mostOfString = ({ maxLength }: Schema): string =>
  maxLength === undefined ? '' : `${count(maxLength)} characters`

/** What a field with an id stands for: told by what the block says that it reads, sets, uses or enters. */
function chosenBy(definition: AnyBlock, data: Data, [name = '', ...deeper]: readonly string[]): string {
  if (deeper.length > 0) return /variableId$/i.test(deeper.join('')) ? 'Variable' : 'Text'
  const probe = { ...data, [name]: PROBE } as never
  const names = (list: (data: never) => readonly string[]): boolean => {
    try {
      return list(probe).includes(PROBE)
    } catch {
      return false
    }
  }
  if (names(definition.writes) || names(definition.reads)) return 'Variable'
  if (names(definition.connections)) return 'Connection of the project'
  if (names(definition.enters)) return 'Flow'
  if (names(definition.secrets)) return 'Secret'
  return 'Text'
}

/** The most characters of a text: the schema is given one that is too long, and its refusal names the limit. */
function mostOfText(definition: AnyBlock, data: Data, path: readonly string[], long: unknown): string {
  const [name = '', inner] = path
  const outer = data[name]
  const value =
    inner === undefined
      ? long
      : Array.isArray(outer)
        ? [{ ...(outer[0] as Data | undefined), [inner]: long }]
        : { ...(outer as Data), [inner]: long }
  const refused = definition.schema.safeParse({ ...data, [name]: value })
  const said = refused.error?.issues.map(({ message }) => /Must not exceed (\d+) characters/.exec(message)?.[1])
  const most = said?.find((found) => found !== undefined)
  return most === undefined ? '' : `${count(Number(most))} characters`
}

function shown(value: unknown, texts: FieldTexts, isRich: boolean): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number') return count(value)
  if (typeof value === 'string') return texts.options?.[value] ?? value
  if (isRich) return richTextToString(value as RichText, () => '').trim()
  if (Array.isArray(value)) return value.length === 0 ? '' : `${value.length} in the list`
  return isText(value) ? dynamicValueToString(value, () => '') : ''
}

const isText = (value: object): value is DynamicValue => 'type' in value && value.type === 'static'

import { refuseSalesforce } from './errors'
import { isId, sameId } from './ids'
import type { Value } from './state'

export interface Query {
  fields: string[]
  from: string
  where: Condition | null
  orderBy: { field: string; descending: boolean }[]
  limit: number | null
  offset: number
}
export type Condition =
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'compare'; field: string; operator: string; value: Value | Value[] }

type Token = { text: string; value?: Value }

/**
 * Reads SOQL as far as Parley writes it: SELECT … FROM … WHERE … ORDER BY … LIMIT … OFFSET …, without functions,
 * relationships and dates that are words. @throws a Refusal for anything else
 */
export function readSoql(soql: string): Query {
  const reader = new Reader(soql)
  reader.expect('SELECT')
  const fields = [reader.name()]
  while (reader.take(',')) fields.push(reader.name())
  reader.expect('FROM')
  const from = reader.name()
  const where = reader.take('WHERE') ? readOr(reader) : null
  const orderBy: Query['orderBy'] = []
  if (reader.take('ORDER')) {
    reader.expect('BY')
    do {
      const field = reader.name()
      const descending = reader.take('DESC')
      if (!descending) reader.take('ASC')
      orderBy.push({ field, descending })
    } while (reader.take(','))
  }
  const limit = reader.take('LIMIT') ? reader.number() : null
  const offset = reader.take('OFFSET') ? reader.number() : 0
  reader.end()
  return { fields, from, where, orderBy, limit, offset }
}

/** @returns whether a record's values fulfil it; texts are compared without regard to capitals */
export function fulfils(condition: Condition, read: (field: string) => Value): boolean {
  if (condition.kind === 'not') return !fulfils(condition.part, read)
  if (condition.kind !== 'compare') {
    const holds = (part: Condition) => fulfils(part, read)
    return condition.kind === 'and' ? condition.parts.every(holds) : condition.parts.some(holds)
  }
  const { operator, value } = condition
  const held = read(condition.field)
  const isSame = (one: Value) =>
    isOneId(condition.field, held, one) ? sameId(String(held), String(one)) : compare(held, one) === 0
  if (Array.isArray(value)) {
    const isIn = value.some(isSame)
    return operator === 'IN' ? isIn : !isIn
  }
  if (operator === 'LIKE') return likePattern(String(value)).test(String(held ?? ''))
  if (operator === '=') return isSame(value)
  if (operator === '!=') return !isSame(value)
  if (held === null || value === null) return false
  const order = compare(held, value)
  return operator === '<' ? order < 0 : operator === '<=' ? order <= 0 : operator === '>' ? order > 0 : order >= 0
}

/** An id of 15 signs finds what has it with 18, in fields of ids alone. */
const isOneId = (field: string, ...values: Value[]): boolean =>
  field.endsWith('Id') && values.every((value) => typeof value === 'string' && isId(value))

export function compare(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') {
    const times = [timeOf(a), timeOf(b)] as const
    if (times[0] !== null && times[1] !== null) return times[0] - times[1]
    // the first 15 signs of an id tell capitals apart; nobody else's texts do
    return a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0
  }
  return typeof a === typeof b ? Number(a) - Number(b) : 1
}

const timeOf = (text: string): number | null =>
  /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) : null

function likePattern(like: string): RegExp {
  const source = [...like.matchAll(/\\([%_])|([%_])|([^\\%_]+|\\)/g)].map(([, literal, wild, text]) =>
    wild ? (wild === '%' ? '.*' : '.') : (literal ?? text ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  )
  return new RegExp(`^${source.join('')}$`, 'is')
}

function readOr(reader: Reader): Condition {
  const parts = [readAnd(reader)]
  while (reader.take('OR')) parts.push(readAnd(reader))
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'or', parts }
}

function readAnd(reader: Reader): Condition {
  const parts = [readOne(reader)]
  while (reader.take('AND')) parts.push(readOne(reader))
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'and', parts }
}

function readOne(reader: Reader): Condition {
  if (reader.take('NOT')) return { kind: 'not', part: readOne(reader) }
  if (reader.take('(')) {
    const inner = readOr(reader)
    reader.expect(')')
    return inner
  }
  const field = reader.name()
  if (reader.take('NOT')) {
    reader.expect('IN')
    return { kind: 'compare', field, operator: 'NOT IN', value: readList(reader) }
  }
  if (reader.take('IN')) return { kind: 'compare', field, operator: 'IN', value: readList(reader) }
  const operator = ['=', '!=', '<=', '>=', '<', '>', 'LIKE'].find((sign) => reader.take(sign))
  if (operator === undefined) throw reader.unexpected()
  return { kind: 'compare', field, operator, value: reader.value() }
}

function readList(reader: Reader): Value[] {
  reader.expect('(')
  const values = [reader.value()]
  while (reader.take(',')) values.push(reader.value())
  reader.expect(')')
  return values
}

const TOKEN =
  /\s*(?:('(?:[^'\\]|\\.)*')|(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))|(-?\d+(?:\.\d+)?)|(\w+)|(<=|>=|!=|[=<>(),]))/y

class Reader {
  readonly #tokens: Token[] = []
  #at = 0

  constructor(readonly soql: string) {
    let from = 0
    while (soql.slice(from).trim() !== '') {
      TOKEN.lastIndex = from
      const found = TOKEN.exec(soql)
      if (!found) throw refuseSalesforce(400, 'MALFORMED_QUERY', `unexpected token: '${soql.slice(from).trim()[0]}'`)
      const [, quoted, time, number, word, sign] = found
      from = TOKEN.lastIndex
      if (quoted !== undefined) this.#tokens.push({ text: quoted, value: readEscapes(quoted.slice(1, -1)) })
      else if (time !== undefined) this.#tokens.push({ text: time, value: time })
      else if (number !== undefined) this.#tokens.push({ text: number, value: Number(number) })
      else this.#tokens.push({ text: word ?? sign ?? '' })
    }
  }

  take(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (!token || token.value !== undefined || token.text.toUpperCase() !== text) return false
    this.#at += 1
    return true
  }
  expect(text: string): void {
    if (!this.take(text)) throw this.unexpected()
  }
  name(): string {
    const token = this.#tokens[this.#at]
    if (!token || token.value !== undefined || !/^\w+$/.test(token.text)) throw this.unexpected()
    this.#at += 1
    return token.text
  }
  value(): Value {
    const token = this.#tokens[this.#at]
    this.#at += 1
    if (token?.value !== undefined) return token.value
    if (/^(true|false)$/i.test(token?.text ?? '')) return token?.text.toLowerCase() === 'true'
    if (/^null$/i.test(token?.text ?? '')) return null
    this.#at -= 1
    throw this.unexpected()
  }
  number(): number {
    const value = this.value()
    if (typeof value !== 'number') throw this.unexpected()
    return value
  }
  end(): void {
    if (this.#at < this.#tokens.length) throw this.unexpected()
  }
  unexpected() {
    const text = this.#tokens[this.#at]?.text ?? '<EOF>'
    return refuseSalesforce(400, 'MALFORMED_QUERY', `unexpected token: '${text}'`)
  }
}

const readEscapes = (text: string) =>
  text.replace(
    /\\(.)/g,
    (all, sign: string) => ({ n: '\n', r: '\r', t: '\t' })[sign] ?? ('%_'.includes(sign) ? all : sign),
  )

import type { Json } from '../values/json'
import type { VisitorText } from './translation'

/** A text of a block that visitors read. */
export interface BlockText {
  /** its path in the data, with items of lists by their ids: `options.<id>.label` */
  place: string
  text: VisitorText
}

type Data = Readonly<Record<string, Json>>

/** Stands for each item of a list in the paths that a kind declares: `options.*.label`. */
const EACH = '*'

/**
 * The visitor texts of a block, in the order of its kind's `visitorTexts` and of its lists. Skips texts with nothing to
 * translate: without any letter, such as an empty one, a number or a variable alone. Invalid data gives none.
 */
export function blockTexts(data: Data, paths: readonly string[]): BlockText[] {
  const found: BlockText[] = []
  for (const path of paths) {
    collect(data, path.split('.'), '', (place, value) => {
      if (isVisitorText(value) && hasWords(value)) found.push({ place, text: value })
    })
  }
  return found
}

/** The data with other texts at the given places; ignores places that it does not have. */
export function withTexts(
  data: Data,
  paths: readonly string[],
  texts: ReadonlyMap<string, VisitorText>,
): Record<string, Json> {
  let changed: Json = data as Json
  for (const path of paths) changed = replace(changed, path.split('.'), '', texts)
  return changed as Record<string, Json>
}

function collect(
  value: Json | undefined,
  path: readonly string[],
  at: string,
  found: (at: string, v: Json) => void,
): void {
  const [step, ...rest] = path
  if (value === undefined || value === null) return
  if (step === undefined) found(at, value)
  else if (step !== EACH) {
    if (isFields(value)) collect(value[step], rest, join(at, step), found)
  } else if (Array.isArray(value)) {
    for (const item of value) if (isItem(item)) collect(item, rest, join(at, item.id), found)
  }
}

function replace(value: Json, path: readonly string[], at: string, texts: ReadonlyMap<string, VisitorText>): Json {
  const [step, ...rest] = path
  if (step === undefined) return (texts.get(at) as Json | undefined) ?? value
  if (step === EACH) {
    if (!Array.isArray(value)) return value
    return each(value, (item) => (isItem(item) ? replace(item, rest, join(at, item.id), texts) : item))
  }
  const before = isFields(value) ? value[step] : undefined
  if (before === undefined) return value
  const after = replace(before, rest, join(at, step), texts)
  return after === before ? value : { ...(value as Data), [step]: after }
}

/** The same list object if nothing in it changes. */
function each(items: Json[], change: (item: Json) => Json): Json[] {
  const next = items.map(change)
  return next.some((item, at) => item !== items[at]) ? next : items
}

const join = (at: string, step: string): string => (at === '' ? step : `${at}.${step}`)

const isFields = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isItem = (value: Json): value is { id: string } & Record<string, Json> =>
  isFields(value) && typeof value.id === 'string'

/** Checks only as much of either form as is needed to read it. */
export function isVisitorText(value: unknown): value is VisitorText {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => Array.isArray(one?.children))
  if (typeof value !== 'object' || value === null) return false
  const { type, value: text, parts } = value as Record<string, unknown>
  return type === 'static' ? typeof text === 'string' : type === 'dynamic' && Array.isArray(parts)
}

const LETTER = /\p{L}/u

/** Whether it contains anything to translate besides variables. */
export function hasWords(text: VisitorText): boolean {
  if (Array.isArray(text)) return text.some(({ children }) => children.some((child) => LETTER.test(child.text ?? '')))
  if (text.type === 'static') return LETTER.test(text.value)
  return text.parts.some((part) => part.type === 'text' && LETTER.test(part.text))
}

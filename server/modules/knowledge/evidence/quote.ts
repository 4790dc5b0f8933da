import { asWritten, plain } from '../extractive/plain'
import { tokenize } from '../retrieval/words'
import type { ReadPassage, Unit } from './readPassages'
import type { Weighed } from './signs'

/** Characters of a section that is said as a whole. */
const WHOLE = 600
/** A row that says so much more of the question than the next is said alone. */
const CLEARLY = 1.3
const MOST_ROWS = 3
/** How much alike the question and an entry's have to be for “yes” to answer both. */
const SAME = 0.5
/** Words that answer a question which the answer itself does not repeat. */
const YES_NO = new Set('yes no yep nope ja nein doch jein si sí oui non sì sim não nee tak nie'.split(' '))

/**
 * What a person would say of a section: a row of a table that is meant, with the names of its columns; else the section
 * if it is short. An entry that answers another question with yes or no is said with its own. Null: it is too long; its
 * sentences compete.
 */
export function quoteOf({ read, says, alone, onDays, alike }: Weighed): string | null {
  const { units, blocks } = read
  if (read.isFaq) {
    const answer = asWritten(blocks.join('\n\n'))
    const asked = read.headings[0] ?? ''
    const saysYes = YES_NO.has(tokenize(answer.slice(0, 20))[0] ?? '')
    return saysYes && alike < SAME && asked !== '' ? `**${plain(asked)}** ${answer}` : answer
  }
  if (units.length === 0) return null
  const onThem = onDays.map((at) => units[at] as Unit).filter(({ row }) => row)
  if (onThem.length > 0 && onThem.length <= MOST_ROWS) return onThem.map(rowText).join('\n')
  const order = units
    .map((_, at) => at)
    .sort((a, b) => (alone[b] ?? 0) - (alone[a] ?? 0) || (says[b] ?? 0) - (says[a] ?? 0) || a - b)
  const [first = 0, second] = order
  const isClear = second === undefined || (alone[first] ?? 0) >= CLEARLY * (alone[second] ?? 0)
  const unit = units[first] as Unit
  if (unit.row && isClear) return rowText(unit)
  const whole = sectionText(read)
  if (whole.length <= WHOLE) return whole
  if (!unit.row) return null
  const rows = order.filter((at) => units[at]?.row && units[at]?.block === unit.block).slice(0, MOST_ROWS)
  return rows
    .sort((a, b) => a - b)
    .map((at) => rowText(units[at] as Unit))
    .join('\n')
}

/** A section as it is said: its sentences without addresses, rows of tables with the names of their columns. */
export const sectionText = ({ blocks, units }: Pick<ReadPassage, 'blocks' | 'units'>): string =>
  blocks
    .map((block, number) =>
      blockText(
        block,
        units.filter((one) => one.block === number),
      ),
    )
    .join('\n\n')

const blockText = (block: string, units: readonly Unit[]): string =>
  units.length > 0 && units.every(({ row }) => row)
    ? units.map((unit) => `- ${rowText(unit)}`).join('\n')
    : plain(ITEM.test(block) ? withWholeItems(block) : block)

const ITEM = /^\s*(?:[-*+•]|\d{1,9}[.)])\s/
/** A list whose items are a line each: where one went on in a line of its own, the list would end, and count anew. */
function withWholeItems(list: string): string {
  const items: string[] = []
  for (const line of list.split('\n'))
    if (items.length === 0 || ITEM.test(line)) items.push(line.trimEnd())
    else if (line.trim() !== '') items.push(`${items.pop()} ${line.trim()}`)
  return items.join('\n')
}

/** “Single kayak – a day: 60 €; a week: 190 €”. */
function rowText({ row, text }: Unit): string {
  if (!row) return plain(text)
  const [name = '', ...cells] = row.cells.map(plain)
  const named = cells.flatMap((cell, at) => {
    const column = plain(row.names[at + 1] ?? '')
    return cell === ''
      ? []
      : [column === '' || (cells.length === 1 && tokenize(column).length > 4) ? cell : `${column}: ${cell}`]
  })
  return named.length === 0 ? name : name === '' ? named.join('; ') : `${name} – ${named.join('; ')}`
}

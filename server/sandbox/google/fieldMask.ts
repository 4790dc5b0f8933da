import { refuseGoogle } from './errors'

/** Names with what is kept of each; empty: all of it. */
interface Mask {
  [name: string]: Mask
}

/**
 * Keeps what a mask names: `spreadsheetId,sheets.properties(sheetId,title)`.
 * @throws a Refusal for a mask that can't be read
 */
export function applyMask<T>(value: T, mask: string | undefined): unknown {
  if (mask === undefined || mask === '' || mask === '*') return value
  const reader = { text: mask.replaceAll('/', '.').replace(/\s/g, ''), at: 0 }
  const parsed = readList(reader)
  if (reader.at < reader.text.length) throw refuseGoogle(400, `Invalid field selection ${mask}`)
  return keep(value, parsed)
}

function readList(reader: { text: string; at: number }): Mask {
  const mask: Mask = {}
  do {
    let place = mask
    for (;;) {
      const name = /^[A-Za-z][\w-]*|^\*/.exec(reader.text.slice(reader.at))?.[0]
      if (name === undefined) throw refuseGoogle(400, `Invalid field selection ${reader.text}`)
      reader.at += name.length
      if (name !== '*') {
        place[name] ??= {}
        place = place[name]
      }
      if (reader.text[reader.at] !== '.') break
      reader.at += 1
    }
    if (reader.text[reader.at] === '(') {
      reader.at += 1
      Object.assign(place, readList(reader))
      if (reader.text[reader.at] !== ')') throw refuseGoogle(400, `Invalid field selection ${reader.text}`)
      reader.at += 1
    }
  } while (reader.text[reader.at] === ',' && ++reader.at)
  return mask
}

function keep(value: unknown, mask: Mask): unknown {
  if (Array.isArray(value)) return value.map((part) => keep(part, mask))
  if (typeof value !== 'object' || value === null || Object.keys(mask).length === 0) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const inner = Object.hasOwn(mask, name) ? mask[name] : undefined
      return inner ? [[name, keep(part, inner)]] : []
    }),
  )
}

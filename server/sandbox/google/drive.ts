import { type Call, one } from '../call'
import { refuseGoogle } from './errors'
import { spreadsheetUrl } from './present'
import type { Spreadsheet } from './spreadsheet'

const MIME = 'application/vnd.google-apps.spreadsheet'

export const presentFile = (spreadsheet: Spreadsheet, origin: string) => ({
  kind: 'drive#file',
  id: spreadsheet.id,
  name: spreadsheet.title,
  mimeType: MIME,
  trashed: spreadsheet.trashed,
  modifiedTime: spreadsheet.modified.toISOString(),
  webViewLink: spreadsheetUrl(origin, spreadsheet.id),
})

/** `GET files`: newest first unless `orderBy` says otherwise; `q` as far as pickers of spreadsheets use it */
export function listFiles(reachable: readonly Spreadsheet[], query: Call['query'], origin: string) {
  const test = readQuery(one(query.q))
  const size = Math.min(1_000, Math.max(1, Number(one(query.pageSize) ?? 100)))
  const from = Number(one(query.pageToken) ?? 0)
  if (!Number.isInteger(from) || from < 0) throw refuseGoogle(400, 'Invalid Value')
  const found = reachable.filter(test).sort(orderOf(one(query.orderBy)))
  const next = from + size < found.length ? String(from + size) : undefined
  return {
    kind: 'drive#fileList',
    incompleteSearch: false,
    files: found.slice(from, from + size).map((spreadsheet) => presentFile(spreadsheet, origin)),
    ...(next !== undefined && { nextPageToken: next }),
  }
}

function orderOf(orderBy = 'modifiedTime desc'): (a: Spreadsheet, b: Spreadsheet) => number {
  const isNewest = orderBy.startsWith('modifiedTime desc') || orderBy.startsWith('recency desc')
  if (isNewest) return (a, b) => b.modified.getTime() - a.modified.getTime() || (a.id < b.id ? -1 : 1)
  if (orderBy.startsWith('name')) return (a, b) => (orderBy.includes('desc') ? -1 : 1) * a.title.localeCompare(b.title)
  throw refuseGoogle(400, `The stand-in sorts by name or modifiedTime desc, not by ${orderBy}`)
}

/** Terms joined by `and`: `mimeType = '…'`, `trashed = false`, `name contains '…'`, `name = '…'`. */
function readQuery(q: string | undefined): (spreadsheet: Spreadsheet) => boolean {
  if (q === undefined || q.trim() === '') return () => true
  const tests = q.split(/\s+and\s+(?=(?:[^']*'(?:[^'\\]|\\.)*')*[^']*$)/).map(readTerm)
  return (spreadsheet) => tests.every((test) => test(spreadsheet))
}

function readTerm(term: string): (spreadsheet: Spreadsheet) => boolean {
  const found =
    /^\(?\s*(mimeType|trashed|name|fullText)\s*(=|!=|contains)\s*(?:'((?:[^'\\]|\\.)*)'|(true|false))\s*\)?$/.exec(
      term.trim(),
    )
  if (!found) throw refuseGoogle(400, 'Invalid Value')
  const [, name, operator, quoted = '', truth] = found
  const text = quoted.replace(/\\(.)/g, '$1')
  const is = (value: boolean) => (operator === '!=' ? !value : value)
  if (name === 'mimeType') return () => is(text === MIME)
  if (name === 'trashed') return ({ trashed }) => is(trashed === (truth === 'true'))
  // `contains` finds the beginnings of words
  if (operator === 'contains') return ({ title }) => ` ${title.toLowerCase()}`.includes(` ${text.toLowerCase()}`)
  return ({ title }) => is(title === text)
}

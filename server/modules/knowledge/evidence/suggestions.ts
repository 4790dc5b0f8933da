import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'
import { asWritten } from '../extractive/plain'
import type { Found, KnowledgePlace, Passage } from '../knowledge'
import { passageRows } from '../retrieval/passages'
import { outOfQuarantine } from './quarantine'
import { sectionText } from './quote'
import { readPassages } from './readPassages'

/** A question or section near what was asked. */
interface Near {
  /** the section's, as long as it keeps its heading */
  id: string
  label: string
}

const MOST = 3
/** Characters of a label: those of a button (SPEC.md 9). */
const LABEL = 75
/** Characters of a section that is said; an entry's answer is said whole. */
const WHOLE = 2_000
const MOST_CHUNKS = 20
const BETWEEN = ' › '
const PAGE = /^Page \d+$/
const ID = /^([a-z0-9]{16})-([0-9a-f]{32})$/

/** The questions of entries and headings of sections that were found, nearest first, each once. */
export function suggestionsOf({ passages }: Found): Near[] {
  const near = new Map<string, Near>()
  for (const { source, heading } of passages) {
    if (near.size === MOST) break
    const label = labelOf(source, heading)
    const key = label.toLowerCase()
    if (label !== '' && !near.has(key))
      near.set(key, { id: `${source.gid}-${createHash('md5').update(heading).digest('hex')}`, label })
  }
  return [...near.values()]
}

function labelOf({ kind, title }: Passage['source'], heading: string): string {
  const path = heading.split(kind === 'faq' ? '\n' : BETWEEN)
  const last = (kind === 'faq' ? path[0] : path.at(-1)) ?? ''
  const label = (PAGE.test(last) ? path.slice(-2).join(BETWEEN) : last).trim() || title.trim()
  return label.length > LABEL ? `${label.slice(0, LABEL - 1).trimEnd()}…` : label
}

/** All passages of a section in one, with what is said of it as the quote; null if it is gone. */
export async function readSection(db: Db, place: KnowledgePlace, id: string): Promise<Passage | null> {
  const [, gid, hash] = ID.exec(id) ?? []
  if (gid === undefined || hash === undefined) return null
  const rows = await passageRows(db, place)
    .where('source.gid', '=', gid)
    .where(sql`md5(chunk.heading)`, '=', hash)
    .orderBy('chunk.position')
    .limit(MOST_CHUNKS)
    .execute()
  const [first] = rows
  const text = rows
    .map((row) => outOfQuarantine(row, row.planted_allowed))
    .filter((each) => each !== '')
    .join('\n\n')
  if (!first || text.trim() === '') return null
  const { kind, title, url, heading } = first
  const passage = { id: first.id, source: { gid, kind, title, url }, heading, text, score: 1 }
  return { ...passage, quote: kind === 'faq' ? asWritten(text) : beginningOf(passage) }
}

/** A section's blocks up to the limit; the first one whatever its length. */
function beginningOf(passage: Passage): string {
  const [read] = readPassages([passage])
  if (!read) return ''
  const { blocks, units } = read
  let end = 0
  for (let length = 0; end < blocks.length; end++) {
    length += blocks[end]?.length ?? 0
    if (end > 0 && length > WHOLE) break
  }
  const text = sectionText({ blocks: blocks.slice(0, end), units: units.filter(({ block }) => block < end) })
  return end < blocks.length ? `${text} …` : text
}

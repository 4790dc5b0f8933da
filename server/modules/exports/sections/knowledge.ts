import { sql } from 'kysely'
import { countOf, isOwn, isSelected, pageOf, type Section, type Selection } from './section'

const sourcesOf = (selection: Selection) => sql`knowledge_sources s
  join chatbots b on b.id = s.chatbot_id and b.project_id = s.project_id
  where ${isOwn('s', selection)} and ${isSelected(sql`s.created_at`, selection)}`

interface SourceRow {
  id: string
  gid: string
  chatbot: string
  kind: string
  title: string
  url: string | null
  file_name: string | null
  status: string
  language: string | null
  characters: number
  created_at: Date
}

/** Sources of the knowledge base, a row each; what they say is in the passages. */
export const sources: Section = {
  name: 'sources',
  columns: [...['source', 'chatbot', 'kind', 'title', 'url', 'file', 'status', 'language', 'characters', 'created_at']],
  count: (db, selection) => countOf(db, sourcesOf(selection)),
  async page(db, selection, cursor, limit) {
    const { rows } = await sql<SourceRow>`
      select s.id, s.gid, b.name as chatbot, s.kind, s.title, s.url, s.file_name, s.status, s.language, s.characters,
        s.created_at
      from ${sourcesOf(selection)} and s.id > ${cursor ?? '0'} order by s.id limit ${limit + 1}`.execute(db)
    return pageOf(
      rows,
      limit,
      ({ id }) => id,
      (row) => ({
        ...{ source: row.gid, chatbot: row.chatbot, kind: row.kind, title: row.title, url: row.url },
        ...{ file: row.file_name, status: row.status, language: row.language, characters: row.characters },
        created_at: row.created_at.toISOString(),
      }),
    )
  },
}

const passagesOf = (selection: Selection) => sql`knowledge_chunks k
  join knowledge_sources s on s.id = k.source_id and s.project_id = k.project_id
  where ${isOwn('s', selection)} and ${isSelected(sql`s.created_at`, selection)}`

interface PassageRow {
  source_id: string
  gid: string
  position: number
  heading: string
  body: string
}

/** What sources say, a row a passage: a page of them is bounded, however long a source is. */
export const passages: Section = {
  name: 'passages',
  columns: ['source', 'number', 'heading', 'text'],
  count: (db, selection) => countOf(db, passagesOf(selection)),
  async page(db, selection, cursor, limit) {
    const [source = '0', position = '-1'] = cursor?.split('.') ?? []
    const { rows } = await sql<PassageRow>`
      select k.source_id, s.gid, k.position, k.heading, k.body from ${passagesOf(selection)}
        and (k.source_id, k.position) > (${source}, ${position})
      order by k.source_id, k.position limit ${limit + 1}`.execute(db)
    return pageOf(
      rows,
      limit,
      (row) => `${row.source_id}.${row.position}`,
      ({ gid, position: number, heading, body }) => ({ source: gid, number, heading, text: body }),
    )
  },
}

import { sql } from 'kysely'
import { type Measure, measures } from '../../insights/facts/measures'
import { countOf, isOwn, isSelected, pageOf, type Section, type Selection } from './section'

const days = (selection: Selection) => sql`(
  select b.id as bot, b.name as chatbot, r.environment, r.channel, r.language,
    to_char(r.quarter at time zone 'utc', 'YYYY-MM-DD') as day,
    ${sql.raw(measures.map((name) => `sum(r.${name})::bigint as ${name}`).join(', '))}
  from insight_rows r join chatbots b on b.id = r.chatbot_id and b.project_id = r.project_id
  where ${isOwn('r', selection)} and ${isSelected(sql`r.quarter`, selection)}
  group by b.id, b.name, r.environment, r.channel, r.language, day
  having sum(r.conversations) > 0) as days`

type DayRow = Record<Measure, string> & {
  key: string
  chatbot: string
  environment: string
  channel: string
  language: string
  day: string
}

/** The figures, a row for each day (UTC), chatbot, environment, channel and language. */
export const analytics: Section = {
  name: 'analytics',
  columns: ['day', 'chatbot', 'environment', 'channel', 'language', ...measures],
  count: (db, selection) => countOf(db, days(selection)),
  async page(db, selection, cursor, limit) {
    const { rows } = await sql<DayRow>`
      select * from (select days.*, concat_ws(' ', day, lpad(bot::text, 20, '0'), environment, channel, language) collate "C" as key
        from ${days(selection)}) as keyed
      where key > ${cursor ?? ''} collate "C" order by key limit ${limit + 1}`.execute(db)
    return pageOf(
      rows,
      limit,
      ({ key }) => key,
      (row) => ({
        ...{ day: row.day, chatbot: row.chatbot, environment: row.environment },
        ...{ channel: row.channel, language: row.language },
        ...Object.fromEntries(measures.map((name) => [name, Number(row[name])])),
      }),
    )
  },
}

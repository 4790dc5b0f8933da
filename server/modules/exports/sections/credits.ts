import { sql } from 'kysely'
import { countOf, isSelected, pageOf, type Section, type Selection } from './section'

const days = ({ projectId, chatbotId, ...selection }: Selection) => sql`(
  select to_char(u.used_at at time zone 'utc', 'YYYY-MM-DD') as day, coalesce(u.chatbot_id, 0) as bot,
    coalesce(b.name, '') as chatbot, sum(u.amount) as credits
  from credit_uses u left join chatbots b on b.id = u.chatbot_id and b.project_id = u.project_id
  where u.project_id = ${projectId} and u.credit = 'ai_message_credits'
    and ${chatbotId === null ? sql`true` : sql`u.chatbot_id = ${chatbotId}`}
    and ${isSelected(sql`u.used_at`, { projectId, chatbotId, ...selection })}
  group by 1, 2, 3 having sum(u.amount) <> 0) as days`

interface DayRow {
  key: string
  day: string
  chatbot: string
  credits: string
  price: string | null
  currency: string | null
}

/**
 * AI message credits and what they cost, a row for each day (UTC) and chatbot; '' is none, or one that was deleted. The
 * price is the project's own: without one, only credits are known here.
 */
export const credits: Section = {
  name: 'credits',
  columns: ['day', 'chatbot', 'credits', 'price', 'cost', 'currency'],
  count: (db, selection) => countOf(db, days(selection)),
  async page(db, selection, cursor, limit) {
    const { rows } = await sql<DayRow>`
      select keyed.*, p.credit_price as price, p.credit_currency as currency
      from (select days.*, concat_ws(' ', day, lpad(bot::text, 20, '0')) collate "C" as key from ${days(selection)}) as keyed
        join projects p on p.id = ${selection.projectId}
      where key > ${cursor ?? ''} collate "C" order by key limit ${limit + 1}`.execute(db)
    return pageOf(
      rows,
      limit,
      ({ key }) => key,
      ({ day, chatbot, credits: used, price, currency }) => ({
        ...{ day, chatbot, credits: Number(used), price: price === null ? null : Number(price) },
        ...{ cost: price === null ? null : Math.round(Number(used) * Number(price) * 1e6) / 1e6, currency },
      }),
    )
  },
}

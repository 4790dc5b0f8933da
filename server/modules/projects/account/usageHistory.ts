import { type Kysely, type RawBuilder, sql } from 'kysely'
import { bonusOf } from '../../../access/addons'
import { type Entitled, entitlementsOf } from '../../../access/entitlements'
import {
  type MonthlyMeter,
  monthlyMeters,
  USAGE_MONTHS,
  USAGE_PARTS,
  type UsageHistory,
} from '../../../contracts/usage'
import type { Database } from '../../../platform/database/tables'
import { forecastOf } from '../../billing/forecast'
import { monthOf, startOfMonth } from '../../billing/months'

interface Asked {
  db: Kysely<Database>
  project: Entitled & { id: string }
  at: Date
}

/** @returns of each meter of a project its last months, what this one comes to, and what it was used for */
export async function readHistory(asked: Asked): Promise<UsageHistory[]> {
  const { db, project, at } = asked
  const [answers, uses] = await Promise.all([monthsOfAnswers(db, project.id), monthsOfUses(asked)])
  const limits = entitlementsOf(project).limits
  const now = monthOf(at)
  const before = answers.filter(({ month }) => month !== now).reduce((sum, { lifetime }) => sum + lifetime, 0)
  const oneTime = Math.max(0, limits.lifetime_credits - before)
  const earlier = await trainedBefore(asked)
  const training = Math.max(0, bonusOf(project.addons).training - earlier)
  return Promise.all(
    monthlyMeters.map(async (meter) => {
      const isAnswers = meter === 'ai_message_credits'
      const known = new Map(
        (isAnswers ? answers : uses.filter(({ credit }) => credit === meter)).map(({ month, used }) => [month, used]),
      )
      const months = lastMonths(at).map((month) => ({ month, used: known.get(month) ?? 0 }))
      const used = known.get(now) ?? 0
      const max = limits[meter] + (isAnswers ? oneTime : meter === 'training_credits' ? training : 0)
      const { byMonthEnd, runsOut } = forecastOf({ used, max }, at)
      const parts = await partsOf(asked, meter)
      return {
        ...{ meter, max, used, months, forecast: byMonthEnd, runs_out: runsOut?.toISOString() ?? null },
        parts: parts.slice(0, USAGE_PARTS),
        others: rounded(parts.slice(USAGE_PARTS).reduce((sum, part) => sum + part.used, 0)),
        who: isAnswers ? await askersOf(asked) : null,
      }
    }),
  )
}

/** Characters of those given once that were trained before this month. */
async function trainedBefore({ db, project, at }: Asked): Promise<number> {
  const { once } = await db
    .selectFrom('credit_uses')
    .select(({ fn }) => fn.sum<string | null>('lifetime').as('once'))
    .where('project_id', '=', project.id)
    .where('credit', '=', 'training_credits')
    .where('lifetime', '!=', '0')
    .where('used_at', '<', startOfMonth(at))
    .executeTakeFirstOrThrow()
  return Number(once ?? 0)
}

/** Credits have four decimals; sums of floats have more. */
const rounded = (credits: number) => Math.round(credits * 10_000) / 10_000

const lastMonths = (at: Date): string[] =>
  Array.from({ length: USAGE_MONTHS }, (_, index) => monthOf(startOfMonth(at, index + 1 - USAGE_MONTHS)))

/** Their sums stand beside the rows, of which a month may have a hundred thousand. */
async function monthsOfAnswers(db: Asked['db'], projectId: string) {
  const rows = await db
    .selectFrom('credit_months')
    .select(['month', 'used', 'lifetime'])
    .where('project_id', '=', projectId)
    .execute()
  return rows.map(({ month, used, lifetime }) => ({ month, used: Number(used), lifetime: Number(lifetime) }))
}

async function monthsOfUses({ db, project, at }: Asked) {
  const month = sql<string>`to_char(used_at at time zone 'UTC', 'YYYY-MM')`
  const rows = await db
    .selectFrom('credit_uses')
    .select(({ fn }) => ['credit', month.as('month'), fn.sum<string>('amount').as('used')])
    .where('project_id', '=', project.id)
    .where(
      'credit',
      'in',
      monthlyMeters.filter((meter) => meter !== 'ai_message_credits'),
    )
    .where('used_at', '>=', startOfMonth(at, 1 - USAGE_MONTHS))
    .groupBy(['credit', month])
    .execute()
  return rows.map(({ credit, month, used }) => ({ credit, month, used: Number(used) }))
}

/** The first part of a use's key: the source that was trained or synced by itself, else a random id. */
const SUBJECT = sql<string>`split_part(credit_uses.key, ':', 1)`
/** By meter, what a use was for. A return has the key of its use, with a mark after it. */
const names: Record<MonthlyMeter, RawBuilder<string | null>> = {
  ai_message_credits: sql`(select name from chatbots where chatbots.id = credit_uses.chatbot_id
    and chatbots.project_id = credit_uses.project_id)`,
  training_credits: sql`(select title from knowledge_sources where gid = ${SUBJECT}
    and knowledge_sources.project_id = credit_uses.project_id)`,
  email_credits: sql`(select purpose from mails where mails.key = regexp_replace(credit_uses.key, ':back$', '')
    and mails.project_id = credit_uses.project_id)`,
  // a voice message's key begins with the gid of the connection that it came in by
  speech_to_text_seconds: sql`(select chatbots.name from whatsapp_connections
    join chatbots on chatbots.id = whatsapp_connections.chatbot_id
    where whatsapp_connections.gid = split_part(credit_uses.key, ' ', 1)
    and whatsapp_connections.project_id = credit_uses.project_id and chatbots.project_id = credit_uses.project_id)`,
  resync_credits: sql`case when ${SUBJECT} like '%-%' then 'manual' else 'automatic' end`,
}

/** What used a meter in this month, those that used most first. */
async function partsOf({ db, project, at }: Asked, meter: MonthlyMeter): Promise<UsageHistory['parts']> {
  const ofMonth = db
    .selectFrom('credit_uses')
    .select(['amount', names[meter].as('name')])
    .where('project_id', '=', project.id)
    .where('credit', '=', meter)
    .where('used_at', '>=', startOfMonth(at))
    .where('used_at', '<', startOfMonth(at, 1))
  const rows = await db
    .selectFrom(ofMonth.as('uses'))
    .select(({ fn }) => ['name', fn.sum<string>('amount').as('used')])
    .groupBy('name')
    .having(({ fn }) => fn.sum('amount'), '>', 0)
    .orderBy('used', 'desc')
    .orderBy('name')
    .execute()
  return rows.map(({ name, used }) => ({ name, used: Number(used) }))
}

async function askersOf({ db, project, at }: Asked): Promise<{ visitors: number; members: number }> {
  const { all, visitors } = await db
    .selectFrom('credit_uses')
    .select(({ fn }) => [
      fn.sum<string | null>('amount').as('all'),
      fn.sum<string | null>('amount').filterWhere('visitor', 'is not', null).as('visitors'),
    ])
    .where('project_id', '=', project.id)
    .where('credit', '=', 'ai_message_credits')
    .where('used_at', '>=', startOfMonth(at))
    .where('used_at', '<', startOfMonth(at, 1))
    .executeTakeFirstOrThrow()
  return { visitors: Number(visitors ?? 0), members: rounded(Number(all ?? 0) - Number(visitors ?? 0)) }
}

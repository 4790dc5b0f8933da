import { sql } from 'kysely'
import { type Entitled, hasFeature } from '../../../access/entitlements'
import type { Analytics, FigureName, Figures } from '../../../contracts/analytics'
import type { InterfaceLanguage } from '../../../contracts/languages'
import type { Config } from '../../../platform/config/config'
import type { ProjectDb } from '../../../platform/database/database'
import type { WeeklyMailProps } from '../../../platform/mail/templates/WeeklyMail'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import { readCreditPrice } from '../../billing/creditPrice'
import type { Period } from '../analytics/period'
import { readAnalytics } from '../analytics/readAnalytics'

/** Questions without an answer that are named. */
const MOST_QUESTIONS = 5
const DAY = 86_400_000

export interface WeekPlace extends Entitled {
  projectId: string
  pgid: string
  projectName: string
  chatbot: { id: string; gid: string; name: string } | null
}

/** The seven days before a moment, as a zone's clocks show them. */
export function weekBefore(at: Date, zone: string): Period {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const today = Date.parse(format.format(at))
  const dayBefore = (days: number) => new Date(today - days * DAY).toISOString().slice(0, 10)
  return { from: dayBefore(7), to: dayBefore(1), zone }
}

/** What the mail about a week says to a member: with links to what each figure counts. */
export async function weekMail(
  db: ProjectDb,
  { publicUrl, billing, now }: Pick<Config, 'publicUrl' | 'billing'> & { now: Date },
  { projectId, pgid, projectName, chatbot, ...project }: WeekPlace,
  period: Period,
  language: InterfaceLanguage,
): Promise<Omit<WeeklyMailProps, 'end'>> {
  const scope = { projectId, chatbotId: chatbot?.id ?? null, period, environment: undefined, channel: undefined }
  const full = hasFeature(project, 'analytics')
  const credit_price = full ? await readCreditPrice(db, { billing }) : null
  const analytics = { ...(await readAnalytics(db, scope, { full, now })), credit_price }
  const screen = `${publicUrl}/projects/${pgid}${chatbot ? `/chatbots/${chatbot.gid}` : ''}/analytics`
  const linkTo = (more: Record<string, string>) =>
    `${screen}?${new URLSearchParams({ period: 'custom', ...period, ...more })}`
  const { detail } = analytics
  return {
    language,
    about: chatbot ? `${chatbot.name} (${projectName})` : projectName,
    week: weekName(period, language),
    figures: figuresOf(analytics, language).map(({ figure, ...row }) => ({
      ...row,
      link: figure !== null && detail !== null ? linkTo({ figure }) : null,
    })),
    unanswered: (detail?.unanswered ?? []).slice(0, MOST_QUESTIONS).map(({ wording, question, asked, answered }) => ({
      question,
      count: asked - answered,
      link: linkTo({ figure: 'unanswered', wording }),
    })),
    mend:
      chatbot && detail
        ? await toMend(db, chatbot.id, period, `${publicUrl}/projects/${pgid}/chatbots/${chatbot.gid}/unanswered`)
        : null,
    link: linkTo({}),
  }
}

/** How many of the week's answers were uncertain, and where editors confirm or correct them and answer what is open. */
async function toMend(db: ProjectDb, chatbotId: string, { from, to, zone }: Period, screen: string) {
  const { count } = await db
    .selectFrom('asked_questions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('chatbot_id', '=', chatbotId)
    .where('said', 'is not', null)
    .where(sql<boolean>`started_at >= ${from}::date::timestamp at time zone ${zone}`)
    .where(sql<boolean>`started_at < (${to}::date + 1)::timestamp at time zone ${zone}`)
    .executeTakeFirstOrThrow()
  return { uncertain: Number(count), link: screen, uncertainLink: `${screen}?show=uncertain` }
}

/** The same for who has no account: what leads inside is left out, and what visitors wrote. */
export const forGuests = (mail: Omit<WeeklyMailProps, 'end'>): Omit<WeeklyMailProps, 'end'> => ({
  ...mail,
  figures: mail.figures.map((figure) => ({ ...figure, link: null })),
  unanswered: [],
  mend: null,
  link: null,
})

/** The day before the month, as in most of the world. */
const weekName = ({ from, to }: Period, language: InterfaceLanguage): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).formatRange(new Date(from), new Date(to))

interface Row {
  name: string
  value: string
  before: string
  figure: FigureName | null
}

const NONE = '–'
const talked = ({ conversations, silent }: Figures) => conversations - silent

function waited({ answer_seconds, person_answered }: Figures): string {
  if (person_answered === 0) return NONE
  const seconds = answer_seconds / person_answered
  if (seconds < 90) return `${Math.round(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

function figuresOf({ now, before, detail, credit_price: price }: Analytics, language: InterfaceLanguage): Row[] {
  const names = mailTexts(language).weekly.figures
  const number = (value: number) => new Intl.NumberFormat(language).format(value)
  const money = (value: number) =>
    new Intl.NumberFormat(language, { style: 'currency', currency: price?.currency ?? 'USD' }).format(value)
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const share = (some: number, all: number) => (all === 0 ? NONE : percent.format(some / all))
  const average = (sum: number, of: number) => (of === 0 ? NONE : number(Math.round((sum / of) * 10) / 10))
  const basic = (name: string, key: keyof typeof now, figure: FigureName | null): Row => ({
    ...{ name, value: number(now[key]), before: number(before[key]), figure },
  })
  const full = (name: string, textOf: (figures: Figures) => string, figure: FigureName | null): Row[] =>
    detail ? [{ name, value: textOf(detail.now), before: textOf(detail.before), figure }] : []
  return [
    basic(names.conversations, 'conversations', 'conversations'),
    basic(names.visitors, 'visitors', null),
    basic(names.messages, 'messages', null),
    ...full(names.resolvedBot, (of) => share(of.resolved_bot, talked(of)), 'resolved_bot'),
    ...full(names.unresolved, ({ unresolved }) => number(unresolved), 'unresolved'),
    ...full(names.handedOver, ({ handed_over }) => number(handed_over), 'handed_over'),
    ...full(names.firstAnswer, waited, 'person_answered'),
    ...full(names.rating, ({ rating_sum, rated }) => average(rating_sum, rated), 'rated'),
    ...full(names.answered, ({ answered, questions }) => share(answered, questions), 'questions'),
    ...full(names.leads, ({ leads }) => number(leads), null),
    ...full(names.credits, ({ credits }) => (credits === null ? NONE : number(credits)), 'credits'),
    ...(price ? full(names.cost, ({ credits }) => (credits === null ? NONE : money(credits * price.price)), null) : []),
  ]
}

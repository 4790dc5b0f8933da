import { sql } from 'kysely'
import { languageOf } from '../../../access/languageOf'
import { isAllowed } from '../../../access/roles'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import type { WeeklyMailProps } from '../../../platform/mail/templates/WeeklyMail'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import type { Mailer } from '../../mails/createMailer'
import type { GuestKeys } from './guestKeys'
import { nextDue } from './nextDue'
import { pathOfEnd } from './pages'
import { forGuests, weekBefore, weekMail } from './weekMail'

/** Weekly mails of one look. */
const AT_ONCE = 50
/** How long a process may take for one, before another one takes it: after a crash it is sent then. */
const CLAIM = 10 * 60_000
/** What was due longer ago is not sent any more: the next one is near. */
const TOO_LATE = 3 * 86_400_000

type Context = Pick<ServerContext, 'db' | 'clock' | 'config' | 'log'>
interface Parts {
  send: Mailer
  keys: GuestKeys
  /** brings the figures of a project up to date */
  count: (projectId: string) => Promise<void>
}

interface DueMail {
  id: string
  gid: string
  project_id: string
  weekday: number
  hour: number
  zone: string
  next_at: Date
}

/**
 * Sends the weekly mails that are due. Each is claimed by one process; the mails have the week in their key, by which
 * each is sent once, however often this is begun.
 */
export async function sendWeekly(context: Context, parts: Parts): Promise<void> {
  const { db, clock, log } = context
  for (let sent = 0; sent < AT_ONCE; sent++) {
    const now = clock()
    const { rows } = await sql<DueMail>`
      update weekly_mails set claimed_until = ${new Date(now.getTime() + CLAIM)} where id = (
        select id from weekly_mails where enabled and next_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
        order by next_at, id limit 1 for update skip locked)
      returning id, gid, project_id, weekday, hour, zone, next_at`.execute(db)
    const [due] = rows
    if (!due) return
    try {
      const own = db.forProject(due.project_id)
      if (now.getTime() - due.next_at.getTime() < TOO_LATE) await sendOne(context, own, due, parts)
      await own
        .updateTable('weekly_mails')
        .set({ next_at: await nextDue(own, due, now), claimed_until: null })
        .where('id', '=', due.id)
        .where('next_at', '=', due.next_at)
        .execute()
    } catch (error) {
      // it stays claimed, and is tried again when that has passed
      log.error({ err: error, projectId: due.project_id }, 'a weekly mail could not be sent')
    }
  }
}

async function sendOne({ config, log }: Context, db: ProjectDb, due: DueMail, { send, keys, count }: Parts) {
  const place = await placeOf(db, due)
  if (!place) return
  await count(due.project_id)
  // guests are told in the language of who shares the figures
  const language = await languageOf(db, place.email)
  const texts = mailTexts(language).weekly
  const period = weekBefore(due.next_at, due.zone)
  const where = { publicUrl: config.publicUrl, billing: config.billing, now: due.next_at }
  const mail = await weekMail(db, where, place, period, language)
  const about = { projectId: due.project_id, conversationId: null, purpose: 'report', cc: [], bcc: [] } as const
  const post = async (key: string, to: string, body: WeeklyMailProps, unsubscribe?: string) => {
    const sent = await send({
      ...{ ...about, cc: [], bcc: [] },
      ...{ key: `weekly.${key}.${period.to}`, fromName: '', to: [to], replyTo: [] },
      subject: `${mail.about}: ${mail.week}`,
      body: { template: 'weekly', ...body },
      keptBody: { template: 'weekly', ...body, end: null },
      ...(unsubscribe && { thread: { before: [], unsubscribe } }),
    })
    if (!sent.ok) log.warn({ projectId: due.project_id, error: sent.error }, 'a weekly mail could not be sent')
  }
  const settings = { label: texts.settings, href: `${mail.link}&weekly=1` }
  await post(due.gid, place.email, { ...mail, end: settings })
  if (!isAllowed(place.roles, 'analytics.export')) return
  for (const guest of await guestsOf(db, due.id)) {
    const token = keys.end(guest.sealed_key, { projectId: due.project_id, gid: guest.gid })
    // who could not end them gets none
    if (token === null) continue
    const href = config.publicUrl + pathOfEnd(token)
    await post(guest.gid, guest.email, { ...forGuests(mail), end: { label: texts.end, href } }, href)
  }
}

/** Whom a weekly mail is for, and what it is about; null: they may not see it any more. */
async function placeOf(db: ProjectDb, { id, project_id }: DueMail) {
  const row = await db
    .selectFrom('weekly_mails')
    .innerJoin('projects', 'projects.id', 'weekly_mails.project_id')
    .innerJoin('users', 'users.id', 'weekly_mails.user_id')
    .innerJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'weekly_mails.user_id')
        .onRef('project_members.project_id', '=', 'weekly_mails.project_id'),
    )
    .leftJoin('chatbots', 'chatbots.id', 'weekly_mails.chatbot_id')
    .select([
      'projects.gid as pgid',
      'projects.name as projectName',
      'projects.plan_id',
      'projects.addons',
      'users.email',
      'roles',
    ])
    .select(['chatbots.id as chatbotId', 'chatbots.gid as cgid', 'chatbots.name as chatbotName', 'deleting_since'])
    .where('weekly_mails.id', '=', id)
    .executeTakeFirst()
  if (!row || row.deleting_since !== null || !isAllowed(row.roles, 'analytics.view')) return null
  const { pgid, projectName, plan_id, addons, email, roles, chatbotId, cgid, chatbotName } = row
  const chatbot = chatbotId && cgid ? { id: chatbotId, gid: cgid, name: chatbotName ?? '' } : null
  return { projectId: project_id, pgid, plan_id, addons, projectName, chatbot, email, roles }
}

const guestsOf = (db: ProjectDb, weeklyMailId: string) =>
  db
    .selectFrom('weekly_mail_guests')
    .select(['gid', 'email', 'sealed_key'])
    .where('weekly_mail_id', '=', weeklyMailId)
    .where('confirmed_at', 'is not', null)
    .orderBy('id')
    .execute()

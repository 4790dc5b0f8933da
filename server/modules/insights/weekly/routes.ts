import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { languageOf } from '../../../access/languageOf'
import { registerRoute } from '../../../access/register'
import {
  addWeeklyGuest,
  CONFIRM_DAYS,
  MOST_GUESTS,
  readWeeklyMail,
  removeWeeklyGuest,
  saveWeeklyMail,
  type WeeklyMail,
} from '../../../contracts/weeklyMail'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import type { Mailer } from '../../mails/createMailer'
import { weeklyGuestAdded, weeklyGuestRemoved, weeklyMailChanged } from '../events'
import type { GuestKeys } from './guestKeys'
import { nextDue, type WeeklyTime } from './nextDue'
import { pathOfConfirm } from './pages'

const DAY = 86_400_000
/** What is shown before somebody has chosen. */
const usual = { weekday: 1, hour: 8, zone: 'UTC' } as const satisfies WeeklyTime

interface About {
  id: string | null
  gid: string | null
  name: string
}

/** A member's own weekly mail, and the people without an account who get it too. */
export function registerWeeklyMail(
  app: FastifyInstance,
  context: ServerContext,
  { send, keys }: { send: Mailer; keys: GuestKeys },
): void {
  const { clock, ids, config } = context

  registerRoute(app, context, readWeeklyMail, async ({ caller, query }) =>
    present(caller.db, caller, await aboutOf(caller, query.chatbot)),
  )

  registerRoute(app, context, saveWeeklyMail, async ({ caller, origin, body: { chatbot, enabled, ...time } }) => {
    const about = await aboutOf(caller, chatbot)
    return caller.db.transaction().execute(async (work) => {
      await save(work, caller, about, { enabled, ...time })
      await appendEvent(work, weeklyMailChanged, origin, { chatbot: about.gid, enabled })
      return present(work, caller, about)
    })
  })

  registerRoute(app, context, addWeeklyGuest, async ({ caller, origin, body: { chatbot, email } }) => {
    const about = await aboutOf(caller, chatbot)
    const gid = ids()
    const { confirm, columns } = keys.make({ projectId: caller.project.id, gid })
    const answer = await caller.db.transaction().execute(async (work) => {
      // a guest alone switches nothing on
      const mail = (await find(work, caller, about)) ?? (await save(work, caller, about, { enabled: false, ...usual }))
      const guests = await guestsOf(work, mail.id)
      if (guests.some((guest) => guest.email.toLowerCase() === email.toLowerCase()))
        throw new ApiError('invalid', { fields: { email: 'This address is already on the list' } })
      if (guests.length >= MOST_GUESTS)
        throw new ApiError('invalid', { fields: { email: `At most ${MOST_GUESTS} people can be added` } })
      const times = { created_at: clock(), confirm_until: new Date(clock().getTime() + CONFIRM_DAYS * DAY) }
      await work
        .insertInto('weekly_mail_guests')
        .values({ gid, project_id: caller.project.id, weekly_mail_id: mail.id, email, ...columns, ...times })
        .execute()
      await appendEvent(work, weeklyGuestAdded, origin, { guest: gid })
      return present(work, caller, about)
    })
    const language = await languageOf(caller.db, caller.user.email)
    const body = {
      ...({ template: 'weekly-question', language } as const),
      person: `${caller.user.first_name} ${caller.user.last_name}`.trim(),
      ...{ about: about.name, days: CONFIRM_DAYS, link: config.publicUrl + pathOfConfirm(confirm) },
    } as const
    const sent = await send({
      ...{ projectId: caller.project.id, conversationId: null, key: `weekly-question.${gid}`, purpose: 'report' },
      ...{ fromName: '', to: [email], cc: [], bcc: [], replyTo: [] },
      subject: mailTexts(language).weekly.question.title(body.person, about.name),
      body,
      keptBody: { ...body, link: null },
    })
    if (sent.ok) return answer
    await caller.db
      .deleteFrom('weekly_mail_guests')
      .where('project_id', '=', caller.project.id)
      .where('gid', '=', gid)
      .execute()
    throw new ApiError('invalid', { fields: { email: `The email could not be sent: ${sent.error}` } })
  })

  registerRoute(app, context, removeWeeklyGuest, async ({ caller, origin, params: { gid } }) => {
    await caller.db.transaction().execute(async (work) => {
      const own = work
        .selectFrom('weekly_mails')
        .select('id')
        .where('project_id', '=', caller.project.id)
        .where('user_id', '=', caller.user.id)
      const gone = await work
        .deleteFrom('weekly_mail_guests')
        .where('project_id', '=', caller.project.id)
        .where('gid', '=', gid)
        .where('weekly_mail_id', 'in', own)
        .returning('id')
        .executeTakeFirst()
      if (!gone) throw new ApiError('not_found')
      await appendEvent(work, weeklyGuestRemoved, origin, { guest: gid })
    })
    return {}
  })

  async function save(
    work: Db,
    { project, user }: ProjectCaller,
    about: About,
    own: WeeklyTime & { enabled: boolean },
  ) {
    const { enabled, weekday, hour, zone } = own
    const values = { enabled, weekday, hour, zone, next_at: await nextDue(work, own, clock()) }
    return work
      .insertInto('weekly_mails')
      .values({
        ...{ gid: ids(), project_id: project.id, user_id: user.id, chatbot_id: about.id },
        ...values,
        created_at: clock(),
      })
      .onConflict((known) => known.columns(['project_id', 'user_id', 'chatbot_id']).doUpdateSet(values))
      .returning(['id', 'enabled', 'weekday', 'hour', 'zone', 'next_at'])
      .executeTakeFirstOrThrow()
  }
}

async function aboutOf({ db, project }: ProjectCaller, cgid: string | undefined): Promise<About> {
  if (cgid === undefined) return { id: null, gid: null, name: project.name }
  const { id, gid, name } = await chatbotOf(db, project.id, cgid)
  return { id, gid, name }
}

const find = (db: Db, { project, user }: ProjectCaller, { id }: About) =>
  db
    .selectFrom('weekly_mails')
    .select(['id', 'enabled', 'weekday', 'hour', 'zone', 'next_at'])
    .where('project_id', '=', project.id)
    .where('user_id', '=', user.id)
    .where('chatbot_id', id === null ? 'is' : '=', id)
    .executeTakeFirst()

const guestsOf = (db: Db, weeklyMailId: string) =>
  db
    .selectFrom('weekly_mail_guests')
    .select(['gid', 'email', 'confirmed_at'])
    .where('weekly_mail_id', '=', weeklyMailId)
    .orderBy('id')
    .execute()

async function present(db: Db, caller: ProjectCaller, about: About): Promise<WeeklyMail> {
  const mail = await find(db, caller, about)
  if (!mail) return { enabled: false, ...usual, next: null, guests: [] }
  const { enabled, weekday, hour, zone, next_at } = mail
  const guests = (await guestsOf(db, mail.id)).map(({ gid, email, confirmed_at }) => ({
    ...{ gid, email, confirmed: confirmed_at !== null },
  }))
  return { enabled, weekday, hour, zone, next: enabled ? next_at.toISOString() : null, guests }
}

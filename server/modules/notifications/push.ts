import type { FastifyInstance } from 'fastify'
import webPush from 'web-push'
import { registerRoute } from '../../access/register'
import {
  addPushSubscription,
  PUSH_SUBSCRIPTIONS,
  readPushKey,
  removePushSubscription,
} from '../../contracts/personalNotifications'
import type { ServerContext } from '../../platform/context'
import type { HandledJob } from '../../platform/jobs/defineJob'
import { mailTexts } from '../../platform/mail/texts/mailTexts'
import { createOutboundFetch } from '../../platform/outbound/outboundFetch'
import { createSecrets } from '../../platform/secrets/secrets'
import { entriesOf, kindsFor, presentEntry } from './entries'
import { pushNotifications } from './jobs'
import { linkOf, sentenceOf } from './words'

/** The place of the installation's key pair, which belongs to no project. */
const PLACE = { projectId: '0', row: 'push_keys' }
/** How long a push service keeps a push for a browser that is not connected, in seconds. */
const KEPT = 24 * 60 * 60
/** A push of more than one notification says how many; browsers show few lines. */
const MOST_PUSHED = 3
const GONE = new Set([404, 410])

/** Notifications pushed to browsers (RFC 8030, 8291, 8292): keys, subscriptions, and the job that sends. */
export function createPush(context: ServerContext) {
  const { db, clock, config, log } = context
  const secrets = createSecrets(config)
  const fetchOutbound = createOutboundFetch({ allowed: config.outboundAllow })

  async function keyPair(): Promise<{ publicKey: string; privateKey: string }> {
    const read = () => db.selectFrom('push_keys').selectAll().executeTakeFirst()
    const row = await read()
    const privateKey = row && secrets.open(row.sealed_private_key, PLACE)
    if (row && privateKey) return { publicKey: row.public_key, privateKey }
    // none yet, or the key that sealed it is gone: browsers subscribe anew
    const made = webPush.generateVAPIDKeys()
    const values = {
      public_key: made.publicKey,
      sealed_private_key: secrets.seal(made.privateKey, PLACE),
      created_at: clock(),
    }
    await db
      .insertInto('push_keys')
      .values(values)
      .onConflict((conflict) => (row ? conflict.column('only_one').doUpdateSet(values) : conflict.doNothing()))
      .execute()
    const kept = await read()
    const own = kept?.public_key === made.publicKey
    return own || !kept
      ? made
      : { publicKey: kept.public_key, privateKey: secrets.open(kept.sealed_private_key, PLACE) ?? made.privateKey }
  }

  async function send({ endpoint, p256dh, auth }: { endpoint: string; p256dh: string; auth: string }, text: string) {
    const { publicKey, privateKey } = await keyPair()
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      TTL: KEPT,
      vapidDetails: { subject: subjectOf(config), publicKey, privateKey },
    })
    // fetch counts the body itself
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      name.toLowerCase() === 'content-length' ? [] : [[name, String(value)]],
    )
    const { status } = await fetchOutbound({
      url: endpoint,
      method: 'POST',
      headers: sent,
      body,
      secretBody: true,
      maxRedirects: 0,
    })
    if (GONE.has(status)) await db.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute()
    else if (status >= 400) log.warn({ status, service: new URL(endpoint).host }, 'a push was refused')
  }

  const job: HandledJob = pushNotifications.handledBy(async ({ user: userId }, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    const member = await own
      .selectFrom('project_members')
      .innerJoin('projects', 'projects.id', 'project_members.project_id')
      .innerJoin('users', 'users.id', 'project_members.user_id')
      .select(['roles', 'projects.gid', 'users.language'])
      .where('project_members.user_id', '=', userId)
      .executeTakeFirst()
    if (!member) return undefined
    const now = clock()
    const due = await entriesOf(own, { projectId, userId, kinds: kindsFor(member.roles) })
      .where('notifications.push_at', '<=', now)
      .where('notifications.seen_at', 'is', null)
      .execute()
    // done first: a browser that shows it twice is worse than one that misses it
    await own
      .updateTable('notifications')
      .set({ push_at: null })
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .where('push_at', '<=', now)
      .execute()
    const home = `${config.publicUrl}/projects/${member.gid}`
    const language = member.language ?? 'en'
    const entries = due.map(presentEntry)
    const shown =
      entries.length > MOST_PUSHED
        ? [{ title: mailTexts(language).notifications.many(entries.length), body: '', link: home, tag: 'many' }]
        : entries.map((entry) => ({
            title: sentenceOf(entry, language),
            body: entry.chatbot?.name ?? '',
            link: linkOf(home, entry),
            tag: entry.id,
          }))
    if (shown.length === 0) return undefined
    const browsers = await db.selectFrom('push_subscriptions').selectAll().where('user_id', '=', userId).execute()
    for (const browser of browsers)
      for (const each of shown)
        await send(browser, JSON.stringify(each)).catch((error: unknown) =>
          log.warn({ err: error, service: new URL(browser.endpoint).host }, 'a push could not be sent'),
        )
    return undefined
  })

  return {
    job,
    register(app: FastifyInstance): void {
      registerRoute(app, context, readPushKey, async () => ({ key: (await keyPair()).publicKey }))

      registerRoute(app, context, addPushSubscription, async ({ caller, body }) => {
        const values = { user_id: caller.user.id, ...body.keys, created_at: clock() }
        await db.transaction().execute(async (work) => {
          await work
            .insertInto('push_subscriptions')
            .values({ endpoint: body.endpoint, ...values })
            .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(values))
            .execute()
          const newest = work
            .selectFrom('push_subscriptions')
            .select('id')
            .where('user_id', '=', caller.user.id)
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(PUSH_SUBSCRIPTIONS)
          await work
            .deleteFrom('push_subscriptions')
            .where('user_id', '=', caller.user.id)
            .where('id', 'not in', newest)
            .execute()
        })
        return {}
      })

      registerRoute(app, context, removePushSubscription, async ({ caller, body }) => {
        await db
          .deleteFrom('push_subscriptions')
          .where('user_id', '=', caller.user.id)
          .where('endpoint', '=', body.endpoint)
          .execute()
        return {}
      })
    },
  }
}

/** Whom push services write to about pushes (RFC 8292, 2.1): an address of mails or the installation's own. */
const subjectOf = ({ publicUrl, mailFrom }: ServerContext['config']): string =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:${mailFrom.address}`

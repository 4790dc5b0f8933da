import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { addFeed, deleteFeed, type Feed, feedCaps, listFeeds, readFeedNow, updateFeed } from '../../../contracts/feeds'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { takeCredits } from '../../billing/monthlyCredits'
import { appendSources, feedAdded, feedChanged, feedDeleted, feedQueued, sourcesDeleted } from '../events'
import type { KnowledgePlace } from '../knowledge'
import { deleteFrom } from '../sources/deleteFrom'
import type { KnowledgeFeedsTable } from '../tables'
import { nextResync } from '../training/resync'
import type { Feeds } from './createFeeds'
import { createOrders, type OrderSources } from './orders'

/** Sources deleted per statement. */
const BATCH = 1_000

type FeedRow = Selectable<KnowledgeFeedsTable>
type One = { cgid: string; gid: string }

/** Routes for the lists of pages that a chatbot follows. */
export function registerFeeds(app: FastifyInstance, context: ServerContext, feeds: Feeds, sources: OrderSources): void {
  const { clock, jobs } = context
  const orders = createOrders(context, sources)

  registerRoute(app, context, listFeeds, async ({ caller, params }) => {
    const rows = await feedsOf(caller.db, await placeOf(caller, params.cgid))
      .selectAll()
      .orderBy('id', 'desc')
      .execute()
    return { feeds: await Promise.all(rows.map((row) => present(caller.db, row))) }
  })

  registerRoute(app, context, addFeed, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const { field, url, options } = await orders.read(place.projectId, body)
    const gid = context.ids()
    await caller.db.transaction().execute(async (trx) => {
      // row lock: two concurrent calls would each see the same room
      await trx.selectFrom('chatbots').select('id').where('id', '=', place.chatbotId).forNoKeyUpdate().execute()
      const others = await feedsOf(trx, place).select('url').execute()
      if (others.some((other) => other.url === url)) throw fieldError(field, 'This chatbot follows it already')
      if (others.length >= feedCaps.feeds)
        throw fieldError(field, `A chatbot can follow ${feedCaps.feeds}: delete one that is not needed any more`)
      const now = clock()
      const { id } = await trx
        .insertInto('knowledge_feeds')
        .values({
          ...{ gid, project_id: place.projectId, chatbot_id: place.chatbotId },
          ...{ kind: body.kind, url, options: JSON.stringify(options), most: body.most, resync: body.resync },
          ...{
            next_read_at: nextResync(body.resync, now),
            created_by: caller.user.id,
            created_at: now,
            updated_at: now,
          },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await feeds.begin(trx, { id, projectId: place.projectId })
      await appendEvent(trx, feedAdded, origin, { chatbot: place.chatbotId, feed: gid })
    })
    jobs.wake()
    return answerOf(caller, { cgid: params.cgid, gid })
  })

  registerRoute(app, context, updateFeed, async ({ caller, params, body, origin }) => {
    const feed = await find(caller, params)
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('knowledge_feeds')
        .set({
          ...(body.resync && { resync: body.resync, next_read_at: nextResync(body.resync, clock()) }),
          // what was read whole is read again, with what comes back
          ...(body.left_out === 0 && { left_out: [], mark: null }),
          updated_at: clock(),
        })
        .where('id', '=', feed.id)
        .execute()
      await appendEvent(trx, feedChanged, origin, { chatbot: feed.chatbot_id, feed: feed.gid })
    })
    return answerOf(caller, params)
  })

  registerRoute(app, context, readFeedNow, async ({ caller, params, origin }) => {
    const feed = await find(caller, params)
    const { id: projectId } = caller.project
    // what could not be read is tried again for nothing
    if (feed.state === 'ready') {
      const use = { projectId, credit: 'resync_credits', key: randomUUID(), amount: 1, at: clock() } as const
      if (!(await takeCredits(caller.db, use))) throw new ApiError('plan_limit')
    }
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('knowledge_feeds')
        .set({ state: 'reading', reason: null, found: null, updated_at: clock() })
        .where('id', '=', feed.id)
        .execute()
      await feeds.begin(trx, { id: feed.id, projectId })
      await appendEvent(trx, feedQueued, origin, { chatbot: feed.chatbot_id, feed: feed.gid })
    })
    jobs.wake()
    return answerOf(caller, params)
  })

  registerRoute(app, context, deleteFeed, async ({ caller, params, query, origin }) => {
    const feed = await find(caller, params)
    const place = { projectId: caller.project.id, chatbotId: feed.chatbot_id }
    await caller.db.transaction().execute(async (trx) => {
      if (query.sources === 'delete') {
        const own = await trx.selectFrom('knowledge_sources').select('gid').where('feed_id', '=', feed.id).execute()
        const gids = own.map(({ gid }) => gid)
        for (let at = 0; at < gids.length; at += BATCH) {
          const deleted = await deleteFrom(context, trx, place, gids.slice(at, at + BATCH))
          await appendSources(trx, sourcesDeleted, origin, place, deleted)
        }
      }
      await trx.deleteFrom('knowledge_feeds').where('id', '=', feed.id).execute()
      await appendEvent(trx, feedDeleted, origin, { chatbot: feed.chatbot_id, feed: feed.gid })
    })
    jobs.wake()
    return {}
  })

  async function answerOf(caller: ProjectCaller, params: One) {
    return { feed: await present(caller.db, await find(caller, params)) }
  }
}

const placeOf = async ({ db, project }: ProjectCaller, cgid: string): Promise<KnowledgePlace> => ({
  projectId: project.id,
  chatbotId: (await chatbotOf(db, project.id, cgid)).id,
})

const feedsOf = (db: Db, { projectId, chatbotId }: KnowledgePlace) =>
  db.selectFrom('knowledge_feeds').where('project_id', '=', projectId).where('chatbot_id', '=', chatbotId)

async function find(caller: ProjectCaller, { cgid, gid }: One): Promise<FeedRow> {
  const row = await feedsOf(caller.db, await placeOf(caller, cgid))
    .selectAll()
    .where('gid', '=', gid)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}

async function present(db: Db, feed: FeedRow): Promise<Feed> {
  const { sources } = await db
    .selectFrom('knowledge_sources')
    .select(({ fn }) => fn.countAll<string>().as('sources'))
    .where('project_id', '=', feed.project_id)
    .where('feed_id', '=', feed.id)
    .executeTakeFirstOrThrow()
  const { gid, kind, url, options, title, most, resync, state, found, reason, left_out, read_at, next_read_at } = feed
  return {
    ...{ gid, kind, url, options, title, most, resync, state, reason, sources: Number(sources) },
    ...{ found: state === 'reading' ? found : null, left_out: left_out.length },
    ...{ read_at: read_at?.toISOString() ?? null, next_read_at: next_read_at?.toISOString() ?? null },
  }
}

import type { FastifyInstance } from 'fastify'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import {
  type Crawl,
  deleteCrawl,
  listCrawls,
  readCrawl,
  startCrawl,
  stopCrawl,
  trainCrawl,
} from '../../../contracts/crawls'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import type { Crawls } from '../crawl/createCrawls'
import { countPages, pagesOf } from '../crawl/frontier'
import { crawlDeleted, crawlStarted, crawlStopped } from '../events'
import { addressProblem } from '../page/addressProblem'
import { normalizeUrl } from '../page/normalizeUrl'
import { addLinkSources } from '../training/addLinks'

/** Number of crawls kept; older ones are deleted. */
const KEPT = 10
/** Concurrent crawls of a chatbot. */
const AT_ONCE = 5

export function registerCrawls(app: FastifyInstance, context: ServerContext, crawls: Crawls): void {
  const { clock, jobs } = context

  registerRoute(app, context, startCrawl, async ({ caller, params, body, origin }) => {
    const chatbot = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const problem = await addressProblem(context, caller.project.id, body.url)
    const url = normalizeUrl(body.url)
    if (problem || !url) throw fieldError('url', problem ?? 'Enter a valid URL (must start with https:// or http://)')
    const place = { project_id: caller.project.id, chatbot_id: chatbot.id }
    const gid = context.ids()
    await caller.db.transaction().execute(async (trx) => {
      // row lock: two concurrent calls would each see the same room
      await trx.selectFrom('chatbots').select('id').where('id', '=', place.chatbot_id).forNoKeyUpdate().execute()
      const { count } = await crawlsOf(trx, place)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('state', '=', 'finding')
        .executeTakeFirstOrThrow()
      if (Number(count) >= AT_ONCE)
        throw fieldError('url', `${AT_ONCE} searches are under way in this chatbot: wait for one of them, or stop it.`)
      const now = clock()
      const { id } = await trx
        .insertInto('crawls')
        .values({
          ...place,
          ...{ gid, mode: body.mode, url, include: body.include, exclude: body.exclude, state: 'finding' },
          depth: body.mode === 'crawl' ? body.depth : 0,
          max_pages: body.mode === 'page' ? 1 : body.max_pages,
          ...{ created_by: caller.user.id, created_at: now, updated_at: now },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await crawls.begin(trx, { id, projectId: place.project_id })
      await appendEvent(trx, crawlStarted, origin, { chatbot: chatbot.id, crawl: gid })
      await trx
        .deleteFrom('crawls')
        .where('chatbot_id', '=', place.chatbot_id)
        .where('state', '<>', 'finding')
        .where('id', 'not in', crawlsOf(trx, place).select('id').orderBy('id', 'desc').limit(KEPT))
        .execute()
    })
    jobs.wake()
    return { crawl: await present(caller.db, await crawlOf(caller.db, place, gid)) }
  })

  registerRoute(app, context, readCrawl, async ({ caller, params, query }) => {
    const crawl = await find(caller, params)
    const { state, search, offset, limit } = query
    const listed = pagesOf(caller.db, crawl)
      .where('state', '=', state)
      .$if(search !== undefined && search !== '', (pages) => pages.where(holds(search ?? '')))
    const pages = await listed
      .select(['url', 'title', 'state', 'reason'])
      .select(
        sql<boolean>`exists (select from knowledge_sources s where s.project_id = ${crawl.project_id}
          and s.chatbot_id = ${crawl.chatbot_id} and md5(s.url) = md5(crawl_pages.url) and s.url = crawl_pages.url)`.as(
          'known',
        ),
      )
      .orderBy('id')
      .offset(offset)
      .limit(limit)
      .execute()
    const { total } = await listed.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
    return { crawl: await present(caller.db, crawl), pages, total: Number(total) }
  })

  registerRoute(app, context, listCrawls, async ({ caller, params }) => {
    const chatbot = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const place = { project_id: caller.project.id, chatbot_id: chatbot.id }
    const rows = await crawlsOf(caller.db, place).selectAll().orderBy('id', 'desc').limit(KEPT).execute()
    return { crawls: await Promise.all(rows.map((row) => present(caller.db, row))) }
  })

  registerRoute(app, context, stopCrawl, async ({ caller, params, origin }) => {
    const crawl = await find(caller, params)
    await caller.db.transaction().execute(async (trx) => {
      const stopped = await trx
        .updateTable('crawls')
        .set({ state: 'stopped', updated_at: clock() })
        .where('id', '=', crawl.id)
        .where('state', '=', 'finding')
        .executeTakeFirst()
      if (stopped.numUpdatedRows === 0n) return
      await appendEvent(trx, crawlStopped, origin, { chatbot: crawl.chatbot_id, crawl: crawl.gid })
      const { waiting } = await countPages(trx, crawl)
      if (waiting === 0) return
      await trx
        .updateTable('crawls')
        .set({ reason: `Stopped: ${waiting} more URLs were not checked.` })
        .where('id', '=', crawl.id)
        .execute()
      await trx.deleteFrom('crawl_pages').where('crawl_id', '=', crawl.id).where('state', '=', 'waiting').execute()
    })
    return { crawl: await present(caller.db, await find(caller, params)) }
  })

  registerRoute(app, context, trainCrawl, async ({ caller, params, body, origin: call }) => {
    const { only, except = [], resync } = body
    const { id } = await find(caller, params)
    const added = await caller.db.transaction().execute(async (trx) => {
      // locked: two concurrent calls must not both start training while the crawl is running
      const crawl = await trx.selectFrom('crawls').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      if (!crawl) throw new ApiError('not_found')
      if (crawl.state === 'finding')
        throw new ApiError('conflict', {
          message: 'The search is still running. Wait until it is done, or stop it.',
        })
      const pages = await pagesOf(trx, crawl)
        .select(['url', 'title', 'blocks'])
        .where('state', '=', 'found')
        .where(sql<boolean>`url <> all(${except}::text[])`)
        .$if(only !== undefined, (found) => found.where(sql<boolean>`url = any(${only ?? []}::text[])`))
        .orderBy('id')
        .execute()
      if (pages.length === 0) throw fieldError('only', 'Choose at least one page')
      const place = { projectId: crawl.project_id, chatbotId: crawl.chatbot_id }
      const origin = { crawlId: crawl.id, resync, call }
      const queued = await addLinkSources(context, trx, place, pages, origin)
      await trx.updateTable('crawls').set({ state: 'done', updated_at: clock() }).where('id', '=', crawl.id).execute()
      return queued.length
    })
    jobs.wake()
    return { added }
  })

  registerRoute(app, context, deleteCrawl, async ({ caller, params, origin }) => {
    const crawl = await find(caller, params)
    await caller.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('crawls').where('id', '=', crawl.id).execute()
      await appendEvent(trx, crawlDeleted, origin, { chatbot: crawl.chatbot_id, crawl: crawl.gid })
    })
    return {}
  })

  async function find({ db, project: { id: projectId } }: ProjectCaller, { cgid, gid }: { cgid: string; gid: string }) {
    const chatbot = await chatbotOf(db, projectId, cgid)
    return crawlOf(db, { project_id: projectId, chatbot_id: chatbot.id }, gid)
  }
}

interface Place {
  project_id: string
  chatbot_id: string
}

const crawlsOf = (db: Db, { project_id, chatbot_id }: Place): SelectQueryBuilder<Database, 'crawls', unknown> =>
  db.selectFrom('crawls').where('project_id', '=', project_id).where('chatbot_id', '=', chatbot_id)

async function crawlOf(db: Db, place: Place, gid: string) {
  const crawl = await crawlsOf(db, place).selectAll().where('gid', '=', gid).executeTakeFirst()
  if (!crawl) throw new ApiError('not_found')
  return crawl
}

async function present(db: Db, crawl: Awaited<ReturnType<typeof crawlOf>>): Promise<Crawl> {
  const { gid, mode, url, depth, max_pages, include, exclude, state, reason, created_at } = crawl
  const pages = await countPages(db, crawl)
  return {
    gid,
    mode,
    url,
    depth,
    max_pages,
    include,
    exclude,
    state,
    reason,
    pages,
    created_at: created_at.toISOString(),
  }
}

/** Searches title and address literally. */
function holds(search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(title ilike ${pattern} or url ilike ${pattern})`
}

import type { FastifyInstance } from 'fastify'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { entitlementsOf } from '../../../access/entitlements'
import { registerRoute } from '../../../access/register'
import {
  addDocument,
  addFaq,
  addLinks,
  addText,
  allowPlanted,
  deleteSources,
  documentTypes,
  type Faq,
  importFaq,
  linkKnowledge,
  listSources,
  readAgain,
  readSource,
  setResync,
  sourceCaps,
  stopTraining,
  testRetrieval,
  updateFaq,
  updateText,
} from '../../../contracts/sources'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent, type EventContext, userOf } from '../../../platform/events/defineEvent'
import type { FileStore } from '../../../platform/files/files'
import { createUploadQuotas } from '../../../platform/files/uploadQuotas'
import { lengthOf } from '../../../platform/http/fileBody'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { runTask } from '../../../platform/workers/runTask'
import { usedCredits } from '../../billing/monthlyCredits'
import { typeByName } from '../documents/documentText'
import { appendSources, knowledgeLinked, sourcesAdded, sourcesChanged, sourcesDeleted, sourcesStopped } from '../events'
import { plantedIn } from '../evidence/quarantine'
import { leaveOut } from '../feeds/leftOut'
import type { Knowledge, KnowledgePlace } from '../knowledge'
import type { KnowledgeSourcesTable } from '../tables'
import { readFaqCsv } from '../tasks'
import { addLinkSources } from '../training/addLinks'
import { queueSources } from '../training/queueSources'
import { nextResync } from '../training/resync'
import { stopSources } from '../training/stopSources'
import { deleteFrom } from './deleteFrom'
import { linkKnowledgeTo } from './linkKnowledge'
import { sameQuestion } from './parseFaqCsv'
import { presentSource } from './presenter'
import { queueAgain } from './queueAgain'
import { readAddresses } from './readAddresses'
import { receiveDocument } from './receiveDocument'
import { retrieve } from './retrieve'
import { listedSources, presentByGid, sourceOf, sourcesByGid, sourcesById } from './rows'
import { trainingState } from './trainingState'

/** Most characters of a source's text in a response. */
const SHOWN = 200_000
const SHOWN_CHUNKS = 500
/** Valid entries of a file shown before the import. */
const SAMPLE = 5
/** Rows per statement. */
const BATCH = 1_000
const ALL_TRAINED = 'These pages are sources already. To have them read again, choose “Read again” in the list'

/** The caller, and the origin for events. */
interface Calling {
  caller: ProjectCaller
  origin: EventContext
}
type NewSource = Pick<Insertable<KnowledgeSourcesTable>, 'kind' | 'title'> & Partial<Insertable<KnowledgeSourcesTable>>

/** Routes for a chatbot's sources. */
export function registerSources(
  app: FastifyInstance,
  context: ServerContext,
  files: FileStore,
  knowledge: Knowledge,
): void {
  const quotas = createUploadQuotas(context)
  const { clock, ids, jobs } = context

  const placeOf = async ({ db, project }: ProjectCaller, cgid: string): Promise<KnowledgePlace> => ({
    projectId: project.id,
    chatbotId: (await chatbotOf(db, project.id, cgid)).id,
  })

  /** Runs a change in one transaction, and starts jobs that became due. */
  async function change<Value>(db: ProjectDb, work: (trx: Transaction<Database>) => Promise<Value>): Promise<Value> {
    const value = await db.transaction().execute(work)
    jobs.wake()
    return value
  }

  /** Creates sources and queues them. @returns their ids */
  async function insert(
    trx: Transaction<Database>,
    { projectId, chatbotId }: KnowledgePlace,
    origin: EventContext,
    sources: readonly NewSource[],
  ) {
    const now = clock()
    const added: string[] = []
    for (let at = 0; at < sources.length; at += BATCH) {
      const rows = sources.slice(at, at + BATCH).map((source) => ({
        ...source,
        gid: ids(),
        project_id: projectId,
        chatbot_id: chatbotId,
        status: 'queued' as const,
        created_by: userOf(origin),
        created_at: now,
        updated_at: now,
      }))
      const written = await trx.insertInto('knowledge_sources').values(rows).returning('id').execute()
      added.push(...written.map(({ id }) => id))
      await appendSources(trx, sourcesAdded, origin, { chatbotId }, gidsOf(rows))
    }
    await queueSources(context, trx, projectId, added)
    return added
  }

  const answerWith = async (db: ProjectDb, place: KnowledgePlace, id: string) => {
    const [source] = await sourcesById(db, place, [id])
    if (!source) throw new ApiError('not_found')
    return { source: presentSource(source) }
  }

  async function add({ caller, origin }: Calling, cgid: string, source: NewSource) {
    const place = await placeOf(caller, cgid)
    const [id = ''] = await change(caller.db, (trx) => insert(trx, place, origin, [source]))
    return answerWith(caller.db, place, id)
  }

  const types = context.config.allDocuments ? documentTypes : (['pdf'] as const)
  registerRoute(app, context, listSources, async ({ caller, params, query }) => {
    const { project } = caller
    const place = await placeOf(caller, params.cgid)
    // first: what ends after this is asked for once more, while a row that is shown as unfinished never would be
    const training = await trainingState(caller.db, place)
    const { rows, total } = await listedSources(caller.db, place, query)
    const linked = await caller.db
      .selectFrom('chatbots as own')
      .innerJoin('chatbots as lender', 'lender.id', 'own.linked_kb_id')
      .select(['lender.gid', 'lender.name'])
      .where('own.id', '=', place.chatbotId)
      .executeTakeFirst()
    return {
      sources: rows.map(presentSource),
      total,
      training,
      linked: linked ?? null,
      credits: {
        used: await usedCredits(caller.db, project.id, 'training_credits', clock()),
        max: entitlementsOf(project).limits.training_credits,
      },
      document_types: [...types],
    }
  })

  registerRoute(app, context, addLinks, async ({ caller, params, body, origin: call }) => {
    const place = await placeOf(caller, params.cgid)
    const pages = readAddresses(body.urls, await networksOf(context, place.projectId)).map((url) => ({
      url,
      title: url,
    }))
    const origin = { crawlId: null, resync: body.resync, call }
    const added = await change(caller.db, (trx) => addLinkSources(context, trx, place, pages, origin))
    if (added.length === 0) throw fieldError('urls', ALL_TRAINED)
    return { sources: (await sourcesById(caller.db, place, added)).map(presentSource) }
  })

  registerRoute(app, context, addFaq, ({ caller, params, body, origin }) =>
    add({ caller, origin }, params.cgid, faqSource(body)),
  )

  registerRoute(app, context, importFaq, async ({ caller, params, body, origin }) => {
    if (Buffer.byteLength(body.csv) > sourceCaps.csv) {
      throw fieldError('csv', `A file may have ${sourceCaps.csv / 1_000_000} MB. Import it in parts`)
    }
    const place = await placeOf(caller, params.cgid)
    const present = await caller.db
      .selectFrom('knowledge_sources')
      .select(sql<string>`data->>'question'`.as('question'))
      .where('chatbot_id', '=', place.chatbotId)
      .where('kind', '=', 'faq')
      .execute()
    const { entries, wrong } = await runTask(
      readFaqCsv,
      { csv: body.csv, present: new Set(present.map(({ question }) => sameQuestion(question))) },
      { owner: place.projectId },
    )
    if (!body.check && entries.length > 0) {
      await change(caller.db, (trx) => insert(trx, place, origin, entries.map(faqSource)))
    }
    return { added: entries.length, wrong, sample: entries.slice(0, SAMPLE) }
  })

  registerRoute(app, context, addText, ({ caller, params, body, origin }) =>
    add({ caller, origin }, params.cgid, textSource(body)),
  )

  app.register(async (scope) => {
    // the body is the file: an unauthorized upload is refused before a byte is read
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))

    registerRoute(scope, context, addDocument, async ({ caller, params, query, body, request, origin }) => {
      const place = await placeOf(caller, params.cgid)
      const bytes = lengthOf(request) || sourceCaps.document
      const stored = await quotas.during({ projectId: place.projectId, visitor: null, bytes }, () =>
        receiveDocument(files, place.projectId, body, request, { name: query.name, types }),
      )
      const same = await caller.db
        .selectFrom('knowledge_sources')
        .select('title')
        .where('chatbot_id', '=', place.chatbotId)
        .where('sha256', '=', stored.sha256)
        .executeTakeFirst()
      if (same) throw new ApiError('conflict', { message: `This file was already added as “${same.title}”.` })
      const title = typeByName(query.name) ? query.name.slice(0, query.name.lastIndexOf('.')) || query.name : query.name
      return add({ caller, origin }, params.cgid, { kind: 'document', title, file_name: query.name, ...stored })
    })
  })

  registerRoute(app, context, readSource, async ({ caller, params }) => {
    const place = await placeOf(caller, params.cgid)
    const source = await sourceOf(caller.db, place, params.gid)
    const { content } = await caller.db
      .selectFrom('knowledge_sources')
      .select(({ fn, val }) => fn<string | null>('left', ['content', val(SHOWN)]).as('content'))
      .where('id', '=', source.id)
      .executeTakeFirstOrThrow()
    const chunks = await caller.db
      .selectFrom('knowledge_chunks')
      .select(['position', 'heading', 'body as text'])
      .where('source_id', '=', source.id)
      .orderBy('position')
      .limit(SHOWN_CHUNKS)
      .execute()
    const planted = plantedIn(chunks.map(({ heading, text: body }) => ({ heading, body })))
    return {
      ...{ source: presentSource(source), data: source.data, content, chunks },
      planted: planted.map((text) => ({ text, allowed: source.planted_allowed.includes(text) })),
    }
  })

  registerRoute(app, context, allowPlanted, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const { id } = await sourceOf(caller.db, place, params.gid)
    await caller.db.transaction().execute(async (trx) => {
      await trx.updateTable('knowledge_sources').set({ planted_allowed: body.allowed }).where('id', '=', id).execute()
      await appendSources(trx, sourcesChanged, origin, place, [params.gid])
    })
    return answerWith(caller.db, place, id)
  })

  /** Replaces hand-written content, and trains it again. */
  async function rewrite({ caller, origin }: Calling, { cgid, gid }: { cgid: string; gid: string }, source: NewSource) {
    const place = await placeOf(caller, cgid)
    const { id, kind } = await sourceOf(caller.db, place, gid)
    if (kind !== source.kind) throw new ApiError('not_found')
    await change(caller.db, async (trx) => {
      await trx
        .updateTable('knowledge_sources')
        .set({ title: source.title, data: source.data ?? null })
        .where('id', '=', id)
        .execute()
      await appendSources(trx, sourcesChanged, origin, place, [gid])
      await queueSources(context, trx, place.projectId, [id])
    })
    return answerWith(caller.db, place, id)
  }
  registerRoute(app, context, updateFaq, ({ caller, params, body, origin }) =>
    rewrite({ caller, origin }, params, faqSource(body)),
  )
  registerRoute(app, context, updateText, ({ caller, params, body, origin }) =>
    rewrite({ caller, origin }, params, textSource(body)),
  )

  registerRoute(app, context, setResync, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const links = (await sourcesByGid(caller.db, place, body.gids)).filter(({ kind }) => kind === 'link')
    if (links.length === 0) throw fieldError('gids', 'Only links are read again by themselves')
    await caller.db.transaction().execute(async (trx) => {
      const changed = await trx
        .updateTable('knowledge_sources')
        .set({ resync: body.resync, next_resync_at: nextResync(body.resync, clock()) })
        .where(sql<boolean>`id = any(${links.map(({ id }) => id)}::bigint[])`)
        .returning('gid')
        .execute()
      await appendSources(trx, sourcesChanged, origin, place, gidsOf(changed))
    })
    return {}
  })

  registerRoute(app, context, readAgain, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const sources = await sourcesByGid(caller.db, place, body.gids)
    const queued = await queueAgain(context, { caller, place, origin }, sources)
    return { queued }
  })

  registerRoute(app, context, stopTraining, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const named = body.gids && (await presentByGid(caller.db, place, body.gids)).map(({ id }) => id)
    const stopped = await change(caller.db, async (trx) => {
      const gids = await stopSources(context, trx, place, named)
      await appendSources(trx, sourcesStopped, origin, place, gids)
      return gids.length
    })
    return { stopped }
  })

  registerRoute(app, context, deleteSources, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    const deleted = await change(caller.db, async (trx) => {
      await leaveOut(trx, place, body.gids)
      const gids = await deleteFrom(context, trx, place, body.gids)
      await appendSources(trx, sourcesDeleted, origin, place, gids)
      return gids.length
    })
    return { deleted }
  })

  registerRoute(app, context, linkKnowledge, async ({ caller, params, body, origin }) => {
    const place = await placeOf(caller, params.cgid)
    await caller.db.transaction().execute(async (trx) => {
      const lender = await linkKnowledgeTo(trx, place, body.chatbot, clock())
      await appendEvent(trx, knowledgeLinked, origin, { chatbot: place.chatbotId, lender })
    })
    return {}
  })

  registerRoute(app, context, testRetrieval, async ({ caller, params, body }) =>
    retrieve(knowledge, await placeOf(caller, params.cgid), body.question),
  )
}

const gidsOf = (rows: readonly { gid: string }[]): string[] => rows.map(({ gid }) => gid)

const faqSource = ({ question, answer, phrasings }: Faq): NewSource => ({
  kind: 'faq',
  title: question.slice(0, sourceCaps.title),
  data: JSON.stringify({ kind: 'faq', question, answer, phrasings }),
})
const textSource = ({ title, markdown }: { title: string; markdown: string }): NewSource => ({
  kind: 'text',
  title,
  data: JSON.stringify({ kind: 'text', markdown }),
})

import type { Kysely } from 'kysely'
import type { FlowCommands, Projection } from '../../../../engine/document/commands'
import { createDocument } from '../../../../engine/document/createDocument'
import { updateOf } from '../../../../engine/document/plainFlow'
import { REPAIRED_TOPIC } from '../../../../engine/document/syncProtocol'
import type { Flow } from '../../../../engine/flow/schema'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { createDrafts, type Drafts } from '../drafts/createDrafts'
import { type Connections, createConnections } from './connections'
import { encodeNews, flowChannel } from './flowNews'
import { createRooms, type Rooms } from './rooms'
import { shareConnections } from './sharedConnections'
import { appendUpdate, type FlowRef, loadDocument } from './store'

export interface Documents {
  /** runs tasks on drafts, in worker threads if they are large */
  readonly drafts: Drafts
  readonly rooms: Rooms
  /** the sockets of this process */
  readonly connections: Connections
  /**
   * The present draft, including edits that open rooms of this process have not stored yet. A flow without content is
   * the empty flow.
   */
  readFlow(projectId: string, flowId: string): Promise<Flow>
  /** The same as stored parts, for a task on drafts (server/modules/flows/drafts). */
  readParts(projectId: string, flowId: string): Promise<Uint8Array[]>
  /**
   * Replaces the draft by a flow, or by its JSON text; open editors see it. Resolves when it is stored. `by` is the
   * editing user.
   */
  writeFlow(projectId: string, flowId: string, flow: Flow | string, by?: string): Promise<void>
  /**
   * Applies a large change as an update that a task computes from the draft's parts; open editors see it. Resolves when
   * it is stored.
   */
  changeWhole<Result>(
    projectId: string,
    flowId: string,
    make: (parts: Uint8Array[]) => Promise<{ result: Result; update: Uint8Array; pieces: Uint8Array[] }>,
    by?: string,
  ): Promise<Result>
  /**
   * Edits the draft by commands; open editors see it. Resolves when it is stored. If `edit` throws before its first
   * command, the draft stays unchanged.
   */
  editFlow<Result>(
    projectId: string,
    flowId: string,
    edit: (commands: FlowCommands, projection: Projection) => Result,
  ): Promise<Result>
  /** The first content of a newly inserted flow, in the same transaction. */
  seedFlow(
    trx: Kysely<Database>,
    projectId: string,
    flowId: string,
    flow: Flow | Uint8Array,
    by?: string,
  ): Promise<void>
  /**
   * Call after the commit of a change of a user's roles, memberships or sessions: their open flows check rights before
   * they handle another frame, and close if there are none.
   */
  rightsChanged(userId: string): void
  /** The same for everybody in a project, of which something was deleted. */
  rightsChangedIn(projectId: string): void
  /** Notifies builders with the open flow of `topic`; a detail may follow after a colon. */
  announce(flow: FlowRef, topic: string): void
}

/** Access to the flows' drafts. One per process: a draft must not be open twice. */
export function createDocuments(
  context: Pick<ServerContext, 'bus' | 'config' | 'db' | 'log' | 'registry' | 'ids'>,
  drafts: Drafts = createDrafts(context),
): Documents {
  const { bus, db, registry, ids } = context
  const rooms = createRooms({ ...context, drafts }, undefined, (flow, repairs) =>
    documents.announce(flow, `${REPAIRED_TOPIC}:${JSON.stringify(repairs)}`),
  )
  const connections = shareConnections(createConnections(), () => bus)

  async function readParts(projectId: string, flowId: string): Promise<Uint8Array[]> {
    const flow = { id: flowId, projectId }
    const room = rooms.present(flow)
    // if the room ends meanwhile, everything is stored, or the flow was deleted
    await (await room)?.flushed().catch((error: unknown) => {
      if (rooms.present(flow) === room) throw error
    })
    return (await loadDocument(db.forProject(flow.projectId), flow)).parts
  }

  async function changeWhole<Result>(
    projectId: string,
    flowId: string,
    make: (parts: Uint8Array[]) => Promise<{ result: Result; update: Uint8Array; pieces: Uint8Array[] }>,
    by?: string,
  ): Promise<Result> {
    const edit = { by: by ?? null }
    const flow = { id: flowId, projectId }
    if (!rooms.present(flow)) {
      // not open here: change the stored parts, without building a document in this thread
      const { result, update } = await make(await readParts(projectId, flowId))
      const id = await appendUpdate(db.forProject(flow.projectId), flow, update, edit)
      bus.publish(flowChannel(flow), encodeNews({ type: 'stored', id }))
      // somebody may have opened it meanwhile
      await (await rooms.present(flow))?.caughtUp()
      return result
    }
    const { room, leave } = await rooms.enter(flow)
    try {
      await room.caughtUp()
      const { result, ...change } = await make(await readParts(projectId, flowId))
      await room.takeWhole({ ...change, edit })
      return result
    } finally {
      leave()
    }
  }

  const documents: Documents = {
    drafts,
    rooms,
    connections,
    readFlow: async (projectId, flowId) =>
      drafts.work(projectId, 'read', { parts: await readParts(projectId, flowId) }),
    readParts,
    changeWhole,
    writeFlow: (projectId, flowId, flow, by) =>
      changeWhole(
        projectId,
        flowId,
        async (parts) => ({ result: undefined, ...(await drafts.work(projectId, 'replace', { flow, parts })) }),
        by,
      ),
    async editFlow(projectId, flowId, edit) {
      const { room, leave } = await rooms.enter({ id: flowId, projectId })
      try {
        await room.caughtUp()
        const document = createDocument({ doc: room.doc, registry, ids })
        try {
          return edit(document.commands, document.projection())
        } finally {
          document.destroy()
          await room.flushed()
        }
      } finally {
        leave()
      }
    },
    async seedFlow(trx, projectId, flowId, flow, by) {
      const update = flow instanceof Uint8Array ? flow : updateOf(flow, registry)
      await appendUpdate(trx, { id: flowId, projectId }, update, { by: by ?? null })
    },
    rightsChanged: (userId) => connections.recheck({ userId }),
    rightsChangedIn: (projectId) => connections.recheck({ projectId }),
    announce: (flow, topic) => connections.announce(flow, topic),
  }
  return documents
}

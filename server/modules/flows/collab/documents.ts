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
  /** what carries out tasks on drafts, in threads where they are large */
  readonly drafts: Drafts
  readonly rooms: Rooms
  /** the sockets that this process serves */
  readonly connections: Connections
  /**
   * The draft as it is now, what open editors of this process have not stored yet included. A flow without content is
   * the empty flow.
   */
  readFlow(projectId: string, flowId: string): Promise<Flow>
  /** The same as it is stored, for a task that works on drafts (server/modules/flows/drafts). */
  readParts(projectId: string, flowId: string): Promise<Uint8Array[]>
  /**
   * Replaces the draft by a flow, or by the text of its JSON; open editors see it. Stored when it resolves. `by` is the
   * user whose edit it is.
   */
  writeFlow(projectId: string, flowId: string, flow: Flow | string, by?: string): Promise<void>
  /**
   * Changes much of a draft by an update that a task makes of its parts; open editors see it. Stored when it resolves.
   */
  changeWhole<Result>(
    projectId: string,
    flowId: string,
    make: (parts: Uint8Array[]) => Promise<{ result: Result; update: Uint8Array; pieces: Uint8Array[] }>,
    by?: string,
  ): Promise<Result>
  /**
   * Edits the draft by commands; open editors see it. Stored when it resolves. What `edit` throws leaves the draft as
   * it was, as long as it throws before its first command.
   */
  editFlow<Result>(
    projectId: string,
    flowId: string,
    edit: (commands: FlowCommands, projection: Projection) => Result,
  ): Promise<Result>
  /** The first content of a flow that was just inserted, in the same transaction. */
  seedFlow(
    trx: Kysely<Database>,
    projectId: string,
    flowId: string,
    flow: Flow | Uint8Array,
    by?: string,
  ): Promise<void>
  /**
   * To be called once a user's roles, membership or sessions changed, after the commit: their open flows ask again at
   * once, before they take anything more, and are closed or go on as they now may.
   */
  rightsChanged(userId: string): void
  /** The same for everybody in a project: something in it was deleted. */
  rightsChangedIn(projectId: string): void
  /** Tells the builders that have the flow open that there is news of `topic`; a detail may follow after a colon. */
  announce(flow: FlowRef, topic: string): void
}

/** The flows' drafts. One for a process: an open draft must not be open twice. */
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
    // of a room that ends meanwhile everything is stored, or nothing of the flow is there any more
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
      // nobody here has it open: then it is changed where it is stored, and no document is made in this thread
      const { result, update } = await make(await readParts(projectId, flowId))
      const id = await appendUpdate(db.forProject(flow.projectId), flow, update, edit)
      bus.publish(flowChannel(flow), encodeNews({ type: 'stored', id }))
      // somebody may have come in since
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

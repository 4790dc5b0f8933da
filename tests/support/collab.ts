import { once } from 'node:events'
import { createEncoder, toUint8Array, writeVarUint, writeVarUint8Array } from 'lib0/encoding'
import WebSocket from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import type { FlowDocument } from '../../engine/document/flowDocument'
import { createChatbot } from '../../server/contracts/chatbots'
import { createDocuments } from '../../server/modules/flows/collab/documents'
import type { TestClient } from './client'
import type { Registered, TestServer } from './server'

/** A WebSocket like a browser's: with the client's cookies and the page's origin. */
export function socketOf(client: Pick<TestClient, 'cookies'>, origin?: string): typeof globalThis.WebSocket {
  return class extends WebSocket {
    constructor(url: string) {
      const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      super(url, { headers: { cookie, origin: origin ?? new URL(url.replace(/^ws/, 'http')).origin } })
    }
  } as unknown as typeof globalThis.WebSocket
}

export interface Peer {
  provider: WebsocketProvider
  document: FlowDocument
  /** resolves when this peer's document fulfils the check */
  sees(check: (document: FlowDocument) => boolean): Promise<void>
  closed: Promise<{ code: number; reason: string }>
  leave(): void
}

/** Opens a flow with the stock WebsocketProvider. */
export function openPeer(
  server: Pick<TestServer, 'url'>,
  client: Pick<TestClient, 'cookies'>,
  fid: string,
  options: { origin?: string } = {},
): Peer {
  const document = createDocument({ registry })
  const provider = new WebsocketProvider(`${server.url.replace(/^http/, 'ws')}/collab`, fid, document.doc, {
    WebSocketPolyfill: socketOf(client, options.origin),
    disableBc: true,
  })
  return {
    provider,
    document,
    sees: (check) =>
      new Promise((resolve) => {
        const look = () => {
          if (!check(document)) return
          document.doc.off('update', look)
          resolve()
        }
        document.doc.on('update', look)
        look()
      }),
    closed: new Promise((resolve) => {
      provider.on('closed', (end) => resolve(end))
    }),
    leave() {
      provider.destroy()
      document.destroy()
    },
  }
}

export const synced = (peer: Peer): Promise<void> =>
  new Promise((resolve) => {
    if (peer.provider.synced) return resolve()
    peer.provider.on('sync', (isSynced) => isSynced && resolve())
  })

/** Creates a chatbot with its flow. */
export async function makeChatbot(owner: Registered) {
  const { chatbot } = await owner.call(createChatbot, { params: { pgid: owner.pgid }, body: { name: 'Bot' } })
  return { pgid: owner.pgid, cgid: chatbot.gid, fid: chatbot.fid }
}

/** Adds a member with roles to a project. */
export async function addMember(server: TestServer, pgid: string, member: Registered, roles: number[]): Promise<void> {
  const { db } = server.context
  const project = await db.selectFrom('projects').select('id').where('gid', '=', pgid).executeTakeFirstOrThrow()
  const user = await db.selectFrom('users').select('id').where('gid', '=', member.user.ui).executeTakeFirst()
  const found =
    user ?? (await db.selectFrom('users').select('id').where('email', '=', member.user.email).executeTakeFirstOrThrow())
  await db
    .insertInto('project_members')
    .values({ project_id: project.id, user_id: found.id, roles, created_at: new Date() })
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ roles }))
    .execute()
}

export const updateWith = (write: (doc: Y.Doc) => void): Uint8Array => {
  const doc = new Y.Doc()
  write(doc)
  return Y.encodeStateAsUpdate(doc)
}

/** A flow's row, by its public id. */
export const flowRow = ({ context }: TestServer, fid: string) =>
  context.db
    .selectFrom('flows')
    .select(['id', 'project_id as projectId'])
    .where('gid', '=', fid)
    .executeTakeFirstOrThrow()

/** The draft as another process would read it from the database. */
export async function storedFlow(server: TestServer, fid: string) {
  const { id, projectId } = await flowRow(server, fid)
  return createDocuments({ ...server.context }).readFlow(projectId, id)
}

/** A bare socket after its handshake. */
export async function rawSocket(server: TestServer, client: Registered, fid: string, query = '') {
  const socket = new (socketOf(client) as unknown as typeof WebSocket)(
    `${server.url.replace('http', 'ws')}/collab/${fid}${query}`,
  )
  await once(socket, 'message')
  return socket
}

/** A frame of y-protocols: the message's type, the kind of sync message, bytes. */
export function frame(type: number, kind: number | undefined, bytes: Uint8Array): Uint8Array {
  const encoder = createEncoder()
  writeVarUint(encoder, type)
  if (kind !== undefined) writeVarUint(encoder, kind)
  writeVarUint8Array(encoder, bytes)
  return toUint8Array(encoder)
}

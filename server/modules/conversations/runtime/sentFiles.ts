import { Readable } from 'node:stream'
import type { InputRequest, SentFile } from '../../../../engine/flow/conversation'
import { SENT_FILE_CAP } from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { disposition } from '../../../platform/files/disposition'
import type { FileStore } from '../../../platform/files/files'
import { createUploadQuotas } from '../../../platform/files/uploadQuotas'
import { chatUrlOf } from '../../../platform/http/chatOrigin'
import { readBody } from '../../../platform/http/fileBody'
import type { ConversationRef } from '../conversations/conversationRef'
import { fileKind, HEAD, isAccepted } from './fileKind'

type FileRequest = Extract<InputRequest, { input: 'file' }>
type Wanted = Pick<FileRequest, 'accept' | 'maxSize'>
const ANY_FILE: Wanted = { accept: [], maxSize: SENT_FILE_CAP }

/** The number of uploads allowed for each file that a question asks for: visitors change their minds. */
const TRIES = 3
/** The turn of files that members send: none, so that they don't count against a question's limit. */
const OF_MEMBERS = -1

interface Upload {
  /** the sender's IP address; null for members of the project, who test */
  address: string | null
  name: string
  length: number
  body: AsyncIterable<Uint8Array>
}
/** The turn of the run that asked for the files. */
interface Question {
  run_id: string
  project_id: string
  turn: number
}
/** A visitor's file: where browsers load it, or its bytes with what is said of them. */
type SentBytes = { link: string } | { link: null; type: string; size: number; bytes: Readable; disposition: string }
export type SentFiles = ReturnType<typeof createSentFiles>

/** Files that visitors upload while a question asks for some, and members to answer them, within quotas. */
export function createSentFiles(context: ServerContext, store: FileStore) {
  const { db, clock, ids, config } = context
  /** the number of uploads in progress in this process, by conversation */
  const coming = new Map<string, number>()
  const quotas = createUploadQuotas(context)
  const runsOf = (ref: ConversationRef) =>
    db
      .forProject(ref.project_id)
      .selectFrom('runs')
      .select('id')
      .where('conversation_id', '=', ref.id)
      .where('project_id', '=', ref.project_id)
  const addressOf = (gid: string) => `${chatUrlOf(config)}/files/sent/${gid}`

  return {
    /**
     * Stores a file for the question that waits. @throws ApiError conflict when no question waits for files or enough
     * were uploaded; too_large; unsupported_type; invalid for an empty file; upload_limit or project_full when a quota
     * is used up
     */
    async receive(ref: ConversationRef, sent: Upload) {
      const others = coming.get(ref.id) ?? 0
      coming.set(ref.id, others + 1)
      try {
        const { bytes, ...file } = await take(ref, sent, others)
        return { ...file, size: bytes }
      } finally {
        const left = (coming.get(ref.id) ?? 1) - 1
        if (left > 0) coming.set(ref.id, left)
        else coming.delete(ref.id)
      }
    },

    /**
     * Stores a file that came by mail with a message of the visitor. @throws ApiError invalid for an empty file;
     * too_large; upload_limit or project_full when a quota is used up
     */
    async add(
      ref: ConversationRef,
      { name, bytes, sender }: { name: string; bytes: Uint8Array; sender: string },
    ): Promise<SentFile> {
      if (bytes.length === 0) throw new ApiError('invalid', { message: 'This file is empty.' })
      if (bytes.length > SENT_FILE_CAP) throw tooLarge(SENT_FILE_CAP)
      const row = await db
        .forProject(ref.project_id)
        .selectFrom('conversations')
        .innerJoin('runs', 'runs.id', 'conversations.run_id')
        .select(['runs.id as run_id', 'turns', 'chatbot_id'])
        .where('conversations.id', '=', ref.id)
        .executeTakeFirst()
      if (!row) throw new ApiError('invalid', { message: 'The conversation takes no files.' })
      const visitor = { chatbotId: row.chatbot_id, address: sender }
      const { bytes: size, ...file } = await quotas.during(
        { projectId: ref.project_id, visitor, bytes: bytes.length },
        async () => {
          const plain = plainName(name)
          const kind = await fileKind(Buffer.from(bytes.subarray(0, HEAD)), plain)
          const stored = await store.put(ref.project_id, Readable.from([bytes]), kind)
          const gid = ids()
          const place = { run_id: row.run_id, project_id: ref.project_id, turn: row.turns }
          await db
            .forProject(ref.project_id)
            .insertInto('sent_files')
            .values({
              ...stored,
              ...place,
              gid,
              media_type: kind.type,
              name: plain,
              sent_at: clock(),
              created_at: clock(),
            })
            .execute()
          return { name: plain, url: addressOf(gid), type: kind.type, bytes: stored.bytes }
        },
      )
      return { ...file, size }
    },

    /**
     * Stores a member's file for the conversation, to be named by an answer. @throws ApiError too_large; invalid for an
     * empty file; project_full
     */
    async receiveFromMember(ref: ConversationRef, sent: Omit<Upload, 'address'>) {
      if (sent.length > SENT_FILE_CAP) throw tooLarge(SENT_FILE_CAP)
      const run = await runsOf(ref).orderBy('number', 'desc').limit(1).executeTakeFirst()
      if (!run) throw new ApiError('not_found')
      const place = { run_id: run.id, project_id: ref.project_id, turn: OF_MEMBERS }
      const quota = { projectId: ref.project_id, visitor: null, bytes: sent.length || SENT_FILE_CAP }
      const { bytes, ...file } = await quotas.during(quota, () => write(place, ANY_FILE, sent))
      return { ...file, size: bytes }
    },

    /**
     * The files that a reply names, in its order. @throws ApiError invalid for one that does not belong to this
     * conversation
     */
    async named(ref: ConversationRef, gids: readonly string[]): Promise<SentFile[]> {
      const rows = await db
        .forProject(ref.project_id)
        .updateTable('sent_files')
        .set({ sent_at: clock() })
        .where('gid', 'in', gids)
        .where('project_id', '=', ref.project_id)
        .where('run_id', 'in', runsOf(ref))
        .returning(['gid', 'name', 'media_type', 'bytes'])
        .execute()
      return [...new Set(gids)].map((gid) => {
        const row = rows.find((candidate) => candidate.gid === gid)
        if (!row) throw new ApiError('invalid', { message: 'A file is missing. Please send it again.' })
        return { name: row.name, url: addressOf(gid), type: row.media_type, size: row.bytes }
      })
    },

    /**
     * A file by its id, for anyone who knows the id, while its chatbot is not being deleted. @throws ApiError not_found
     */
    async read(gid: string): Promise<SentBytes> {
      const row = await db
        .selectFrom('sent_files')
        .innerJoin('runs', (join) =>
          join.onRef('runs.id', '=', 'sent_files.run_id').onRef('runs.project_id', '=', 'sent_files.project_id'),
        )
        .innerJoin('conversations', (join) =>
          join
            .onRef('conversations.id', '=', 'runs.conversation_id')
            .onRef('conversations.project_id', '=', 'runs.project_id'),
        )
        .innerJoin('chatbots', (join) =>
          join
            .onRef('chatbots.id', '=', 'conversations.chatbot_id')
            .onRef('chatbots.project_id', '=', 'conversations.project_id'),
        )
        .selectAll('sent_files')
        .where('sent_files.gid', '=', gid)
        .where('chatbots.deleting_since', 'is', null)
        .executeTakeFirst()
      if (!row) throw new ApiError('not_found')
      const { name, media_type: type, bytes: size } = row
      const shown = disposition(/^(image|audio|video)\//.test(type) ? 'inline' : 'attachment', name)
      const link = await store.link(row.project_id, row.sha256, { type, disposition: shown })
      if (link) return { link }
      const bytes = await store.read(row.project_id, row.sha256)
      if (!bytes) throw new ApiError('not_found')
      return { link: null, type, size, bytes, disposition: shown }
    },
  }

  async function take(ref: ConversationRef, sent: Upload, others: number) {
    const { question, request, chatbotId } = await asked(ref)
    const cap = Math.min(request.maxSize, SENT_FILE_CAP)
    if (sent.length > cap) throw tooLarge(cap)
    await refuseMany(question, request.maxCount, others)
    const visitor = sent.address === null ? null : { chatbotId, address: sent.address }
    const bytes = sent.length || cap
    return quotas.during({ projectId: ref.project_id, visitor, bytes }, () => write(question, request, sent))
  }

  async function write(question: Question, request: Wanted, sent: Omit<Upload, 'address'>) {
    const cap = Math.min(request.maxSize, SENT_FILE_CAP)
    const { head, bytes, drop } = await readBody(sent.body, { head: HEAD, cap, tooLarge: () => tooLarge(cap) })
    if (head.length === 0) throw new ApiError('invalid', { message: 'This file is empty.' })
    const name = plainName(sent.name)
    const kind = await fileKind(head, name)
    if (!isAccepted(request.accept, name, kind)) {
      drop()
      throw new ApiError('unsupported_type', { message: `This file is not one of ${request.accept.join(', ')}.` })
    }
    const stored = await store.put(question.project_id, bytes, kind)
    const gid = ids()
    await db
      .forProject(question.project_id)
      .insertInto('sent_files')
      .values({
        ...stored,
        ...question,
        gid,
        media_type: kind.type,
        name,
        created_at: clock(),
      })
      .execute()
    return { id: gid, name, type: kind.type, bytes: stored.bytes }
  }

  async function asked(ref: ConversationRef) {
    const row = await db
      .forProject(ref.project_id)
      .selectFrom('conversations')
      .innerJoin('runs', (join) =>
        join.onRef('runs.id', '=', 'conversations.run_id').onRef('runs.project_id', '=', 'conversations.project_id'),
      )
      .select(['runs.id as run_id', 'state', 'session', 'turns', 'chatbot_id'])
      .where('conversations.id', '=', ref.id)
      .where('conversations.project_id', '=', ref.project_id)
      .executeTakeFirst()
    const request = row?.state === 'waiting' ? row.session.request : null
    if (!row || request?.input !== 'file') throw new ApiError('conflict', { message: 'No file was requested.' })
    const question: Question = { run_id: row.run_id, project_id: ref.project_id, turn: row.turns }
    return { question, request, chatbotId: row.chatbot_id }
  }

  /** @param others uploads that started before and are not stored yet */
  async function refuseMany({ run_id, project_id, turn }: Question, most: number, others: number): Promise<void> {
    const { count } = await db
      .forProject(project_id)
      .selectFrom('sent_files')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('run_id', '=', run_id)
      .where('project_id', '=', project_id)
      .where('turn', '=', turn)
      .executeTakeFirstOrThrow()
    if (Number(count) + others >= most * TRIES)
      throw new ApiError('conflict', { message: `At most ${most} files can be sent.` })
  }
}

const tooLarge = (cap: number) =>
  new ApiError('too_large', { message: `This file is larger than ${cap / 1_000_000} MB. Choose a smaller one.` })

/** A name without folders and without characters that are not allowed in names. */
const plainName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
    .slice(-255) || 'file'

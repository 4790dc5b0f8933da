import { randomBytes } from 'node:crypto'
import type { StartEvent } from '../../../../engine/flow/conversation'
import type { Reply } from '../../../../engine/flow/effects'
import type { ServerContext } from '../../../platform/context'
import { addHandlers, type EffectHandler, type EffectHandlers } from '../../../platform/effects/handleEffect'
import { ApiError } from '../../../platform/errors'
import type { GatePlace } from '../../../platform/http/admission'
import { createThreads } from '../../../platform/workers/createThreads'
import type { Drafts } from '../../flows/drafts/createDrafts'
import { createEmbedder } from '../../models/embedder'
import type { Channels } from '../channels/channel'
import { createOutbox } from '../channels/outbox'
import type { ConversationRef } from '../conversations/conversationRef'
import { createRuns, type StartOptions } from './beginRuns'
import { createDebugging } from './debugging'
import { createMeaning } from './meaning'
import { createNamedVariables } from './namedVariables'
import { createOwnership } from './ownership'
import { createPeople } from './people'
import { createPresence } from './presence'
import { createPrograms } from './programs'
import { createReplays } from './replays'
import { type Conversation, findTest, type RunRef } from './rows'
import type { Lock } from './runTask'
import { turnSweeps } from './sweeps'
import { createTimers } from './timers'
import { TRAINING } from './trainClassifier'
import { readTranscript } from './transcript'
import { createTurns } from './turns'
import { createTurnThreads, type TurnThreads } from './turnThreads'
import { createUpdates } from './updates'
import { createVisitors, hashToken, type LockedForVisitor, type Visitor } from './visitors'

export type { StartOptions } from './beginRuns'
export type { Conversation } from './rows'
export type { Visitor, VisitorsConversation } from './visitors'
export type Runtime = ReturnType<typeof createRuntime>

/** An external call may take a while; a message sent meanwhile, to any process, waits this long for its turn. */
const PATIENCE = 25_000

/**
 * Runs conversations: starts them, takes replies, notifies subscribers.
 * @param context with the module that manages drafts, through which versions are read
 * @param handlers handlers of blocks' effects, instead of the context's
 * @param threads worker threads for turns that need much CPU time
 * @param channels channels beside the web, by name
 * @param patience milliseconds that a message waits for a turn in another process
 */
export function createRuntime(
  context: ServerContext & { drafts: Drafts },
  handlers?: readonly EffectHandler[],
  patience = PATIENCE,
  threads: TurnThreads = createTurnThreads(),
  channels: Channels = new Map(),
) {
  const { db, clock, ids, config, log } = context
  const updates = createUpdates(context.bus)
  const presence = createPresence(context.bus)
  const ownership = createOwnership(db)
  const embed = createEmbedder(
    config.ai,
    (reason) => log.warn({ reason }, 'the embedding model failed'),
    context.metrics,
  )
  const train = createThreads(TRAINING)
  const programs = createPrograms(context, { asksMeaning: embed !== null, train })
  // looked up at each call: other modules register their handlers after the runtime is created
  const effects = handlers ? addHandlers(new Map(), handlers) : context.effects
  const own: EffectHandlers = addHandlers(new Map(), embed ? [createMeaning({ context, programs, embed })] : [])
  const runs = createRuns({ db, clock, ids }, programs, channels)
  const timers = createTimers(context.jobs, clock)
  const outbox = createOutbox(context, channels)
  const turns = createTurns(context, {
    programs,
    threads,
    ownership,
    updates,
    handlerOf: (name) => own.get(name) ?? effects.get(name),
    timers,
    outbox,
    patience,
  })

  const visitors = createVisitors({ db, clock })
  const debugging = createDebugging({ db, clock, turns, timers })

  return {
    updates,
    presence,

    /**
     * What would start, without starting it: whether it depends on this visit (a returning visitor, a page) or is the
     * same for everyone, and how it is displayed.
     */
    async foresee({ projectId, versionId }: { projectId: string; versionId: string }, event: StartEvent) {
      const program = await programs.get(projectId, versionId)
      const trigger = program.entry(event)?.runnable
      return {
        forThisVisit: (trigger?.definition.rank ?? 0) > 0,
        shows: trigger?.definition.shows(trigger.data) ?? 'open',
      }
    },

    /** The main flow's triggers that links open, and the one whose link a message was opened by; null: none. */
    async links({ projectId, versionId }: { projectId: string; versionId: string }, message = '') {
      const program = await programs.get(projectId, versionId)
      return { texts: program.linkTexts, opened: program.openedBy(message) }
    },

    /** What begins on a page by itself, for anybody who comes to it; and whether that depends on the page. */
    async foreseePage({ projectId, versionId }: { projectId: string; versionId: string }, url?: string) {
      const program = await programs.get(projectId, versionId)
      const trigger = program.entry({ type: 'start', ...(url !== undefined && { url }) })?.runnable
      const isOfPage = (trigger?.definition.rank ?? 0) > 0
      return {
        begins: isOfPage && trigger ? trigger.definition.shows(trigger.data) : null,
        watches: program.watchesPages,
      }
    },

    /** Starts a conversation and runs its first turn. `token` is the visitor's secret, null for tests. */
    async start(
      options: StartOptions,
      gatePlace?: GatePlace,
    ): Promise<{ ref: RunRef & { gid: string }; token: string | null }> {
      const token = options.startedBy === null ? randomBytes(32).toString('base64url') : null
      const ref = await runs.startConversation(options, token ? hashToken(token) : null)
      await turns.begin(ref, gatePlace)
      return { ref, token }
    },

    /**
     * Starts a conversation on which nobody waits: its first turn goes on by itself, after a crash as well.
     * @returns it, as soon as it is stored
     */
    async startSoon(options: StartOptions): Promise<RunRef & { gid: string }> {
      const ref = await runs.startConversation(options, null)
      turns
        .begin(ref)
        .catch((error) =>
          log.error({ err: error, conversation: ref.id }, 'a conversation that was called did not begin'),
        )
      return ref
    },

    reply: turns.reply,
    /**
     * Likewise, of a visitor: whether they may write is checked with the lock.
     * @throws ApiError as `findWriter` does, and what `admit` throws
     * @param admit called once, with the conversation's row locked and the settings that its visitors meet
     */
    async replyOfVisitor(
      visitor: Visitor,
      clientId: string,
      reply: Reply,
      { place, admit }: { place?: GatePlace; admit: (locked: LockedForVisitor) => Promise<void> },
    ): ReturnType<typeof turns.reply> {
      const ref = await visitors.recall(visitor)
      let admitted: Promise<void> | undefined
      let last: LockedForVisitor['row'] | undefined
      const enter = async (locked: LockedForVisitor) => {
        admitted ??= admit(locked)
        await admitted
        last = locked.row
        return locked.row
      }
      const lock: Lock = async (work) => enter(await visitors.lock(work, visitor, ref))
      const later = visitors.lockLater(visitor)
      const remembered: Lock | undefined = later && (() => enter(later))
      const transcript = await turns.reply(ref, clientId, reply, { place, lock, remembered })
      const { saved } = transcript
      if (saved && last) visitors.remember(visitor, { ...last, ...saved.row }, saved.version)
      return transcript
    },
    findForVisitor: visitors.find,
    findWriter: visitors.findWriter,
    recallForVisitor: visitors.recall,
    answerByOpening: turns.answerByOpening,
    signal: turns.signal,
    happen: turns.happen,
    people: createPeople(context, { runs, turns, timers, updates, outbox }),
    /**
     * Resends a message that a channel failed to deliver. @throws ApiError not_found if its delivery was not given up
     */
    sendAgain: outbox.retry,
    debugging,

    ...createNamedVariables({ db, programs, debugging }),

    program: programs.get,
    variables: (projectId: string, versionId: string) => programs.variables(projectId, versionId),
    groupOf: (...asked: Parameters<typeof programs.groupOf>) => programs.groupOf(...asked),
    replays: createReplays(context, threads, train),
    recover: () => turns.recover(),

    jobs: [timers.handledBy(turns.timeOut), outbox.job],
    sweeps: turnSweeps(context, () => turns.recover()),

    /**
     * Whether another version is published than the conversation's own, and nobody has said anything in it but the bot:
     * then nothing is lost by beginning anew. One that runs stays with its version.
     */
    async renews({ id, project_id }: ConversationRef): Promise<boolean> {
      const row = await db
        .forProject(project_id)
        .selectFrom('conversations')
        .innerJoin('runs', (join) =>
          join.onRef('runs.id', '=', 'conversations.run_id').onRef('runs.project_id', '=', 'conversations.project_id'),
        )
        .innerJoin('flows', (join) =>
          join
            .onRef('flows.chatbot_id', '=', 'conversations.chatbot_id')
            .onRef('flows.project_id', '=', 'conversations.project_id')
            .on('flows.is_main', '=', true),
        )
        .select('conversations.id')
        .where('conversations.id', '=', id)
        .where('conversations.project_id', '=', project_id)
        .where('conversations.status', '!=', 'person')
        .whereRef('flows.published_version_id', '!=', 'runs.flow_version_id')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('messages')
                .select('messages.seq')
                .whereRef('messages.conversation_id', '=', 'conversations.id')
                .whereRef('messages.project_id', '=', 'conversations.project_id')
                .where('messages.author', '=', 2),
            ),
          ),
        )
        .executeTakeFirst()
      return row !== undefined
    },

    /** The messages from a sequence number on, and the question that waits. @throws ApiError not_found */
    read: (ref: ConversationRef, from?: number | { latest: number }) => readTranscript(db, ref, clock(), from),

    /** A test conversation of the user. @throws ApiError not_found */
    async findForTester(
      chatbot: { id: string; projectId: string },
      gid: string,
      userId: string,
    ): Promise<Conversation> {
      const row = await findTest(db, { projectId: chatbot.projectId, chatbotId: chatbot.id, gid, userId })
      if (!row) throw new ApiError('not_found')
      return row
    },

    close() {
      turns.close()
      threads.close()
      return ownership.close()
    },
  }
}

import type { FastifyInstance } from 'fastify'
import { markdownText } from '../../../engine/values/markdown'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/inbox'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError } from '../../platform/errors'
import { lengthOf } from '../../platform/http/fileBody'
import type { Translator } from '../agents/translator/createTranslator'
import type { Channels } from '../conversations/channels/channel'
import { takeFiles } from '../conversations/chat/routes'
import type { Runtime } from '../conversations/runtime/createRuntime'
import type { SentFiles } from '../conversations/runtime/sentFiles'
import type { Knowledge } from '../knowledge/knowledge'
import { createChanges } from './changes'
import { readConversation, textCapOf } from './conversation'
import { markCorrected } from './correction'
import { countViews } from './counts'
import { readDebug } from './debug'
import { findConversation } from './findConversation'
import { listConversations, listFound } from './list'
import type { Live } from './live'
import { mergedInto } from './merge/mergedInto'
import { writeNote } from './notes'
import { presentPerson } from './presenter'
import { searchMessages } from './search'
import { suggest } from './suggestion'
import { templateMessage, templatesOf } from './templates'
import { readThreadPage } from './thread'
import { translateMessages } from './translation'

interface Parts {
  runtime: Runtime
  channels: Channels
  sentFiles: SentFiles
  knowledge: Knowledge
  live: Live
  translator: Translator
}

/** Routes of the inbox: conversations of a project as people see, answer and sort them. */
export function registerInbox(
  app: FastifyInstance,
  context: ServerContext,
  { runtime, channels, sentFiles, knowledge, live, translator }: Parts,
): void {
  const { log } = context
  const change = createChanges(context, runtime)

  registerRoute(
    app,
    context,
    contract.listInbox,
    async ({ caller, query: { view, search, after, before, ...filters } }) => {
      const inbox = { projectId: caller.project.id, userId: caller.user.id }
      if (!search) return listConversations(caller.db, inbox, { view, after, filters })
      const { found, next } = await searchMessages(context.db, { projectId: inbox.projectId, words: search, before })
      return { conversations: await listFound(caller.db, inbox, found, filters), next }
    },
  )
  registerRoute(app, context, contract.countInbox, ({ caller, query }) =>
    countViews(caller.db, { projectId: caller.project.id, userId: caller.user.id }, { ...query, now: context.clock() }),
  )

  registerRoute(app, context, contract.readInboxConversation, async ({ caller, params }) => ({
    conversation: await readConversation(caller.db, channels, caller.project.id, params.conversation),
  }))
  registerRoute(app, context, contract.readThread, async ({ caller, params, query }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    const { before, of = row.gid } = query
    const conversation = of === row.gid ? null : of
    if (conversation !== null && !(await mergedInto(caller.db, row)).some(({ gid }) => gid === conversation))
      throw new ApiError('not_found')
    return readThreadPage(caller.db, row, before === undefined ? undefined : { seq: before, conversation })
  })
  registerRoute(app, context, contract.debugMessage, async ({ caller, params }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    return readDebug(caller.db, runtime, row, params.seq)
  })
  registerRoute(app, context, contract.correctMessage, async ({ caller, params, body, origin }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    const { source } = body
    await markCorrected(caller.db, context, row, { seq: params.seq, source, userId: caller.user.id, origin })
    return {}
  })
  registerRoute(app, context, contract.suggestReply, async ({ caller, params }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    return suggest(caller.db, knowledge, row)
  })

  registerRoute(app, context, contract.readThreadTranslator, async ({ caller, params }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    return { model: await translator.find(caller.db, { projectId: row.project_id, chatbotId: row.chatbot_id }) }
  })
  registerRoute(app, context, contract.translateThread, async ({ caller, params, body }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    return translateMessages(caller.db, { ...context, translator }, row, body)
  })

  registerRoute(app, context, contract.changeConversations, async ({ caller, body, origin }) => {
    const by = { db: caller.db, userId: caller.user.id, origin }
    const failed: { conversation: string; reason: string }[] = []
    const [only] = new Set(body.conversations)
    if (body.conversations.length === 1 && only) await change(by, only, body.change)
    else
      for (const conversation of new Set(body.conversations))
        await change(by, conversation, body.change).catch((error: unknown) => {
          if (!(error instanceof ApiError)) log.error({ err: error, conversation }, 'a conversation was not changed')
          const known = error instanceof ApiError ? error : new ApiError('internal')
          const [field] = Object.values(known.fields ?? {})
          failed.push({ conversation, reason: field ?? known.message })
        })
    return { failed }
  })

  registerRoute(app, context, contract.replyToVisitor, async ({ caller, params, body }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    const cap = textCapOf(row.channel)
    if (body.text.length > cap)
      throw fieldError('text', `This channel takes at most ${cap.toLocaleString('en')} characters.`)
    const { client_id, text, file_ids, template, ...how } = body
    if (template) {
      const contents = [await templateMessage(channels, row, template)] as const
      return {
        seq: await runtime.people.answer(row, { userId: caller.user.id, clientId: client_id, contents, ...how }),
      }
    }
    const files = file_ids.length === 0 ? [] : await sentFiles.named(row, file_ids)
    const said = { kind: 'text', text: markdownText(text) } as const
    const sent = { kind: 'files', files } as const
    const contents = files.length === 0 ? ([said] as const) : text === '' ? ([sent] as const) : ([said, sent] as const)
    return { seq: await runtime.people.answer(row, { userId: caller.user.id, clientId: client_id, contents, ...how }) }
  })
  registerRoute(app, context, contract.listReplyTemplates, async ({ caller, params }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    return { templates: await templatesOf(channels, row) }
  })
  app.register(async (scope) => {
    takeFiles(scope)
    registerRoute(scope, context, contract.sendReplyFile, async ({ caller, params, query, body, request }) => {
      const row = await findConversation(caller.db, caller.project.id, params.conversation)
      return { file: await sentFiles.receiveFromMember(row, { name: query.name, length: lengthOf(request), body }) }
    })
  })
  registerRoute(app, context, contract.addNote, async ({ caller, params, body, origin }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    const note = { body: body.body, clientId: body.client_id, userId: caller.user.id }
    await writeNote(caller.db, context, row, note, origin)
    return {}
  })
  registerRoute(app, context, contract.seeConversation, async ({ caller, params }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    await runtime.people.see(row, 'team')
    return {}
  })

  registerRoute(app, context, contract.showPresence, async ({ caller, params, body: { state } }) => {
    const row = await findConversation(caller.db, caller.project.id, params.conversation)
    const user = await caller.db
      .selectFrom('users')
      .select(['gid', 'first_name', 'last_name', 'picture'])
      .where('id', '=', caller.user.id)
      .executeTakeFirstOrThrow()
    const person = presentPerson(user)
    runtime.presence.show(row.project_id, { conversation: row.gid, person, state })
    if (state === 'typing') runtime.updates.draft(row.id, { after: row.last_seq, text: [], by: user.first_name })
    return {}
  })
  registerRoute(app, context, contract.inboxEvents, async ({ caller, query: { tab }, reply }) => {
    live.open({ reply, projectId: caller.project.id, userId: caller.user.id, tab, by: caller.user })
  })
}

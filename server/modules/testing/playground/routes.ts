import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../../access/access'
import { findFlow } from '../../../access/findFlow'
import { registerRoute } from '../../../access/register'
import { isAllowed, mayCarryOut } from '../../../access/roles'
import * as contract from '../../../contracts/playground'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { callerAddress } from '../../../platform/http/callerAddress'
import { lengthOf } from '../../../platform/http/fileBody'
import { lastEventId, takeFiles } from '../../conversations/chat/routes'
import type { Runtime } from '../../conversations/runtime/createRuntime'
import { receiveReply } from '../../conversations/runtime/receiveReply'
import type { Conversation, RunRef } from '../../conversations/runtime/rows'
import type { SentFiles } from '../../conversations/runtime/sentFiles'
import { createStreams } from '../../conversations/runtime/streamUpdates'
import type { Documents } from '../../flows/collab/documents'
import { readChatbotDrafts } from '../../flows/flows/chatbotFlows'
import { freezeDraft } from '../../flows/versions/freeze'
import { presentTest } from './presenter'
import { readStep } from './step'

/**
 * The testers' routes: they run the draft on the server with the same engine as published flows, and record every step.
 */
export function registerPlayground(
  app: FastifyInstance,
  context: ServerContext,
  runtime: Runtime,
  documents: Documents,
  files: SentFiles,
): void {
  const { debugging } = runtime
  const { drafts } = documents
  const stream = createStreams()

  /** The tester's own conversation. Throws not_found. */
  async function find(
    caller: ProjectCaller,
    params: Parameters<typeof findFlow>[2] & { conversation: string },
  ): Promise<Conversation> {
    const flow = await findFlow(caller, caller.project.id, params)
    return runtime.findForTester(
      { id: flow.chatbot_id, projectId: flow.project_id },
      params.conversation,
      caller.user.id,
    )
  }
  const present = async (caller: ProjectCaller, ref: RunRef, turn?: number) =>
    presentTest(caller, runtime, ref, await runtime.read(ref), turn)

  registerRoute(app, context, contract.startPlayground, async ({ params, body, caller, place: gatePlace }) => {
    refuseWithoutRight(caller, body.carry_out === true)
    if (body.from || Object.keys(body.values ?? {}).length > 0) wantEditor(caller)
    const { chatbot_id } = await findFlow(caller, caller.project.id, params)
    const { place, drafts: stored } = await readChatbotDrafts(caller, documents, caller.project.id, chatbot_id)
    const frozen = await drafts.work(caller.project.id, 'freeze', { drafts: stored, checked: null })
    const versionId = await freezeDraft({ ...context, db: caller.db }, place, frozen)
    const { ref } = await runtime.start(
      {
        projectId: caller.project.id,
        chatbotId: chatbot_id,
        versionId,
        environment: 'editor',
        clientId: body.client_id,
        startedBy: caller.user.id,
        carriesOut: body.carry_out === true,
        event: {
          type: 'start',
          ...(body.as?.url && { url: body.as.url }),
          ...(body.as?.away_days !== undefined && { awayDays: body.as.away_days }),
        },
        known: {
          user_id: caller.user.gid,
          ...(body.as?.language && { language: body.as.language.toLowerCase() }),
        },
        debug: {
          from: body.from ? placeOf(body.from) : null,
          values: body.values ?? {},
          pauses: body.pauses ?? { step: false, at: [] },
        },
      },
      gatePlace,
    )
    return present(caller, ref)
  })

  registerRoute(app, context, contract.sendPlaygroundMessage, async ({ params, body, caller, place }) => {
    const row = await find(caller, params)
    if (body.pauses) await debugging.pauseAt(row, body.pauses)
    return presentTest(
      caller,
      runtime,
      row,
      await runtime.reply(row, body.client_id, await receiveReply(files, row, body.reply), { place }),
    )
  })

  registerRoute(app, context, contract.switchPlayground, async ({ params, body, caller }) => {
    const row = await find(caller, params)
    refuseWithoutRight(caller, body.carry_out)
    await debugging.setCarriesOut(row, body.carry_out)
    return present(caller, row)
  })

  registerRoute(app, context, contract.readPlayground, async ({ params, query, caller }) =>
    present(caller, await find(caller, params), query.turn),
  )

  registerRoute(app, context, contract.continuePlayground, async ({ params, body, caller, place }) => {
    const row = await find(caller, params)
    await debugging.pauseAt(row, body.pauses)
    await debugging.resume(row, body.turn, place)
    return present(caller, row)
  })

  registerRoute(app, context, contract.setPlaygroundVariables, async ({ params, body, caller }) => {
    wantEditor(caller)
    const row = await find(caller, params)
    await debugging.setVariables(row, body.values)
    return present(caller, row)
  })

  registerRoute(app, context, contract.rewindPlayground, async ({ params, body, caller }) => {
    const row = await find(caller, params)
    await debugging.goBack(row, body.turn)
    return present(caller, row)
  })

  registerRoute(app, context, contract.stopPlayground, async ({ params, caller }) => {
    const row = await find(caller, params)
    await debugging.stop(row)
    return present(caller, row)
  })

  registerRoute(app, context, contract.inspectPlaygroundStep, async ({ params, caller }) =>
    readStep(caller, runtime, await find(caller, params), params),
  )

  app.register(async (scope) => {
    takeFiles(scope)
    registerRoute(scope, context, contract.sendPlaygroundFile, async ({ params, query, body, caller, request }) => {
      const row = await find(caller, params)
      return { file: await files.receive(row, { name: query.name, length: lengthOf(request), body, address: null }) }
    })
  })

  registerRoute(app, context, contract.playgroundEvents, async ({ params, query, caller, request, reply }) => {
    const row = await find(caller, params)
    await stream({
      reply,
      address: callerAddress(request.ip),
      conversation: row.id,
      after: lastEventId(request) ?? query.after,
      subscribe: (listener, onDraft) => runtime.updates.subscribe(row.id, listener, onDraft),
      async read(after) {
        const data = await presentTest(caller, runtime, row, await runtime.read(row, after + 1))
        return { last: data.conversation.messages.at(-1)?.seq ?? after, data }
      },
    })
  })
}

function refuseWithoutRight({ roles }: { roles: readonly number[] }, carriesOut: boolean): void {
  if (carriesOut && !mayCarryOut(roles)) throw new ApiError('forbidden')
}

/**
 * Blocks act with the values of variables: they call, mail and store for the project. Viewers may only do what visitors
 * can: start and answer.
 * @throws ApiError `forbidden` if the caller may not edit the flow
 */
function wantEditor({ roles }: ProjectCaller): void {
  if (isAllowed(roles, 'builder.update')) return
  throw new ApiError('forbidden', { message: 'A simulated visitor always starts at the beginning.' })
}

const placeOf = ({
  flow_id,
  group_id,
  block_id,
}: {
  flow_id: string | null
  group_id: string
  block_id?: string | undefined
}) => ({
  flowId: flow_id,
  groupId: group_id,
  ...(block_id !== undefined && { blockId: block_id }),
})

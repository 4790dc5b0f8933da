import { z } from 'zod'
import { readChatbot } from '../../../contracts/chatbots'
import { FLOW_FILE_BODY, listFlows, publishFlow } from '../../../contracts/flows'
import { runTests } from '../../../contracts/recordings'
import { gid } from '../../../contracts/route'
import { checkDraft } from '../../../contracts/versions'
import type { FlowFiles } from '../flowFiles'
import { combined, JsonText, list, type Operation, operation } from '../operation'

const names = { chatbot: 'cgid', flow: 'fid' }
const flowPlace = z.strictObject({ chatbot: gid, flow: gid })
const mark = z.string().max(64).describe('says which draft was read')
const content = z.record(z.string(), z.unknown()).describe('the whole flow, as the builder exports it')

export const flowOperations = (files: FlowFiles): readonly Operation[] => [
  list(listFlows, {
    id: 'listFlows',
    path: '/chatbots/{chatbot}/flows',
    tag: 'Flows',
    summary: 'List a chatbot’s flows',
    names,
    items: 'flows',
  }),
  combined({
    id: 'readFlow',
    method: 'GET',
    path: '/chatbots/{chatbot}/flows/{flow}',
    tag: 'Flows',
    summary: 'Read a flow’s draft',
    scope: 'read',
    params: flowPlace,
    answer: z.strictObject({ mark, flow: content }),
    run: async ({ params }, call) => {
      const { mark, text } = await files.read(call, params)
      return new JsonText(`{"mark":${JSON.stringify(mark)},"flow":${text}}`)
    },
  }),
  combined({
    id: 'writeFlow',
    method: 'PUT',
    path: '/chatbots/{chatbot}/flows/{flow}',
    tag: 'Flows',
    summary: 'Replace a flow’s draft',
    description:
      'What stood before is kept as a version. Refused with `conflict` when somebody changed the draft since it was read. Visitors get it once it is published.',
    scope: 'write',
    params: flowPlace,
    body: z.strictObject({ mark, flow: content }),
    bodyLimit: FLOW_FILE_BODY,
    answer: z.strictObject({
      mark,
      kept_as_version: z.int().nullable(),
      notes: z.array(z.string()).describe('what was changed to fit in'),
      check: checkDraft.answer,
    }),
    run: ({ params, body: { mark, flow } }, call) => files.write(call, { ...params, mark, content: flow }),
  }),
  operation(checkDraft, {
    id: 'checkFlows',
    path: '/chatbots/{chatbot}/check',
    tag: 'Flows',
    summary: 'Check the drafts',
    description: 'Errors keep a chatbot from being published.',
    names,
  }),
  operation(runTests, {
    id: 'runTests',
    path: '/chatbots/{chatbot}/tests',
    tag: 'Flows',
    summary: 'Run the tests',
    description: 'Replays the conversations that were kept as tests on the drafts. Nothing outside is called.',
    names,
  }),
  combined({
    id: 'publish',
    method: 'POST',
    path: '/chatbots/{chatbot}/publish',
    tag: 'Flows',
    summary: 'Publish the drafts',
    scope: 'write',
    params: z.strictObject({ chatbot: gid }),
    body: publishFlow.body,
    example: { name: 'Opening hours', notes: 'Says when we are open on holidays' },
    answer: publishFlow.answer,
    run: async ({ params: { chatbot }, body }, call) => {
      const { fid } = (await call.route(readChatbot, { cgid: chatbot })).chatbot
      return call.route(publishFlow, { cgid: chatbot, fid }, { body })
    },
  }),
]

import { z } from 'zod'
import type { KeyCall } from '../../access/keyCall'
import { listChatbots, readChatbot } from '../../contracts/chatbots'
import { listFlows, publishFlow } from '../../contracts/flows'
import { gid } from '../../contracts/route'
import { checkDraft } from '../../contracts/versions'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import type { FlowFiles } from '../api/flowFiles'
import { defineTool, type McpTool } from './tool'

const chatbot = gid.describe('the id of a chatbot, from list_chatbots')
const flow = gid.optional().describe('the id of one of its flows, from list_flows; left out: the main flow')

/** Tools that read, change, check and publish flows. */
export function flowTools({ registry, ids }: Pick<ServerContext, 'registry' | 'ids'>, files: FlowFiles): McpTool[] {
  return [
    defineTool({
      name: 'list_chatbots',
      title: 'List chatbots',
      description: 'The chatbots of the project, with what is published of each.',
      input: z.strictObject({}),
      changes: false,
      run: async (_, { route }) => (await route(listChatbots, {})).chatbots,
    }),
    defineTool({
      name: 'list_flows',
      title: 'List flows',
      description: 'The flows of a chatbot: the main one, where conversations begin, and those that it enters.',
      input: z.strictObject({ chatbot }),
      changes: false,
      run: async ({ chatbot: cgid }, { route }) => (await route(listFlows, { cgid })).flows,
    }),
    defineTool({
      name: 'list_block_kinds',
      title: 'List block kinds',
      description: 'The kinds of blocks that a flow may hold: what each does.',
      input: z.strictObject({}),
      changes: false,
      run: async () =>
        registry.kinds
          .filter(({ inPalette }) => inPalette)
          .map(({ kind, category, title, help }) => ({ kind, category, title, help })),
    }),
    defineTool({
      name: 'describe_block_kind',
      title: 'Describe a block kind',
      description:
        'The JSON Schema of the data of a kind of block, the data of a new one, the version to write, and the ports that a new one has.',
      input: z.strictObject({ kind: z.string().max(64).describe('from list_block_kinds') }),
      changes: false,
      run: async ({ kind }) => {
        const definition = registry.find(kind)
        if (!definition)
          throw new ApiError('not_found', { message: `There is no kind “${kind}”: see list_block_kinds.` })
        const data = definition.defaults(ids)
        return {
          kind,
          help: definition.help,
          version: definition.migrations.length,
          // rules that JSON Schema can't express are omitted, and reported when a flow is written
          schema: z.toJSONSchema(definition.schema, { unrepresentable: 'any', io: 'input' }),
          defaults: data,
          ports: definition.ports(data),
        }
      },
    }),
    defineTool({
      name: 'read_flow',
      title: 'Read a flow',
      description: 'The draft of a flow as JSON, and its mark, which write_flow wants back.',
      input: z.strictObject({ chatbot, flow }),
      changes: false,
      run: async (args, call) => {
        const { mark, text } = await files.read(call, args)
        return `{ "mark": ${JSON.stringify(mark)}, "flow": ${text} }`
      },
    }),
    defineTool({
      name: 'write_flow',
      title: 'Write a flow',
      description:
        'Replaces the draft of a flow. What stood before is kept as a version that can be restored. Refused when somebody changed the ' +
        'draft since it was read. Visitors get it only once it is published.',
      input: z.strictObject({
        chatbot,
        flow,
        mark: z.string().max(64).describe('of read_flow'),
        content: z.record(z.string(), z.unknown()).describe('the whole flow, as read_flow gives it'),
      }),
      changes: true,
      run: (args, call) => files.write(call, args),
    }),
    defineTool({
      name: 'check_flows',
      title: 'Check the flows',
      description: 'What is wrong with the drafts of a chatbot: errors keep it from being published.',
      input: z.strictObject({ chatbot }),
      changes: false,
      run: async (args, call) => check(call, args.chatbot),
    }),
    defineTool({
      name: 'publish',
      title: 'Publish',
      description: 'Freezes the drafts of a chatbot as a version and gives it to visitors.',
      input: z.strictObject({
        chatbot,
        name: z.string().max(100).optional(),
        notes: z.string().max(2000).optional().describe('what is new in it, for the team'),
      }),
      changes: true,
      run: async ({ chatbot: cgid, ...about }, call) => {
        const { fid } = (await call.route(readChatbot, { cgid })).chatbot
        return call.route(publishFlow, { cgid, fid }, { body: about })
      },
    }),
  ]
}

const check = ({ route }: KeyCall, cgid: string) => route(checkDraft, { cgid })

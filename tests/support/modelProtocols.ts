/** A model's text or tool call in the protocols of the providers: as one JSON, and as the events of a stream. */
export interface ModelSays {
  text?: string
  tool?: { name: string; input: unknown }
}
export interface StreamEvents {
  /** one event each */
  pieces: string[]
  /** ends the stream */
  end: string[]
}
export interface ModelProtocol {
  whole(says: ModelSays): unknown
  events(says: ModelSays): StreamEvents
  refusal(status: number, message: string): unknown
  /** the list of models, by which keys are tested */
  list: unknown
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
const named = (data: { type: string }): string => `event: ${data.type}\n${event(data)}`
/** Three letters each, so that words are split. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/gu) ?? []

const chatUsage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
const chatChoice = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'small',
  choices: [{ index: 0, delta, finish_reason }],
})
const toolCall = ({ name, input }: { name: string; input: unknown }) => ({
  index: 0,
  id: 'call00001',
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})
const chatCompletions: ModelProtocol = {
  list: { object: 'list', data: [{ id: 'small', object: 'model', created: 0, owned_by: 'test' }] },
  whole: ({ text, tool }) => ({
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'small',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text ?? '', ...(tool && { tool_calls: [toolCall(tool)] }) },
        finish_reason: tool ? 'tool_calls' : 'stop',
      },
    ],
    usage: chatUsage,
  }),
  events: ({ text = '', tool }) => ({
    pieces: [
      ...pieces(text).map((piece) => event(chatChoice({ role: 'assistant', content: piece }))),
      ...(tool ? [event(chatChoice({ role: 'assistant', content: '', tool_calls: [toolCall(tool)] }))] : []),
    ],
    end: [
      event({ ...chatChoice({ content: '' }, tool ? 'tool_calls' : 'stop'), usage: chatUsage }),
      'data: [DONE]\n\n',
    ],
  }),
  refusal: (_status, message) => ({ error: { message, type: 'error', code: null, param: null } }),
}

const claudeMessage = (content: object[], stop_reason: string | null) => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'small',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 7, output_tokens: 3 },
})
const anthropic: ModelProtocol = {
  list: { data: [{ type: 'model', id: 'small', display_name: 'Small', created_at: '2026-01-01T00:00:00Z' }] },
  whole: ({ text, tool }) =>
    claudeMessage(
      [
        ...(text === undefined ? [] : [{ type: 'text', text }]),
        ...(tool ? [{ type: 'tool_use', id: 'toolu_1', name: tool.name, input: tool.input }] : []),
      ],
      tool ? 'tool_use' : 'end_turn',
    ),
  events: ({ text = '', tool }) => ({
    pieces: [
      named({ type: 'message_start', ...{ message: claudeMessage([], null) } }),
      ...(text === '' ? [] : [block(0, { type: 'text', text: '' })]),
      ...pieces(text).map((piece) => delta(0, { type: 'text_delta', text: piece })),
      ...(text === '' ? [] : [blockEnd(0)]),
      ...(tool
        ? [
            block(1, { type: 'tool_use', id: 'toolu_1', name: tool.name, input: {} }),
            delta(1, { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) }),
            blockEnd(1),
          ]
        : []),
    ],
    end: [
      named({
        type: 'message_delta',
        ...{
          delta: { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null },
          usage: { output_tokens: 3 },
        },
      }),
      named({ type: 'message_stop' }),
    ],
  }),
  refusal: (status, message) => ({
    type: 'error',
    error: { type: status === 401 ? 'authentication_error' : 'api_error', message },
  }),
}
const block = (index: number, content_block: object) =>
  named({ type: 'content_block_start', ...{ index, content_block } })
const delta = (index: number, change: object) => named({ type: 'content_block_delta', ...{ index, delta: change } })
const blockEnd = (index: number) => named({ type: 'content_block_stop', ...{ index } })

const geminiUsage = { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 }
const candidate = (parts: object[], finishReason?: string) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...(finishReason && { finishReason }) }],
  usageMetadata: geminiUsage,
})
const calling = (tool: ModelSays['tool']) => (tool ? [{ functionCall: { name: tool.name, args: tool.input } }] : [])
const google: ModelProtocol = {
  list: { models: [{ name: 'models/small', version: '1' }] },
  whole: ({ text, tool }) => candidate([...(text === undefined ? [] : [{ text }]), ...calling(tool)], 'STOP'),
  events: ({ text = '', tool }) => ({
    pieces: [
      ...pieces(text).map((piece) => event(candidate([{ text: piece }]))),
      ...(tool ? [event(candidate(calling(tool)))] : []),
    ],
    end: [event(candidate([{ text: '' }], 'STOP'))],
  }),
  refusal: (status, message) => ({ error: { code: status, message, status: 'INVALID_ARGUMENT' } }),
}

const responseUsage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 }
const said = (text: string) => ({
  type: 'message',
  role: 'assistant',
  id: 'msg_1',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const called = (tool: { name: string; input: unknown }) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: tool.name,
  arguments: JSON.stringify(tool.input),
  status: 'completed',
})
const openai: ModelProtocol = {
  list: chatCompletions.list,
  whole: ({ text, tool }) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 0,
    model: 'small',
    output: [...(text === undefined ? [] : [said(text)]), ...(tool ? [called(tool)] : [])],
    incomplete_details: null,
    usage: responseUsage,
  }),
  events: ({ text = '', tool }) => {
    const item = (type: string, output_index: number, about: object) =>
      event({ type: `response.output_item.${type}`, output_index, item: about })
    return {
      pieces: [
        event({ type: 'response.created', response: { id: 'resp_1', created_at: 0, model: 'small' } }),
        ...(text === '' ? [] : [item('added', 0, { ...said(''), content: [] })]),
        ...pieces(text).map((piece) =>
          event({
            type: 'response.output_text.delta',
            item_id: 'msg_1',
            output_index: 0,
            content_index: 0,
            delta: piece,
          }),
        ),
        ...(text === '' ? [] : [item('done', 0, said(text))]),
        ...(tool
          ? [
              item('added', 1, { ...called(tool), arguments: '', status: 'in_progress' }),
              event({
                type: 'response.function_call_arguments.delta',
                item_id: 'fc_1',
                output_index: 1,
                delta: JSON.stringify(tool.input),
              }),
              item('done', 1, called(tool)),
            ]
          : []),
      ],
      end: [
        event({
          type: 'response.completed',
          response: { id: 'resp_1', created_at: 0, model: 'small', incomplete_details: null, usage: responseUsage },
        }),
      ],
    }
  },
  refusal: chatCompletions.refusal,
}

export const modelProtocols = {
  'openai-compatible': chatCompletions,
  mistral: {
    ...chatCompletions,
    refusal: (_status: number, message: string) => ({
      object: 'error',
      message,
      type: 'error',
      param: null,
      code: null,
    }),
  },
  openai,
  anthropic,
  google,
} as const satisfies Record<string, ModelProtocol>
export type ModelProtocolName = keyof typeof modelProtocols

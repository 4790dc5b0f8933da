import { clip, type Fields, fieldsOf, isFields, listOf, textOf } from '../../engine/interop/fields'
import type { ForeignBlock, MappedBlock, NodeContext, NodeImporter, NotMapped } from '../../engine/interop/importer'
import { failing } from '../../engine/interop/nodes/exits'
import { isUnset, noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { joined, temperatureOf } from './import'
import { type AiAnswerData, aiAnswerDefaults, INSTRUCTIONS_CAP } from './schema'

/**
 * Nodes that call a model or search knowledge. The result is saved in the variable that other nodes read; an answer
 * node says it.
 */
export const aiAnswerFromDify: NodeImporter = {
  product: 'dify',
  types: ['llm', 'agent', 'knowledge-retrieval'],
  map(block, context) {
    if (block.type === 'agent') return mapAgent(block, context)
    return block.type === 'llm' ? mapModel(block, context) : mapKnowledge(block, context)
  },
}

function mapModel(block: ForeignBlock, context: NodeContext): MappedBlock | NotMapped {
  const templates = Array.isArray(block.prompt_template)
    ? block.prompt_template
    : [{ role: 'user', ...fieldsOf(block.prompt_template) }]
  const messages = templates.map(fieldsOf)
  if (messages.some(({ edition_type }) => edition_type === 'jinja2'))
    return { notMapped: 'Its prompt is a template with code (Jinja): write it into an AI answer, with variables.' }
  noteOthers(block, KNOWN, context)
  noteModel(fieldsOf(block.model), context)
  if (block.structured_output_enabled === true)
    context.note('It gave structured values: an AI extract finds values, this block answers in words.')
  if (block.vision !== undefined)
    context.note('It looked at pictures of the visitor: here the model reads texts alone.')
  const memory = isFields(block.memory) ? block.memory : null
  if (!memory) context.note('It was asked without what was said before: here the model knows the conversation.')
  // with memory, the visitor's message comes last, in the author's own wording if given
  const wording = textOf(memory?.query_prompt_template) || '{{#sys.query#}}'
  const isAsked = messages.findLast(({ role }) => role === 'user')?.text === wording
  const asked = memory && !isAsked ? [{ role: 'user', text: wording }] : []
  const { instructions, question } = promptOf([...messages, ...asked], context)
  return {
    data: {
      ...aiAnswerDefaults(),
      source: 'model',
      instructions: context.text(instructions, INSTRUCTIONS_CAP),
      question: context.text(question, caps.userMessage),
      temperature: temperatureOf(fieldsOf(fieldsOf(block.model).completion_params).temperature, context),
      say: false,
      saveTo: context.output('text'),
    } satisfies AiAnswerData,
    ports: failing('next', 'not-found', context),
  }
}

const KNOWN = [
  ...['id', 'type', 'model', 'prompt_template', 'prompt_config', 'memory', 'context', 'vision'],
  ...['structured_output_enabled', 'structured_output'],
]

function noteModel({ name, completion_params }: Fields, context: NodeContext): void {
  if (textOf(name))
    context.note(`The model '${clip(textOf(name), 60)}' is not carried over: the chatbot's model answers.`)
  const others = Object.entries(fieldsOf(completion_params)).filter(
    ([key, value]) => key !== 'temperature' && !isUnset(value),
  )
  if (others.length > 0)
    context.note(`Settings of its model are left out: ${clip(others.map(([key]) => key).join(', '), 200)}.`)
}

/** System messages become instructions, the visitor's last one the question; those between were examples. */
export function promptOf(
  messages: readonly Fields[],
  context: NodeContext,
): { instructions: string; question: string } {
  const written = messages.filter(({ text }) => textOf(text).trim() !== '')
  const last = written.findLastIndex(({ role }) => role === 'user')
  const system = written.filter(({ role }) => role === 'system').map(({ text }) => textOf(text))
  const examples = written
    .filter(({ role }, at) => role !== 'system' && at !== last)
    .map(({ role, text }) => `${role === 'assistant' ? 'You' : 'Visitor'}: ${textOf(text)}`)
  if (examples.length > 0) {
    system.push(`This was said before:\n${examples.join('\n')}`)
    context.note('Messages before the question became a part of the instructions.')
  }
  // a single instruction is the whole prompt
  return last < 0
    ? { instructions: '', question: joined(system) }
    : { instructions: joined(system), question: textOf(written[last]?.text) }
}

function mapAgent(block: ForeignBlock, context: NodeContext): MappedBlock | NotMapped {
  const parameters = fieldsOf(block.agent_parameters)
  const value = (name: string) => fieldsOf(parameters[name]).value
  const others = Object.keys(parameters).filter((name) => !AGENT.includes(name) && !isUnset(value(name)))
  if (textOf(value('instruction')) === '' || others.some((name) => name !== 'mcp_server'))
    return {
      notMapped: `The strategy '${clip(textOf(block.agent_strategy_name), 60)}' is a plugin: build what it does from an AI answer with actions.`,
    }
  const used = [
    'model',
    'agent_parameters',
    ...['agent_strategy_label', 'agent_strategy_name', 'agent_strategy_provider_name'],
    ...['output_schema', 'plugin_unique_identifier', 'id', 'type', 'memory', 'tool_node_version'],
  ]
  noteOthers(block, used, context)
  const {
    model,
    completion_params,
    mode: _mode,
    model_type: _type,
    provider: _provider,
    type: _kind,
  } = fieldsOf(value('model'))
  noteModel({ name: model, completion_params }, context)
  const tools = toolNames(value('tools'))
  if (tools.length > 0)
    context.note(
      `Its tools are left out (${clip(tools.join(', '), 200)}): add them to the chatbot as actions or tool servers.`,
    )
  if (textOf(value('mcp_server')))
    context.note('Its tool server is left out: add it to the chatbot under tool servers, with a key of yours.')
  return {
    data: {
      ...aiAnswerDefaults(),
      source: 'model',
      instructions: context.text(value('instruction'), INSTRUCTIONS_CAP),
      question: context.text(value('query'), caps.userMessage),
      say: false,
      saveTo: context.output('text'),
    } satisfies AiAnswerData,
    ports: failing('next', 'not-found', context),
  }
}

/** Their settings are dropped. */
const toolNames = (tools: unknown): string[] =>
  (JSON.parse(JSON.stringify(listOf(tools))) as unknown[]).map(
    (tool) => textOf(fieldsOf(tool).tool_label) || textOf(fieldsOf(tool).tool_name),
  )

const AGENT = ['instruction', 'query', 'model', 'tools', 'maximum_iterations', 'mcp_server']

/** A knowledge search for a prompt; here an answer from the chatbot's sources, which are not in the file. */
function mapKnowledge(block: ForeignBlock, context: NodeContext): MappedBlock {
  const known = [
    ...['id', 'type', 'dataset_ids', 'query_variable_selector', 'retrieval_mode', 'single_retrieval_config'],
    ...['multiple_retrieval_config', 'metadata_filtering_mode'],
  ]
  noteOthers(block, known, context)
  context.note(
    `It looked up passages in ${listOf(block.dataset_ids).length} of its knowledge bases, which are not in the file: here it answers from the chatbot's data sources. Add them there.`,
  )
  const asked = context.value(block.query_variable_selector)
  return {
    data: {
      ...aiAnswerDefaults(),
      source: 'knowledge',
      question: asked
        ? {
            type: 'dynamic',
            parts: [
              {
                type: 'variable',
                variable_id: asked.variableId,
                ...(asked.path !== undefined && { path: asked.path }),
              },
            ],
          }
        : aiAnswerDefaults().question,
      say: false,
      saveTo: context.output('result'),
    } satisfies AiAnswerData,
    // if nothing is found the flow goes on without, as in Dify
    ports: { default: 'next' },
  }
}

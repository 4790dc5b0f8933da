import { type Fields, fieldsOf, listOf, numberOf, textOf } from '../fields'
import type { ForeignBlock } from '../importer'
import { isUnset } from '../settings'

/** A node of the file with the context of its steps. */
export interface FlowiseNode {
  id: string
  type: string
  inputs: Fields
  /** the run ends with it: its output is sent */
  isLast: boolean
  before: { id: string; type: string }
  /** the entries of a form, one line per field: the prompt of models if there is no message */
  form: readonly string[]
  loops: readonly string[]
}

/** The blocks that a node becomes. */
export function stepsOf(node: FlowiseNode): ForeignBlock[] {
  const { id, type, inputs } = node
  const step = (stepType: string, fields: Fields = {}): ForeignBlock => ({ ...fields, id, type: stepType })
  const updates = (name: string) =>
    listOf(inputs[`${name}UpdateState`]).map((row) =>
      step('state', { key: fieldsOf(row).key, value: fieldsOf(row).value }),
    )
  switch (type) {
    case 'startAgentflow': {
      const { startInputType, formTitle, formDescription, formInputTypes } = inputs
      return startInputType === 'formInput' && listOf(formInputTypes).length > 0
        ? [step(type), step('start form', { formTitle, formDescription, formInputTypes })]
        : [step(type)]
    }
    case 'llmAgentflow':
    case 'agentAgentflow': {
      const name = type === 'llmAgentflow' ? 'llm' : 'agent'
      return [
        step(type, modelFields(name, node)),
        ...(structuredKeys(inputs).length > 0 ? [step('structured')] : []),
        ...updates(name),
      ]
    }
    case 'retrieverAgentflow':
      return [step(type, { ...without(inputs, /UpdateState$/), say: node.isLast }), ...updates('retriever')]
    case 'conditionAgentAgentflow': {
      const {
        conditionAgentInstructions: instructions,
        conditionAgentInput: input,
        conditionAgentScenarios: scenarios,
      } = inputs
      const model = modelName(inputs.conditionAgentModelConfig)
      return [
        step('class reset'),
        step(type, { instructions, input, scenarios, model }),
        step('class branches', { scenarios }),
      ]
    }
    case 'humanInputAgentflow':
      return [...node.loops.map((loop) => step('loop reset', { loop })), ...askingSteps(node, step)]
    case 'loopAgentflow': {
      const most = numberOf(inputs.maxLoopCount) || 5
      const said = textOf(inputs.fallbackMessage) || `Loop completed after reaching maximum iteration count of ${most}.`
      return [step('loop count'), ...updates('loop'), step('loop again', { most }), step('loop over', { text: said })]
    }
    case 'directReplyAgentflow':
      return [step(type, { text: inputs.directReplyMessage, artifacts: inputs.directReplyArtifacts })]
    case 'executeFlowAgentflow':
      return [step(type, inputs), ...updates('executeFlow')]
    default:
      return [step(type, inputs)]
  }
}

/** Steps at the start of each run. */
export function messageSteps(
  state: readonly Fields[],
  persists: boolean,
  hasNow: boolean,
  loops: readonly string[],
): ForeignBlock[] {
  const step = (type: string, fields: Fields = {}): ForeignBlock => ({ ...fields, id: '', type })
  return [
    step('message', { saveTo: 'question' }),
    ...(hasNow ? [step('now')] : []),
    ...loops.map((loop) => step('loop reset', { loop })),
    ...(persists ? [] : state.map(({ key, value }) => step('state', { key, value: textOf(value) }))),
  ]
}

/** The field names of a model's structured output. */
export const structuredKeys = (inputs: Fields): string[] =>
  listOf(inputs.llmStructuredOutput ?? inputs.agentStructuredOutput)
    .map((row) => textOf(fieldsOf(row).key))
    .filter((key) => key !== '')

const modelName = (config: unknown): string => textOf(fieldsOf(config).modelName) || textOf(fieldsOf(config).model)

const without = (fields: Fields, pattern: RegExp): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !pattern.test(name)))

function modelFields(name: 'llm' | 'agent', { inputs, isLast, form }: FlowiseNode): Fields {
  const own = (field: string): unknown => inputs[`${name}${field}`]
  const config = fieldsOf(own('ModelConfig'))
  const knowledge = [...listOf(own('KnowledgeDocumentStores')), ...listOf(own('KnowledgeVSEmbeddings'))].map(fieldsOf)
  return {
    say: isLast,
    messages: listOf(own('Messages')).map((each) => ({ role: fieldsOf(each).role, text: fieldsOf(each).content })),
    // if a form starts the run, models get its entries
    userMessage: textOf(own('UserMessage')) || form.join('\n'),
    memory: own('EnableMemory') === true,
    memoryType: own('MemoryType'),
    model: modelName(config),
    temperature: config.temperature,
    structured: listOf(own('StructuredOutput')).map(fieldsOf),
    tools: [...listOf(own('Tools')), ...listOf(own('ToolsBuiltInOpenAI'))].map(
      (tool) => textOf(fieldsOf(tool).agentSelectedTool) || 'a tool',
    ),
    asksFirst: listOf(own('Tools')).some((tool) => fieldsOf(tool).agentSelectedToolRequiresHumanInput === true),
    knowledge: knowledge.map(
      ({ documentStore, vectorStore, knowledgeName }) =>
        textOf(knowledgeName) || textOf(documentStore).split(':')[1] || textOf(vectorStore) || 'a store',
    ),
  }
}

/** A person's decision: the text so far is shown with the question. */
function askingSteps(
  { inputs, before }: FlowiseNode,
  step: (type: string, fields?: Fields) => ForeignBlock,
): ForeignBlock[] {
  const shown = /^(?:llm|agent)Agentflow$/.test(before.type) ? `{{ ${before.id} }}\n\n` : ''
  const feedback = !isUnset(inputs.humanInputEnableFeedback)
  if (inputs.humanInputDescriptionType === 'dynamic') {
    const prompt = textOf(inputs.humanInputModelPrompt)
    return [step('described', { prompt }), step('humanInputAgentflow', { text: '', feedback })]
  }
  const text = textOf(inputs.humanInputDescription) || 'Do you want to proceed?'
  const html = /^\s*</.test(text) ? `<p>${shown.trim()}</p>${text}` : shown + text
  return [step('humanInputAgentflow', { text: shown ? html : text, feedback })]
}

import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { ForeignBlock, MappedBlock, NodeContext, NodeImporter } from '../../engine/interop/importer'
import { failing } from '../../engine/interop/nodes/exits'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { promptOf } from './fromDify'
import { temperatureOf } from './import'
import { type AiAnswerData, aiAnswerDefaults, INSTRUCTIONS_CAP } from './schema'

/** Nodes that call a model or search a store. The result is saved, and said if the run ends there. */
export const aiAnswerFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['llmAgentflow', 'agentAgentflow', 'retrieverAgentflow', 'described'],
  map(block, context) {
    if (block.type === 'retrieverAgentflow') return mapRetriever(block, context)
    return block.type === 'described' ? mapDescription(block, context) : mapModel(block, context)
  },
}

function mapModel(block: ForeignBlock, context: NodeContext): MappedBlock {
  const known = ['id', 'type', 'say', 'messages', 'userMessage', 'memory', 'memoryType', 'model', 'temperature']
  noteOthers(block, [...known, 'structured', 'tools', 'asksFirst', 'knowledge'], context)
  if (textOf(block.model))
    context.note(`The model '${clip(textOf(block.model), 60)}' is not carried over: the chatbot's model answers.`)
  if (block.memory !== true)
    context.note('It was asked without what was said before: here the model knows the conversation.')
  const tools = listOf(block.tools).map(textOf)
  if (tools.length > 0)
    context.note(
      `Its tools are left out (${clip(tools.join(', '), 200)}): add them to the chatbot as actions or tool servers.`,
    )
  if (block.asksFirst === true)
    context.note('A tool of it waited for a person’s consent: that is left out with the tool.')
  const stores = listOf(block.knowledge).map(textOf)
  if (stores.length > 0)
    context.note(
      `What it knows is not in the file (${clip(stores.join(', '), 200)}): add it to the chatbot's data sources.`,
    )
  const messages = listOf(block.messages).map(fieldsOf)
  const wanted = wantedOf(listOf(block.structured).map(fieldsOf))
  const { instructions, question } = promptOf(
    [
      ...messages,
      ...(wanted ? [{ role: 'system', text: wanted }] : []),
      ...(textOf(block.userMessage) ? [{ role: 'user', text: block.userMessage }] : []),
    ],
    context,
  )
  const asks = messages.some(({ role }) => role === 'user') || textOf(block.userMessage) !== ''
  return {
    data: {
      ...aiAnswerDefaults(),
      source: stores.length > 0 ? 'knowledge' : 'model',
      // without a question it answers the visitor's message
      instructions: context.text(asks ? instructions : question, INSTRUCTIONS_CAP),
      question: context.text(asks ? question : '', caps.userMessage),
      temperature: temperatureOf(block.temperature, context),
      say: block.say === true,
      saveTo: context.output('content'),
    } satisfies AiAnswerData,
    ports: failing('next', 'not-found', context),
  }
}

/** Describes an object with these keys for the model. */
function wantedOf(rows: readonly Fields[]): string {
  if (rows.length === 0) return ''
  const keys = rows.map(({ key, type, description, enumValues, jsonSchema }) => {
    const more = [
      textOf(description),
      textOf(enumValues) && `one of: ${textOf(enumValues)}`,
      textOf(jsonSchema) && `each: ${textOf(jsonSchema)}`,
    ]
    return `- ${textOf(key)} (${textOf(type) || 'string'})${more
      .filter(Boolean)
      .map((each) => `, ${each}`)
      .join('')}`
  })
  return `Answer with one JSON object and nothing else, without code fences. Its keys:\n${keys.join('\n')}`
}

/** A document search; here an answer from the chatbot's sources, which are not in the file. */
function mapRetriever(block: ForeignBlock, context: NodeContext): MappedBlock {
  noteOthers(
    block,
    ['id', 'type', 'say', 'retrieverKnowledgeDocumentStores', 'retrieverQuery', 'outputFormat'],
    context,
  )
  const stores = listOf(block.retrieverKnowledgeDocumentStores).map(
    (each) => textOf(fieldsOf(each).documentStore).split(':')[1] || 'a store',
  )
  context.note(
    `It looked up documents (${clip(stores.join(', '), 200)}), which are not in the file: here it answers from the chatbot's data sources. Add them there.`,
  )
  return {
    data: {
      ...aiAnswerDefaults(),
      source: 'knowledge',
      question: context.text(block.retrieverQuery, caps.userMessage),
      say: block.say === true,
      saveTo: context.output('content'),
    } satisfies AiAnswerData,
    ports: { default: 'next' },
  }
}

/** A question for a person, worded by a model. */
function mapDescription(block: ForeignBlock, context: NodeContext): MappedBlock {
  const prompt = textOf(block.prompt) || 'Say in a few sentences what was done so far, and ask whether to proceed.'
  return {
    data: {
      ...aiAnswerDefaults(),
      source: 'model',
      question: context.text(prompt, caps.userMessage),
    } satisfies AiAnswerData,
    ports: { [context.failure]: 'not-found' },
  }
}
